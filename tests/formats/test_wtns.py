"""``.wtns``: counts, the leading 1, values below r; and no value of a witness in any message."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from formats.samples import Parts, patch, sample_assignment, sample_bytes, u32, words_of
from proverd.curves import Curve
from proverd.errors import BadArgument, MalformedSection, MissingSection, UnsupportedCurve, ValueOutOfRange
from proverd.formats import Wtns, write_wtns
from proverd.formats.wtns import first_not_below


@pytest.fixture
def parts(curve: Curve, tmp_path: Path) -> Parts:
    return Parts.of(sample_bytes("wtns", curve, tmp_path))


def open_parts(folder: Path, parts: Parts) -> Wtns:
    path = folder / "file.wtns"
    path.write_bytes(parts.build())
    return Wtns.open(path)


def test_read_back(curve: Curve, tmp_path: Path) -> None:
    values = sample_assignment(curve)
    write_wtns(tmp_path / "a.wtns", curve, values)
    with Wtns.open(tmp_path / "a.wtns") as witness:
        assert witness.curve is curve
        assert witness.n_wires == 6
        assert np.array_equal(witness.values, values)
        assert not witness.values.flags.writeable
    assert stat.S_IMODE((tmp_path / "a.wtns").stat().st_mode) == 0o600


def test_sections_in_any_order(parts: Parts, curve: Curve, tmp_path: Path) -> None:
    with open_parts(tmp_path, Parts(b"wtns", 2, [(9, b"?"), *parts.sections[::-1]])) as witness:
        assert np.array_equal(witness.values, sample_assignment(curve))


@pytest.mark.parametrize("count", [0, 5, 7, 0xFFFFFFFF])
def test_counts_that_disagree(parts: Parts, tmp_path: Path, count: int) -> None:
    with pytest.raises(MalformedSection, match=r"section [12] \((header|values)\).*expected.*found"):
        open_parts(tmp_path, parts.with_section(1, patch(parts[1], 36, u32(count))))


@pytest.mark.parametrize("section_id", [1, 2])
def test_missing_or_cut_section(parts: Parts, tmp_path: Path, section_id: int) -> None:
    with pytest.raises(MissingSection, match=f"expected section {section_id} "):
        open_parts(tmp_path, parts.without(section_id))
    for body in (parts[section_id][:-1], parts[section_id] + b"\0"):
        with pytest.raises(MalformedSection, match=f"section {section_id} "):
            open_parts(tmp_path, parts.with_section(section_id, body))


def test_unknown_modulus_is_printed(parts: Parts, tmp_path: Path) -> None:
    goldilocks = 2**64 - 2**32 + 1
    header = u32(8) + goldilocks.to_bytes(8, "little") + u32(6)
    with pytest.raises(UnsupportedCurve, match=f"found {goldilocks}"):
        open_parts(tmp_path, parts.with_section(1, header))


@pytest.mark.parametrize("first", [0, 2, 987654321987654321])
def test_leading_one(parts: Parts, tmp_path: Path, first: int) -> None:
    changed = parts.with_section(2, patch(parts[2], 0, first.to_bytes(32, "little")))
    with pytest.raises(MalformedSection) as caught:
        open_parts(tmp_path, changed)
    assert caught.value.message == "value 0: expected 1, found another value"
    assert caught.value.section == "section 2 (values)"


@pytest.mark.parametrize("above", [0, 1, 1 << 64, 1 << 130])
def test_value_not_below_r(curve: Curve, parts: Parts, tmp_path: Path, above: int) -> None:
    bad = curve.fr.modulus + above
    with open_parts(
        tmp_path, parts.with_section(2, patch(parts[2], 4 * 32, bad.to_bytes(32, "little")))
    ) as witness:
        with pytest.raises(
            ValueOutOfRange, match=r"section 2 \(values\).*value 4: expected a value below r"
        ) as caught:
            _ = witness.values
        assert caught.value.offset == witness.file.section(2).offset + 4 * 32
    assert str(bad) not in str(caught.value)
    assert f"{bad:x}" not in str(caught.value)


def test_first_not_below_is_the_first(curve: Curve) -> None:
    r = curve.fr.modulus
    mask = (1 << 64) - 1
    below = [0, 1, r - 1, r - (1 << 64), r & ~mask, (r >> 192 << 192) - 1]
    not_below = [r, r + 1, r + (1 << 64), r | mask, (1 << 256) - 1]
    assert first_not_below(words_of(below, 4), curve.fr) == -1
    for value in not_below:
        assert first_not_below(words_of([*below, value, r], 4), curve.fr) == len(below)
    many = np.tile(words_of(below, 4), (20_000, 1))  # more than one chunk
    many[100_001:] = words_of([r], 4)
    assert first_not_below(many, curve.fr) == 100_001
    assert first_not_below(many[:100_001], curve.fr) == -1
    assert first_not_below(many[:0], curve.fr) == -1


def test_writer_checks_its_array(curve: Curve, tmp_path: Path) -> None:
    values = sample_assignment(curve)
    for changed in (values.reshape(-1), values[:, :3], values[::2], values.astype(np.uint32)):
        with pytest.raises(BadArgument):
            write_wtns(tmp_path / "a.wtns", curve, changed)
