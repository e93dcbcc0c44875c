"""Does an assignment satisfy a constraint system, and where not?"""

from __future__ import annotations

import numpy as np

from proverd.backend import FieldVector, Form, get_backend
from proverd.backend.api import Words
from proverd.curves import Curve
from proverd.errors import CurveMismatch, ValueOutOfRange, WrongLength
from proverd.formats import R1cs, SparseMatrix, Wtns
from proverd.ops import vec
from proverd.ops.spmv import CsrMatrix


def first_unsatisfied(
    r1cs: R1cs, witness: Wtns | Words, curve: Curve | None = None, *, threads: int | None = None
) -> int | None:
    """The first row j with (Az)ⱼ·(Bz)ⱼ ≠ (Cz)ⱼ, or None where z satisfies all.

    ``witness``: an open ``.wtns``, or canonical words (n_wires, 4) over ``curve``. Raises CurveMismatch,
    WrongLength, ValueOutOfRange, and a FormatError for a broken ``.r1cs``.
    """
    if isinstance(witness, Wtns):
        curve, words = witness.curve, witness.values
    else:
        words = witness
    if curve is not r1cs.curve:
        name = "an unknown curve" if curve is None else curve.name
        raise CurveMismatch(f"the witness is over {name}, {r1cs.path} over {r1cs.curve.name}")
    z = _assignment(r1cs, words, threads)
    a, b, c = (_product(r1cs, matrix, z) for matrix in r1cs.matrices())
    vec.multiply(a, a, b)
    differing = np.any(a.backend.get(a.data) != c.backend.get(c.data), axis=1)
    return int(differing.argmax()) if differing.any() else None


def _assignment(r1cs: R1cs, words: Words, threads: int | None) -> FieldVector:
    """z in Montgomery form, in memory of its own."""
    if len(words) != r1cs.header.n_wires:
        raise WrongLength("witness", got=len(words), expected=r1cs.header.n_wires)
    z = vec.put(get_backend("cpu", threads), r1cs.curve, np.array(words), Form.CANONICAL)
    bad = vec.first_not_reduced(z)
    if bad >= 0:
        raise ValueOutOfRange(f"witness value {bad} is not below r")
    if list(words[0]) != [1, 0, 0, 0]:
        raise ValueOutOfRange("witness value 0 must be 1")
    vec.to_montgomery(z)
    return z


def _product(r1cs: R1cs, entries: SparseMatrix, z: FieldVector) -> FieldVector:
    """The matrix times z."""
    matrix = CsrMatrix.build(z.backend, z.curve, r1cs.header.n_wires, *entries)
    out = vec.empty(z.backend, z.curve, matrix.rows)
    matrix.multiply(out, z)
    return out
