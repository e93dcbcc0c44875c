"""BN254, Ethereum's pairing curve (EIP-196/197); ``alt_bn128`` in libff, ``bn128`` in snarkjs.

A Barreto–Naehrig curve (eprint 2005/133) with seed x = 4965661367192848881:

    p(x) = 36x⁴ + 36x³ + 24x² + 6x + 1        r(x) = 36x⁴ + 36x³ + 18x² + 6x + 1
    E : y² = x³ + 3 over Fp                   E' : y² = x³ + 3/(9 + u) over Fp2   (D-twist)

Security is about 100 bits after the tower number field sieve (eprint 2016/1102). Not to be mixed up with
Nogami's BN254. Generators: EIP-197. Only what cannot be computed stands here; the rest is derived.
"""

from proverd.curves.curve import Curve, PrimeField

_x = 4965661367192848881  # libff, alt_bn128_init.cpp; EIP-197

BN254 = Curve(
    name="bn254",
    snarkjs_name="bn128",
    aliases=("bn128", "bn254", "altbn128", "alt_bn128"),
    fp=PrimeField("bn254.Fp", 36 * _x**4 + 36 * _x**3 + 24 * _x**2 + 6 * _x + 1),
    fr=PrimeField("bn254.Fr", 36 * _x**4 + 36 * _x**3 + 18 * _x**2 + 6 * _x + 1),
    family="BN",
    seed=_x,
    b=3,
    xi=(9, 1),
    twist="D",
    g1=(1, 2),
    g2=(
        (
            10857046999023057135944570762232829481370756359578518086990519993285655852781,
            11559732032986387107991004021392285783925812861821192530917403151452391805634,
        ),
        (
            8495653923123431417604973247489272438418190587263600148770280649306958101930,
            4082367875863433681332203403145435568316851327593401208105741076214120093531,
        ),
    ),
    snarkjs_root_base=5,  # ffjavascript, F1Field: the smallest quadratic non-residue
    bellman_root_base=5,  # arkworks ark-bn254, Fr GENERATOR = 5
)
