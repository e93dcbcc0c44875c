"""A circuit ready to be proved: its key and its matrices, loaded once."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proverd.backend import FieldVector, Form, get_backend
from proverd.backend.api import Backend, Words
from proverd.curves import Curve
from proverd.errors import BadArgument, CurveMismatch, PathLike, ValueOutOfRange, WrongLength
from proverd.formats import Proof, VerifyingKey, Wtns, Zkey
from proverd.groth16.key import ProvingKey, key_from_zkey
from proverd.groth16.prove import prove, public_inputs
from proverd.groth16.verify import unbound_public_inputs, unsafe_reason
from proverd.ops import vec
from proverd.ops.ntt import Domain
from proverd.ops.spmv import CoefficientRecords
from proverd.trace import Timeline

Witness = PathLike | Wtns | NDArray[Any] | Sequence[int]


class KeyWarning(UserWarning):
    """Something about a key that its user should know."""


@dataclass(frozen=True)
class ProveResult:
    """A verified proof and what it is about."""

    proof: Proof
    public_inputs: tuple[int, ...]
    device: str
    key_digest: str
    timeline: Timeline = field(repr=False, compare=False)

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds of each stage."""
        return self.timeline.seconds()


@dataclass(frozen=True, eq=False)
class Circuit:
    """A loaded circuit. ``prove`` may be called from any number of threads at once."""

    backend: Backend
    key: ProvingKey
    matrices: CoefficientRecords
    domain: Domain
    digest: str  #: of the key: header, ic and section 10
    warnings: tuple[str, ...]  #: what a user should know of the key
    unsafe_dev: bool  #: the key's toxic waste was known to whoever made it

    @property
    def curve(self) -> Curve:
        return self.key.curve

    @property
    def verifying_key(self) -> VerifyingKey:
        return self.key.verifying_key

    def prove(self, witness: Witness, *, timeline: Timeline | None = None) -> ProveResult:
        """Proves and verifies the proof.

        ``witness``: a path to a ``.wtns``, an open one, canonical words (n_wires, 4), or integers.
        Raises a FormatError for a broken file, CurveMismatch, WrongLength, ValueOutOfRange, and what
        ``groth16.prove.prove`` raises.
        """
        timeline = timeline or Timeline()
        with timeline.stage("witness"):
            assignment = self.assignment(witness)
        proof = prove(self, assignment, timeline=timeline)
        public = public_inputs(self, assignment)
        return ProveResult(proof, public, self.backend.name, self.digest, timeline)

    def assignment(self, witness: Witness) -> FieldVector:
        """The witness as a checked vector: right curve and length, leading 1, all values below r."""
        if isinstance(witness, str | os.PathLike):
            with Wtns.open(witness) as file:
                return self.assignment(file)
        if isinstance(witness, Wtns):
            if witness.curve is not self.curve:
                raise CurveMismatch(
                    f"{witness.path}: the witness is over {witness.curve.name}, "
                    f"the key over {self.curve.name}"
                )
            if witness.n_wires != self.key.n_wires:
                raise WrongLength(f"{witness.path}: witness", got=witness.n_wires, expected=self.key.n_wires)
            return vec.put(self.backend, self.curve, witness.values, Form.CANONICAL)
        return self._checked(_words(self.curve, witness))

    def _checked(self, words: Words) -> FieldVector:
        if len(words) != self.key.n_wires:
            raise WrongLength("witness", got=len(words), expected=self.key.n_wires)
        assignment = vec.put(self.backend, self.curve, words, Form.CANONICAL)
        bad = vec.first_not_reduced(assignment)
        if bad >= 0:
            raise ValueOutOfRange(f"witness value {bad} is not below r")
        if list(words[0]) != [1, 0, 0, 0]:
            raise ValueOutOfRange("witness value 0 must be 1")
        return assignment


def _words(curve: Curve, witness: NDArray[Any] | Sequence[int]) -> Words:
    if isinstance(witness, np.ndarray):
        if witness.dtype != np.uint64 or witness.ndim != 2 or witness.shape[1] != curve.fr.limbs:
            raise BadArgument(f"witness: expected uint64 words of shape (n_wires, {curve.fr.limbs})")
        return np.ascontiguousarray(witness)
    for i, value in enumerate(witness):
        if not 0 <= value < curve.fr.modulus:
            raise ValueOutOfRange(f"witness value {i} is not in [0, r)")
    return vec.integers_to_words(witness, curve.fr)


def load_circuit(path: PathLike, *, device: str = "auto", threads: int | None = None) -> Circuit:
    """Opens a ``.zkey`` for proving.

    The file is mapped, not read: points stay in it and are used where they lie. Coefficients are checked
    (matrix, row, wire, value); points are not: ``proverd inspect --deep`` checks all of them, and every
    proof is verified. What a user should know of the key is in ``warnings`` and is warned of (KeyWarning).
    Raises InputUnreadable, a FormatError, or NoDevice.
    """
    backend = get_backend(device, threads)
    zkey = Zkey.open(path)
    key = key_from_zkey(backend, zkey)
    try:
        matrices = CoefficientRecords(backend, key.curve, zkey.coefficients, key.n, key.n_wires)
    except ValueOutOfRange as error:
        raise ValueOutOfRange(error.message, path=path, section="section 4 (coefficients)") from None
    notes = _notes(zkey, key)
    for note in notes:
        warnings.warn(f"{os.fspath(path)}: {note}", KeyWarning, stacklevel=2)
    domain = Domain(backend, key.curve, key.log_n, key.root_base)
    unsafe_dev = zkey.unsafe_dev is not None
    return Circuit(backend, key, matrices, domain, zkey.digest(), tuple(notes), unsafe_dev)


def _notes(zkey: Zkey, key: ProvingKey) -> list[str]:
    notes = []
    if zkey.unsafe_dev is not None:
        notes.append("development key: whoever made it can forge proofs; never use it for anything of value")
    reason = unsafe_reason(key.verifying_key)
    if reason is not None:
        notes.append(f"unsafe key: {reason}; anyone can forge proofs under it")
    unbound = unbound_public_inputs(key.verifying_key)
    if unbound:
        shown = ", ".join(map(str, unbound[:5])) + (", …" if len(unbound) > 5 else "")
        notes.append(f"public inputs bound by no constraint, so that any value verifies: {shown}")
    return notes
