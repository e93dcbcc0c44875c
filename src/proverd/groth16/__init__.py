"""Groth16 (eprint 2016/260): prove, verify, set up. Mathematics only: no device, no queue, no file system
but in ``circuit.load_circuit`` and ``setup``."""
