"""The folded layer: occurrences become papers, with folds, conflicts and ids that last."""
