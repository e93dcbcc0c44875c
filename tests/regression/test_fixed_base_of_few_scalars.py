"""Windows of two bits were one too few for the largest scalars of BLS12-381: tiny keys were wrong."""

from __future__ import annotations

import pytest

from proverd.backend import Group, get_backend
from proverd.curves import CURVES
from proverd.ops import points, vec
from proverd.ops.msm import fixed_base, linear_combination


@pytest.mark.parametrize("n", [1, 2, 4, 5, 9, 40])
@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
def test_multiples_by_the_largest_scalars(curve, n: int) -> None:
    backend = get_backend("cpu")
    scalars = [curve.fr.modulus - 1 - i for i in range(n)]
    base = points.g1_to_words(curve, [curve.g1])
    multiples = fixed_base(backend, curve, Group.G1, base[0], vec.from_integers(backend, curve, scalars))
    x, y = curve.g1
    assert points.g1_from_words(curve, multiples.data)[0] == (x, curve.fp.modulus - y)  # −1 times G
    for i, scalar in enumerate(scalars):
        expected = linear_combination(backend, curve, Group.G1, base, [scalar])
        assert (multiples.data[i] == expected).all()
