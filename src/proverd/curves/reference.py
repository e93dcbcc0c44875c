"""Slow, exact arithmetic in plain Python integers: the oracle of the tests, written from the definitions.

    fields    Fp, Fp2 = Fp[u]/(u² + 1), Fp6 = Fp2[v]/(v³ − ξ), Fp12 = Fp6[w]/(w² − v)
    groups    g1(curve), g2(curve): add, multiply, contains, in_subgroup;  msm
    other     dft, psi, pairing

Nothing here is clever. Fields are objects, elements are integers or nested tuples of integers, points are
affine with ``None`` for infinity, a sum of multiples goes bit by bit, a discrete Fourier transform is the
matrix product that defines it, and a subgroup check multiplies by the order. The kernels take the short
cuts that this module does not take, so that the two agree only where the short cuts are right.

Not constant-time, and not for secrets. Sources: El Mrabet and Joye (eds.), Guide to Pairing-Based
Cryptography, chapters 2 and 3; Vercauteren, Optimal pairings, eprint 2008/096.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from proverd.curves.curve import Curve, Fp2Element, G1Point, G2Point

E = TypeVar("E")
Point = tuple[E, E] | None  #: affine coordinates; None is infinity
Fp6Element = tuple[Fp2Element, Fp2Element, Fp2Element]  #: c0 + c1·v + c2·v², v³ = ξ
Fp12Element = tuple[Fp6Element, Fp6Element]  #: c0 + c1·w, w² = v


def repeat(k: int, a: E, neutral: E, operation: Callable[[E, E], E], invert: Callable[[E], E]) -> E:
    """a ∘ a ∘ … ∘ a (k times) in a group: k·a or aᵏ, by the binary method from the top bit."""
    if k < 0:
        k, a = -k, invert(a)
    result = neutral
    for bit in bin(k)[2:]:
        result = operation(result, result)
        if bit == "1":
            result = operation(result, a)
    return result


# --- fields -----------------------------------------------------------------------------------------


class Field(ABC, Generic[E]):
    """A field with elements of type E, always canonical: ``==`` of elements is equality in the field."""

    zero: E
    one: E

    @abstractmethod
    def add(self, a: E, b: E) -> E: ...

    @abstractmethod
    def negate(self, a: E) -> E: ...

    @abstractmethod
    def multiply(self, a: E, b: E) -> E: ...

    @abstractmethod
    def inverse(self, a: E) -> E:
        """1/a; ZeroDivisionError if a = 0."""

    def subtract(self, a: E, b: E) -> E:
        return self.add(a, self.negate(b))

    def square(self, a: E) -> E:
        return self.multiply(a, a)

    def divide(self, a: E, b: E) -> E:
        return self.multiply(a, self.inverse(b))

    def power(self, a: E, k: int) -> E:
        return repeat(k, a, self.one, self.multiply, self.inverse)


class CoordinateField(Field[E]):
    """A field that curve points have their coordinates in."""

    @abstractmethod
    def square_root(self, a: E) -> E | None:
        """One of the two square roots of a, or None."""


class Fp(CoordinateField[int]):
    """The integers modulo a prime p."""

    zero = 0
    one = 1

    def __init__(self, p: int) -> None:
        self.p = p

    def add(self, a: int, b: int) -> int:
        return (a + b) % self.p

    def negate(self, a: int) -> int:
        return -a % self.p

    def multiply(self, a: int, b: int) -> int:
        return a * b % self.p

    def inverse(self, a: int) -> int:
        if a == 0:
            raise ZeroDivisionError("inverse of zero")
        return pow(a, -1, self.p)

    def square_root(self, a: int) -> int | None:
        """a^((p+1)/4) if its square is a, where p ≡ 3 mod 4."""
        if self.p % 4 != 3:
            raise NotImplementedError("square roots modulo a prime that is not 3 mod 4")
        root = pow(a, (self.p + 1) // 4, self.p)
        return root if root * root % self.p == a else None


class Fp2(CoordinateField[Fp2Element]):
    """Fp[u]/(u² + 1), a field where p ≡ 3 mod 4."""

    zero = (0, 0)
    one = (1, 0)

    def __init__(self, p: int) -> None:
        self.p = p

    def add(self, a: Fp2Element, b: Fp2Element) -> Fp2Element:
        return (a[0] + b[0]) % self.p, (a[1] + b[1]) % self.p

    def negate(self, a: Fp2Element) -> Fp2Element:
        return -a[0] % self.p, -a[1] % self.p

    def multiply(self, a: Fp2Element, b: Fp2Element) -> Fp2Element:
        return (a[0] * b[0] - a[1] * b[1]) % self.p, (a[0] * b[1] + a[1] * b[0]) % self.p

    def conjugate(self, a: Fp2Element) -> Fp2Element:
        """aᵖ = a₀ − a₁·u."""
        return a[0], -a[1] % self.p

    def inverse(self, a: Fp2Element) -> Fp2Element:
        """Conjugate over norm, a₀² + a₁²."""
        if a == self.zero:
            raise ZeroDivisionError("inverse of zero")
        norm_inverse = pow(a[0] * a[0] + a[1] * a[1], -1, self.p)
        return a[0] * norm_inverse % self.p, -a[1] * norm_inverse % self.p

    def square_root(self, a: Fp2Element) -> Fp2Element | None:
        """s + t·u with 2s² = a₀ ± √(a₀² + a₁²) and 2s·t = a₁.

        The complex method; Adj and Rodríguez-Henríquez, eprint 2012/685, algorithm 8.
        """
        fp = Fp(self.p)
        if a[1] == 0:
            root, root_of_minus = fp.square_root(a[0]), fp.square_root(-a[0] % self.p)
            return (0, root_of_minus or 0) if root is None else (root, 0)
        norm_root = fp.square_root((a[0] * a[0] + a[1] * a[1]) % self.p)
        if norm_root is None:
            return None
        for twice_square in (a[0] + norm_root, a[0] - norm_root):
            s = fp.square_root(fp.divide(twice_square % self.p, 2))
            if s is not None:
                return s, fp.divide(a[1], 2 * s)
        return None


class Fp6(Field[Fp6Element]):
    """Fp2[v]/(v³ − ξ)."""

    def __init__(self, fp2: Fp2, xi: Fp2Element) -> None:
        self.fp2 = fp2
        self.xi = xi
        self.zero = (fp2.zero, fp2.zero, fp2.zero)
        self.one = (fp2.one, fp2.zero, fp2.zero)

    def add(self, a: Fp6Element, b: Fp6Element) -> Fp6Element:
        add = self.fp2.add
        return add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])

    def negate(self, a: Fp6Element) -> Fp6Element:
        negate = self.fp2.negate
        return negate(a[0]), negate(a[1]), negate(a[2])

    def multiply(self, a: Fp6Element, b: Fp6Element) -> Fp6Element:
        add, mul = self.fp2.add, self.fp2.multiply
        c0 = mul(a[0], b[0])
        c1 = add(mul(a[0], b[1]), mul(a[1], b[0]))
        c2 = add(add(mul(a[0], b[2]), mul(a[1], b[1])), mul(a[2], b[0]))
        c3 = add(mul(a[1], b[2]), mul(a[2], b[1]))
        c4 = mul(a[2], b[2])
        return add(c0, mul(self.xi, c3)), add(c1, mul(self.xi, c4)), c2

    def multiply_by_v(self, a: Fp6Element) -> Fp6Element:
        return self.fp2.multiply(self.xi, a[2]), a[0], a[1]

    def inverse(self, a: Fp6Element) -> Fp6Element:
        """Adjugate over norm: the column of cofactors of the matrix of multiplication by a."""
        mul, sub = self.fp2.multiply, self.fp2.subtract
        adjugate = (
            sub(mul(a[0], a[0]), mul(self.xi, mul(a[1], a[2]))),
            sub(mul(self.xi, mul(a[2], a[2])), mul(a[0], a[1])),
            sub(mul(a[1], a[1]), mul(a[0], a[2])),
        )
        norm_inverse = self.fp2.inverse(self.multiply(a, adjugate)[0])
        return mul(adjugate[0], norm_inverse), mul(adjugate[1], norm_inverse), mul(adjugate[2], norm_inverse)


class Fp12(Field[Fp12Element]):
    """Fp6[w]/(w² − v), so that w⁶ = ξ. Elements nest as [2][3][2], like ``vk_alphabeta_12`` of snarkjs."""

    def __init__(self, fp6: Fp6) -> None:
        self.fp6 = fp6
        self.zero = (fp6.zero, fp6.zero)
        self.one = (fp6.one, fp6.zero)

    def from_powers_of_w(self, coefficients: dict[int, Fp2Element]) -> Fp12Element:
        """Σ cₖ·wᵏ over 0 ≤ k < 6, with cₖ in Fp2; absent coefficients are zero."""
        c = [coefficients.get(k, self.fp6.fp2.zero) for k in range(6)]
        return (c[0], c[2], c[4]), (c[1], c[3], c[5])

    def add(self, a: Fp12Element, b: Fp12Element) -> Fp12Element:
        return self.fp6.add(a[0], b[0]), self.fp6.add(a[1], b[1])

    def negate(self, a: Fp12Element) -> Fp12Element:
        return self.fp6.negate(a[0]), self.fp6.negate(a[1])

    def multiply(self, a: Fp12Element, b: Fp12Element) -> Fp12Element:
        add, mul = self.fp6.add, self.fp6.multiply
        return (
            add(mul(a[0], b[0]), self.fp6.multiply_by_v(mul(a[1], b[1]))),
            add(mul(a[0], b[1]), mul(a[1], b[0])),
        )

    def conjugate(self, a: Fp12Element) -> Fp12Element:
        """a^(p⁶) = a₀ − a₁·w."""
        return a[0], self.fp6.negate(a[1])

    def inverse(self, a: Fp12Element) -> Fp12Element:
        """Conjugate over norm, a₀² − v·a₁²."""
        fp6 = self.fp6
        norm_inverse = fp6.inverse(fp6.subtract(fp6.square(a[0]), fp6.multiply_by_v(fp6.square(a[1]))))
        return fp6.multiply(a[0], norm_inverse), fp6.negate(fp6.multiply(a[1], norm_inverse))


@cache
def fp12(curve: Curve) -> Fp12:
    """The field of the pairing's values."""
    return Fp12(Fp6(Fp2(curve.fp.modulus), curve.xi))


