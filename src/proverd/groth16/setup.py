"""Key generation: from a prepared powers-of-tau file, or from fresh toxic waste for development.

Both follow snarkjs (zkey_new.js): γ = 1, a row for each public input and the leading 1 appended to A, and
h_query in the Lagrange basis of the odd coset, so that snarkjs proves with the keys and contributes to them.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proverd.backend import Backend, FieldVector, Form, Group, PointVector, get_backend
from proverd.backend.api import Words
from proverd.curves import Curve
from proverd.errors import BadArgument, CurveMismatch, PathLike
from proverd.formats import (
    Contributions,
    Ptau,
    R1cs,
    SparseMatrix,
    ZkeyContents,
    ZkeyHeader,
    coefficient_dtype,
    write_zkey,
)
from proverd.groth16.quotient import odd_coset
from proverd.ops import points, vec
from proverd.ops.msm import combine, fixed_base
from proverd.ops.ntt import Domain
from proverd.ops.spmv import CsrMatrix

Progress = Callable[[str, int, int], None]  #: (what is being made, steps done, steps in all)

UNSAFE_DEV_TEXT = "proverd development key: made by one party from toxic waste it could have kept. Unsafe."
HASH_CHUNK = 1 << 14  # points of h that snarkjs hashes at a time


def no_progress(what: str, done: int, total: int) -> None:
    """Tells nobody."""


@dataclass(frozen=True, eq=False)
class ConstraintMatrices:
    """What a key is made for: A, B, C over wires (1, public inputs, private), constraint by constraint."""

    curve: Curve
    n_wires: int
    n_public: int
    a: SparseMatrix
    b: SparseMatrix
    c: SparseMatrix

    @classmethod
    def from_r1cs(cls, r1cs: R1cs) -> ConstraintMatrices:
        """Raises a FormatError for a broken file."""
        header = r1cs.header
        return cls(header.curve, header.n_wires, header.n_public, *r1cs.matrices())

    @property
    def n_constraints(self) -> int:
        return len(self.a.row_start) - 1

    @property
    def log_n(self) -> int:
        """snarkjs's rule: the domain is 2^(⌊log₂(constraints + public inputs)⌋ + 1), at least 2."""
        return max(self.n_constraints + self.n_public, 1).bit_length()


# --- development keys ---------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class ToxicWaste:
    """The secrets of a key (γ = 1). Whoever knows them can forge proofs."""

    tau: int
    alpha: int
    beta: int
    delta: int

    @classmethod
    def fresh(cls, curve: Curve) -> ToxicWaste:
        """Non-zero and uniform, from the operating system's CSPRNG."""
        return cls(*(1 + secrets.randbelow(curve.fr.modulus - 1) for _ in range(4)))


