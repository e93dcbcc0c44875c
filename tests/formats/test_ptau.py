"""``.ptau``: each power's block is found where snarkjs puts it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from formats.samples import VECTORS, Parts, counting_words, patch, ptau_bytes, u32
from proverd.curves import CURVES, Curve
from proverd.curves.curve import G1Point
from proverd.errors import BadArgument, MalformedSection, MissingSection, UnsupportedCurve
from proverd.formats import Ptau


def open_bytes(folder: Path, data: bytes) -> Ptau:
    path = folder / "file.ptau"
    path.write_bytes(data)
    return Ptau.open(path)


def test_sections(curve: Curve, tmp_path: Path) -> None:
    g1, g2 = curve.g1_nbytes // 8, curve.g2_nbytes // 8
    with open_bytes(tmp_path, ptau_bytes(curve, 3)) as powers:
        assert (powers.curve, powers.power, powers.ceremony_power) == (curve, 3, 6)
        assert powers.is_prepared
        for name, section_id, count, words in (
            ("tau_g1", 2, 15, g1),
            ("tau_g2", 3, 8, g2),
            ("alpha_tau_g1", 4, 8, g1),
            ("beta_tau_g1", 5, 8, g1),
            ("beta_g2", 6, 1, g2),
        ):
            assert np.array_equal(getattr(powers, name), counting_words(count, words, section_id << 20)), name
        for section_id, read, words, largest in (
            (12, powers.lagrange_tau_g1, g1, 4),
            (13, powers.lagrange_tau_g2, g2, 3),
            (14, powers.lagrange_alpha_tau_g1, g1, 3),
            (15, powers.lagrange_beta_tau_g1, g1, 3),
        ):
            blocks = np.concatenate([read(log_n) for log_n in range(largest + 1)])
            assert np.array_equal(blocks, counting_words(2 ** (largest + 1) - 1, words, section_id << 20))
            for log_n in (-1, largest + 1):
                with pytest.raises(BadArgument, match=f"power {3}"):
                    read(log_n)


def test_not_prepared(curve: Curve, tmp_path: Path) -> None:
    with open_bytes(tmp_path, ptau_bytes(curve, 2, prepared=False)) as powers:
        assert not powers.is_prepared
        assert len(powers.tau_g1) == 7
        with pytest.raises(MissingSection, match=r"section 13 \(lagrange tau_g2\).*not prepared for phase 2"):
            powers.lagrange_tau_g2(1)


@pytest.mark.parametrize("section_id", [1, 2, 3, 4, 5, 6, 12, 13, 14, 15])
def test_section_of_another_size(curve: Curve, tmp_path: Path, section_id: int) -> None:
    parts = Parts.of(ptau_bytes(curve, 2))
    for body in (parts[section_id][:-1], parts[section_id] + b"\0"):
        with pytest.raises(MalformedSection, match=rf"section {section_id} \("):
            open_bytes(tmp_path, parts.with_section(section_id, body).build())
    if section_id < 7:
        with pytest.raises(MissingSection, match=f"expected section {section_id} "):
            open_bytes(tmp_path, parts.without(section_id).build())


@pytest.mark.parametrize("power", [0, 1, 3, 33, 0xFFFFFFFF])
def test_power_that_disagrees(curve: Curve, tmp_path: Path, power: int) -> None:
    parts = Parts.of(ptau_bytes(curve, 2))
    changed = parts.with_section(1, patch(parts[1], 4 + curve.fp.nbytes, u32(power)))
    with pytest.raises(MalformedSection, match=r"section [12] "):
        open_bytes(tmp_path, changed.build())


def test_unknown_modulus_is_printed(curve: Curve, tmp_path: Path) -> None:
    parts = Parts.of(ptau_bytes(curve, 2))
    changed = parts.with_section(1, patch(parts[1], 4, (2**61 - 1).to_bytes(curve.fp.nbytes, "little")))
    with pytest.raises(UnsupportedCurve, match=f"base field modulus q: .*found {2**61 - 1}"):
        open_bytes(tmp_path, changed.build())


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.ptau")), ids=lambda path: path.stem)
def test_real_powers(path: Path) -> None:
    """snarkjs's own file: the first power is the generator, and the Lagrange basis of one point is it too."""
    with Ptau.open(path) as powers:
        generator = powers.curve.g1
        assert first_point(powers.curve, powers.tau_g1) == generator
        assert first_point(powers.curve, powers.lagrange_tau_g1(0)) == generator
        assert np.array_equal(powers.lagrange_alpha_tau_g1(0), powers.alpha_tau_g1[:1])
        assert np.array_equal(powers.lagrange_beta_tau_g1(0), powers.beta_tau_g1[:1])
        assert np.array_equal(powers.lagrange_tau_g2(0), powers.tau_g2[:1])
        assert len(powers.lagrange_tau_g1(powers.power + 1)) == 2 ** (powers.power + 1)


def first_point(curve: Curve, words: np.ndarray) -> G1Point:
    x, y = (int.from_bytes(half.tobytes(), "little") for half in words[0].reshape(2, -1))
    return curve.fp.from_montgomery(x), curve.fp.from_montgomery(y)


def test_there_are_real_powers_of_both_curves() -> None:
    assert {path.stem.rpartition("_")[2] for path in VECTORS.glob("*.ptau")} == {
        curve.snarkjs_name for curve in CURVES.values()
    }