# --- groups -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group(Generic[E]):
    """The points of y² = x³ + b over a field, and in it the subgroup of prime order that G generates.

    The group law is the chord and tangent rule for every pair of points on the curve, in the subgroup or
    not.
    """

    field: CoordinateField[E]
    b: E
    generator: tuple[E, E]
    order: int

    def point_with_x(self, x: E) -> Point[E]:
        """A point (x, y) on the curve, which need not be in the subgroup, or None if there is none."""
        field = self.field
        y = field.square_root(field.add(field.multiply(field.square(x), x), self.b))
        return None if y is None else (x, y)

    def contains(self, point: Point[E]) -> bool:
        """Whether the point satisfies the curve equation, or is infinity."""
        if point is None:
            return True
        field, (x, y) = self.field, point
        return field.square(y) == field.add(field.multiply(field.square(x), x), self.b)

    def in_subgroup(self, point: Point[E]) -> bool:
        """Whether order·P is infinity, for P on the curve: membership by definition."""
        return self.multiply(self.order, point) is None

    def negate(self, point: Point[E]) -> Point[E]:
        return None if point is None else (point[0], self.field.negate(point[1]))

    def slope(self, p: tuple[E, E], q: tuple[E, E]) -> E:
        """λ of the chord through P and Q ≠ ±P, or of the tangent at P = Q; ZeroDivisionError if vertical."""
        field = self.field
        if p == q:
            xx = field.square(p[0])
            return field.divide(field.add(xx, field.add(xx, xx)), field.add(p[1], p[1]))
        return field.divide(field.subtract(q[1], p[1]), field.subtract(q[0], p[0]))

    def add(self, p: Point[E], q: Point[E]) -> Point[E]:
        """P + Q: x = λ² − x_P − x_Q, y = λ(x_P − x) − y_P."""
        if p is None or q is None:
            return q if p is None else p
        if p == self.negate(q):
            return None
        field = self.field
        slope = self.slope(p, q)
        x = field.subtract(field.subtract(field.square(slope), p[0]), q[0])
        return x, field.subtract(field.multiply(slope, field.subtract(p[0], x)), p[1])

    def multiply(self, k: int, point: Point[E]) -> Point[E]:
        """k·P for any integer k, not reduced modulo the order."""
        return repeat(k, point, None, self.add, self.negate)

    def sum(self, points: Iterable[Point[E]]) -> Point[E]:
        total: Point[E] = None
        for point in points:
            total = self.add(total, point)
        return total


