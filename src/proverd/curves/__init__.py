"""The curves proverd proves over, by name."""

from proverd.curves.bls12_381 import BLS12_381
from proverd.curves.bn254 import BN254
from proverd.curves.curve import Curve, PrimeField

CURVES: dict[str, Curve] = {curve.name: curve for curve in (BN254, BLS12_381)}


def curve_by_name(name: str) -> Curve:
    """The curve that snarkjs, gnark or proverd call ``name`` (case-insensitive); KeyError if unknown."""
    wanted = name.lower()
    for curve in CURVES.values():
        if wanted in curve.aliases:
            return curve
    raise KeyError(name)


__all__ = ["BLS12_381", "BN254", "CURVES", "Curve", "PrimeField", "curve_by_name"]
