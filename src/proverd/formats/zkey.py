"""``.zkey``, snarkjs's Groth16 proving key (container: binfile.py; magic ``zkey``, version 1).

    section  name                contents
    1        protocol            u32: 1 Groth16, 2 PLONK, 10 fflonk
    2        header              q, r (each u32 byte count, number), u32 n_wires, u32 n_public,
                                 u32 domain_size, [α]₁ [β]₁ [β]₂ [γ]₂ [δ]₁ [δ]₂
    3        ic                  n_public + 1 points of G1
    4        coefficients        u32 count; for each entry of A and B: u32 matrix (0 = A, 1 = B),
                                 u32 constraint, u32 signal (wire), value·R² mod r in 32 bytes
    5        a_query             n_wires points of G1
    6        b_g1_query          n_wires points of G1
    7        b_g2_query          n_wires points of G2
    8        l_query             n_wires − n_public − 1 points of G1
    9        h_query             domain_size points of G1, for the odd coset
    10       contributions       circuit hash (64 bytes), u32 count, contributions (below)
    0x70726f76  unsafe dev setup  ours: why the key must not be trusted (text); snarkjs skips it

Points: Montgomery form, points.py. Behind the last constraint, section 4 carries one row a[m + i] = zᵢ for
each wire i = 0 … n_public, so that public inputs are bound.

A contribution: [δ]₁ after it, [s]₁, [s·x]₁, [s'·x]₂, transcript (64 bytes), u32 type (0 contribution,
1 beacon), u32 length of its parameters, then parameters in ascending order of tag:
    1  u8 length, name        2  u8 log₂ of the beacon's iterations        3  u8 length, beacon hash

Source: snarkjs 0.7, src/zkey_utils.js and src/zkey_new.js.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

from proverd.curves import Curve
from proverd.curves.curve import G1Point, G2Point
from proverd.errors import BadArgument, PathLike, UnsupportedProtocol, ValueOutOfRange, WrongLength
from proverd.formats.binfile import BinFile, Buffer, Cursor, SectionedFile, write_binfile
from proverd.formats.points import (
    field_header,
    g1_bytes,
    g2_bytes,
    read_base_field,
    read_g1,
    read_g2,
    read_scalar_field,
)
from proverd.formats.records import VerifyingKey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

MAGIC = b"zkey"
VERSION = 1
PROTOCOL, HEADER, IC, COEFFICIENTS, A_QUERY = 1, 2, 3, 4, 5
B_G1_QUERY, B_G2_QUERY, L_QUERY, H_QUERY, CONTRIBUTIONS = 6, 7, 8, 9, 10
UNSAFE_DEV_SECTION = 0x70726F76  # "prov"
SECTION_NAMES = {
    PROTOCOL: "protocol",
    HEADER: "header",
    IC: "ic",
    COEFFICIENTS: "coefficients",
    A_QUERY: "a_query",
    B_G1_QUERY: "b_g1_query",
    B_G2_QUERY: "b_g2_query",
    L_QUERY: "l_query",
    H_QUERY: "h_query",
    CONTRIBUTIONS: "contributions",
    UNSAFE_DEV_SECTION: "unsafe dev setup",
}

GROTH16 = 1
OTHER_PROTOCOLS = {2: "PLONK", 10: "fflonk"}

COEFFICIENT_BYTES = 44
HASH_BYTES = 64
UNSAFE_DEV_TEXT_BYTES = 4096


@lru_cache(maxsize=1)
def coefficient_dtype() -> np.dtype[np.void]:
    """One entry of section 4; 44 bytes, unaligned. ``value`` is coefficient·R² mod r."""
    import numpy as np

    return np.dtype([("matrix", "<u4"), ("constraint", "<u4"), ("signal", "<u4"), ("value", "<u8", (4,))])


@dataclass(frozen=True)
class ZkeyHeader:
    """Sections 1 and 2, with canonical coordinates."""

    curve: Curve
    n_wires: int  #: with the leading 1
    n_public: int  #: without the leading 1
    domain_size: int
    alpha_g1: G1Point
    beta_g1: G1Point
    beta_g2: G2Point
    gamma_g2: G2Point
    delta_g1: G1Point
    delta_g2: G2Point

    @property
    def log_n(self) -> int:
        return self.domain_size.bit_length() - 1


@dataclass(frozen=True)
class Contribution:
    """One participant's step of the phase-2 ceremony."""

    delta_g1: G1Point
    s_g1: G1Point
    sx_g1: G1Point
    spx_g2: G2Point
    transcript: bytes
    name: str | None = None
    iterations_log2: int | None = None  #: of a beacon
    beacon_hash: bytes | None = None  #: a contribution with one is a beacon


