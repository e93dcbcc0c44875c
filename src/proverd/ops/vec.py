"""Vectors over Fr: making them, pointwise arithmetic, conversion between forms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from proverd.backend.api import Backend, FieldVector, Form, Order, Words
from proverd.curves import Curve, PrimeField
from proverd.errors import BadArgument
from proverd.ops.checks import alike, require


def words_of(value: int, field: PrimeField) -> Words:
    """``value`` (0 ≤ value < 2^(64·limbs)) as little-endian limbs, shape (limbs,)."""
    return np.frombuffer(value.to_bytes(field.nbytes, "little"), dtype="<u8").astype(np.uint64)


def integers_to_words(values: Sequence[int], field: PrimeField) -> Words:
    """Integers as limbs, shape (n, limbs)."""
    raw = b"".join(value.to_bytes(field.nbytes, "little") for value in values)
    return np.frombuffer(raw, dtype="<u8").reshape(len(values), field.limbs).astype(np.uint64)


def words_to_integers(words: Words) -> list[int]:
    """The rows of (n, limbs) as Python integers."""
    limbs = words.shape[1]
    raw = np.ascontiguousarray(words).tobytes()
    size = 8 * limbs
    return [int.from_bytes(raw[i : i + size], "little") for i in range(0, len(raw), size)]


def montgomery_words(value: int, field: PrimeField) -> Words:
    """The Montgomery residue of ``value``, shape (limbs,)."""
    return words_of(field.to_montgomery(value), field)


def empty(backend: Backend, curve: Curve, n: int, form: Form = Form.MONTGOMERY) -> FieldVector:
    """An uninitialised vector of n elements."""
    return FieldVector(backend, curve, backend.empty(n, curve.fr.limbs), form)


def put(
    backend: Backend, curve: Curve, words: Words, form: Form, order: Order = Order.NATURAL
) -> FieldVector:
    """Words (n, 4) as a vector of the backend; the CPU shares their memory."""
    if words.ndim != 2 or words.shape[1] != curve.fr.limbs or words.dtype != np.uint64:
        raise BadArgument(f"expected uint64 words of shape (n, {curve.fr.limbs})")
    return FieldVector(backend, curve, backend.put(words), form, order)


def from_integers(backend: Backend, curve: Curve, values: Sequence[int]) -> FieldVector:
    """Values in [0, r) as a canonical vector."""
    return put(backend, curve, integers_to_words(values, curve.fr), Form.CANONICAL)


def multiply(out: FieldVector, a: FieldVector, b: FieldVector) -> None:
    """out = a∘b mod r; all Montgomery; out may be a or b. 1M an element."""
    alike(out, a, b)
    require(a, Form.MONTGOMERY)
    a.backend.multiply(a.curve, out.data, a.data, b.data)


def add(out: FieldVector, a: FieldVector, b: FieldVector) -> None:
    """out = a + b mod r; out may be a or b."""
    alike(out, a, b)
    a.backend.add(a.curve, out.data, a.data, b.data)


def subtract(out: FieldVector, a: FieldVector, b: FieldVector) -> None:
    """out = a − b mod r; out may be a or b."""
    alike(out, a, b)
    a.backend.subtract(a.curve, out.data, a.data, b.data)


def scale(out: FieldVector, a: FieldVector, factor: int) -> None:
    """out = factor·a mod r, whatever the form of a; out may be a."""
    alike(out, a)
    a.backend.scale(a.curve, out.data, a.data, montgomery_words(factor % a.curve.fr.modulus, a.curve.fr))


def multiply_subtract_canonical(out: FieldVector, a: FieldVector, b: FieldVector, c: FieldVector) -> None:
    """out = a∘b − c mod r, canonical, from Montgomery operands; out may be one of them. 2M an element."""
    alike(a, b, c)
    require(a, Form.MONTGOMERY)
    a.backend.multiply_subtract_canonical(a.curve, out.data, a.data, b.data, c.data)
    out.form, out.order = Form.CANONICAL, a.order


def to_montgomery(x: FieldVector) -> None:
    """x ← x·R mod r in place. 1M an element."""
    require(x, Form.CANONICAL)
    x.backend.to_montgomery(x.curve, x.data, x.data)
    x.form = Form.MONTGOMERY


def from_montgomery(x: FieldVector) -> None:
    """x ← x/R mod r in place. 1M an element."""
    require(x, Form.MONTGOMERY)
    x.backend.from_montgomery(x.curve, x.data, x.data)
    x.form = Form.CANONICAL


def powers(backend: Backend, curve: Curve, first: int, ratio: int, n: int) -> FieldVector:
    """(first·ratioⁱ mod r) for i < n, Montgomery."""
    out = empty(backend, curve, n)
    fr = curve.fr
    backend.powers(
        curve,
        out.data,
        montgomery_words(first % fr.modulus, fr),
        montgomery_words(ratio % fr.modulus, fr),
    )
    return out


def batch_inverse(x: FieldVector) -> None:
    """x[i] ← 1/x[i] mod r in place, Montgomery; zeros stay zero. 3M an element, one inversion a block."""
    require(x, Form.MONTGOMERY)
    x.backend.batch_inverse(x.curve, x.data, x.data)


def dot(a: FieldVector, b: FieldVector) -> int:
    """Σ a[i]·b[i] mod r as a canonical integer; both Montgomery."""
    alike(a, b)
    require(a, Form.MONTGOMERY)
    residue = words_to_integers(a.backend.dot(a.curve, a.data, b.data).reshape(1, -1))[0]
    return a.curve.fr.from_montgomery(residue)


def first_not_reduced(x: FieldVector) -> int:
    """Index of the first element whose limbs are not below r, or −1."""
    return x.backend.first_not_reduced(x.curve, x.data)


def integers(x: FieldVector) -> list[int]:
    """The elements as canonical Python integers, in the vector's own order. For tests and small vectors."""
    values = words_to_integers(x.backend.get(x.data))
    if x.form is Form.MONTGOMERY:
        return [x.curve.fr.from_montgomery(value) for value in values]
    return values
