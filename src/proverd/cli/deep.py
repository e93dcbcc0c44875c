"""``inspect --deep``: every point, value and index of a file, and its hash.

A point must have coordinates below q, satisfy the curve equation and lie in the subgroup of order r.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from proverd.backend import Backend, Group, PointVector, get_backend
from proverd.backend.api import Words
from proverd.cli.console import Console
from proverd.curves import Curve
from proverd.errors import FormatError, NotInSubgroup, NotOnCurve, ValueOutOfRange
from proverd.formats import json as snarkjs_json
from proverd.formats import ptau, zkey
from proverd.formats.ptau import Ptau
from proverd.formats.r1cs import R1cs
from proverd.formats.wtns import Wtns
from proverd.formats.zkey import Zkey
from proverd.ops import points

if TYPE_CHECKING:
    from proverd.cli.progress import Progress

CHUNK_POINTS = 1 << 15  # between two steps of the progress display
HASH_CHUNK_BYTES = 1 << 24

Place = Callable[[int], dict[str, Any]]  #: index of a point → path, section and offset, as errors take them
Query = tuple[str, Group, Words, Place]  #: name, group, points, where they are

ZKEY_POINTS = {
    zkey.IC: "ic",
    zkey.A_QUERY: "a_query",
    zkey.B_G1_QUERY: "b_g1_query",
    zkey.B_G2_QUERY: "b_g2_query",
    zkey.L_QUERY: "l_query",
    zkey.H_QUERY: "h_query",
}


def check_deeply(path: str, file_format: str, threads: int | None, console: Console) -> dict[str, Any]:
    """What the check adds to the report. Raises the FormatError of the first fault.

    No hash of a witness: it would let anyone test guesses at its values.
    """
    backend = get_backend("cpu", threads)
    checked = CHECKS[file_format](path, backend, console)
    report: dict[str, Any] = {"deep": True, "checked_points": checked[0], "checked_values": checked[1]}
    if file_format != "wtns":
        report["sha256"] = _hash_file(path, console)
    return report


def _check_zkey(path: str, backend: Backend, console: Console) -> tuple[int, int]:
    with Zkey.open(path) as key:
        queries = [*_zkey_singles(key), *_zkey_queries(key)]
        n_points = _check_queries(queries, key.curve, backend, console)
        key.check_coefficient_indices()
        _check_coefficient_values(key, backend)
        return n_points, key.n_coefficients


def _zkey_queries(key: Zkey) -> Iterator[Query]:
    for section_id, name in ZKEY_POINTS.items():
        words: Words = getattr(key, name)
        group = Group.G2 if section_id == zkey.B_G2_QUERY else Group.G1
        yield name, group, words, _in_section(key, section_id, words)


def _zkey_singles(key: Zkey) -> Iterator[Query]:
    """Points of the header and of the contributions: on the curve since they were read, subgroup unknown."""
    h = key.header
    singles = {"alpha_g1": h.alpha_g1, "beta_g1": h.beta_g1, "delta_g1": h.delta_g1}
    twisted = {"beta_g2": h.beta_g2, "gamma_g2": h.gamma_g2, "delta_g2": h.delta_g2}
    place = _fixed(key.file.place(zkey.HEADER))
    for name, point in singles.items():
        yield name, Group.G1, points.g1_to_words(key.curve, [point]), place
    for name, twisted_point in twisted.items():
        yield name, Group.G2, points.g2_to_words(key.curve, [twisted_point]), place
    if key.contributions is None:
        return
    place = _fixed(key.file.place(zkey.CONTRIBUTIONS))
    for i, c in enumerate(key.contributions.contributions):
        g1 = points.g1_to_words(key.curve, [c.delta_g1, c.s_g1, c.sx_g1])
        yield f"contribution {i}: delta, s, sx", Group.G1, g1, place
        yield f"contribution {i}: spx", Group.G2, points.g2_to_words(key.curve, [c.spx_g2]), place


def _check_coefficient_values(key: Zkey, backend: Backend) -> None:
    import numpy as np

    entries = key.coefficients
    for start in range(0, len(entries), CHUNK_POINTS):
        values = np.ascontiguousarray(entries["value"][start : start + CHUNK_POINTS])
        bad = backend.first_not_reduced(key.curve, backend.put(values))
        if bad >= 0:
            raise ValueOutOfRange(
                f"coefficient {start + bad}: expected a value below r, found a larger one",
                **key.file.place(zkey.COEFFICIENTS, 4 + (start + bad) * zkey.COEFFICIENT_BYTES),
            )


def _check_ptau(path: str, backend: Backend, console: Console) -> tuple[int, int]:
    with Ptau.open(path) as powers:
        return _check_queries(list(_ptau_queries(powers)), powers.curve, backend, console), 0


def _ptau_queries(powers: Ptau) -> Iterator[Query]:
    for section_id, name in ptau.SECTION_NAMES.items():
        if section_id in (ptau.HEADER, ptau.CONTRIBUTIONS) or section_id not in powers.file.sections:
            continue
        group = Group.G2 if section_id in ptau.G2_SECTIONS else Group.G1
        words = group.point_words(powers.curve)
        count = powers.file.section(section_id).size // (8 * words)
        array = powers.file.array(section_id, (count, words))
        yield name, group, array, _in_section(powers, section_id, array)


def _check_wtns(path: str, backend: Backend, console: Console) -> tuple[int, int]:
    with Wtns.open(path) as witness:
        return 0, len(witness.values)


def _check_r1cs(path: str, backend: Backend, console: Console) -> tuple[int, int]:
    with R1cs.open(path) as system:
        return 0, sum(len(matrix.column) for matrix in system.matrices())


def _check_verifying_key(path: str, backend: Backend, console: Console) -> tuple[int, int]:
    key = snarkjs_json.read_verifying_key(path)
    g1 = points.g1_to_words(key.curve, [key.alpha_g1, *key.ic])
    g2 = points.g2_to_words(key.curve, [key.beta_g2, key.gamma_g2, key.delta_g2])
    place = _fixed({"path": path})
    queries: list[Query] = [
        ("vk_alpha_1, IC", Group.G1, g1, place),
        ("vk_beta_2, vk_gamma_2, vk_delta_2", Group.G2, g2, place),
    ]
    return _check_queries(queries, key.curve, backend, console), 0


def _check_proof(path: str, backend: Backend, console: Console) -> tuple[int, int]:
    proof = snarkjs_json.read_proof(path)
    place = _fixed({"path": path})
    queries: list[Query] = [
        ("pi_a, pi_c", Group.G1, points.g1_to_words(proof.curve, [proof.a, proof.c]), place),
        ("pi_b", Group.G2, points.g2_to_words(proof.curve, [proof.b]), place),
    ]
    return _check_queries(queries, proof.curve, backend, console), 0


def _check_public_inputs(path: str, backend: Backend, console: Console) -> tuple[int, int]:
    return 0, len(snarkjs_json.read_json(path) or [])  # checked when it was described


CHECKS: dict[str, Callable[[str, Backend, Console], tuple[int, int]]] = {
    "zkey": _check_zkey,
    "ptau": _check_ptau,
    "wtns": _check_wtns,
    "r1cs": _check_r1cs,
    "verifying key": _check_verifying_key,
    "proof": _check_proof,
    "public inputs": _check_public_inputs,
}


def _check_queries(queries: list[Query], curve: Curve, backend: Backend, console: Console) -> int:
    """Number of points checked. Raises ValueOutOfRange, NotOnCurve or NotInSubgroup for the first bad one."""
    # A point of G2 costs about four times one of G1: the display's time estimate needs that.
    total = sum(len(words) * group.value**2 for _, group, words, _ in queries)
    with console.open_progress("checking points", total) as progress:
        for name, group, words, place in queries:
            progress.show(name)
            _check_points(name, group, words, place, curve, backend, progress)
    return sum(len(words) for _, _, words, _ in queries)


def _check_points(
    name: str, group: Group, words: Words, place: Place, curve: Curve, backend: Backend, progress: Progress
) -> None:
    checks: tuple[tuple[Callable[[PointVector], int], type[FormatError], str], ...] = (
        (points.first_not_canonical, ValueOutOfRange, "expected coordinates below q, found a larger one"),
        (points.first_off_curve, NotOnCurve, f"the point is not on {_surface(curve, group)}"),
        (points.first_outside_subgroup, NotInSubgroup, "the point is not in the subgroup of order r"),
    )
    for start in range(0, len(words), CHUNK_POINTS):
        chunk = points.put(backend, curve, group, words[start : start + CHUNK_POINTS])
        for find, error, message in checks:
            bad = find(chunk)
            if bad >= 0:
                index = start + bad
                raise error(f"{name}[{index}]: {message}", **place(index))
        progress.advance(len(chunk) * group.value**2)


def _surface(curve: Curve, group: Group) -> str:
    return curve.name if group is Group.G1 else f"the twist of {curve.name}"


def _in_section(file: Zkey | Ptau, section_id: int, words: Words) -> Place:
    return lambda index: file.file.place(section_id, index * words.shape[1] * 8)


def _fixed(place: dict[str, Any]) -> Place:
    return lambda index: place


def _hash_file(path: str, console: Console) -> str:
    state = hashlib.sha256()
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        with console.open_progress("hashing", size) as progress:
            while block := file.read(HASH_CHUNK_BYTES):
                state.update(block)
                progress.advance(len(block))
    return state.hexdigest()
