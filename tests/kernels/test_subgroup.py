"""That the endomorphism conditions of subgroup.h hold for no point outside the subgroup.

φ and ψ satisfy a quadratic equation X² − tX + n = 0 on all points. A condition a(X)·P = 0 then gives N·P = 0
for the norm N of a in Z[X]/(X² − tX + n), as N is a multiple of a. Where N shares only the factor r with the
number of points, P has order r.
"""

from __future__ import annotations

from math import gcd, isqrt

from proverd.curves import CURVES, Curve, reference

Quadratic = tuple[int, int]  #: a + b·X


def multiply(a: Quadratic, b: Quadratic, trace: int, norm: int) -> Quadratic:
    high = a[1] * b[1]
    return a[0] * b[0] - norm * high, a[0] * b[1] + a[1] * b[0] + trace * high


def evaluate(coefficients: list[int], trace: int, norm: int) -> Quadratic:
    """Σ coefficients[k]·Xᵏ."""
    total: Quadratic = (0, 0)
    for coefficient in reversed(coefficients):
        total = multiply(total, (0, 1), trace, norm)
        total = (total[0] + coefficient, total[1])
    return total


def norm_of(a: Quadratic, trace: int, norm: int) -> int:
    return a[0] ** 2 + a[0] * a[1] * trace + a[1] ** 2 * norm


def points_of_twist(curve: Curve) -> int:
    """#E'(Fp2): p² + 1 minus one of the traces (±t₂ ± 3f)/2 of the sextic twists, the multiple of r.

    t₂ = t² − 2p and t₂² − 4p² = −3f²; Hess, Smart, Vercauteren, The Eta pairing revisited, eprint 2006/110.
    """
    p, r, t = curve.fp.modulus, curve.fr.modulus, trace_of(curve)
    t2 = t * t - 2 * p
    f = isqrt((4 * p * p - t2 * t2) // 3)
    assert 3 * f * f == 4 * p * p - t2 * t2
    orders = [p * p + 1 - (s * t2 + u * 3 * f) // 2 for s in (1, -1) for u in (1, -1)]
    (order,) = [n for n in orders if n % r == 0 and annihilates(curve, n)]
    return order


def annihilates(curve: Curve, order: int) -> bool:
    group = reference.g2(curve)
    candidates = (group.point_with_x((x, 1)) for x in range(1, 20))
    return all(group.multiply(order, point) is None for point in candidates if point is not None)


def trace_of(curve: Curve) -> int:
    """t of E: 6x² + 1 (BN), x + 1 (BLS12)."""
    return 6 * curve.seed**2 + 1 if curve.family == "BN" else curve.seed + 1


def test_g2() -> None:
    for curve in CURVES.values():
        x, p, t = curve.seed, curve.fp.modulus, trace_of(curve)
        condition = [x + 1, x, x, -2 * x] if curve.family == "BN" else [x, -1]
        norm = norm_of(evaluate(condition, t, p), t, p)
        assert gcd(norm, points_of_twist(curve)) == curve.fr.modulus
        assert sum(c * p**k for k, c in enumerate(condition)) % curve.fr.modulus == 0, "ψ is p on G2"


def test_g1_of_bls12_381() -> None:
    """φ² + φ + 1 = 0."""
    curve = CURVES["bls12_381"]
    order = curve.fp.modulus + 1 - trace_of(curve)
    norm = norm_of((curve.seed**2, 1), -1, 1)
    assert gcd(norm, order) == curve.fr.modulus


def test_g1_of_bn254_is_the_whole_curve() -> None:
    curve = CURVES["bn254"]
    assert curve.fp.modulus + 1 - trace_of(curve) == curve.fr.modulus
