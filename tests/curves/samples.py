"""Random elements and points, and the orders of the whole groups, for the tests of curves."""

from __future__ import annotations

from math import isqrt
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from proverd.curves import Curve
from proverd.curves import reference as ref
from proverd.curves.reference import Field, Fp, Fp2, Fp6, Fp12, Group, Point

E = TypeVar("E")

each_example = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def fields(curve: Curve) -> list[Field[Any]]:
    """Fr, Fp, Fp2, Fp6 and Fp12 of a curve."""
    fp12 = ref.fp12(curve)
    return [Fp(curve.fr.modulus), Fp(curve.fp.modulus), fp12.fp6.fp2, fp12.fp6, fp12]


def groups(curve: Curve) -> list[Group[Any]]:
    return [ref.g1(curve), ref.g2(curve)]


def elements(field: Field[Any]) -> st.SearchStrategy[Any]:
    """Elements with the edges 0, 1 and p − 1 frequent in every coefficient."""
    if isinstance(field, Fp):
        edges = st.sampled_from([0, 1, field.p - 1])
        return edges | st.integers(0, field.p - 1)
    if isinstance(field, Fp2):
        return st.tuples(*[elements(Fp(field.p))] * 2)
    if isinstance(field, Fp6):
        return st.tuples(*[elements(field.fp2)] * 3)
    assert isinstance(field, Fp12)
    return st.tuples(*[elements(field.fp6)] * 2)


def curve_points(group: Group[E]) -> st.SearchStrategy[Point[E]]:
    """Points anywhere on the curve, not only in the subgroup; infinity sometimes."""
    found = elements(group.field).map(group.point_with_x).filter(lambda point: point is not None)
    return st.none() | found | found.map(group.negate)


def scalars(curve: Curve) -> st.SearchStrategy[int]:
    r = curve.fr.modulus
    return st.sampled_from([0, 1, 2, r - 1, r, r + 1]) | st.integers(0, r - 1)


def g1_curve_order(curve: Curve) -> int:
    """The number of points of E over Fp: p + 1 − t. The trace t is 6x² + 1 (BN), x + 1 (BLS12)."""
    return curve.fp.modulus + 1 - trace(curve)


def trace(curve: Curve) -> int:
    return 6 * curve.seed**2 + 1 if curve.family == "BN" else curve.seed + 1


def g2_curve_order(curve: Curve) -> int:
    """The number of points of E' over Fp2: of the two sextic twists' orders the one that r divides.

    E over Fp2 has trace t₂ = t² − 2p, its sextic twists (t₂ ± 3f)/2 where t₂² − 4p² = −3f². Hess, Smart,
    Vercauteren, The eta pairing revisited, eprint 2006/110, section 4.
    """
    p, t = curve.fp.modulus, trace(curve)
    t2 = t * t - 2 * p
    f = isqrt((4 * p * p - t2 * t2) // 3)
    assert 3 * f * f == 4 * p * p - t2 * t2
    orders = [p * p + 1 - (t2 + sign * 3 * f) // 2 for sign in (1, -1)]
    (order,) = [order for order in orders if order % curve.fr.modulus == 0]
    return order
