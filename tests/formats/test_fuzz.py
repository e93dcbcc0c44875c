"""Broken files of every kind: only a ProverdError may escape, with memory in proportion to the file."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.samples import CURVE_PARAMETERS, VECTORS, Parts, patch, ptau_bytes, sample_bytes
from proverd.curves import BN254, Curve
from proverd.errors import ProverdError
from proverd.formats import (
    Ptau,
    R1cs,
    Wtns,
    Zkey,
    proof_from_json,
    public_inputs_from_json,
    verifying_key_from_json,
)
from proverd.formats.inspect import inspect
from proverd.formats.json import parse_json

# No deadline: how long an example takes depends on the machine; what it costs is told by its memory.
FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# What a reader may allocate: a few copies of the file, and what it costs to say what is wrong.
MEMORY_PER_BYTE = 16
MEMORY_FIXED = 1 << 20


def read_zkey(path: Path) -> None:
    with Zkey.open(path) as key:
        queries = (key.ic, key.a_query, key.b_g1_query, key.b_g2_query, key.l_query, key.h_query)
        for query in queries:
            query.sum()
        key.coefficients["value"].sum()
        key.digest()
        repr(key.unsafe_dev)
        for check in (key.check_coefficient_indices, key.verifying_key, lambda: key.contributions):
            tolerate(check)


def read_wtns(path: Path) -> None:
    with Wtns.open(path) as witness:
        witness.values.sum()


def read_r1cs(path: Path) -> None:
    with R1cs.open(path) as system:
        for matrix in system.matrices():
            assert matrix.row_start[0] == 0
            assert matrix.row_start[-1] == len(matrix.column) == len(matrix.value)
            assert (matrix.column < system.header.n_wires).all()


def read_ptau(path: Path) -> None:
    with Ptau.open(path) as powers:
        for points in (powers.tau_g1, powers.tau_g2, powers.alpha_tau_g1, powers.beta_tau_g1, powers.beta_g2):
            points.sum()
        if powers.is_prepared:
            powers.lagrange_tau_g1(powers.power + 1).sum()


READERS: dict[str, Callable[[Path], None]] = {
    "zkey": read_zkey,
    "wtns": read_wtns,
    "r1cs": read_r1cs,
    "ptau": read_ptau,
}


def tolerate(read: Callable[[], object]) -> None:
    try:
        read()
    except ProverdError as error:
        message = str(error)
        assert message
        assert "\n" not in message
        assert len(message) < 1000


def check_reader(kind: str, data: bytes, folder: Path) -> None:
    path = folder / f"broken.{kind}"
    path.write_bytes(data)
    tracemalloc.start()
    try:
        tolerate(lambda: READERS[kind](path))
        tolerate(lambda: inspect(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        path.unlink()
    assert peak < MEMORY_FIXED + MEMORY_PER_BYTE * len(data)


@cache
def good_bytes(kind: str, curve: Curve) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return ptau_bytes(curve, 1) if kind == "ptau" else sample_bytes(kind, curve, Path(folder))


# --- ways to break a file ---------------------------------------------------------------------------

COUNTS = [0, 1, 2, 3, 7, 8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF]
SIZES = [0, 1, 1 << 31, 1 << 32, (1 << 32) + 44, 1 << 63, (1 << 64) - 1, (1 << 64) - 12]


@st.composite
def positions(draw: st.DrawFn, length: int) -> int:
    """Anywhere, but more often near the start, where counts are."""
    return draw(st.one_of(st.integers(0, min(length, 900)), st.integers(0, length)))


@st.composite
def broken_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    for _ in range(draw(st.integers(1, 3))):
        at = draw(positions(len(data)))
        match draw(st.sampled_from(["cut", "flip", "count", "size", "insert", "remove"])):
            case "cut":
                data = data[:at]
            case "flip" if data:
                at = min(at, len(data) - 1)
                data = patch(data, at, bytes([data[at] ^ 1 << draw(st.integers(0, 7))]))
            case "count":
                data = patch(data, at, draw(st.sampled_from(COUNTS)).to_bytes(4, "little"))
            case "size":
                data = patch(data, at, draw(st.sampled_from(SIZES)).to_bytes(8, "little"))
            case "insert":
                data = data[:at] + draw(st.binary(max_size=50)) + data[at:]
            case "remove":
                data = data[:at] + data[at + draw(st.integers(1, 50)) :]
    return data


@st.composite
def broken_sections(draw: st.DrawFn, data: bytes) -> bytes:
    """A sound container around broken contents."""
    parts = Parts.of(data)
    sections = draw(st.permutations(parts.sections))
    for _ in range(draw(st.integers(0, 2))):
        i = draw(st.integers(0, len(sections) - 1))
        section_id, body = sections[i]
        match draw(st.sampled_from(["break", "drop", "repeat", "rename"])):
            case "break":
                sections[i] = (section_id, draw(broken_bytes(body)))
            case "drop" if len(sections) > 1:
                del sections[i]
            case "repeat":
                sections.append((section_id, body))
            case "rename":
                sections[i] = (draw(st.integers(0, 20)), body)
    return Parts(parts.magic, parts.version, sections).build()


@pytest.mark.parametrize("kind", READERS)
@FUZZ
@given(chosen=st.data(), curve=st.sampled_from(CURVE_PARAMETERS))
def test_broken_bytes(
    tmp_path_factory: pytest.TempPathFactory, kind: str, chosen: st.DataObject, curve: Curve
) -> None:
    data = chosen.draw(broken_bytes(good_bytes(kind, curve)))
    check_reader(kind, data, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("kind", READERS)
@FUZZ
@given(chosen=st.data(), curve=st.sampled_from(CURVE_PARAMETERS))
def test_broken_sections(
    tmp_path_factory: pytest.TempPathFactory, kind: str, chosen: st.DataObject, curve: Curve
) -> None:
    data = chosen.draw(broken_sections(good_bytes(kind, curve)))
    check_reader(kind, data, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("kind", READERS)
def test_truncated_at_every_border(curve: Curve, tmp_path: Path, kind: str) -> None:
    data = good_bytes(kind, curve)
    for border in Parts.of(data).borders():
        for kept in (border - 1, border, border + 1):
            if 0 <= kept < len(data):
                (tmp_path / "cut").write_bytes(data[:kept])
                with pytest.raises(ProverdError, match=r"truncated|empty|header"):
                    READERS[kind](tmp_path / "cut")


@pytest.mark.parametrize("kind", READERS)
@FUZZ
@given(data=st.binary(max_size=400))
def test_noise(tmp_path_factory: pytest.TempPathFactory, kind: str, data: bytes) -> None:
    check_reader(kind, data, tmp_path_factory.getbasetemp())
    check_reader(kind, good_bytes(kind, BN254)[:12] + data, tmp_path_factory.getbasetemp())


# --- JSON -------------------------------------------------------------------------------------------

FOLDER = VECTORS / "product_bn128"
DOCUMENTS: dict[str, Callable[[Any], object]] = {
    "verification_key.json": verifying_key_from_json,
    "proof_snarkjs.json": proof_from_json,
    "public.json": lambda document: public_inputs_from_json(document, BN254),
}
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["0", "1", "-1", "0x1", str(BN254.fp.modulus), str(BN254.fr.modulus), "9" * 200]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


def replace_somewhere(draw: Callable[[Any], Any], value: Any, new: Any) -> Any:
    """``value`` with ``new`` in the place of one part of it."""
    if isinstance(value, (dict, list)) and value and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        copy = value.copy()
        copy[key] = replace_somewhere(draw, value[key], new)
        return copy
    return new


@pytest.mark.parametrize("name", DOCUMENTS)
@FUZZ
@given(chosen=st.data(), new=VALUES)
def test_json_of_another_shape(name: str, chosen: st.DataObject, new: object) -> None:
    document = replace_somewhere(chosen.draw, json.loads((FOLDER / name).read_text()), new)
    tolerate(lambda: DOCUMENTS[name](document))


@pytest.mark.parametrize("name", DOCUMENTS)
@FUZZ
@given(chosen=st.data())
def test_broken_json_text(name: str, chosen: st.DataObject) -> None:
    text = chosen.draw(broken_bytes((FOLDER / name).read_bytes()))
    tolerate(lambda: DOCUMENTS[name](parse_json(text)))


@FUZZ
@given(values=st.lists(st.integers(0, BN254.fr.modulus - 1)))
def test_public_inputs_read_back(values: list[int]) -> None:
    assert public_inputs_from_json(parse_json(json.dumps([str(v) for v in values])), BN254) == tuple(values)