@dataclass(frozen=True)
class Contributions:
    """Section 10: snarkjs's hash of the circuit and what was contributed since."""

    circuit_hash: bytes
    contributions: tuple[Contribution, ...] = ()


@dataclass(frozen=True, eq=False)
class ZkeyContents:
    """All that ``write_zkey`` writes. Points are Montgomery words (n, words), as ``Zkey`` gives them."""

    header: ZkeyHeader
    ic: Words
    coefficients: NDArray[np.void]  #: of ``coefficient_dtype``
    a_query: Words
    b_g1_query: Words
    b_g2_query: Words
    l_query: Words
    h_query: Words
    contributions: Contributions
    unsafe_dev: str | None = None  #: marks a key whose toxic waste was not destroyed, and says why


class Zkey(SectionedFile):
    """A proving key on disk. Its queries are read-only views of the mapped file, in Montgomery form.

    Opening checks the header and that every section has the size the header asks for. Points and
    coefficients of the big sections are not looked at: ``ops`` checks them.
    """

    def __init__(self, file: BinFile, header: ZkeyHeader) -> None:
        super().__init__(file)
        self.header = header

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Raises InputUnreadable or a FormatError."""
        file = BinFile.open(path, MAGIC, (VERSION,), SECTION_NAMES)
        try:
            _check_protocol(file)
            header = _read_header(file)
            _check_sizes(file, header)
        except BaseException:
            file.close()
            raise
        return cls(file, header)

    @property
    def curve(self) -> Curve:
        return self.header.curve

    @property
    def n_coefficients(self) -> int:
        return (self.file.section(COEFFICIENTS).size - 4) // COEFFICIENT_BYTES

    @property
    def ic(self) -> Words:
        """(n_public + 1, 2·limbs)"""
        return self._points(IC)

    @property
    def a_query(self) -> Words:
        """(n_wires, 2·limbs)"""
        return self._points(A_QUERY)

    @property
    def b_g1_query(self) -> Words:
        """(n_wires, 2·limbs)"""
        return self._points(B_G1_QUERY)

    @property
    def b_g2_query(self) -> Words:
        """(n_wires, 4·limbs)"""
        return self._points(B_G2_QUERY)

    @property
    def l_query(self) -> Words:
        """(n_wires − n_public − 1, 2·limbs)"""
        return self._points(L_QUERY)

    @property
    def h_query(self) -> Words:
        """(domain_size, 2·limbs)"""
        return self._points(H_QUERY)

    @property
    def coefficients(self) -> NDArray[np.void]:
        """(n_coefficients,) of ``coefficient_dtype``; values c·R² mod r."""
        return self.file.array(COEFFICIENTS, (self.n_coefficients,), dtype=coefficient_dtype(), skip=4)

    def check_coefficient_indices(self) -> None:
        """Raises ValueOutOfRange for the first entry with a matrix other than 0 and 1, a constraint not
        below domain_size, or a signal not below n_wires."""
        entries = self.coefficients
        limits = (("matrix", 2), ("constraint", self.header.domain_size), ("signal", self.header.n_wires))
        chunk = 1 << 16  # entries whose three columns stay in the cache
        for start in range(0, len(entries), chunk):
            part = entries[start : start + chunk]
            bad = [
                (int((part[name] >= limit).argmax()), name, limit)
                for name, limit in limits
                if int(part[name].max()) >= limit
            ]
            if bad:
                i, name, limit = min(bad)
                raise ValueOutOfRange(
                    f"coefficient {start + i}: expected a {name} below {limit}, found {int(part[name][i])}",
                    **self.file.place(COEFFICIENTS, 4 + (start + i) * COEFFICIENT_BYTES),
                )

    def verifying_key(self) -> VerifyingKey:
        """Raises ValueOutOfRange or NotOnCurve for a bad point of section 3."""
        cursor = self.file.cursor(IC)
        ic = tuple(read_g1(cursor, self.curve, f"ic[{i}]") for i in range(self.header.n_public + 1))
        h = self.header
        return VerifyingKey(self.curve, h.alpha_g1, h.beta_g2, h.gamma_g2, h.delta_g2, ic)

    @cached_property
    def contributions(self) -> Contributions | None:
        """Section 10, or None where the file has none. Raises a FormatError."""
        if CONTRIBUTIONS not in self.file.sections:
            return None
        cursor = self.file.cursor(CONTRIBUTIONS)
        circuit_hash = cursor.take(HASH_BYTES, "circuit hash")
        count = cursor.u32("number of contributions")
        found = tuple(_read_contribution(cursor, self.curve, i) for i in range(count))
        cursor.end()
        return Contributions(circuit_hash, found)

    @property
    def unsafe_dev(self) -> str | None:
        """The mark of a development key, or None."""
        if UNSAFE_DEV_SECTION not in self.file.sections:
            return None
        return bytes(self.file.view(UNSAFE_DEV_SECTION)[:UNSAFE_DEV_TEXT_BYTES]).decode(errors="replace")

    def digest(self) -> str:
        """SHA-256 of header, ic and section 10 (each: u32 id, u64 size, contents), in hexadecimal.

        It tells keys of different circuits and of different ceremonies apart at any size in an instant; it
        says nothing of the queries.
        """
        state = hashlib.sha256()
        for section_id in (HEADER, IC, CONTRIBUTIONS):
            view = self.file.view(section_id) if section_id in self.file.sections else memoryview(b"")
            state.update(section_id.to_bytes(4, "little") + len(view).to_bytes(8, "little"))
            state.update(view)
        return state.hexdigest()

    def verifying_key_digest(self) -> str:
        """What ``VerifyingKey.digest`` gives for this key, without converting a point."""
        h = self.header
        state = hashlib.sha256(self.curve.name.encode() + g1_bytes(self.curve, h.alpha_g1))
        for point in (h.beta_g2, h.gamma_g2, h.delta_g2):
            state.update(g2_bytes(self.curve, point))
        state.update(self.file.view(IC))
        return state.hexdigest()

    def _points(self, section_id: int) -> Words:
        count, nbytes = _point_sections(self.header)[section_id]
        return self.file.array(section_id, (count, nbytes // 8))


def _point_sections(header: ZkeyHeader) -> dict[int, tuple[int, int]]:
    """Number of points and bytes of a point for each section of points."""
    g1, g2 = header.curve.g1_nbytes, header.curve.g2_nbytes
    return {
        IC: (header.n_public + 1, g1),
        A_QUERY: (header.n_wires, g1),
        B_G1_QUERY: (header.n_wires, g1),
        B_G2_QUERY: (header.n_wires, g2),
        L_QUERY: (header.n_wires - header.n_public - 1, g1),
        H_QUERY: (header.domain_size, g1),
    }


def _check_protocol(file: BinFile) -> None:
    cursor = file.cursor(PROTOCOL)
    protocol = cursor.u32("protocol")
    cursor.end()
    if protocol != GROTH16:
        name = OTHER_PROTOCOLS.get(protocol, "unknown")
        raise UnsupportedProtocol(
            f"expected protocol {GROTH16} (Groth16), found {protocol} ({name})", **file.place(PROTOCOL)
        )


def _read_header(file: BinFile) -> ZkeyHeader:
    cursor = file.cursor(HEADER)
    curve = read_base_field(cursor)
    place = cursor.place()
    if read_scalar_field(cursor) is not curve:
        raise ValueOutOfRange(f"expected the scalar field modulus of {curve.name}, found another's", **place)
    n_wires = cursor.u32("n_wires")
    n_public = cursor.u32("n_public")
    if n_public >= n_wires:
        raise cursor.malformed(f"expected n_public below n_wires ({n_wires}), found {n_public}")
    domain_size = cursor.u32("domain_size")
    largest = 1 << curve.fr.two_adicity
    if domain_size == 0 or domain_size & (domain_size - 1) or domain_size > largest:
        raise cursor.malformed(f"expected a domain of a power of two up to {largest}, found {domain_size}")
    if domain_size <= n_public:
        raise cursor.malformed(f"expected a domain larger than n_public ({n_public}), found {domain_size}")
    header = ZkeyHeader(
        curve,
        n_wires,
        n_public,
        domain_size,
        alpha_g1=read_g1(cursor, curve, "alpha_g1"),
        beta_g1=read_g1(cursor, curve, "beta_g1"),
        beta_g2=read_g2(cursor, curve, "beta_g2"),
        gamma_g2=read_g2(cursor, curve, "gamma_g2"),
        delta_g1=read_g1(cursor, curve, "delta_g1"),
        delta_g2=read_g2(cursor, curve, "delta_g2"),
    )
    cursor.end()
    return header


def _check_sizes(file: BinFile, header: ZkeyHeader) -> None:
    for section_id, (count, nbytes) in _point_sections(header).items():
        file.expect_size(section_id, count * nbytes, f"{count} points of {nbytes}")
    count = file.cursor(COEFFICIENTS).u32("number of coefficients")
    file.expect_size(
        COEFFICIENTS, 4 + count * COEFFICIENT_BYTES, f"4 + {count} entries of {COEFFICIENT_BYTES}"
    )


def _read_contribution(cursor: Cursor, curve: Curve, index: int) -> Contribution:
    what = f"contribution {index}"
    delta_g1, s_g1, sx_g1 = (read_g1(cursor, curve, f"{what}: {name}") for name in ("delta", "s", "sx"))
    spx_g2 = read_g2(cursor, curve, f"{what}: spx")
    transcript = cursor.take(HASH_BYTES, f"{what}: transcript")
    cursor.u32(f"{what}: type")  # told by the beacon's hash as well
    parameters = _read_parameters(cursor, what)
    name = parameters.get(1)
    iterations = parameters.get(2)
    return Contribution(
        delta_g1,
        s_g1,
        sx_g1,
        spx_g2,
        transcript,
        name=None if name is None else name.decode(errors="replace"),
        iterations_log2=None if iterations is None else iterations[0],
        beacon_hash=parameters.get(3),
    )


def _read_parameters(cursor: Cursor, what: str) -> dict[int, bytes]:
    length = cursor.u32(f"{what}: length of parameters")
    end = cursor.at + length
    parameters: dict[int, bytes] = {}
    while cursor.at < end:
        tag = cursor.u8(f"{what}: parameter")
        if tag not in (1, 2, 3) or tag <= max(parameters, default=0):
            raise cursor.malformed(f"{what}: expected parameters 1, 2, 3 in this order, found {tag}")
        size = 1 if tag == 2 else cursor.u8(f"{what}: length of parameter {tag}")
        parameters[tag] = cursor.take(size, f"{what}: parameter {tag}")
    if cursor.at != end:
        raise cursor.malformed(f"{what}: expected parameters of {length} bytes, found more")
    return parameters


def write_zkey(path: PathLike, contents: ZkeyContents) -> None:
    """Writes a proving key that snarkjs takes. Whole or not at all.

    Raises WrongLength or BadArgument where an array does not fit the header, OutputError where the file
    cannot be written.
    """
    h = contents.header
    arrays = {
        IC: contents.ic,
        A_QUERY: contents.a_query,
        B_G1_QUERY: contents.b_g1_query,
        B_G2_QUERY: contents.b_g2_query,
        L_QUERY: contents.l_query,
        H_QUERY: contents.h_query,
    }
    for section_id, (count, nbytes) in _point_sections(h).items():
        _check_array(arrays[section_id], SECTION_NAMES[section_id], count, nbytes)
    entries = contents.coefficients
    _check_array(entries, SECTION_NAMES[COEFFICIENTS], len(entries), COEFFICIENT_BYTES)
    if len(contents.contributions.circuit_hash) != HASH_BYTES:
        raise WrongLength("circuit hash", got=len(contents.contributions.circuit_hash), expected=HASH_BYTES)
    write_binfile(path, MAGIC, VERSION, _sections(contents, arrays))


def _check_array(array: NDArray[Any], name: str, count: int, nbytes: int) -> None:
    if len(array) != count:
        raise WrongLength(name, got=len(array), expected=count)
    if array.nbytes != count * nbytes or not array.flags.c_contiguous:
        raise BadArgument(f"{name}: expected a contiguous array of {nbytes} bytes an entry")


def _sections(contents: ZkeyContents, arrays: dict[int, Words]) -> Iterator[tuple[int, Iterable[Buffer]]]:
    yield PROTOCOL, [GROTH16.to_bytes(4, "little")]
    yield HEADER, [_header_bytes(contents.header)]
    yield IC, [arrays[IC]]
    yield COEFFICIENTS, [len(contents.coefficients).to_bytes(4, "little"), contents.coefficients]
    for section_id in (A_QUERY, B_G1_QUERY, B_G2_QUERY, L_QUERY, H_QUERY):
        yield section_id, [arrays[section_id]]
    yield CONTRIBUTIONS, _contribution_bytes(contents.header.curve, contents.contributions)
    if contents.unsafe_dev is not None:
        yield UNSAFE_DEV_SECTION, [contents.unsafe_dev.encode()[:UNSAFE_DEV_TEXT_BYTES]]


def _header_bytes(h: ZkeyHeader) -> bytes:
    curve = h.curve
    counts = b"".join(n.to_bytes(4, "little") for n in (h.n_wires, h.n_public, h.domain_size))
    return b"".join(
        [
            field_header(curve.fp),
            field_header(curve.fr),
            counts,
            g1_bytes(curve, h.alpha_g1),
            g1_bytes(curve, h.beta_g1),
            g2_bytes(curve, h.beta_g2),
            g2_bytes(curve, h.gamma_g2),
            g1_bytes(curve, h.delta_g1),
            g2_bytes(curve, h.delta_g2),
        ]
    )


def _contribution_bytes(curve: Curve, mpc: Contributions) -> Iterator[bytes]:
    yield mpc.circuit_hash
    yield len(mpc.contributions).to_bytes(4, "little")
    for c in mpc.contributions:
        yield from (g1_bytes(curve, point) for point in (c.delta_g1, c.s_g1, c.sx_g1))
        yield g2_bytes(curve, c.spx_g2)
        yield c.transcript
        yield (0 if c.beacon_hash is None else 1).to_bytes(4, "little")
        parameters = b""
        if c.name is not None:
            parameters += b"\x01" + _counted(c.name.encode(), "name of a contribution")
        if c.iterations_log2 is not None:
            parameters += bytes([2, c.iterations_log2])
        if c.beacon_hash is not None:
            parameters += b"\x03" + _counted(c.beacon_hash, "beacon hash")
        yield len(parameters).to_bytes(4, "little") + parameters


def _counted(data: bytes, what: str) -> bytes:
    if len(data) > 255:
        raise BadArgument(f"{what}: expected at most 255 bytes, found {len(data)}")
    return bytes([len(data)]) + data
