"""What a file says of itself: sizes, curve, counts, sections, digest. Instant at any size.

Only headers are read, so nothing here says that the contents are good; no NumPy, no native module.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from proverd.curves import CURVES
from proverd.errors import BadMagic, FormatError, InputUnreadable, PathLike
from proverd.formats import json as snarkjs_json
from proverd.formats import ptau, r1cs, wtns, zkey
from proverd.formats.binfile import BinFile
from proverd.formats.ptau import Ptau
from proverd.formats.r1cs import R1cs
from proverd.formats.wtns import Wtns
from proverd.formats.zkey import Zkey

Report = dict[str, Any]


def inspect(path: PathLike) -> Report:
    """Describes a .zkey, .wtns, .r1cs or .ptau file (told by its magic) or one of snarkjs's three JSON files
    (told by its shape), as JSON-serialisable values.

    Always there: ``path``, ``format``, ``size_bytes``; for binary files also ``version`` and ``sections``
    (id, name, offset, size_bytes, in the order of the file). ``verifying_key_digest`` is the same for a
    proving key and its verifying key. No value of a witness appears.
    Raises InputUnreadable or a FormatError.
    """
    name = os.fspath(path)
    start = _first_bytes(name)
    describe = BINARY.get(start[:4])
    if describe is not None:
        return describe(name)
    if start.lstrip()[:1] in (b"{", b"[", b"n"):
        return _json(name)
    known = ", ".join(magic.decode() for magic in BINARY)
    raise BadMagic(f"expected {known} or JSON, found {start[:4].decode('latin-1')!a}", path=name, offset=0)


def _first_bytes(path: str) -> bytes:
    try:
        if not os.path.isfile(path) and os.path.exists(path):
            raise InputUnreadable(path, "not a regular file")
        with open(path, "rb") as file:
            return file.read(256)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputUnreadable(path, reason) from error


def _binary(name: str, file: BinFile) -> Report:
    report: Report = {"path": file.path, "format": name, "version": file.version, "size_bytes": file.size}
    if file.end < file.size:
        report["trailing_bytes"] = file.size - file.end
    return report


def _sections(file: BinFile, names: dict[int, str]) -> list[Report]:
    return [
        {"id": i, "name": names.get(i), "offset": section.offset, "size_bytes": section.size}
        for i, section in file.sections.items()
    ]


def _zkey(path: str) -> Report:
    with Zkey.open(path) as key:
        h = key.header
        report = _binary("zkey", key.file) | {
            "protocol": "groth16",
            "curve": h.curve.name,
            "n_wires": h.n_wires,
            "n_public": h.n_public,
            "domain_size": h.domain_size,
            "log_n": h.log_n,
            "n_coefficients": key.n_coefficients,
            "digest": key.digest(),
            "verifying_key_digest": key.verifying_key_digest(),
            "unsafe_dev": key.unsafe_dev,
        }
        mpc = key.contributions
        if mpc is not None:
            report["circuit_hash"] = mpc.circuit_hash.hex()
            report["contributions"] = [
                {"type": "contribution" if c.beacon_hash is None else "beacon", "name": c.name}
                for c in mpc.contributions
            ]
        return report | {"sections": _sections(key.file, zkey.SECTION_NAMES)}


def _wtns(path: str) -> Report:
    with Wtns.open(path) as witness:
        return _binary("wtns", witness.file) | {
            "curve": witness.curve.name,
            "n_wires": witness.n_wires,
            "sections": _sections(witness.file, wtns.SECTION_NAMES),
        }


def _r1cs(path: str) -> Report:
    with R1cs.open(path) as system:
        h = system.header
        return _binary("r1cs", system.file) | {
            "curve": h.curve.name,
            "n_wires": h.n_wires,
            "n_public": h.n_public,
            "n_public_outputs": h.n_public_outputs,
            "n_public_inputs": h.n_public_inputs,
            "n_private_inputs": h.n_private_inputs,
            "n_constraints": h.n_constraints,
            "sections": _sections(system.file, r1cs.SECTION_NAMES),
        }


def _ptau(path: str) -> Report:
    with Ptau.open(path) as powers:
        return _binary("ptau", powers.file) | {
            "curve": powers.curve.name,
            "power": powers.power,
            "ceremony_power": powers.ceremony_power,
            "prepared": powers.is_prepared,
            "sections": _sections(powers.file, ptau.SECTION_NAMES),
        }


BINARY: dict[bytes, Callable[[str], Report]] = {
    zkey.MAGIC: _zkey,
    wtns.MAGIC: _wtns,
    r1cs.MAGIC: _r1cs,
    ptau.MAGIC: _ptau,
}


def _json(path: str) -> Report:
    """One of the JSON files, told by its keys. It is read as a whole, and its points are checked."""
    document = snarkjs_json.read_json(path)
    report: Report = {"path": path, "size_bytes": os.path.getsize(path)}
    try:
        if document is None or isinstance(document, list):
            widest = max(CURVES.values(), key=lambda curve: curve.fr.modulus)  # the file names no curve
            n_public = len(snarkjs_json.public_inputs_from_json(document, widest))
            return report | {"format": "public inputs", "n_public": n_public}
        if isinstance(document, dict) and "pi_a" in document:
            proof = snarkjs_json.proof_from_json(document)
            return report | {"format": "proof", "protocol": "groth16", "curve": proof.curve.name}
        key = snarkjs_json.verifying_key_from_json(document)
    except FormatError as error:
        error.path = path
        raise
    return report | {
        "format": "verifying key",
        "protocol": "groth16",
        "curve": key.curve.name,
        "n_public": key.n_public,
        "verifying_key_digest": key.digest(),
    }
