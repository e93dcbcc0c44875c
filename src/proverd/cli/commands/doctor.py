"""``proverd doctor``: what this machine has, what limits proverd here, and whether it computes rightly."""

from __future__ import annotations

import argparse
from typing import Any

from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command, add_computing_options
from proverd.cli.table import format_bytes, format_fields


def configure(parser: argparse.ArgumentParser) -> None:
    add_computing_options(parser, device=False)


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.cli.selftest import run_self_test

    facts = _facts(arguments.threads)
    with console.open_progress("self-test") as progress:
        progress.show("NTT, MSM and pairing on both curves")
        facts["self_test_seconds"] = round(run_self_test(arguments.threads), 3)
    return Outcome(facts, _text(facts))


def _facts(threads: int | None) -> dict[str, Any]:
    from proverd import _native
    from proverd.backend.cpu import available_cpus
    from proverd.cli import machine

    return {
        "versions": machine.versions(),
        "cpu": {
            "model": machine.cpu_model(),
            "features": machine.cpu_features(),
            "instruction_set": _native.isa(),
            "instruction_sets": _native.isas(),
            "available": available_cpus(),
            "threads": threads or available_cpus(),
        },
        "memory_bytes": machine.memory_bytes(),
        "extras": machine.extras(),
        "gpu": {"driver": machine.gpu_driver(), "used": False},
    }


def _text(facts: dict[str, Any]) -> str:
    cpu, memory, gpu = facts["cpu"], facts["memory_bytes"], facts["gpu"]
    driver = f"NVIDIA driver {gpu['driver']}" if gpu["driver"] else "no NVIDIA driver seen"
    missing = [extra for extra, present in facts["extras"].items() if not present]
    fields = {
        **facts["versions"],
        "CPU": f"{cpu['model']}; {' '.join(cpu['features']) or 'no feature of use here'}",
        "instruction set": f"{cpu['instruction_set']} (usable here: {', '.join(cpu['instruction_sets'])})",
        "threads": f"{cpu['threads']} ({cpu['available']} CPUs for this process)",
        "memory": f"{_size(memory['total'])}, {_size(memory['available'])} available",
        "memory limit": _size(memory["cgroup_limit"], "none set (control group)"),
        "locked memory": _size(memory["locked_limit"], "unlimited"),
        "extras": ", ".join(e for e, present in facts["extras"].items() if present) or "none installed",
        "extras missing": ", ".join(f"proverd[{extra}]" for extra in missing) or None,
        "GPU": f"{driver}; this version of proverd computes on the CPU only",
        "self-test": f"good: NTT, MSM and pairing on both curves, {facts['self_test_seconds']:.2f} s",
    }
    return format_fields(fields, indent="")


def _size(count: int | None, otherwise: str = "unknown") -> str:
    return otherwise if count is None else format_bytes(count)


COMMAND = Command(
    "doctor",
    "report versions, CPU, memory, limits, optional packages, and test the arithmetic",
    configure,
    run,
)
