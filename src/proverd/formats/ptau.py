"""``.ptau``, powers of tau of a ceremony (container: binfile.py; magic ``ptau``, version 1).

    section  name              contents, for power k
    1        header            q (u32 byte count, number), u32 power, u32 power of the ceremony
    2        tau_g1            [τⁱ]₁,  i = 0 … 2^(k+1) − 2
    3        tau_g2            [τⁱ]₂,  i = 0 … 2^k − 1
    4        alpha_tau_g1      [α·τⁱ]₁, likewise
    5        beta_tau_g1       [β·τⁱ]₁, likewise
    6        beta_g2           [β]₂
    7        contributions     of the ceremony; not read
    12 – 15  lagrange …        sections 2 – 5 in Lagrange bases, one for each domain 2^0, 2^1, …, 2^k behind
                               one another; section 12 goes up to 2^(k+1), its last with τ^(2^(k+1)−1) as 0

Sections 12 – 15 are there once the file was prepared for phase 2. Points: Montgomery form, points.py.
Source: snarkjs 0.7, src/powersoftau_utils.js and src/powersoftau_preparephase2.js.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from proverd.curves import Curve
from proverd.errors import BadArgument, MissingSection, PathLike
from proverd.formats.binfile import BinFile, SectionedFile
from proverd.formats.points import read_base_field

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

MAGIC = b"ptau"
VERSION = 1
HEADER, TAU_G1, TAU_G2, ALPHA_TAU_G1, BETA_TAU_G1, BETA_G2, CONTRIBUTIONS = range(1, 8)
LAGRANGE_TAU_G1, LAGRANGE_TAU_G2, LAGRANGE_ALPHA_TAU_G1, LAGRANGE_BETA_TAU_G1 = range(12, 16)
SECTION_NAMES = {
    HEADER: "header",
    TAU_G1: "tau_g1",
    TAU_G2: "tau_g2",
    ALPHA_TAU_G1: "alpha_tau_g1",
    BETA_TAU_G1: "beta_tau_g1",
    BETA_G2: "beta_g2",
    CONTRIBUTIONS: "contributions",
    LAGRANGE_TAU_G1: "lagrange tau_g1",
    LAGRANGE_TAU_G2: "lagrange tau_g2",
    LAGRANGE_ALPHA_TAU_G1: "lagrange alpha_tau_g1",
    LAGRANGE_BETA_TAU_G1: "lagrange beta_tau_g1",
}
LAGRANGE_SECTIONS = (LAGRANGE_TAU_G1, LAGRANGE_TAU_G2, LAGRANGE_ALPHA_TAU_G1, LAGRANGE_BETA_TAU_G1)
G2_SECTIONS = (TAU_G2, BETA_G2, LAGRANGE_TAU_G2)


class Ptau(SectionedFile):
    """Powers of tau on disk: read-only views in Montgomery form. Points are not looked at."""

    def __init__(self, file: BinFile, curve: Curve, power: int, ceremony_power: int) -> None:
        super().__init__(file)
        self.curve = curve
        self.power = power
        self.ceremony_power = ceremony_power

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Raises InputUnreadable or a FormatError."""
        file = BinFile.open(path, MAGIC, (VERSION,), SECTION_NAMES)
        try:
            cursor = file.cursor(HEADER)
            curve = read_base_field(cursor)
            power = cursor.u32("power")
            if not 1 <= power <= curve.fr.two_adicity:
                raise cursor.malformed(f"expected a power from 1 to {curve.fr.two_adicity}, found {power}")
            ceremony_power = cursor.u32("power of the ceremony")
            cursor.end()
            opened = cls(file, curve, power, ceremony_power)
            opened._check_sizes()
        except BaseException:
            file.close()
            raise
        return opened

    @property
    def is_prepared(self) -> bool:
        """Whether the Lagrange bases are there."""
        return all(section_id in self.file.sections for section_id in LAGRANGE_SECTIONS)

    @property
    def tau_g1(self) -> Words:
        """(2^(power+1) − 1, 2·limbs): [τⁱ]₁"""
        return self._points(TAU_G1)

    @property
    def tau_g2(self) -> Words:
        """(2^power, 4·limbs): [τⁱ]₂"""
        return self._points(TAU_G2)

    @property
    def alpha_tau_g1(self) -> Words:
        """(2^power, 2·limbs): [α·τⁱ]₁"""
        return self._points(ALPHA_TAU_G1)

    @property
    def beta_tau_g1(self) -> Words:
        """(2^power, 2·limbs): [β·τⁱ]₁"""
        return self._points(BETA_TAU_G1)

    @property
    def beta_g2(self) -> Words:
        """(1, 4·limbs): [β]₂"""
        return self._points(BETA_G2)

    def lagrange_tau_g1(self, log_n: int) -> Words:
        """(2^log_n, 2·limbs): [Lᵢ(τ)]₁ over the domain of 2^log_n; log_n up to power + 1.

        As the other three: raises MissingSection where the file is not prepared, BadArgument where the
        ceremony is too small.
        """
        return self._lagrange(LAGRANGE_TAU_G1, log_n)

    def lagrange_tau_g2(self, log_n: int) -> Words:
        """(2^log_n, 4·limbs): [Lᵢ(τ)]₂; log_n up to power"""
        return self._lagrange(LAGRANGE_TAU_G2, log_n)

    def lagrange_alpha_tau_g1(self, log_n: int) -> Words:
        """(2^log_n, 2·limbs): [α·Lᵢ(τ)]₁; log_n up to power"""
        return self._lagrange(LAGRANGE_ALPHA_TAU_G1, log_n)

    def lagrange_beta_tau_g1(self, log_n: int) -> Words:
        """(2^log_n, 2·limbs): [β·Lᵢ(τ)]₁; log_n up to power"""
        return self._lagrange(LAGRANGE_BETA_TAU_G1, log_n)

    def _lagrange(self, section_id: int, log_n: int) -> Words:
        if section_id not in self.file.sections:
            raise MissingSection(
                f"expected {self.file.label(section_id)}, found a file that was not prepared for phase 2 "
                "(snarkjs powersoftau prepare phase2)",
                path=self.path,
            )
        largest = self.power + (section_id == LAGRANGE_TAU_G1)
        if not 0 <= log_n <= largest:
            raise BadArgument(
                f"{self.path}: a domain of 2^{log_n} needs more than the file's power {self.power}"
            )
        words = self._point_bytes(section_id) // 8
        before = (1 << log_n) - 1  # points of the smaller domains
        return self.file.array(section_id, (1 << log_n, words), skip=before * words * 8)

    def _points(self, section_id: int) -> Words:
        words = self._point_bytes(section_id) // 8
        return self.file.array(section_id, (self._counts()[section_id], words))

    def _point_bytes(self, section_id: int) -> int:
        return self.curve.g2_nbytes if section_id in G2_SECTIONS else self.curve.g1_nbytes

    def _counts(self) -> dict[int, int]:
        """Number of points in each section."""
        n = 1 << self.power
        return {
            TAU_G1: 2 * n - 1,
            TAU_G2: n,
            ALPHA_TAU_G1: n,
            BETA_TAU_G1: n,
            BETA_G2: 1,
            LAGRANGE_TAU_G1: 4 * n - 1,
            LAGRANGE_TAU_G2: 2 * n - 1,
            LAGRANGE_ALPHA_TAU_G1: 2 * n - 1,
            LAGRANGE_BETA_TAU_G1: 2 * n - 1,
        }

    def _check_sizes(self) -> None:
        for section_id, count in self._counts().items():
            if section_id in LAGRANGE_SECTIONS and section_id not in self.file.sections:
                continue
            nbytes = self._point_bytes(section_id)
            self.file.expect_size(section_id, count * nbytes, f"{count} points of {nbytes}")
