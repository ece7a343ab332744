"""Analytical: facts and views over the folded tables."""
