"""Code sets: small sets of word codes that whole arrays of codes are looked up in.

Which words belong to a set is said where the set is used (`subject.py`).
"""

from __future__ import annotations

import numpy as np

from assets.folded.texts import Codes

_HIGH_BITS = 20


class CodeSet:
    """A set of word codes."""

    def __init__(self, codes: Codes) -> None:
        """Hold the codes sorted, and a table of their highest bits, which tells most other codes apart."""
        self._codes = np.unique(codes)
        self._shift = np.uint32(32 - _HIGH_BITS)
        self._maybe = np.zeros(1 << _HIGH_BITS, dtype=bool)
        self._maybe[self._codes >> self._shift] = True

    def holds(self, codes: Codes) -> np.ndarray:
        """Return which of the codes are in the set."""
        found = self._maybe[codes >> self._shift]
        maybe = np.flatnonzero(found)
        at = np.minimum(np.searchsorted(self._codes, codes[maybe]), len(self._codes) - 1)
        found[maybe] = self._codes[at] == codes[maybe]
        return found