@cache
def g1(curve: Curve) -> Group[int]:
    return Group(Fp(curve.fp.modulus), curve.b, curve.g1, curve.fr.modulus)


@cache
def g2(curve: Curve) -> Group[Fp2Element]:
    return Group(fp12(curve).fp6.fp2, curve.b2, curve.g2, curve.fr.modulus)


def msm(group: Group[E], points: Sequence[Point[E]], scalars: Sequence[int]) -> Point[E]:
    """Σ kᵢ·Pᵢ for kᵢ ≥ 0, one bit of all scalars at a time.

    About n·bits/2 additions. To check a long sum, take bases cᵢ·G with known cᵢ and compare with (Σ kᵢcᵢ)·G.
    """
    terms = list(zip(points, scalars, strict=True))
    total: Point[E] = None
    for bit in reversed(range(max((k.bit_length() for k in scalars), default=0))):
        chosen = (point for point, k in terms if k >> bit & 1)
        total = group.add(group.add(total, total), group.sum(chosen))
    return total


def dft(values: Sequence[int], root: int, modulus: int) -> list[int]:
    """yᵢ = Σⱼ xⱼ·rootⁱʲ mod modulus, natural order in and out: the values at rootⁱ of the polynomial x."""
    results = []
    for i in range(len(values)):
        point, total = pow(root, i, modulus), 0
        for value in reversed(values):
            total = (total * point + value) % modulus
        results.append(total)
    return results


