"""The reference fields are fields, and their towers are the ones the kernels implement."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curves.samples import each_example, elements, fields
from proverd.curves import Curve
from proverd.curves import reference as ref
from proverd.curves.reference import CoordinateField


@given(data=st.data())
@each_example
def test_field_axioms(curve: Curve, data: st.DataObject) -> None:
    for field in fields(curve):
        a, b, c = (data.draw(elements(field)) for _ in range(3))
        add, multiply = field.add, field.multiply
        assert add(a, b) == add(b, a)
        assert multiply(a, b) == multiply(b, a)
        assert add(add(a, b), c) == add(a, add(b, c))
        assert multiply(multiply(a, b), c) == multiply(a, multiply(b, c))
        assert multiply(a, add(b, c)) == add(multiply(a, b), multiply(a, c))
        assert add(a, field.zero) == a == multiply(a, field.one)
        assert add(a, field.negate(a)) == field.zero == field.subtract(a, a)
        assert field.square(a) == multiply(a, a)
        if a != field.zero:
            assert multiply(a, field.inverse(a)) == field.one
            assert multiply(field.divide(b, a), a) == b


def test_zero_has_no_inverse(curve: Curve) -> None:
    for field in fields(curve):
        with pytest.raises(ZeroDivisionError):
            field.inverse(field.zero)


def test_powers(curve: Curve) -> None:
    for field in fields(curve):
        a = field.add(field.one, field.one)
        assert [field.power(a, k) for k in (0, 1, 3)] == [field.one, a, field.multiply(field.square(a), a)]
        assert field.multiply(field.power(a, -5), field.power(a, 5)) == field.one


def test_generators_of_the_tower(curve: Curve) -> None:
    """u² = −1, v³ = ξ, w² = v, in the nesting [2][3][2] of snarkjs."""
    fp12 = ref.fp12(curve)
    fp6, fp2 = fp12.fp6, fp12.fp6.fp2
    u = (0, 1)
    v = (fp2.zero, fp2.one, fp2.zero)
    w = (fp6.zero, fp6.one)
    assert fp2.square(u) == fp2.negate(fp2.one)
    assert fp6.power(v, 3) == (curve.xi, fp2.zero, fp2.zero)
    assert fp12.square(w) == (v, fp6.zero)
    assert fp12.power(w, 6) == fp12.from_powers_of_w({0: curve.xi})


@given(data=st.data())
@each_example
def test_multiplication_by_v(curve: Curve, data: st.DataObject) -> None:
    fp6 = ref.fp12(curve).fp6
    a = data.draw(elements(fp6))
    assert fp6.multiply_by_v(a) == fp6.multiply(a, (fp6.fp2.zero, fp6.fp2.one, fp6.fp2.zero))


@given(data=st.data())
@each_example
def test_powers_of_w_are_where_they_are_said_to_be(curve: Curve, data: st.DataObject) -> None:
    fp12 = ref.fp12(curve)
    w = (fp12.fp6.zero, fp12.fp6.one)
    coefficients = {k: data.draw(elements(fp12.fp6.fp2)) for k in range(6)}
    expected = fp12.zero
    for k, c in coefficients.items():
        embedded = ((c, (0, 0), (0, 0)), fp12.fp6.zero)
        expected = fp12.add(expected, fp12.multiply(embedded, fp12.power(w, k)))
    assert fp12.from_powers_of_w(coefficients) == expected


def test_conjugates_are_powers(curve: Curve) -> None:
    fp12, p = ref.fp12(curve), curve.fp.modulus
    a2 = (3, p - 7)
    assert fp12.fp6.fp2.conjugate(a2) == fp12.fp6.fp2.power(a2, p)
    a12 = fp12.from_powers_of_w({k: (k + 2, 5 * k + 1) for k in range(6)})
    assert fp12.conjugate(a12) == fp12.power(a12, p**6)


@given(data=st.data())
@each_example
def test_square_roots(curve: Curve, data: st.DataObject) -> None:
    p, fp2 = curve.fp.modulus, ref.fp12(curve).fp6.fp2
    sized: list[tuple[CoordinateField[Any], int]] = [(ref.Fp(p), p), (fp2, p * p)]
    for field, order in sized:
        a = data.draw(elements(field))
        root = field.square_root(field.square(a))
        assert root is not None
        assert field.square(root) == field.square(a)
        is_square = a == field.zero or field.power(a, (order - 1) // 2) == field.one
        assert (field.square_root(a) is not None) == is_square


def test_square_roots_in_fp2_of_elements_of_fp(curve: Curve) -> None:
    """All of Fp are squares in Fp2: the non-residues are those of multiples of u."""
    fp2 = ref.fp12(curve).fp6.fp2
    for n in range(curve.fp.modulus - 6, curve.fp.modulus):
        root = fp2.square_root((n, 0))
        assert root is not None
        assert fp2.square(root) == (n, 0)


def test_square_roots_are_refused_where_the_formula_does_not_hold() -> None:
    with pytest.raises(NotImplementedError):
        ref.Fp(13).square_root(4)


def test_dft_is_evaluation(curve: Curve) -> None:
    r, root = curve.fr.modulus, curve.fr.root_of_unity(curve.snarkjs_root_base, 3)
    values = [7, 0, r - 1, 3, 0, 0, 11, 2]
    assert ref.dft(values, root, r) == [
        sum(v * pow(root, i * j, r) for j, v in enumerate(values)) % r for i in range(8)
    ]
    inverse = ref.dft(ref.dft(values, root, r), pow(root, -1, r), r)
    assert inverse == [8 * v % r for v in values]
    assert ref.dft([5], 1, r) == [5]


def test_dft_turns_products_of_polynomials_into_products_of_values(curve: Curve) -> None:
    r, root = curve.fr.modulus, curve.fr.root_of_unity(curve.snarkjs_root_base, 3)
    a, b = [1, r - 2, 3, 4], [5, 6, 0, r - 8]
    product = [sum(a[i] * b[k - i] for i in range(4) if 0 <= k - i < 4) % r for k in range(8)]
    pairs = zip(ref.dft(a + [0] * 4, root, r), ref.dft(b + [0] * 4, root, r), strict=True)
    assert ref.dft(product, root, r) == [x * y % r for x, y in pairs]
