"""Verification, of one proof and of many.

    e(A, B) = e(α, β)·e(ic₀ + Σ xᵢ·icᵢ₊₁, γ)·e(C, δ)

Malformed input raises; a well-formed but wrong proof is False.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from proverd.backend import Backend, Group, get_backend
from proverd.backend.api import Words
from proverd.curves import Curve
from proverd.curves.curve import G1Point, G2Point
from proverd.errors import (
    BadArgument,
    CurveMismatch,
    FormatError,
    NotInSubgroup,
    NotOnCurve,
    UnsafeKey,
    ValueOutOfRange,
    WrongLength,
)
from proverd.formats import Proof, VerifyingKey
from proverd.formats.points import g1_on_curve, g2_on_curve
from proverd.ops import pairing, points
from proverd.ops.msm import linear_combination

BATCH_COEFFICIENT_BITS = 128  # a batch with a wrong proof passes with probability 2⁻¹²⁸


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A checked verifying key as Montgomery words."""

    curve: Curve
    alpha_g1: Words  # (1, words), as the following
    beta_g2: Words
    gamma_g2: Words
    delta_g2: Words
    ic: Words  # (n_public + 1, words)


def verify(
    key: VerifyingKey, public_inputs: Sequence[int], proof: Proof, *, allow_unsafe_key: bool = False
) -> bool:
    """Whether the proof holds for the public inputs.

    Raises UnsafeKey for a key under which anyone can forge, CurveMismatch, WrongLength for another number
    of public inputs, ValueOutOfRange for one outside [0, r) or a coordinate outside [0, p), NotOnCurve and
    NotInSubgroup for points of the key or the proof. One proof and one set of inputs give one answer, but
    anyone can turn a proof into another for the same inputs: a proof's bytes identify nothing.
    """
    return _product_is_one(key, [(public_inputs, proof)], [1], allow_unsafe_key)


def batch_verify(
    key: VerifyingKey,
    items: Iterable[tuple[Sequence[int], Proof]],
    *,
    allow_unsafe_key: bool = False,
) -> bool:
    """Whether all proofs hold, each for its own public inputs; raises as ``verify`` does.

    Proofs are combined with independent random 128-bit coefficients from the operating system, so that
    three pairings serve all and each proof costs one Miller loop (small exponents test: Bellare, Garay and
    Rabin, Eurocrypt 1998). A False says only that some proof is wrong.
    """
    batch = list(items)
    if not batch:
        raise BadArgument("no proofs to verify")
    coefficients = [1 + secrets.randbelow((1 << BATCH_COEFFICIENT_BITS) - 1) for _ in batch]
    return _product_is_one(key, batch, coefficients, allow_unsafe_key)


def unsafe_reason(key: VerifyingKey) -> str | None:
    """Why anyone can forge proofs under this key, or None.

    With δ = γ (as before the first phase-2 contribution, where both are the generator) C can absorb any
    change of the public inputs. Infinity in place of a point breaks the equation likewise.
    """
    for name in ("alpha_g1", "beta_g2", "gamma_g2", "delta_g2"):
        if getattr(key, name) is None:
            return f"{name} is the point at infinity"
    if key.delta_g2 == key.gamma_g2:
        return "delta equals gamma: the key has had no phase-2 contribution"
    if key.delta_g2 == key.curve.g2:
        return "delta is the generator: the key has had no phase-2 contribution"
    return None


def unbound_public_inputs(key: VerifyingKey) -> list[int]:
    """Public inputs that no constraint binds: their ic point is infinity, and any value verifies."""
    return [i for i, point in enumerate(key.ic[1:]) if point is None]


