"""Similar papers: the nearest of each paper by the terms that they share."""