# --- pairing ----------------------------------------------------------------------------------------


def psi(curve: Curve, point: G2Point) -> G2Point:
    """ψ: E' → E → E → E', untwist, p-power Frobenius, twist; multiplies a point of G2 by p.

    With the D-twist (x, y) ↦ (x·w², y·w³) this is (x̄·ξ^((p−1)/3), ȳ·ξ^((p−1)/2)), since w⁶ = ξ; with the
    M-twist (x, y) ↦ (x/w², y/w³) both factors are inverted. Galbraith and Scott, eprint 2008/117.
    """
    if point is None:
        return None
    field = fp12(curve).fp6.fp2
    sign = 1 if curve.twist == "D" else -1
    factor_x = field.power(curve.xi, sign * (curve.fp.modulus - 1) // 3)
    factor_y = field.power(curve.xi, sign * (curve.fp.modulus - 1) // 2)
    x, y = (field.conjugate(coordinate) for coordinate in point)
    return field.multiply(x, factor_x), field.multiply(y, factor_y)


def line(
    curve: Curve, t: tuple[Fp2Element, Fp2Element], q: tuple[Fp2Element, Fp2Element], p: tuple[int, int]
) -> Fp12Element:
    """The line through the untwisted T and Q (the tangent where T = Q), evaluated at P in G1.

    On the D-twist a point (x, y) of E' is (x·w², y·w³) on E and the slope is λ·w:

        y_P − λ·w·x_P + (λ·x_T − y_T)·w³

    On the M-twist it is (x/w², y/w³) and the slope λ/w; the line is taken times w³, a factor that the
    final exponentiation removes, its square being ξ in Fp2:

        y_P·w³ − λ·w²·x_P + (λ·x_T − y_T)
    """
    field = fp12(curve).fp6.fp2
    slope = g2(curve).slope(t, q)
    y = (p[1], 0)
    slope_x = field.negate(field.multiply(slope, (p[0], 0)))
    rest = field.subtract(field.multiply(slope, t[0]), t[1])
    coefficients = {0: y, 1: slope_x, 3: rest} if curve.twist == "D" else {0: rest, 2: slope_x, 3: y}
    return fp12(curve).from_powers_of_w(coefficients)


def step(
    curve: Curve, f: Fp12Element, t: G2Point, q: G2Point, p: tuple[int, int]
) -> tuple[Fp12Element, G2Point]:
    """One step of Miller's algorithm: f times the line through T and Q at P, and T + Q."""
    following = g2(curve).add(t, q)
    if t is None or q is None or following is None:
        raise ValueError("the second argument of a pairing is not of order r")
    return fp12(curve).multiply(f, line(curve, t, q, p)), following


def miller_loop(curve: Curve, p: G1Point, q: G2Point) -> Fp12Element:
    """The optimal ate pairing of P and Q before the final exponentiation; one if either is infinity.

    BLS12: f_{x,Q}(P). BN: f_{6x+2,Q}(P) times the line through [6x+2]Q and ψ(Q) and the line through their
    sum and −ψ²(Q). Miller's algorithm; Vercauteren, Optimal pairings, eprint 2008/096.
    """
    field = fp12(curve)
    f, t = field.one, q
    if p is None or q is None:
        return f
    for bit in bin(abs(curve.miller_loop_count))[3:]:
        f, t = step(curve, field.square(f), t, t, p)
        if bit == "1":
            f, t = step(curve, f, t, q, p)
    if curve.miller_loop_count < 0:
        f, t = field.inverse(f), g2(curve).negate(t)
    if curve.family == "BN":
        image = psi(curve, q)
        f, t = step(curve, f, t, image, p)
        f, t = step(curve, f, t, g2(curve).negate(psi(curve, image)), p)
    return f


def final_exponent_multiple(curve: Curve) -> int:
    """The integer m in e(P, Q) = f^(m·(p¹² − 1)/r).

    Any m prime to r gives a pairing, and fast final exponentiations compute one of these rather than m = 1.
    The choice below is that of snarkjs (and of libff's BN254 and zkcrypto's BLS12-381), whose
    ``vk_alphabeta_12`` shows it:

        BN      m = 2x(6x² + 3x + 1)   Fuentes-Castañeda, Knapp, Rodríguez-Henríquez, Faster hashing to G2
        BLS12   m = 3                  Hayashida, Hayasaka, Teruya, eprint 2020/875
    """
    x = curve.seed
    return 2 * x * (6 * x**2 + 3 * x + 1) if curve.family == "BN" else 3


def final_exponentiation(curve: Curve, f: Fp12Element) -> Fp12Element:
    """f^(m·(p¹² − 1)/r); of it f^(p⁶ − 1) is the conjugate over f, the rest plain squaring and multiplying.

    The kernels split (p⁶ + 1)/r further, into p² + 1 and a chain of powers of x and Frobenius maps.
    """
    field, p6 = fp12(curve), curve.fp.modulus**6
    easy = field.divide(field.conjugate(f), f)
    return field.power(easy, final_exponent_multiple(curve) * (p6 + 1) // curve.fr.modulus)


def pairing_product(curve: Curve, pairs: Iterable[tuple[G1Point, G2Point]]) -> Fp12Element:
    """Π e(Pᵢ, Qᵢ), for points in the subgroups of order r; infinities contribute one."""
    field = fp12(curve)
    product = field.one
    for p, q in pairs:
        product = field.multiply(product, miller_loop(curve, p, q))
    return final_exponentiation(curve, product)


def pairing(curve: Curve, p: G1Point, q: G2Point) -> Fp12Element:
    """e(P, Q), equal to what snarkjs computes: e(α, β) is ``vk_alphabeta_12`` of a verifying key."""
    return pairing_product(curve, [(p, q)])