def _product_is_one(
    key: VerifyingKey,
    items: Sequence[tuple[Sequence[int], Proof]],
    coefficients: Sequence[int],
    allow_unsafe_key: bool,
) -> bool:
    reason = unsafe_reason(key)
    if reason is not None and not allow_unsafe_key:
        raise UnsafeKey(f"unsafe verifying key: {reason}; anyone can forge proofs under it")
    backend = get_backend("cpu")
    prepared = _prepare(key)
    curve = prepared.curve
    for inputs, proof in items:
        _check_inputs(key, inputs)
        if proof.curve is not curve:
            raise CurveMismatch(f"the key is over {curve.name}, the proof over {proof.curve.name}")
    a, b, c = _proof_words(backend, curve, [proof for _, proof in items])
    r = curve.fr.modulus
    weights = [
        sum(k * inputs[i] for k, (inputs, _) in zip(coefficients, items, strict=True)) % r
        for i in range(key.n_public)
    ]
    total = sum(coefficients) % r
    inputs_point = linear_combination(backend, curve, Group.G1, prepared.ic, [total, *weights])
    c_sum = linear_combination(backend, curve, Group.G1, c, coefficients)
    alpha = linear_combination(backend, curve, Group.G1, prepared.alpha_g1, [total])
    left = [
        linear_combination(backend, curve, Group.G1, point.reshape(1, -1), [-k])
        for point, k in zip(a, coefficients, strict=True)
    ]
    g1 = np.stack([*left, alpha, inputs_point, c_sum])
    g2 = np.concatenate([b, prepared.beta_g2, prepared.gamma_g2, prepared.delta_g2])
    return pairing.product_is_one(backend, curve, g1, g2)


def _check_inputs(key: VerifyingKey, inputs: Sequence[int]) -> None:
    if len(inputs) != key.n_public:
        raise WrongLength("public inputs", got=len(inputs), expected=key.n_public)
    for i, value in enumerate(inputs):
        if not isinstance(value, int) or not 0 <= value < key.curve.fr.modulus:
            raise ValueOutOfRange(f"public input {i}: expected an integer in [0, r), found {value!r}")


@lru_cache(maxsize=64)
def _prepare(key: VerifyingKey) -> _Prepared:
    """Checks the points of a key once: they are the same for every proof."""
    backend, curve = get_backend("cpu"), key.curve
    names = ["beta_g2", "gamma_g2", "delta_g2"]
    with _about("verifying key"):
        g1 = _checked_g1(backend, curve, [key.alpha_g1, *key.ic], ["alpha_g1", *_names("ic", key.ic)])
        g2 = _checked_g2(backend, curve, [getattr(key, name) for name in names], names)
    return _Prepared(curve, g1[:1], g2[:1], g2[1:2], g2[2:], g1[1:])


def _proof_words(backend: Backend, curve: Curve, proofs: Sequence[Proof]) -> tuple[Words, Words, Words]:
    with _about("proof"):
        a = _checked_g1(backend, curve, [p.a for p in proofs], _names("a", proofs))
        b = _checked_g2(backend, curve, [p.b for p in proofs], _names("b", proofs))
        c = _checked_g1(backend, curve, [p.c for p in proofs], _names("c", proofs))
    return a, b, c


@contextmanager
def _about(what: str) -> Iterator[None]:
    """Says in an error which of the two inputs a bad point is in."""
    try:
        yield
    except FormatError as error:
        error.section = what
        raise


def _names(name: str, items: Sequence[object]) -> list[str]:
    return [name] if len(items) == 1 else [f"{name}[{i}]" for i in range(len(items))]


def _checked_g1(backend: Backend, curve: Curve, values: Sequence[G1Point], names: Sequence[str]) -> Words:
    for point, name in zip(values, names, strict=True):
        _check_coordinates(curve, name, () if point is None else point)
        if not g1_on_curve(curve, point):
            raise NotOnCurve(f"{name} is not on G1's curve")
    return _in_subgroup(backend, curve, Group.G1, points.g1_to_words(curve, values), names)


def _checked_g2(backend: Backend, curve: Curve, values: Sequence[G2Point], names: Sequence[str]) -> Words:
    for point, name in zip(values, names, strict=True):
        _check_coordinates(curve, name, () if point is None else (*point[0], *point[1]))
        if not g2_on_curve(curve, point):
            raise NotOnCurve(f"{name} is not on G2's curve")
    return _in_subgroup(backend, curve, Group.G2, points.g2_to_words(curve, values), names)


def _check_coordinates(curve: Curve, name: str, coordinates: Sequence[int]) -> None:
    if not all(0 <= value < curve.fp.modulus for value in coordinates):
        raise ValueOutOfRange(f"{name}: a coordinate is not in [0, p)")


def _in_subgroup(backend: Backend, curve: Curve, group: Group, words: Words, names: Sequence[str]) -> Words:
    bad = points.first_outside_subgroup(points.put(backend, curve, group, words))
    if bad >= 0:
        raise NotInSubgroup(f"{names[bad]} is outside the subgroup of order r")
    return words