def setup_unsafe_dev(
    matrices: ConstraintMatrices,
    path: PathLike,
    *,
    threads: int | None = None,
    progress: Progress = no_progress,
    toxic_waste: ToxicWaste | None = None,
) -> None:
    """Writes a ``.zkey`` from fresh toxic waste, which is then forgotten: for demos, tests and benchmarks.

    The key carries a mark that proverd warns of on every use and snarkjs skips. A given ``toxic_waste`` is
    for tests alone. Raises BadArgument for a circuit that fits no domain, OutputError.
    """
    backend = get_backend("cpu", threads)
    curve = matrices.curve
    waste = toxic_waste or ToxicWaste.fresh(curve)
    domain = _domain(backend, matrices)
    steps = 7
    progress("polynomials", 0, steps)
    u, v, l_or_ic = _wire_polynomials(backend, matrices, domain, waste)
    h = _h_scalars(domain, waste)
    g1, g2 = points.g1_to_words(curve, [curve.g1])[0], points.g2_to_words(curve, [curve.g2])[0]
    head = matrices.n_public + 1
    scalars: dict[str, tuple[Group, FieldVector]] = {
        "ic": (Group.G1, _part(l_or_ic, 0, head)),
        "a_query": (Group.G1, u),
        "b_g1_query": (Group.G1, v),
        "b_g2_query": (Group.G2, v),
        "l_query": (Group.G1, _part(l_or_ic, head, matrices.n_wires)),
        "h_query": (Group.G1, h),
    }
    queries: dict[str, Words] = {}
    for step, (name, (group, values)) in enumerate(scalars.items(), 1):
        progress(name, step, steps)
        base = g1 if group is Group.G1 else g2
        queries[name] = backend.get(fixed_base(backend, curve, group, base, values).data)

    def single(value: int, group: Group) -> Any:
        base, convert = (g1, points.g1_from_words) if group is Group.G1 else (g2, points.g2_from_words)
        multiple = fixed_base(backend, curve, group, base, vec.from_integers(backend, curve, [value]))
        return convert(curve, multiple.data)[0]

    header = ZkeyHeader(
        curve=curve,
        n_wires=matrices.n_wires,
        n_public=matrices.n_public,
        domain_size=domain.n,
        alpha_g1=single(waste.alpha, Group.G1),
        beta_g1=single(waste.beta, Group.G1),
        beta_g2=single(waste.beta, Group.G2),
        gamma_g2=curve.g2,
        delta_g1=single(waste.delta, Group.G1),
        delta_g2=single(waste.delta, Group.G2),
    )
    contents = ZkeyContents(
        header=header,
        coefficients=coefficient_records(matrices),
        contributions=Contributions(bytes(64)),
        unsafe_dev=UNSAFE_DEV_TEXT,
        **queries,
    )
    progress("writing", steps, steps)
    write_zkey(path, contents)


def _wire_polynomials(
    backend: Backend, matrices: ConstraintMatrices, domain: Domain, waste: ToxicWaste
) -> tuple[FieldVector, FieldVector, FieldVector]:
    """u(τ), v(τ) and β·u(τ) + α·v(τ) + w(τ), the last divided by δ behind the public inputs; canonical."""
    curve, m = matrices.curve, matrices.n_constraints
    lagrange = lagrange_at(domain, waste.tau)
    rows = _part(lagrange, 0, m)

    def column_sums(matrix: SparseMatrix) -> FieldVector:
        return CsrMatrix.build(backend, curve, matrices.n_wires, *matrix).multiply_transposed(rows)

    u, v, w = column_sums(matrices.a), column_sums(matrices.b), column_sums(matrices.c)
    head = matrices.n_public + 1
    vec.add(_part(u, 0, head), _part(u, 0, head), _part(lagrange, m, m + head))
    scaled = vec.empty(backend, curve, len(u))
    for factor, values in ((waste.beta, u), (waste.alpha, v)):
        vec.scale(scaled, values, factor)
        vec.add(w, w, scaled)
    private = _part(w, head, len(w))
    vec.scale(private, private, pow(waste.delta, -1, curve.fr.modulus))
    for values in (u, v, w):
        vec.from_montgomery(values)
    return u, v, w


def lagrange_at(domain: Domain, x: int) -> FieldVector:
    """Lᵢ(x) = (xⁿ − 1)/n · ωⁱ/(x − ωⁱ) for i < n, Montgomery; x outside the domain."""
    curve, backend, n = domain.curve, domain.backend, domain.n
    r = curve.fr.modulus
    roots = vec.powers(backend, curve, 1, domain.root, n)
    denominators = vec.powers(backend, curve, x, 1, n)
    vec.subtract(denominators, denominators, roots)
    vec.batch_inverse(denominators)
    vec.multiply(roots, roots, denominators)
    vec.scale(roots, roots, (pow(x, n, r) - 1) * pow(n, -1, r))
    return roots


