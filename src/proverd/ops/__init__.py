"""Operations on vectors and points: check that handles fit together, then have their backend compute.

Device-neutral, and without a word of Groth16. Words of Fr are (n, 4) uint64, little-endian limbs.
"""
