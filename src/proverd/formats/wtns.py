"""``.wtns``, an assignment of all wires (container: binfile.py; magic ``wtns``, version 2).

    section  name     contents
    1        header   r (u32 byte count, number), u32 n_wires
    2        values   n_wires canonical values of Fr, 32 bytes little-endian each; the first is 1

Source: snarkjs 0.7, src/wtns_utils.js. An assignment is secret: no value of it appears in any message.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from proverd.curves import Curve, PrimeField
from proverd.errors import BadArgument, MalformedSection, PathLike, ValueOutOfRange
from proverd.formats.binfile import BinFile, SectionedFile, write_binfile
from proverd.formats.points import field_header, read_scalar_field

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

MAGIC = b"wtns"
VERSION = 2
HEADER, VALUES = 1, 2
SECTION_NAMES = {HEADER: "header", VALUES: "values"}


class Wtns(SectionedFile):
    """An assignment on disk. Opening checks counts and the leading 1, not yet the other values."""

    def __init__(self, file: BinFile, curve: Curve, n_wires: int) -> None:
        super().__init__(file)
        self.curve = curve
        self.n_wires = n_wires

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Raises InputUnreadable or a FormatError."""
        file = BinFile.open(path, MAGIC, (VERSION,), SECTION_NAMES)
        try:
            cursor = file.cursor(HEADER)
            curve = read_scalar_field(cursor)
            n_wires = cursor.u32("n_wires")
            if n_wires == 0:
                raise cursor.malformed("expected n_wires of at least 1, found 0")
            cursor.end()
            size = curve.fr.nbytes
            file.expect_size(VALUES, n_wires * size, f"{n_wires} values of {size}")
            if int.from_bytes(file.cursor(VALUES).take(size, "value 0"), "little") != 1:
                raise MalformedSection("value 0: expected 1, found another value", **file.place(VALUES))
        except BaseException:
            file.close()
            raise
        return cls(file, curve, n_wires)

    @cached_property
    def values(self) -> Words:
        """(n_wires, 4) canonical words, a read-only view of the mapped file.

        Raises ValueOutOfRange with the index of the first value that is not below r.
        """
        field = self.curve.fr
        array = self.file.array(VALUES, (self.n_wires, field.limbs))
        bad = first_not_below(array, field)
        if bad >= 0:
            raise ValueOutOfRange(
                f"value {bad}: expected a value below r, found a larger one",
                **self.file.place(VALUES, bad * field.nbytes),
            )
        return array


def first_not_below(array: Words, field: PrimeField) -> int:
    """Index of the first row of canonical words (n, limbs) that is not below the modulus, or −1."""
    chunk = 1 << 16  # rows: bounds the memory of the masks
    for start in range(0, len(array), chunk):
        part = array[start : start + chunk]
        rows = (part[:, -1] >= field.modulus >> (64 * (field.limbs - 1))).nonzero()[0]
        above: list[int] = [len(part)]
        for limb in reversed(range(field.limbs)):  # rows hold those equal to the modulus down to this limb
            word = (field.modulus >> (64 * limb)) & (2**64 - 1)
            above += rows[part[rows, limb] > word][:1].tolist()
            rows = rows[part[rows, limb] == word]
        first: int = min(above + rows[:1].tolist())
        if first < len(part):
            return start + first
    return -1


def write_wtns(path: PathLike, curve: Curve, values: NDArray[Any]) -> None:
    """Writes canonical words (n, 4) of an assignment, readable by the owner alone. Whole or not at all.

    Raises BadArgument for another shape, OutputError where the file cannot be written.
    """
    shape = (len(values), curve.fr.limbs)
    if values.shape != shape or values.dtype.itemsize != 8 or not values.flags.c_contiguous:
        raise BadArgument(f"assignment: expected contiguous 64-bit words of shape (n, {curve.fr.limbs})")
    header = field_header(curve.fr) + len(values).to_bytes(4, "little")
    write_binfile(path, MAGIC, VERSION, [(HEADER, [header]), (VALUES, [values])], private=True)
