"""Inputs of the kernel benchmarks, and the rates of the fields that their counts are set against."""

from __future__ import annotations

import numpy as np

from benchmarks import common
from proverd.backend import Backend, FieldVector, Form, Group, PointVector
from proverd.curves import Curve
from proverd.ops import points, vec
from proverd.ops.msm import fixed_base

ELEMENTS = 4096  #: of a vector for rates: it stays in the L2 cache


def random_vector(
    backend: Backend, curve: Curve, n: int, seed: int, form: Form = Form.MONTGOMERY
) -> FieldVector:
    """Uniform below 2^(bits − 1)."""
    words = np.random.default_rng(seed).integers(0, 2**63, (n, curve.fr.limbs), dtype=np.uint64)
    words[:, -1] >>= np.uint64(64 * curve.fr.limbs - curve.fr.bits)
    return vec.put(backend, curve, words, form)


def random_points(backend: Backend, curve: Curve, group: Group, n: int, seed: int) -> PointVector:
    """Random multiples of the generator."""
    if group is Group.G1:
        generator = points.g1_to_words(curve, [curve.g1])
    else:
        generator = points.g2_to_words(curve, [curve.g2])
    scalars = random_vector(backend, curve, n, seed, Form.CANONICAL)
    return fixed_base(backend, curve, group, generator[0], scalars)


def fr_multiplication_ns(backend: Backend, curve: Curve) -> float:
    """One Montgomery multiplication in Fr, as the backend's vector product does it."""
    a, b, out = (random_vector(backend, curve, ELEMENTS, seed) for seed in range(3))
    return 1e9 * common.seconds_per_call(lambda: vec.multiply(out, a, b)) / ELEMENTS


def fp_multiplication_ns(backend: Backend, curve: Curve) -> float:
    """One multiplication in Fp, taken from the check of the curve equation on G1: 2S + 1M a point and little
    else, so that the figure is a little too high."""
    words = np.repeat(points.g1_to_words(curve, [curve.g1]), ELEMENTS, axis=0)
    vector = points.put(backend, curve, Group.G1, words)
    return 1e9 * common.seconds_per_call(lambda: points.first_off_curve(vector)) / ELEMENTS / 3
