"""Operands and expected results for every operation of kernels/arith_test.h, from the reference arithmetic.

A test applies the operation of that name to the arrays ``a`` and ``b`` and hands the result to ``check``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proverd.curves import Curve, reference
from proverd.curves.curve import PrimeField
from proverd.curves.reference import Field, Group, Point

Words = NDArray[np.uint64]
Element = Any  #: an integer or a pair of integers

SEED = 20240229


def flat(element: Element) -> list[int]:
    """Coefficients over the prime field."""
    return [element] if isinstance(element, int) else [c for part in element for c in flat(part)]


@dataclass(frozen=True)
class Codec:
    """Elements of a field of the reference, in Montgomery words and back."""

    prime: PrimeField
    field: Field[Any]

    @property
    def degree(self) -> int:
        return len(flat(self.field.zero))

    def words(self, elements: Sequence[Element]) -> Words:
        """(n, degree·limbs)."""
        return integers_to_words(
            self.prime, [[self.prime.to_montgomery(c) for c in flat(e)] for e in elements]
        )

    def elements(self, words: Words) -> list[Element]:
        rows = [[self.prime.from_montgomery(r) for r in row] for row in words_to_integers(self.prime, words)]
        return [row[0] if self.degree == 1 else tuple(row) for row in rows]


def integers_to_words(prime: PrimeField, rows: Sequence[Sequence[int]]) -> Words:
    data = b"".join(value.to_bytes(prime.nbytes, "little") for row in rows for value in row)
    return np.frombuffer(data, np.uint64).reshape(len(rows), -1)


def words_to_integers(prime: PrimeField, words: Words) -> list[list[int]]:
    size = prime.nbytes
    rows = [row.tobytes() for row in words]
    return [[int.from_bytes(row[i : i + size], "little") for i in range(0, len(row), size)] for row in rows]


@dataclass(frozen=True)
class Case:
    name: str
    a: Words
    b: Words
    result_words: int  #: 64-bit words of one result
    check: Callable[[Words], None]  #: raises AssertionError


def cases(curve: Curve) -> Iterator[Case]:
    rng = random.Random(SEED)
    fp2 = reference.fp12(curve).fp6.fp2
    fields = {
        "fr": Codec(curve.fr, reference.Fp(curve.fr.modulus)),
        "fp": Codec(curve.fp, reference.Fp(curve.fp.modulus)),
        "fp2": Codec(curve.fp, fp2),
    }
    for prefix, codec in fields.items():
        yield from field_cases(prefix, codec, rng)
    for prefix in ("fr", "fp"):
        yield from form_cases(prefix, fields[prefix].prime, rng)
    yield from group_cases("g1", fields["fp"], reference.g1(curve), rng)
    yield from group_cases("g2", fields["fp2"], reference.g2(curve), rng)


# --- fields -----------------------------------------------------------------------------------------


def edges(prime: PrimeField) -> list[int]:
    """Values whose Montgomery residues or canonical forms are extreme."""
    p = prime.modulus
    residues = [
        0,
        1,
        p - 1,
        p - 2,
        (1 << 64) - 1,
        p >> 1,
        (p >> 1) + 1,
        1 << (prime.bits - 1),
        p & -(1 << 128),
    ]
    return [*(prime.from_montgomery(r % p) for r in residues), 1, 2, p - 1]


def operands(codec: Codec, rng: random.Random) -> tuple[list[Element], list[Element]]:
    """Every pair of edge values, then random pairs."""
    p = codec.prime.modulus
    special: list[Element] = list(edges(codec.prime))
    if codec.degree == 2:
        special = [(x, y) for x in special[:6] for y in special[:4]]
    pairs = [(x, y) for x in special for y in special]

    def drawn() -> Element:
        return rng.randrange(p) if codec.degree == 1 else (rng.randrange(p), rng.randrange(p))

    pairs += [(drawn(), drawn()) for _ in range(400)]
    return [x for x, _ in pairs], [y for _, y in pairs]


def field_cases(prefix: str, codec: Codec, rng: random.Random) -> Iterator[Case]:
    field = codec.field

    def inverse_or_zero(x: Element) -> Element:
        return field.zero if x == field.zero else field.inverse(x)

    operations: dict[str, Callable[[Element, Element], Element]] = {
        "add": field.add,
        "subtract": field.subtract,
        "multiply": field.multiply,
        "square": lambda x, _: field.square(x),
        "negate": lambda x, _: field.negate(x),
        "double": lambda x, _: field.add(x, x),
        "invert": lambda x, _: inverse_or_zero(x),
        "difference_of_products": lambda x, y: field.multiply(field.subtract(x, y), y),
    }
    for name, operation in operations.items():
        a, b = operands(codec, rng)
        expected = codec.words([operation(x, y) for x, y in zip(a, b, strict=True)])
        yield exact_case(f"{prefix}_{name}", codec.words(a), codec.words(b), expected)


def form_cases(prefix: str, prime: PrimeField, rng: random.Random) -> Iterator[Case]:
    values = [*edges(prime), *(rng.randrange(prime.modulus) for _ in range(100))]
    canonical = integers_to_words(prime, [[v] for v in values])
    montgomery = integers_to_words(prime, [[prime.to_montgomery(v)] for v in values])
    yield exact_case(f"{prefix}_to_montgomery", canonical, canonical, montgomery)
    yield exact_case(f"{prefix}_from_montgomery", montgomery, montgomery, canonical)


def exact_case(name: str, a: Words, b: Words, expected: Words) -> Case:
    def check(result: Words) -> None:
        wrong = np.flatnonzero((result != expected).any(axis=1))
        assert not len(wrong), f"{name}: {len(wrong)} of {len(expected)} wrong, first {wrong[0]}"

    return Case(name, a, b, expected.shape[1], check)


# --- groups -----------------------------------------------------------------------------------------


def group_cases(prefix: str, codec: Codec, group: Group[Any], rng: random.Random) -> Iterator[Case]:
    """All pairs of a few points, among them infinity, equal and opposite ones, and all forms of addition."""
    points: list[Point[Any]] = [None, group.generator, group.negate(group.generator)]
    points += [
        group.multiply(k, group.generator) for k in (2, 3, rng.randrange(1 << 250), rng.randrange(1 << 250))
    ]
    p = [x for x in points for _ in points]
    q = points * len(points)
    both = list(zip(p, q, strict=True))
    sums = [group.add(x, y) for x, y in both]
    doubles = [group.add(x, x) for x in p]
    wide_p, wide_q = (xyzz_words(codec, x, rng) for x in (p, q))
    affine_p, affine_q = (affine_words(codec, x) for x in (p, q))
    yield xyzz_case(f"{prefix}_add_mixed", codec, wide_p, affine_q, sums)
    yield xyzz_case(f"{prefix}_add", codec, wide_p, wide_q, sums)
    yield xyzz_case(f"{prefix}_double", codec, wide_p, wide_p, doubles)
    yield xyzz_case(f"{prefix}_double_affine", codec, affine_p, affine_p, doubles)
    yield exact_case(f"{prefix}_to_affine", wide_p, wide_p, affine_p)


def affine_words(codec: Codec, points: Sequence[Point[Any]]) -> Words:
    zero = codec.field.zero
    return np.concatenate(
        [codec.words([zero if x is None else x[i] for x in points]) for i in (0, 1)], axis=1
    )


def xyzz_words(codec: Codec, points: Sequence[Point[Any]], rng: random.Random) -> Words:
    """Each point with a factor of its own: ZZ = k², ZZZ = k³; infinity has ZZ = 0 and any X, Y, ZZZ."""
    field, p = codec.field, codec.prime.modulus
    rows = []
    for point in points:
        k = rng.randrange(1, p) if codec.degree == 1 else (rng.randrange(1, p), rng.randrange(p))
        zz = field.square(k)
        zzz = field.multiply(zz, k)
        if point is None:
            rows.append((k, zz, field.zero, field.zero))
        else:
            rows.append((field.multiply(point[0], zz), field.multiply(point[1], zzz), zz, zzz))
    return np.concatenate([codec.words([row[i] for row in rows]) for i in range(4)], axis=1)


def xyzz_case(name: str, codec: Codec, a: Words, b: Words, expected: Sequence[Point[Any]]) -> Case:
    field, words = codec.field, codec.degree * codec.prime.limbs

    def check(result: Words) -> None:
        columns = [codec.elements(result[:, i * words : (i + 1) * words]) for i in range(4)]
        for i, (x, y, zz, zzz) in enumerate(zip(*columns, strict=True)):
            if zz == field.zero:
                point = None
            else:
                assert field.power(zz, 3) == field.square(zzz), f"{name}: {i}: ZZ³ ≠ ZZZ²"
                point = (field.divide(x, zz), field.divide(y, zzz))
            assert point == expected[i], f"{name}: {i} is wrong"

    return Case(name, a, b, 4 * words, check)
