"""Field moduli and single affine points, as the binary formats hold them.

A modulus is a u32 byte count followed by the little-endian number. A point is x, y (G1) or x.c0, x.c1,
y.c0, y.c1 (G2), each coordinate in Montgomery form, little-endian; infinity is all zero bytes.
Source: ffjavascript, ``toRprLEM``.
"""

from __future__ import annotations

from proverd.curves import CURVES, Curve, PrimeField
from proverd.curves.curve import Fp2Element, G1Point, G2Point
from proverd.errors import NotOnCurve, UnsupportedCurve, ValueOutOfRange
from proverd.formats.binfile import Cursor

MAX_MODULUS_BYTES = 128  # of any field such files are made for; keeps a forged count from printing pages

G1_COORDINATES = ("x", "y")
G2_COORDINATES = ("x.c0", "x.c1", "y.c0", "y.c1")


def read_modulus(cursor: Cursor, what: str) -> tuple[int, int]:
    """(byte count, modulus). Raises MalformedSection for a byte count no field has."""
    nbytes = cursor.u32(f"byte count of {what}")
    if not 0 < nbytes <= MAX_MODULUS_BYTES or nbytes % 8:
        raise cursor.malformed(
            f"byte count of {what}: expected a multiple of 8 up to {MAX_MODULUS_BYTES}, found {nbytes}"
        )
    return nbytes, int.from_bytes(cursor.take(nbytes, what), "little")


def read_base_field(cursor: Cursor) -> Curve:
    """The curve whose base field's modulus stands next. Raises UnsupportedCurve with the modulus."""
    return _read_curve(cursor, "base field modulus q", {c.fp.modulus: (c, c.fp) for c in CURVES.values()})


def read_scalar_field(cursor: Cursor) -> Curve:
    """The curve whose scalar field's modulus stands next. Raises UnsupportedCurve with the modulus."""
    return _read_curve(cursor, "scalar field modulus r", {c.fr.modulus: (c, c.fr) for c in CURVES.values()})


def _read_curve(cursor: Cursor, what: str, known: dict[int, tuple[Curve, PrimeField]]) -> Curve:
    place = cursor.place()
    nbytes, modulus = read_modulus(cursor, what)
    if modulus not in known:
        names = " or ".join(curve.name for curve, _ in known.values())
        raise UnsupportedCurve(f"{what}: expected that of {names}, found {modulus}", **place)
    curve, field = known[modulus]
    if nbytes != field.nbytes:
        raise cursor.malformed(f"byte count of {what}: expected {field.nbytes}, found {nbytes}")
    return curve


def field_header(field: PrimeField) -> bytes:
    """A modulus as ``read_modulus`` reads it."""
    return field.nbytes.to_bytes(4, "little") + field.modulus.to_bytes(field.nbytes, "little")


def read_g1(cursor: Cursor, curve: Curve, what: str) -> G1Point:
    """The next point. Raises ValueOutOfRange (a coordinate not below q) or NotOnCurve."""
    place = cursor.place()
    x, y = _read_coordinates(cursor, curve, what, G1_COORDINATES)
    point = None if x == y == 0 else (x, y)
    if not g1_on_curve(curve, point):
        raise NotOnCurve(f"{what}: the point is not on {curve.name}", **place)
    return point


def read_g2(cursor: Cursor, curve: Curve, what: str) -> G2Point:
    """The next point. Raises ValueOutOfRange (a coordinate not below q) or NotOnCurve."""
    place = cursor.place()
    x0, x1, y0, y1 = _read_coordinates(cursor, curve, what, G2_COORDINATES)
    point = None if x0 == x1 == y0 == y1 == 0 else ((x0, x1), (y0, y1))
    if not g2_on_curve(curve, point):
        raise NotOnCurve(f"{what}: the point is not on the twist of {curve.name}", **place)
    return point


def _read_coordinates(cursor: Cursor, curve: Curve, what: str, names: tuple[str, ...]) -> list[int]:
    coordinates = []
    for name in names:
        place = cursor.place()
        residue = int.from_bytes(cursor.take(curve.fp.nbytes, what), "little")
        if residue >= curve.fp.modulus:
            raise ValueOutOfRange(f"{what}.{name}: expected a value below q, found {residue}", **place)
        coordinates.append(curve.fp.from_montgomery(residue))
    return coordinates


def g1_bytes(curve: Curve, point: G1Point) -> bytes:
    """A point as ``read_g1`` reads it."""
    return _coordinate_bytes(curve, (0, 0) if point is None else point)


def g2_bytes(curve: Curve, point: G2Point) -> bytes:
    """A point as ``read_g2`` reads it."""
    return _coordinate_bytes(curve, (0, 0, 0, 0) if point is None else (*point[0], *point[1]))


def _coordinate_bytes(curve: Curve, coordinates: tuple[int, ...]) -> bytes:
    fp = curve.fp
    return b"".join(fp.to_montgomery(value).to_bytes(fp.nbytes, "little") for value in coordinates)


def g1_on_curve(curve: Curve, point: G1Point) -> bool:
    """y² = x³ + b over Fp, or infinity."""
    if point is None:
        return True
    x, y = point
    return (y * y - x * x * x - curve.b) % curve.fp.modulus == 0


def g2_on_curve(curve: Curve, point: G2Point) -> bool:
    """y² = x³ + b₂ over Fp2, or infinity."""
    if point is None:
        return True
    p = curve.fp.modulus
    x, y = point
    left = _fp2_multiply(y, y, p)
    cube = _fp2_multiply(_fp2_multiply(x, x, p), x, p)
    return all((left[i] - cube[i] - curve.b2[i]) % p == 0 for i in (0, 1))


def _fp2_multiply(a: Fp2Element, b: Fp2Element, p: int) -> Fp2Element:
    return ((a[0] * b[0] - a[1] * b[1]) % p, (a[0] * b[1] + a[1] * b[0]) % p)
