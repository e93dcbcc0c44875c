"""Ready circuits: a hash chain, a Merkle path, and a synthetic circuit of any size.

The hash is MiMC with exponent 5 (eprint 2016/492) as a permutation of Fr keyed by its second argument,
in Miyaguchi–Preneel mode; 5 is coprime to r − 1 on both curves. Round constants are SHA-256 of a label, so
that nobody chose them. It serves demonstrations and benchmarks: it has had no review of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from proverd.backend import Backend, FieldVector, Form, get_backend
from proverd.backend.api import Words
from proverd.circuits.assignment import ProvingAssignment
from proverd.circuits.constraint_system import Column, ConstraintSystem, Linear, Synthesizer, Wires
from proverd.curves import Curve
from proverd.errors import BadArgument
from proverd.ops import vec

EXPONENT = 5
ROUNDS = 110  # ⌈log₅ r⌉ for r of 254 and 255 bits: eprint 2016/492, section 4.2

Circuit = Callable[[Synthesizer], None]


# --- the hash and what is built of it -------------------------------------------------------------------


@lru_cache
def round_constants(curve: Curve) -> tuple[int, ...]:
    """c₀ = 0, cᵢ = SHA-256("proverd.mimc5.<curve>.<i>") mod r."""
    labels = (f"proverd.mimc5.{curve.name}.{i}" for i in range(1, ROUNDS))
    digests = (int.from_bytes(hashlib.sha256(label.encode()).digest(), "big") for label in labels)
    return (0, *(digest % curve.fr.modulus for digest in digests))


def hash_pair(curve: Curve, x: int, key: int) -> int:
    """H(x, k) = E_k(x) + x + k, where E_k applies y ← (y + k + cᵢ)⁵ round after round and adds k."""
    r = curve.fr.modulus
    y = x
    for constant in round_constants(curve):
        y = pow(y + key + constant, EXPONENT, r)
    return (y + 2 * key + x) % r


def enforce_hash(cs: Synthesizer, x: Linear, key: Linear) -> Linear:
    """A wire that holds the hash of two linear combinations; 3 constraints a round.

    The last product takes what is added after it, so that combinations do not grow from hash to hash.
    """
    y = x
    for i, constant in enumerate(round_constants(cs.curve), start=1):
        base = y + key + constant
        square = _product(cs, base, base)
        fourth = _product(cs, square, square)
        y = _product(cs, fourth, base, plus=2 * key + x if i == ROUNDS else _NOTHING)
    return y


def _given(value: int) -> Callable[[], int]:
    return lambda: value


def _publish(cs: Synthesizer, wire: Linear) -> None:
    """A public input with the wire's value."""
    cs.enforce(wire, 1, cs.alloc_input(lambda: cs.value(wire)))


_NOTHING = Linear({})


def _product(cs: Synthesizer, a: Linear, b: Linear, plus: Linear = _NOTHING) -> Linear:
    """A new wire that holds a·b + plus."""
    wire = cs.alloc(lambda: cs.value(a) * cs.value(b) + cs.value(plus))
    cs.enforce(a, b, wire - plus)
    return wire


def hash_chain(messages: Sequence[int]) -> Circuit:
    """h₀ = 0, hᵢ₊₁ = H(hᵢ, messageᵢ); the messages are private, the last h is public.

    330 constraints a message.
    """

    def synthesize(cs: Synthesizer) -> None:
        def digest() -> int:
            value = 0
            for message in messages:
                value = hash_pair(cs.curve, value, message)
            return value

        public = cs.alloc_input(digest)
        state = Linear({})
        for message in messages:
            state = enforce_hash(cs, state, cs.alloc(_given(message)))
        cs.enforce(state, 1, public)

    return synthesize


def merkle_path(leaf: int, siblings: Sequence[int], index: int) -> Circuit:
    """The leaf, private, stands at ``index`` of a tree whose root is public; siblings from the leaf up.

    333 constraints a level.
    """

    def synthesize(cs: Synthesizer) -> None:
        def root() -> int:
            node = leaf
            for level, sibling in enumerate(siblings):
                left, right = (sibling, node) if index >> level & 1 else (node, sibling)
                node = hash_pair(cs.curve, left, right)
            return node

        public = cs.alloc_input(root)
        node = cs.alloc(lambda: leaf)
        for level, value in enumerate(siblings):
            bit = cs.alloc(_given(index >> level & 1))
            sibling = cs.alloc(_given(value))
            cs.enforce(bit, 1 - bit, 0)
            swap = _product(cs, bit, sibling - node)
            node = enforce_hash(cs, node + swap, sibling - swap)
        cs.enforce(node, 1, public)

    return synthesize


