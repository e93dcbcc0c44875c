"""The quotient h = (u·v − w)/Z, where u, v, w interpolate a, b, c over the domain and Z = xⁿ − 1.

Two forms, and a key fits only one of them. Both take c = a∘b, which holds for a satisfying assignment; for
any other the proof will not verify.
"""

from __future__ import annotations

from proverd.backend import FieldVector, Form
from proverd.curves import Curve
from proverd.ops import vec
from proverd.ops.ntt import Domain


def odd_coset(curve: Curve, root_base: int, log_n: int) -> int:
    """The shift of ``quotient_odd_coset``: a primitive 2n-th root of unity, so that shifts of the domain
    by it are the odd 2n-th roots. Where n is the field's full two-adicity there is none, and snarkjs takes
    the square of the non-residue (ffjavascript, ``Fr.shift``)."""
    if log_n == curve.fr.two_adicity:
        return root_base * root_base % curve.fr.modulus
    return curve.fr.root_of_unity(root_base, log_n + 1)


def quotient_odd_coset(domain: Domain, a: FieldVector, b: FieldVector) -> FieldVector:
    """(u·v − w)(s·ωⁱ) for i < n, s the odd coset's shift; canonical, natural order. For ``.zkey``.

    The key's h_query holds the Lagrange basis of the coset times Z, so there is nothing to divide and
    nothing to interpolate (snarkjs, groth16_prove.js). Three inverse and three forward transforms, 6M a
    point beside them. Overwrites a and b and returns the memory of a.
    """
    curve = domain.curve
    shift = odd_coset(curve, domain.root_base, domain.log_n)
    c = vec.empty(domain.backend, curve, domain.n)
    vec.multiply(c, a, b)
    for x in (a, b, c):
        domain.inverse(x)
        domain.forward(x, shift)
    vec.multiply_subtract_canonical(a, a, b, c)
    return a


def quotient_coset(domain: Domain, a: FieldVector, b: FieldVector) -> FieldVector:
    """The n − 1 coefficients of h, canonical, natural order. For bellman's ``.params``.

    On the coset g·⟨ω⟩ of the multiplicative generator Z is the constant gⁿ − 1, and there

        h = icosetNTT(u∘v − w)/(gⁿ − 1)

    where w, a polynomial of degree below n, passes through the two coset transforms unchanged: so
    h = (icosetNTT(cosetNTT(u)∘cosetNTT(v)) − iNTT(a∘b))/(gⁿ − 1). Six transforms. Overwrites a and b.
    """
    curve, n = domain.curve, domain.n
    r, g = curve.fr.modulus, curve.bellman_root_base
    w = vec.empty(domain.backend, curve, n)
    vec.multiply(w, a, b)
    domain.inverse(w)
    for x in (a, b):
        domain.inverse(x)
        domain.forward(x, g)
    vec.multiply(a, a, b)
    domain.inverse(a)
    domain.reorder(a)
    vec.multiply(a, a, vec.powers(domain.backend, curve, 1, pow(g, -1, r), n))
    domain.reorder(w)
    vec.subtract(a, a, w)
    vec.scale(a, a, pow(pow(g, n, r) - 1, -1, r))
    vec.from_montgomery(a)
    return FieldVector(domain.backend, curve, a.data[: n - 1], Form.CANONICAL)


QUOTIENTS = {"quotient_odd_coset": quotient_odd_coset, "quotient_coset": quotient_coset}
