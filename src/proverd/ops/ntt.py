"""Number-theoretic transforms over domains of 2^log_n points, with cached twiddles.

    inverse:  coefficients f_i = 1/n Σ_j f(ω^j)·ω^(−ij)     values, natural → coefficients, bit-reversed
    forward:  f(g·ω^j) = Σ_i f_i·gⁱ·ω^(ij)                  coefficients, bit-reversed → values, natural

so that a pair of them needs no reordering pass. n/2·log n multiplications each.
"""

from __future__ import annotations

from threading import Lock

from proverd.backend.api import Backend, Buffer, FieldVector, Form, Order
from proverd.curves import Curve
from proverd.errors import BadArgument
from proverd.ops import vec
from proverd.ops.checks import require, same_length


class Domain:
    """The 2^log_n-th roots of unity derived from the non-residue ``root_base``, and what transforms need.

    Tables are made on first use and kept: n/2 elements for each direction, n for each coset.
    Safe to share between threads.
    """

    def __init__(self, backend: Backend, curve: Curve, log_n: int, root_base: int) -> None:
        if not 0 <= log_n <= curve.fr.two_adicity:
            raise BadArgument(f"{curve.name} has no domain of 2^{log_n} points")
        self.backend = backend
        self.curve = curve
        self.log_n = log_n
        self.n = 1 << log_n
        self.root_base = root_base
        self.root = curve.fr.root_of_unity(root_base, log_n)
        self._tables: dict[object, Buffer] = {}
        self._lock = Lock()

    def inverse(self, x: FieldVector) -> None:
        """Values → coefficients in place, natural → bit-reversed order, 1/n included."""
        self._check(x, Order.NATURAL)
        self.backend.ntt(self.curve, x.data, self._twiddles(inverse=True), None, True)
        x.order = Order.BIT_REVERSED

    def forward(self, x: FieldVector, coset: int = 1) -> None:
        """Coefficients → values on ``coset``·⟨ω⟩ in place, bit-reversed → natural order."""
        self._check(x, Order.BIT_REVERSED)
        shifts = None if coset == 1 else self._shifts(coset)
        self.backend.ntt(self.curve, x.data, self._twiddles(inverse=False), shifts, False)
        x.order = Order.NATURAL

    def reorder(self, x: FieldVector) -> None:
        """Swaps natural and bit-reversed order in place."""
        same_length("vector of the domain", x, self.n)
        self.backend.bit_reverse(self.curve, x.data)
        x.order = Order.NATURAL if x.order is Order.BIT_REVERSED else Order.BIT_REVERSED

    def _check(self, x: FieldVector, order: Order) -> None:
        same_length("vector of the domain", x, self.n)
        require(x, Form.MONTGOMERY, order)

    def _twiddles(self, inverse: bool) -> Buffer:
        root = pow(self.root, -1, self.curve.fr.modulus) if inverse else self.root
        return self._table(("twiddles", inverse), root, self.n // 2)

    def _shifts(self, coset: int) -> Buffer:
        return self._table(("shifts", coset), coset, self.n)

    def _table(self, key: object, ratio: int, count: int) -> Buffer:
        """Powers of ``ratio``: natural order for twiddles, bit-reversed for shifts."""
        with self._lock:
            if key not in self._tables:
                table = vec.powers(self.backend, self.curve, 1, ratio, count)
                if count == self.n:
                    self.backend.bit_reverse(self.curve, table.data)
                self._tables[key] = table.data
            return self._tables[key]
