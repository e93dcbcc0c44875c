"""``proverd verify``: 0 for a valid proof, 1 for a well-formed but invalid one, another code for an error."""

from __future__ import annotations

import argparse
import time

from proverd.cli import exit_codes
from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verification_key", metavar="verification_key.json", help="verifying key")
    parser.add_argument("public", metavar="public.json", help="public inputs")
    parser.add_argument("proof", metavar="proof.json", help="proof")
    parser.add_argument(
        "--allow-unsafe-key",
        action="store_true",
        help="answer for a key under which anyone can forge proofs too",
    )


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.errors import FormatError, WrongLength
    from proverd.formats import read_proof, read_public_inputs, read_verifying_key
    from proverd.groth16.verify import unsafe_reason, verify

    started = time.perf_counter()
    key = read_verifying_key(arguments.verification_key)
    public_inputs = read_public_inputs(arguments.public, key.curve)
    proof = read_proof(arguments.proof, key.curve)
    if len(public_inputs) != key.n_public:
        what = f"{arguments.public}: public inputs"
        raise WrongLength(what, got=len(public_inputs), expected=key.n_public)
    reason = unsafe_reason(key)
    if reason is not None and arguments.allow_unsafe_key:
        console.warn(f"{arguments.verification_key}: {reason}; anyone can forge proofs under it")
    try:
        valid = verify(key, public_inputs, proof, allow_unsafe_key=arguments.allow_unsafe_key)
    except FormatError as error:  # a point outside its subgroup, in one of two files
        error.path = arguments.proof if error.section == "proof" else arguments.verification_key
        raise
    fields = {
        "valid": valid,
        "curve": key.curve.name,
        "n_public": key.n_public,
        "verifying_key_digest": key.digest(),
        "unsafe_key": reason,
        "seconds": {"total": round(time.perf_counter() - started, 6)},
    }
    text = "valid proof" if valid else "invalid proof"
    return Outcome(fields, text, exit_codes.OK if valid else exit_codes.INVALID_PROOF)


COMMAND = Command(
    "verify",
    "verify a proof",
    configure,
    run,
    "example:\n  proverd verify verification_key.json public.json proof.json",
)