def _h_scalars(domain: Domain, waste: ToxicWaste) -> FieldVector:
    """What meets the values of u·v − w on the coset s·⟨ω⟩: Z(τ)·Lᵢ(τ/s)/(Z(s)·δ), since
    h(τ)·Z(τ) = Z(τ)·Σ (u·v − w)(s·ωⁱ)/Z(s·ωⁱ)·Lᵢ(τ/s) and Z(s·ωⁱ) = sⁿ − 1. Canonical."""
    curve, n = domain.curve, domain.n
    r = curve.fr.modulus
    shift = odd_coset(curve, domain.root_base, domain.log_n)
    h = lagrange_at(domain, waste.tau * pow(shift, -1, r) % r)
    factor = (pow(waste.tau, n, r) - 1) * pow((pow(shift, n, r) - 1) * waste.delta, -1, r)
    vec.scale(h, h, factor)
    vec.from_montgomery(h)
    return h


def _part(x: FieldVector, begin: int, end: int) -> FieldVector:
    """Entries [begin, end), sharing memory."""
    return FieldVector(x.backend, x.curve, x.data[begin:end], x.form)


def _domain(backend: Backend, matrices: ConstraintMatrices) -> Domain:
    curve = matrices.curve
    if matrices.log_n > curve.fr.two_adicity:
        raise BadArgument(
            f"{matrices.n_constraints} constraints and {matrices.n_public} public inputs need a domain of "
            f"2^{matrices.log_n}, {curve.name} has none above 2^{curve.fr.two_adicity}"
        )
    return Domain(backend, curve, matrices.log_n, curve.snarkjs_root_base)


# --- both: section 4 ----------------------------------------------------------------------------------


def coefficient_records(matrices: ConstraintMatrices) -> NDArray[np.void]:
    """Section 4: entries of A and B constraint by constraint, then a 1 in A for each public row; values
    times R²."""
    backend, curve, m = get_backend("cpu"), matrices.curve, matrices.n_constraints
    public_rows = np.arange(matrices.n_public + 1, dtype=np.uint32)
    entries = [_entries(matrices.a), _entries(matrices.b)]
    count = sum(len(columns) for _, columns, _ in entries)
    rows = np.concatenate([rows for rows, _, _ in entries])
    order = np.argsort(rows, kind="stable")  # A comes before B within a row
    records = np.zeros(count + len(public_rows), dtype=coefficient_dtype())
    body, tail = records[:count], records[count:]
    body["matrix"] = np.repeat(np.array([0, 1], np.uint32), [len(columns) for _, columns, _ in entries])[
        order
    ]
    body["constraint"] = rows[order]
    body["signal"] = np.concatenate([columns for _, columns, _ in entries])[order]
    values = np.empty((len(records), curve.fr.limbs), np.uint64)
    values[:count] = np.concatenate([value for _, _, value in entries])[order]
    values[count:] = [1, 0, 0, 0]
    tail["constraint"] = m + public_rows
    tail["signal"] = public_rows
    for _ in range(2):  # once to R, once to R²
        backend.to_montgomery(curve, values, values)
    records["value"] = values
    return records


def _entries(matrix: SparseMatrix) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Words]:
    """(row, column, value) of each entry."""
    rows = np.repeat(np.arange(len(matrix.row_start) - 1, dtype=np.uint32), np.diff(matrix.row_start))
    return rows, matrix.column, matrix.value


# --- keys from a ceremony -----------------------------------------------------------------------------


