"""A field and a curve small enough to try everything, for tests only: no pairing and no security.

    p = 64,513 = 63·2¹⁰ + 1, so that transforms of up to 1,024 points exist
    E : y² = x³ + 5 over Fp has 65,017 = 79·823 points; ``TINY_GROUP`` is the subgroup of order 823

Like G1 of BLS12-381 the curve has points outside the subgroup. ``tests/curves/test_tiny.py`` counts all of
this. The idea is constantine's and bellperson's.
"""

from proverd.curves.curve import PrimeField
from proverd.curves.reference import Fp, Group

TINY_FIELD = PrimeField("tiny.Fp", 64_513)
TINY_ROOT_BASE = 5  #: the smallest non-residue
TINY_GROUP = Group(Fp(64_513), b=5, generator=(13, 26_725), order=823)
TINY_COFACTOR = 79
