"""Folded: occurrences folded into papers, each fold with its evidence."""
