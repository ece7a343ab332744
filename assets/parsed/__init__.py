"""Parsed: documents read into occurrences and rejects, every character accounted for."""
