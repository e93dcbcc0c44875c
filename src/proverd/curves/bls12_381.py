"""BLS12-381, the curve of Zcash, Filecoin and Ethereum's consensus layer.

A Barreto–Lynn–Scott curve of embedding degree 12 (eprint 2002/088) with seed x = −0xd201000000010000:

    r(x) = x⁴ − x² + 1                        p(x) = (x − 1)²·r(x)/3 + x
    E : y² = x³ + 4 over Fp                   E' : y² = x³ + 4(1 + u) over Fp2   (M-twist)

Security is about 120 bits (eprint 2016/1102). Parameters and generators: the IETF draft
pairing-friendly-curves, section 4.2.1. Only what cannot be computed stands here; the rest is derived.
"""

from proverd.curves.curve import Curve, PrimeField

_x = -0xD201000000010000
_r = _x**4 - _x**2 + 1

BLS12_381 = Curve(
    name="bls12_381",
    snarkjs_name="bls12381",
    aliases=("bls12381", "bls12_381", "bls12-381"),
    fp=PrimeField("bls12_381.Fp", (_x - 1) ** 2 * _r // 3 + _x),
    fr=PrimeField("bls12_381.Fr", _r),
    family="BLS12",
    seed=_x,
    b=4,
    xi=(1, 1),
    twist="M",
    g1=(
        0x17F1D3A73197D7942695638C4FA9AC0FC3688C4F9774B905A14E3A3F171BAC586C55E83FF97A1AEFFB3AF00ADB22C6BB,
        0x08B3F481E3AAA0F1A09E30ED741D8AE4FCF5E095D5D00AF600DB18CB2C04B3EDD03CC744A2888AE40CAA232946C5E7E1,
    ),
    g2=(
        (
            0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
            0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E,
        ),
        (
            0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
            0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE,
        ),
    ),
    snarkjs_root_base=5,  # ffjavascript, F1Field: the smallest quadratic non-residue
    bellman_root_base=7,  # bellman and arkworks: the multiplicative generator
)
