"""The reference group law: axioms anywhere on the curve, multiples against py_ecc, sums of multiples."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py_ecc import bls12_381, bn128

from curves.samples import curve_points, each_example, g1_curve_order, g2_curve_order, groups, scalars, trace
from proverd.curves import CURVES, Curve
from proverd.curves import reference as ref
from proverd.curves.reference import Group, Point

PY_ECC = {"bn254": bn128, "bls12_381": bls12_381}


@given(data=st.data())
@each_example
def test_group_axioms(curve: Curve, data: st.DataObject) -> None:
    """Closure, commutativity, associativity, neutral and inverse elements, for points in no one subgroup."""
    for group in groups(curve):
        p, q, r = (data.draw(curve_points(group)) for _ in range(3))
        add = group.add
        assert group.contains(add(p, q))
        assert add(p, q) == add(q, p)
        assert add(add(p, q), r) == add(p, add(q, r))
        assert add(p, None) == p == add(None, p)
        assert add(p, group.negate(p)) is None
        assert add(add(p, q), group.negate(q)) == p
        assert group.sum([p, p, q, r]) == add(add(p, p), add(q, r))


@given(data=st.data())
@each_example
def test_multiples(curve: Curve, data: st.DataObject) -> None:
    a, b = data.draw(scalars(curve)), data.draw(st.integers(-(2**70), 2**70))
    for group in groups(curve):
        G = group.generator
        aG, bG = group.multiply(a, G), group.multiply(b, G)
        assert group.add(aG, bG) == group.multiply(a + b, G)
        assert group.multiply(b, aG) == group.multiply(a * b % group.order, G)
        assert group.multiply(-1, aG) == group.negate(aG)


def test_small_multiples(curve: Curve) -> None:
    for group in groups(curve):
        G = group.generator
        assert [group.multiply(k, G) for k in (0, 1, 2, 3)] == [
            None,
            G,
            group.sum([G, G]),
            group.sum([G] * 3),
        ]
        assert group.multiply(group.order, G) is None
        assert group.multiply(group.order - 1, G) == group.negate(G)
        assert group.multiply(7, None) is None
        assert group.sum([]) is None


def test_slope_of_a_vertical_line_does_not_exist(curve: Curve) -> None:
    for group in groups(curve):
        x, y = group.generator
        with pytest.raises(ZeroDivisionError):
            group.slope((x, y), (x, group.field.negate(y)))


def from_py_ecc(point: Any) -> Point[Any]:
    if point is None:
        return None
    if hasattr(point[0], "coeffs"):
        return tuple(tuple(int(c) for c in coordinate.coeffs) for coordinate in point)  # type: ignore[return-value]
    return int(point[0].n), int(point[1].n)


@pytest.mark.parametrize("k", [1, 2, 3, 0xDEADBEEF, 2**127 - 1])
def test_multiples_equal_py_ecc(curve: Curve, k: int) -> None:
    module = PY_ECC[curve.name]
    for group, generator in zip(groups(curve), (module.G1, module.G2), strict=True):
        assert from_py_ecc(generator) == group.generator
        assert from_py_ecc(module.multiply(generator, k)) == group.multiply(k, group.generator)


@given(data=st.data())
@each_example
def test_membership(curve: Curve, data: st.DataObject) -> None:
    """Multiples of the generator are in the subgroup, and so is any point times the cofactor."""
    k = data.draw(scalars(curve))
    for group, order in zip(groups(curve), (g1_curve_order(curve), g2_curve_order(curve)), strict=True):
        assert group.in_subgroup(group.multiply(k, group.generator))
        point = data.draw(curve_points(group))
        assert group.contains(point)
        assert group.in_subgroup(group.multiply(order // group.order, point))


def test_points_off_the_curve(curve: Curve) -> None:
    for group in groups(curve):
        x, y = group.generator
        for wrong in ((y, x), (x, group.field.add(y, group.field.one)), (group.field.zero, group.field.zero)):
            assert not group.contains(wrong)


def test_subgroups_are_proper_where_the_cofactor_is_not_one() -> None:
    """Every point of BN254's G1 curve is in the subgroup; of the other three curves hardly any is."""
    shares = {}
    for curve in CURVES.values():
        for name, group in zip(("g1", "g2"), groups(curve), strict=True):
            candidates = [group.point_with_x(_small(group, x)) for x in range(1, 12)]
            members = [group.in_subgroup(point) for point in candidates if point is not None]
            assert members
            shares[curve.name, name] = sum(members) / len(members)
    assert shares == {
        ("bn254", "g1"): 1,
        ("bn254", "g2"): 0,
        ("bls12_381", "g1"): 0,
        ("bls12_381", "g2"): 0,
    }


def _small(group: Group[Any], x: int) -> Any:
    return x if isinstance(group.field.one, int) else (x, 1)


@given(data=st.data())
@each_example
def test_msm_is_the_sum_of_multiples(curve: Curve, data: st.DataObject) -> None:
    for group in groups(curve):
        points = data.draw(st.lists(curve_points(group), max_size=4))
        chosen = data.draw(st.lists(scalars(curve), min_size=len(points), max_size=len(points)))
        expected = group.sum(group.multiply(k, point) for k, point in zip(chosen, points, strict=True))
        assert ref.msm(group, points, chosen) == expected


def test_msm_of_special_inputs(curve: Curve) -> None:
    for group in groups(curve):
        G = group.generator
        assert ref.msm(group, [], []) is None
        assert ref.msm(group, [G, None], [0, 5]) is None
        assert ref.msm(group, [G, group.negate(G)], [9, 9]) is None
        assert ref.msm(group, [G] * 33, [group.order - 1] * 33) == group.multiply(-33, G)
        with pytest.raises(ValueError, match="zip"):
            ref.msm(group, [G], [1, 2])


@given(data=st.data())
@each_example
def test_psi_is_an_endomorphism_with_frobenius_equation(curve: Curve, data: st.DataObject) -> None:
    """ψ(P + Q) = ψ(P) + ψ(Q), and ψ² − tψ + p = 0 on all of E', in the subgroup and outside."""
    group = ref.g2(curve)
    p, q = data.draw(curve_points(group)), data.draw(curve_points(group))
    image = ref.psi(curve, p)
    assert group.contains(image)
    assert ref.psi(curve, group.add(p, q)) == group.add(image, ref.psi(curve, q))
    terms = [
        ref.psi(curve, image),
        group.multiply(-trace(curve), image),
        group.multiply(curve.fp.modulus, p),
    ]
    assert group.sum(terms) is None


def test_psi_multiplies_by_p_in_the_subgroup(curve: Curve) -> None:
    group = ref.g2(curve)
    assert ref.psi(curve, group.generator) == group.multiply(curve.fp.modulus, group.generator)
