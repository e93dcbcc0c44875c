"""Vector operations against Python integers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proverd.backend import Backend, FieldVector, Form
from proverd.curves import CURVES, Curve
from proverd.errors import BadArgument, CurveMismatch, WrongLength
from proverd.ops import vec

per_example = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def values_below(modulus: int) -> st.SearchStrategy[list[int]]:
    edges = st.sampled_from([0, 1, 2, modulus - 1, modulus - 2, (modulus + 1) // 2, modulus >> 64])
    return st.lists(st.one_of(edges, st.integers(0, modulus - 1)), min_size=1, max_size=20)


def montgomery(backend: Backend, curve: Curve, values: list[int]) -> FieldVector:
    x = vec.from_integers(backend, curve, values)
    vec.to_montgomery(x)
    return x


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (vec.multiply, lambda x, y, r: x * y % r),
        (vec.add, lambda x, y, r: (x + y) % r),
        (vec.subtract, lambda x, y, r: (x - y) % r),
    ],
)
@given(data=st.data())
@per_example
def test_pointwise(
    backend: Backend,
    curve: Curve,
    operation: Callable[[FieldVector, FieldVector, FieldVector], None],
    expected: Callable[[int, int, int], int],
    data: st.DataObject,
) -> None:
    r = curve.fr.modulus
    xs = data.draw(values_below(r))
    ys = data.draw(st.lists(values_below(r).map(lambda v: v[0]), min_size=len(xs), max_size=len(xs)))
    x, y = montgomery(backend, curve, xs), montgomery(backend, curve, ys)
    out = vec.empty(backend, curve, len(xs))
    operation(out, x, y)
    assert vec.integers(out) == [expected(a, b, r) for a, b in zip(xs, ys, strict=True)]
    operation(x, x, y)  # in place
    assert vec.integers(x) == vec.integers(out)


@given(data=st.data())
@per_example
def test_forms_are_those_of_the_definition(backend: Backend, curve: Curve, data: st.DataObject) -> None:
    xs = data.draw(values_below(curve.fr.modulus))
    x = vec.from_integers(backend, curve, xs)
    vec.to_montgomery(x)
    assert vec.words_to_integers(backend.get(x.data)) == [curve.fr.to_montgomery(v) for v in xs]
    vec.from_montgomery(x)
    assert vec.words_to_integers(backend.get(x.data)) == xs


@given(data=st.data())
@per_example
def test_fused_multiply_subtract(backend: Backend, curve: Curve, data: st.DataObject) -> None:
    r = curve.fr.modulus
    xs = data.draw(values_below(r))
    ys, zs = [(v * 7 + 3) % r for v in xs], [(v * v + 1) % r for v in xs]
    out, y, z = (montgomery(backend, curve, v) for v in (xs, ys, zs))
    vec.multiply_subtract_canonical(out, out, y, z)
    assert out.form is Form.CANONICAL
    assert vec.integers(out) == [(a * b - c) % r for a, b, c in zip(xs, ys, zs, strict=True)]


@given(data=st.data())
@per_example
def test_batch_inverse_scale_dot(backend: Backend, curve: Curve, data: st.DataObject) -> None:
    r = curve.fr.modulus
    xs = data.draw(values_below(r))
    x = montgomery(backend, curve, xs)
    inverted = montgomery(backend, curve, xs)
    vec.batch_inverse(inverted)
    assert vec.integers(inverted) == [pow(v, -1, r) if v else 0 for v in xs]
    assert vec.dot(x, inverted) == sum(1 for v in xs if v) % r
    vec.scale(x, x, r - 5)
    assert vec.integers(x) == [-5 * v % r for v in xs]


@pytest.mark.parametrize("n", [0, 1, 4095, 4096, 4097, 10_000])
def test_powers_and_inverse_across_blocks(backend: Backend, curve: Curve, n: int) -> None:
    r = curve.fr.modulus
    first, ratio = 3, 0x1234567890ABCDEF1234567890ABCDEF % r
    x = vec.powers(backend, curve, first, ratio, n)
    expected, value = [], first
    for _ in range(n):
        expected.append(value)
        value = value * ratio % r
    assert vec.integers(x) == expected
    y = vec.powers(backend, curve, pow(first, -1, r), pow(ratio, -1, r), n)
    assert vec.dot(x, y) == n
    vec.batch_inverse(x)
    assert np.array_equal(backend.get(x.data), backend.get(y.data))


def test_first_not_reduced(backend: Backend, curve: Curve) -> None:
    r = curve.fr.modulus
    good = [0, r - 1] * 3000
    assert vec.first_not_reduced(vec.from_integers(backend, curve, good)) == -1
    for bad in (r, r + 1, (1 << 256) - 1):
        for position in (0, 1, 4096, 5999):
            values = good.copy()
            values[position] = bad
            values[5999] = bad
            assert vec.first_not_reduced(vec.from_integers(backend, curve, values)) == position


def test_unaligned_memory_gives_the_same(backend: Backend, curve: Curve) -> None:
    words = vec.integers_to_words([5, 7, 11], curve.fr)
    raw = np.frombuffer(b"\0" * 3 + words.tobytes(), dtype=np.uint8)[3:].view("<u8").reshape(3, 4)
    out = vec.empty(backend, curve, 3)
    backend.to_montgomery(curve, out.data, raw)
    assert vec.integers(out) == [5, 7, 11]


def test_operands_that_do_not_fit_are_refused(backend: Backend, curve: Curve) -> None:
    x = vec.powers(backend, curve, 1, 2, 4)
    canonical = vec.from_integers(backend, curve, [1, 2, 3, 4])
    with pytest.raises(BadArgument, match="canonical"):
        vec.multiply(canonical, canonical, canonical)
    with pytest.raises(BadArgument, match="operands"):
        vec.add(x, x, canonical)
    with pytest.raises(WrongLength, match="expected 4, found 5"):
        vec.add(x, x, vec.powers(backend, curve, 1, 2, 5))
    other = next(c for c in CURVES.values() if c is not curve)
    with pytest.raises(CurveMismatch):
        vec.add(x, x, vec.powers(backend, other, 1, 2, 4))
