"""proverd: a persistent Groth16 proving engine.

    circuit = proverd.load_circuit("circuit.zkey")          # once
    result = circuit.prove("witness.wtns")                  # many times, from any thread
    proverd.verify(circuit.verifying_key, result.public_inputs, result.proof)

Names are loaded on first use: importing proverd costs neither NumPy nor the native module.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proverd.errors import ProverdError as ProverdError
    from proverd.formats import Proof as Proof
    from proverd.formats import VerifyingKey as VerifyingKey
    from proverd.formats import read_proof as read_proof
    from proverd.formats import read_public_inputs as read_public_inputs
    from proverd.formats import read_verifying_key as read_verifying_key
    from proverd.formats import write_proof as write_proof
    from proverd.formats import write_public_inputs as write_public_inputs
    from proverd.groth16.circuit import Circuit as Circuit
    from proverd.groth16.circuit import KeyWarning as KeyWarning
    from proverd.groth16.circuit import ProveResult as ProveResult
    from proverd.groth16.circuit import load_circuit as load_circuit
    from proverd.groth16.verify import batch_verify as batch_verify
    from proverd.groth16.verify import verify as verify

__version__ = "0.1.0"

_HOME = {
    "Circuit": "groth16.circuit",
    "KeyWarning": "groth16.circuit",
    "Proof": "formats",
    "ProveResult": "groth16.circuit",
    "ProverdError": "errors",
    "VerifyingKey": "formats",
    "batch_verify": "groth16.verify",
    "load_circuit": "groth16.circuit",
    "read_proof": "formats",
    "read_public_inputs": "formats",
    "read_verifying_key": "formats",
    "verify": "groth16.verify",
    "write_proof": "formats",
    "write_public_inputs": "formats",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"proverd.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