def setup_from_ptau(
    r1cs: R1cs,
    ptau: Ptau,
    path: PathLike,
    *,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> bytes:
    """Writes the ``.zkey`` that starts a phase-2 ceremony, with no contribution yet (γ = δ = 1), and returns
    snarkjs's hash of the circuit. Until somebody contributes, anyone can forge proofs under it.

    ``ptau`` must be prepared for phase 2. Raises CurveMismatch, BadArgument where the circuit is larger
    than the file, a FormatError, OutputError.
    """
    matrices = ConstraintMatrices.from_r1cs(r1cs)
    curve = matrices.curve
    if ptau.curve is not curve:
        raise CurveMismatch(f"{r1cs.path} is over {curve.name}, {ptau.path} over {ptau.curve.name}")
    backend = get_backend("cpu", threads)
    domain = _domain(backend, matrices)
    _check_power(matrices, ptau)
    log_n, steps = domain.log_n, 6
    progress("reading", 0, steps)

    def g1(words: Words) -> PointVector:
        return points.put(backend, curve, Group.G1, words)

    tau = g1(ptau.lagrange_tau_g1(log_n))
    tau_g2 = points.put(backend, curve, Group.G2, ptau.lagrange_tau_g2(log_n))
    queries: dict[str, Words] = {}
    a, b = _with_public_rows(matrices), _entries(matrices.b)
    for step, (name, entries, bases) in enumerate(
        [("a_query", a, tau), ("b_g1_query", b, tau), ("b_g2_query", b, tau_g2)], 1
    ):
        progress(name, step, steps)
        queries[name] = _by_wire(matrices, [entries], bases)
    progress("l_query", 4, steps)
    three = [ptau.lagrange_beta_tau_g1(log_n), ptau.lagrange_alpha_tau_g1(log_n), ptau.lagrange_tau_g1(log_n)]
    head = matrices.n_public + 1
    l_or_ic = _by_wire(matrices, [a, b, _entries(matrices.c)], g1(np.concatenate(three)))
    queries["ic"], queries["l_query"] = l_or_ic[:head], l_or_ic[head:]
    queries["h_query"] = _h_query(ptau, log_n)
    header = ZkeyHeader(
        curve=curve,
        n_wires=matrices.n_wires,
        n_public=matrices.n_public,
        domain_size=domain.n,
        alpha_g1=points.g1_from_words(curve, ptau.alpha_tau_g1[:1])[0],
        beta_g1=points.g1_from_words(curve, ptau.beta_tau_g1[:1])[0],
        beta_g2=points.g2_from_words(curve, ptau.beta_g2)[0],
        gamma_g2=curve.g2,
        delta_g1=curve.g1,
        delta_g2=curve.g2,
    )
    progress("hashing", 5, steps)
    circuit_hash = _circuit_hash(backend, header, queries, ptau)
    progress("writing", 6, steps)
    contents = ZkeyContents(
        header=header,
        coefficients=coefficient_records(matrices),
        contributions=Contributions(circuit_hash),
        unsafe_dev=None,
        **queries,
    )
    write_zkey(path, contents)
    return circuit_hash


def _check_power(matrices: ConstraintMatrices, ptau: Ptau) -> None:
    if matrices.log_n > ptau.power:
        raise BadArgument(
            f"{ptau.path}: {matrices.n_constraints} constraints and {matrices.n_public} public inputs need "
            f"power {matrices.log_n}, the file has {ptau.power}"
        )
    if matrices.log_n == ptau.power and (1 << matrices.log_n) > HASH_CHUNK:
        raise BadArgument(
            f"{ptau.path}: snarkjs's hash of this circuit reads a power of tau beyond a file of power "
            f"{ptau.power}; use one of power {ptau.power + 1}"
        )


Entries = tuple[NDArray[np.uint32], NDArray[np.uint32], Words]  # rows, wires, values


def _with_public_rows(matrices: ConstraintMatrices) -> Entries:
    """A and the rows that bind the public inputs."""
    rows, columns, values = _entries(matrices.a)
    public = np.arange(matrices.n_public + 1, dtype=np.uint32)
    ones = np.zeros((len(public), values.shape[1]), np.uint64)
    ones[:, 0] = 1
    return (
        np.concatenate([rows, matrices.n_constraints + public]).astype(np.uint32),
        np.concatenate([columns, public]),
        np.concatenate([values, ones]),
    )


def _by_wire(matrices: ConstraintMatrices, parts: list[Entries], bases: PointVector) -> Words:
    """For each wire, Σ value·base[row] over its entries; part k uses the k-th stretch of the bases."""
    stretch = len(bases) // len(parts)
    wires = np.concatenate([wires for _, wires, _ in parts])
    rows = np.concatenate([rows + np.uint32(k * stretch) for k, (rows, _, _) in enumerate(parts)])
    values = np.concatenate([values for _, _, values in parts])
    order = np.argsort(wires, kind="stable")
    starts = np.zeros(matrices.n_wires + 1, np.int64)
    np.cumsum(np.bincount(wires, minlength=matrices.n_wires), out=starts[1:])
    scalars = vec.put(bases.backend, matrices.curve, values[order], Form.CANONICAL)
    sums = combine(bases, starts, rows[order].astype(np.uint32), scalars)
    words: Words = bases.backend.get(sums.data)
    return words


def _h_query(ptau: Ptau, log_n: int) -> Words:
    """[Z(τ)·Lᵢ(τ/s)/Z(s)]₁: the odd entries of the Lagrange basis of twice the domain, whose even entries
    meet zeros. Where there is no such domain, the file's last basis is that of the shifted one."""
    doubled = ptau.lagrange_tau_g1(log_n + 1)
    if log_n == ptau.curve.fr.two_adicity:
        return np.ascontiguousarray(doubled[1 << log_n :])
    return np.ascontiguousarray(doubled[1::2])


def _circuit_hash(backend: Backend, header: ZkeyHeader, queries: dict[str, Words], ptau: Ptau) -> bytes:
    """snarkjs's csHash: BLAKE2b-512 of all points of the key, uncompressed big-endian, each query led by
    its length; in place of h_query, [τⁱ⁺ⁿ − τⁱ]₁ for i < n − 1."""
    curve = header.curve
    state = hashlib.blake2b(digest_size=64)
    for words in (ptau.alpha_tau_g1[:1], ptau.beta_tau_g1[:1]):
        state.update(_uncompressed(backend, curve, Group.G1, words))
    state.update(_uncompressed(backend, curve, Group.G2, ptau.beta_g2))
    g1, g2 = points.g1_to_words(curve, [curve.g1]), points.g2_to_words(curve, [curve.g2])
    for group, words in ((Group.G2, g2), (Group.G1, g1), (Group.G2, g2)):
        state.update(_uncompressed(backend, curve, group, words))
    _hash_query(state, backend, curve, Group.G1, queries["ic"])
    _hash_h(state, backend, curve, ptau.tau_g1, header.domain_size)
    for name in ("l_query", "a_query", "b_g1_query", "b_g2_query"):
        _hash_query(state, backend, curve, Group.G2 if name == "b_g2_query" else Group.G1, queries[name])
    return state.digest()


def _hash_query(state: hashlib.blake2b, backend: Backend, curve: Curve, group: Group, words: Words) -> None:
    state.update(len(words).to_bytes(4, "big"))
    state.update(_uncompressed(backend, curve, group, words))


def _hash_h(state: hashlib.blake2b, backend: Backend, curve: Curve, powers: Words, n: int) -> None:
    """In snarkjs's chunks, the last of which is as long as the others and so may read on."""
    state.update((n - 1).to_bytes(4, "big"))
    r = curve.fr.modulus
    chunk = min(n - 1, HASH_CHUNK)
    starts = np.arange(0, 2 * chunk + 1, 2, dtype=np.int64)
    column = np.arange(2 * chunk, dtype=np.uint32).reshape(2, chunk).T.reshape(-1)
    scalars = vec.from_integers(backend, curve, [1, r - 1] * chunk)
    for i in range(0, n - 1, HASH_CHUNK):
        pairs = np.concatenate([powers[n + i : n + i + chunk], powers[i : i + chunk]])
        differences = combine(points.put(backend, curve, Group.G1, pairs), starts, column, scalars)
        state.update(_uncompressed(backend, curve, Group.G1, backend.get(differences.data)))


def _uncompressed(backend: Backend, curve: Curve, group: Group, words: Words) -> bytes:
    """Coordinates big-endian, c1 before c0 in Fp2. Infinity is zeros, without the mark of its usual form."""
    canonical = points.canonical_words(points.put(backend, curve, group, words))
    coordinates = canonical.view(np.uint8).reshape(len(words), 2, group.value, curve.fp.nbytes)
    return coordinates[:, :, ::-1, ::-1].tobytes()
