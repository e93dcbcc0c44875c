"""proverd: a persistent Groth16 proving engine."""
