"""Products of pairings."""

from __future__ import annotations

import numpy as np

from proverd.backend.api import Backend, Words
from proverd.curves import Curve
from proverd.ops.vec import words_to_integers


def product_is_one(backend: Backend, curve: Curve, g1: Words, g2: Words) -> bool:
    """Whether Π e(Pᵢ, Qᵢ) = 1, for points (n, words) on the curves and in their subgroups.

    n Miller loops and one final exponentiation. Infinities contribute one.
    """
    return backend.pairing_product_is_one(curve, np.ascontiguousarray(g1), np.ascontiguousarray(g2))


def product(backend: Backend, curve: Curve, g1: Words, g2: Words) -> list[int]:
    """Π e(Pᵢ, Qᵢ) as 12 canonical coefficients over Fp, c0 before c1 on every level of the tower
    Fp12 = Fp6[w], Fp6 = Fp2[v], Fp2 = Fp[u]."""
    words = backend.pairing_product(curve, np.ascontiguousarray(g1), np.ascontiguousarray(g2))
    return [curve.fp.from_montgomery(value) for value in words_to_integers(words)]
