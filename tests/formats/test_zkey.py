"""``.zkey``: what is written is read back, and each thing that can be wrong is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from formats.samples import Parts, patch, sample_bytes, sample_contents, u32
from proverd.curves import BLS12_381, BN254, Curve
from proverd.errors import (
    BadArgument,
    FormatError,
    MalformedSection,
    MissingSection,
    NotOnCurve,
    UnsupportedCurve,
    UnsupportedProtocol,
    ValueOutOfRange,
    WrongLength,
)
from proverd.formats import UNSAFE_DEV_SECTION, Contributions, Zkey, write_zkey
from proverd.formats.points import field_header

QUERIES = ("ic", "a_query", "b_g1_query", "b_g2_query", "l_query", "h_query", "coefficients")


@pytest.fixture
def parts(curve: Curve, tmp_path: Path) -> Parts:
    return Parts.of(sample_bytes("zkey", curve, tmp_path))


def open_parts(folder: Path, parts: Parts) -> Zkey:
    path = folder / "file.zkey"
    path.write_bytes(parts.build())
    return Zkey.open(path)


def header_at(curve: Curve, field: str) -> int:
    """Offset of a field of section 2."""
    counts = 8 + curve.fp.nbytes + curve.fr.nbytes
    points = {"alpha_g1": 0, "beta_g1": 2, "beta_g2": 4, "gamma_g2": 8, "delta_g1": 12, "delta_g2": 14}
    if field in points:
        return counts + 12 + points[field] * curve.fp.nbytes
    return {
        "q": 0,
        "r": 4 + curve.fp.nbytes,
        "n_wires": counts,
        "n_public": counts + 4,
        "domain_size": counts + 8,
    }[field]


def with_header(parts: Parts, curve: Curve, field: str, value: bytes) -> Parts:
    return parts.with_section(2, patch(parts[2], header_at(curve, field), value))


def test_read_back(curve: Curve, tmp_path: Path) -> None:
    contents = sample_contents(curve)
    write_zkey(tmp_path / "a.zkey", contents)
    with Zkey.open(tmp_path / "a.zkey") as key:
        assert key.header == contents.header
        assert key.header.log_n == 3
        for name in QUERIES:
            assert np.array_equal(getattr(key, name), getattr(contents, name)), name
            assert not getattr(key, name).flags.writeable
        assert key.contributions == contents.contributions
        assert key.unsafe_dev == "made for a test"
        assert key.n_coefficients == 5
        key.check_coefficient_indices()


def test_verifying_key(curve: Curve, tmp_path: Path) -> None:
    contents = sample_contents(curve)
    write_zkey(tmp_path / "a.zkey", contents)
    with Zkey.open(tmp_path / "a.zkey") as key:
        vkey = key.verifying_key()
        x, y = curve.g1
        assert vkey.ic == ((x, y), None, (x, curve.fp.modulus - y))
        assert vkey.n_public == 2
        assert vkey.beta_g2 == contents.header.beta_g2
        assert vkey.digest() == key.verifying_key_digest()


def test_views_can_be_written_again(curve: Curve, tmp_path: Path) -> None:
    """Views of a mapped file may be unaligned; a copy has the same bytes."""
    contents = sample_contents(curve)
    write_zkey(tmp_path / "a.zkey", contents)
    with Zkey.open(tmp_path / "a.zkey") as key:
        views = {name: getattr(key, name) for name in QUERIES}
        write_zkey(tmp_path / "b.zkey", replace(contents, **views))
    assert (tmp_path / "a.zkey").read_bytes() == (tmp_path / "b.zkey").read_bytes()


@pytest.mark.parametrize(
    ("n_wires", "n_public", "domain_size"),
    [(1, 0, 1), (1, 0, 2), (4, 3, 4), (9, 0, 16)],
    ids=["smallest", "no constraints", "all public", "none public"],
)
def test_edge_counts(curve: Curve, tmp_path: Path, n_wires: int, n_public: int, domain_size: int) -> None:
    contents = sample_contents(curve, n_wires=n_wires, n_public=n_public, domain_size=domain_size)
    write_zkey(tmp_path / "a.zkey", replace(contents, coefficients=contents.coefficients[:0]))
    with Zkey.open(tmp_path / "a.zkey") as key:
        assert key.l_query.shape == (n_wires - n_public - 1, curve.g1_nbytes // 8)
        assert key.coefficients.shape == (0,)
        assert len(key.verifying_key().ic) == n_public + 1
        key.check_coefficient_indices()


def test_order_and_unknown_sections_do_not_matter(curve: Curve, parts: Parts, tmp_path: Path) -> None:
    with open_parts(tmp_path, parts) as key:
        expected = [getattr(key, name).tobytes() for name in QUERIES]
        digest = key.digest()
    for sections in (parts.sections[::-1], [(500, b"?"), *parts.sections[4:], (0, b""), *parts.sections[:4]]):
        with open_parts(tmp_path, replace(parts, sections=sections)) as key:
            assert [getattr(key, name).tobytes() for name in QUERIES] == expected
            assert key.digest() == digest


def test_digest_tells_keys_apart(curve: Curve, parts: Parts, tmp_path: Path) -> None:
    digests = set()
    contribution = parts.with_section(10, bytes(64) + u32(0))
    other_delta = with_header(parts, curve, "delta_g1", bytes(curve.g1_nbytes))
    for changed in (
        parts,
        parts.without(10),
        contribution,
        other_delta,
        parts.with_section(3, parts[3][::-1]),
    ):
        with open_parts(tmp_path, changed) as key:
            digests.add(key.digest())
    assert len(digests) == 5


def test_section_10_may_be_absent(parts: Parts, tmp_path: Path) -> None:
    with open_parts(tmp_path, parts.without(10, UNSAFE_DEV_SECTION)) as key:
        assert key.contributions is None
        assert key.unsafe_dev is None


@pytest.mark.parametrize("section_id", range(1, 10))
def test_missing_section(parts: Parts, tmp_path: Path, section_id: int) -> None:
    with pytest.raises(MissingSection, match=f"expected section {section_id} "):
        open_parts(tmp_path, parts.without(section_id))


@pytest.mark.parametrize("section_id", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
@pytest.mark.parametrize("change", ["short", "long", "empty"])
def test_section_of_another_size(parts: Parts, tmp_path: Path, section_id: int, change: str) -> None:
    body = parts[section_id]
    body = {"short": body[:-1], "long": body + b"\0", "empty": b""}[change]
    with pytest.raises(MalformedSection, match=rf"section {section_id} \(.*expected.*found"):
        _ = open_parts(tmp_path, parts.with_section(section_id, body)).contributions


@pytest.mark.parametrize(("protocol", "name"), [(2, "PLONK"), (10, "fflonk"), (3, "unknown")])
def test_other_protocols(parts: Parts, tmp_path: Path, protocol: int, name: str) -> None:
    with pytest.raises(UnsupportedProtocol, match=rf"section 1 .*expected protocol 1 \(Groth16\).*{name}"):
        open_parts(tmp_path, parts.with_section(1, u32(protocol)))


BAD_COUNTS = [
    (
        "n_wires",
        7,
        MalformedSection,
        r"section 5 \(a_query\).*expected 448 bytes \(7 points of 64\), found 384",
    ),
    ("n_wires", 0xFFFFFFFF, MalformedSection, r"section 5"),
    ("n_wires", 2, MalformedSection, r"n_public below n_wires \(2\), found 2"),
    ("n_public", 1, MalformedSection, r"section 3"),
    ("n_public", 6, MalformedSection, r"n_public below n_wires \(6\), found 6"),
    ("domain_size", 4, MalformedSection, r"section 9"),
    ("domain_size", 0, MalformedSection, r"power of two up to 268435456, found 0"),
    ("domain_size", 12, MalformedSection, r"power of two up to 268435456, found 12"),
    ("domain_size", 1 << 29, MalformedSection, r"power of two up to 268435456, found 536870912"),
    ("domain_size", 2, MalformedSection, r"domain larger than n_public \(2\), found 2"),
]


@pytest.mark.parametrize(("field", "value", "error", "message"), BAD_COUNTS)
def test_counts_that_disagree(
    tmp_path: Path, field: str, value: int, error: type[FormatError], message: str
) -> None:
    parts = Parts.of(sample_bytes("zkey", BN254, tmp_path))
    with pytest.raises(error, match=message):
        open_parts(tmp_path, with_header(parts, BN254, field, u32(value)))


@pytest.mark.parametrize("count", [4, 6, 0xFFFFFFFF])
def test_coefficient_count_that_disagrees(parts: Parts, tmp_path: Path, count: int) -> None:
    message = rf"section 4 \(coefficients\).*expected {4 + 44 * count} bytes .*found 224"
    with pytest.raises(MalformedSection, match=message):
        open_parts(tmp_path, parts.with_section(4, patch(parts[4], 0, u32(count))))


def test_unknown_modulus_is_printed(curve: Curve, parts: Parts, tmp_path: Path) -> None:
    modulus = curve.fp.modulus - 2
    with pytest.raises(UnsupportedCurve, match=f"base field modulus q: expected .*, found {modulus}"):
        open_parts(
            tmp_path,
            with_header(
                parts, curve, "q", field_header(curve.fp)[:4] + modulus.to_bytes(curve.fp.nbytes, "little")
            ),
        )
    with pytest.raises(UnsupportedCurve, match=r"scalar field modulus r: expected .*, found 17"):
        open_parts(tmp_path, with_header(parts, curve, "r", u32(32) + (17).to_bytes(32, "little")))


def test_moduli_of_two_curves(curve: Curve, parts: Parts, tmp_path: Path) -> None:
    other = BLS12_381 if curve is BN254 else BN254
    with pytest.raises(ValueOutOfRange, match=f"scalar field modulus of {curve.name}"):
        open_parts(tmp_path, with_header(parts, curve, "r", field_header(other.fr)))


@pytest.mark.parametrize("nbytes", [0, 7, 136, 0xFFFFFFFF])
def test_absurd_modulus_size(curve: Curve, parts: Parts, tmp_path: Path, nbytes: int) -> None:
    with pytest.raises(MalformedSection, match=f"byte count of base field modulus q: .*found {nbytes}"):
        open_parts(tmp_path, with_header(parts, curve, "q", u32(nbytes)))


@pytest.mark.parametrize("field", ["alpha_g1", "beta_g1", "beta_g2", "gamma_g2", "delta_g1", "delta_g2"])
def test_header_coordinates(curve: Curve, parts: Parts, tmp_path: Path, field: str) -> None:
    q = curve.fp.modulus
    y_at = header_at(curve, field) + curve.fp.nbytes * (1 if field.endswith("g1") else 2)
    for value in (q, q + 1, (1 << (8 * curve.fp.nbytes)) - 1):
        changed = parts.with_section(2, patch(parts[2], y_at, value.to_bytes(curve.fp.nbytes, "little")))
        with pytest.raises(ValueOutOfRange, match=rf"header.*{field}\.y.* below q, found {value}"):
            open_parts(tmp_path, changed)
    changed = parts.with_section(2, patch(parts[2], y_at, (q - 1).to_bytes(curve.fp.nbytes, "little")))
    with pytest.raises(NotOnCurve, match=f"header.*{field}"):
        open_parts(tmp_path, changed)


def test_bad_point_in_ic(curve: Curve, parts: Parts, tmp_path: Path) -> None:
    at = 2 * curve.g1_nbytes  # the third point; offsets in messages count from the start of the file
    with open_parts(tmp_path, parts.with_section(3, patch(parts[3], at, b"\1"))) as key:
        with pytest.raises(NotOnCurve, match=r"ic\[2\]") as caught:
            key.verifying_key()
        assert caught.value.offset == key.file.section(3).offset + at


BAD_ENTRIES: list[tuple[int, int, int, str]] = [
    (0, 0, 2, "coefficient 0: expected a matrix below 2, found 2"),
    (3, 4, 8, "coefficient 3: expected a constraint below 8, found 8"),
    (4, 8, 6, "coefficient 4: expected a signal below 6, found 6"),
    (2, 8, 0xFFFFFFFF, "coefficient 2: expected a signal below 6, found 4294967295"),
]


@pytest.mark.parametrize(("entry", "field_at", "value", "message"), BAD_ENTRIES)
def test_coefficient_indices(
    parts: Parts, tmp_path: Path, entry: int, field_at: int, value: int, message: str
) -> None:
    at = 4 + 44 * entry + field_at
    with open_parts(tmp_path, parts.with_section(4, patch(parts[4], at, u32(value)))) as key:
        with pytest.raises(ValueOutOfRange, match=message) as caught:
            key.check_coefficient_indices()
        assert caught.value.offset == key.file.section(4).offset + 4 + 44 * entry


def test_first_bad_coefficient_of_many(tmp_path: Path) -> None:
    contents = sample_contents(BN254)
    many = np.resize(contents.coefficients, 150_000)
    many["signal"][70_001] = 6
    many["matrix"][70_003] = 9
    many["constraint"][140_000] = 8
    write_zkey(tmp_path / "a.zkey", replace(contents, coefficients=many))
    with (
        Zkey.open(tmp_path / "a.zkey") as key,
        pytest.raises(ValueOutOfRange, match=r"coefficient 70001: .*signal"),
    ):
        key.check_coefficient_indices()


def contribution_at(curve: Curve, index: int) -> int:
    """Offset in section 10 of the type of one of the sample's contributions."""
    head = 3 * curve.g1_nbytes + curve.g2_nbytes + 64
    return 68 + head + index * (head + 8 + len("Zoë".encode()) + 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda body, curve: patch(body, 64, u32(0xFFFFFFFF)), "contribution 3: delta: expected"),
        (lambda body, curve: patch(body, 64, u32(2)), "expected .* bytes, found"),
        (lambda body, curve: patch(body, contribution_at(curve, 0) + 4, u32(0xFFFFFFFF)), "contribution 0"),
        (
            lambda body, curve: patch(body, contribution_at(curve, 0) + 8, b"\4"),
            "1, 2, 3 in this order, found 4",
        ),
        (
            lambda body, curve: patch(body, contribution_at(curve, 0) + 8, b"\0"),
            "1, 2, 3 in this order, found 0",
        ),
        (
            lambda body, curve: patch(body, contribution_at(curve, 1) + 10, b"\2"),
            "1, 2, 3 in this order, found 2",
        ),
        (
            lambda body, curve: patch(body, contribution_at(curve, 0) + 4, u32(3)),
            "expected parameters of 3 bytes",
        ),
    ],
)
def test_malformed_contributions(
    curve: Curve, parts: Parts, tmp_path: Path, change: Callable[[bytes, Curve], bytes], message: str
) -> None:
    with (
        open_parts(tmp_path, parts.with_section(10, change(parts[10], curve))) as key,
        pytest.raises(MalformedSection, match=message),
    ):
        _ = key.contributions


def test_writer_checks_its_arrays(curve: Curve, tmp_path: Path) -> None:
    contents = sample_contents(curve)
    for changed in (
        replace(contents, a_query=contents.a_query[1:]),
        replace(contents, ic=contents.a_query),
        replace(contents, contributions=Contributions(b"short")),
    ):
        with pytest.raises(WrongLength):
            write_zkey(tmp_path / "a.zkey", changed)
    for changed in (
        replace(contents, b_g2_query=contents.b_g1_query),
        replace(contents, b_g2_query=np.asfortranarray(contents.b_g2_query)),
        replace(contents, coefficients=np.zeros(5, np.uint64)),
    ):
        with pytest.raises(BadArgument):
            write_zkey(tmp_path / "a.zkey", changed)
    long_name = replace(contents.contributions.contributions[0], name="x" * 256)
    with pytest.raises(BadArgument):
        write_zkey(
            tmp_path / "a.zkey", replace(contents, contributions=Contributions(bytes(64), (long_name,)))
        )
    assert list(tmp_path.iterdir()) == []