# --- a circuit of any size --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Synthetic:
    """A satisfied circuit with the given numbers of constraints and public inputs.

    Bits, of which ``zero_share`` and ``one_share`` of all constraints are zeros and ones, are constrained as
    such; the rest are products of two sums of random earlier wires, full-sized values: ``a_terms`` wires and
    the constant in A, two wires in B. ``b_density``: the share of private wires that occur in B, which sets
    the cost of the proof's two MSMs for B. Bits are in B in any case and the last layer of products never is:
    a density out of that range becomes its end. The same arguments give the same circuit and values.
    """

    n_constraints: int
    n_public: int = 1
    zero_share: float = 0.2
    one_share: float = 0.2
    b_density: float = 0.55
    a_terms: int = 2
    seed: int = 0

    SEEDS = 16  # private wires with random values that everything is made from
    LAYERS = 8  # products refer to wires of earlier layers

    def __post_init__(self) -> None:
        if self.n_constraints < self.n_public or self.n_public < 0:
            raise BadArgument("a synthetic circuit needs a constraint for each public input")
        if min(self.zero_share, self.one_share) < 0 or self.zero_share + self.one_share > 1:
            raise BadArgument("shares of zeros and ones must be in [0, 1] and add up to at most 1")
        if not 0 <= self.b_density <= 1:
            raise BadArgument("b_density must be in [0, 1]")
        if self.a_terms < 1:
            raise BadArgument("a_terms must be at least 1")

    def synthesize(self, cs: Synthesizer) -> None:
        """The circuit, all in bulk."""
        rng = np.random.default_rng(self.seed)
        seeds = cs.alloc_many(self.SEEDS, lambda: _random_words(cs.curve, self.SEEDS, self.seed))
        free = self.n_constraints - self.n_public
        zeros, ones = int(free * self.zero_share), int(free * self.one_share)
        bits = np.concatenate([np.zeros(zeros, np.uint8), np.ones(ones, np.uint8)])
        rng.shuffle(bits)
        wires = [seeds, self._bits(cs, bits)]
        in_b = np.concatenate(wires)
        products = free - len(bits)
        sizes = np.diff([products * layer // self.LAYERS for layer in range(self.LAYERS + 1)])
        wanted = self.b_density * (self.SEEDS + free) - len(in_b)
        share = min(max(wanted / max(products - int(sizes[-1]), 1), 0), 1)
        due = in_b[:0]  # products that are to occur in B and have not yet
        for n in map(int, sizes):
            z = np.concatenate([due[:n], rng.choice(in_b, max(n - len(due), 0))])
            rng.shuffle(z)
            made = self._products(cs, rng, np.concatenate(wires), z)
            wires.append(made)
            due = rng.choice(made, round(share * n), replace=False)
            in_b = np.concatenate([in_b, due])
        self._outputs(cs, np.concatenate(wires))

    def _bits(self, cs: Synthesizer, bits: NDArray[np.uint8]) -> Wires:
        """b·(b − 1) = 0 for each."""
        one = vec.montgomery_words(1, cs.curve.fr)
        wires = cs.alloc_many(len(bits), lambda: bits[:, None].astype(np.uint64) * one)
        constant = np.zeros(len(bits), np.int64)
        cs.enforce_many(len(bits), [(1, wires)], [(1, wires), (-1, constant)], [])
        return wires

    def _products(self, cs: Synthesizer, rng: np.random.Generator, earlier: Wires, z: Wires) -> Wires:
        """w = (x₀ + 3x₁ + 5x₂ + … + 1)·(z + s) for each z; the x are random earlier wires, s random seeds."""
        n = len(z)
        a = [(2 * k + 1, rng.choice(earlier, n)) for k in range(self.a_terms)]
        a.append((1, np.zeros(n, np.int64)))
        # a seed in B keeps products of bits from being zero
        b = [(1, z), (1, rng.choice(earlier[: self.SEEDS], n))]

        def values() -> Words:
            backend = get_backend("cpu")
            left, right = _sum(backend, cs, a), _sum(backend, cs, b)
            vec.multiply(left, left, right)
            words: Words = backend.get(left.data)
            return words

        wires = cs.alloc_many(n, values)
        cs.enforce_many(n, a, b, [(1, wires)])
        return wires

    def _outputs(self, cs: Synthesizer, wires: Wires) -> None:
        """The last wires, made public one by one."""
        for k in range(self.n_public):
            _publish(cs, Linear({int(wires[-1 - k % len(wires)]): 1}))


def _sum(backend: Backend, cs: Synthesizer, columns: Sequence[Column]) -> FieldVector:
    """Σ coefficient·wires over the columns, Montgomery."""
    total, *terms = (vec.put(backend, cs.curve, cs.values(wires), Form.MONTGOMERY) for _, wires in columns)
    vec.scale(total, total, columns[0][0])
    for (coefficient, _), term in zip(columns[1:], terms, strict=True):
        vec.scale(term, term, coefficient)
        vec.add(total, total, term)
    return total


def _random_words(curve: Curve, n: int, seed: int) -> Words:
    """n values below r (residues of Montgomery form as well as any), the same for the same seed."""
    words = np.random.default_rng([seed, 1]).integers(0, 1 << 64, (n, curve.fr.limbs), dtype=np.uint64)
    words[:, -1] >>= np.uint64(64 * curve.fr.limbs - curve.fr.bits + 1)
    return words


def record(curve: Curve, circuit: Circuit) -> ConstraintSystem:
    """The circuit's constraint system."""
    cs = ConstraintSystem(curve)
    circuit(cs)
    return cs


def assign(shape: ConstraintSystem, circuit: Circuit) -> FieldVector:
    """The circuit's assignment (n_wires,), canonical."""
    rows = shape.n_constraints + shape.n_public + 1
    a, b = (np.empty((rows, shape.curve.fr.limbs), np.uint64) for _ in range(2))
    run = ProvingAssignment(shape, a, b)
    circuit(run)
    return run.assignment()
