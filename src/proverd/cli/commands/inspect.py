"""``proverd inspect``: what a file is, instantly; with --deep, whether every point in it is good."""

from __future__ import annotations

import argparse
from typing import Any

from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command, add_computing_options
from proverd.cli.table import format_bytes, format_fields, format_table

FORMAT_NAMES = {
    "zkey": "proving key (.zkey)",
    "wtns": "witness (.wtns)",
    "r1cs": "constraint system (.r1cs)",
    "ptau": "powers of tau (.ptau)",
}
# The report's fields in the words of a person, in the order in which they are shown.
LABELS = {
    "protocol": "protocol",
    "curve": "curve",
    "power": "power",
    "ceremony_power": "ceremony's power",
    "prepared": "prepared (phase 2)",
    "n_constraints": "constraints",
    "n_wires": "wires",
    "n_public": "public inputs",
    "n_public_outputs": "  declared outputs",
    "n_public_inputs": "  declared inputs",
    "n_private_inputs": "private inputs",
    "domain_size": "domain",
    "n_coefficients": "coefficients",
    "digest": "digest",
    "verifying_key_digest": "verifying key digest",
    "circuit_hash": "circuit hash",
    "contributions": "contributions",
    "sha256": "SHA-256 of the file",
    "trailing_bytes": "bytes behind the last section",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a .zkey, .wtns, .r1cs, .ptau or one of snarkjs's JSON files"
    )
    parser.add_argument(
        "--deep",
        action="store_true",
        help="check every point (canonical, on the curve, in the subgroup), value and index; hash the file",
    )
    add_computing_options(parser, device=False)


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.formats.inspect import inspect

    report = inspect(arguments.file)
    if arguments.deep:
        from proverd.cli.deep import check_deeply

        threads = arguments.threads
        report |= check_deeply(arguments.file, report["format"], threads, console)
    if report.get("unsafe_dev") is not None:
        console.warn(f"{arguments.file}: a development key: {report['unsafe_dev']}")
    return Outcome(report, _text(report))


def _text(report: dict[str, Any]) -> str:
    title = FORMAT_NAMES.get(report["format"], report["format"])
    version = f", version {report['version']}" if "version" in report else ""
    lines = [f"{report['path']}: {title}{version}, {format_bytes(report['size_bytes'])}"]
    fields = {label: _value(name, report[name]) for name, label in LABELS.items() if name in report}
    lines.append(format_fields(fields))
    if "sections" in report:
        rows = [(s["id"], s["name"] or "unknown", s["offset"], s["size_bytes"]) for s in report["sections"]]
        lines.append(format_table(("section", "name", "offset", "bytes"), rows))
    if "checked_points" in report:
        lines.append(
            f"  deep check: good; {report['checked_points']} points, {report['checked_values']} values"
        )
    return "\n".join(line for line in lines if line)


def _value(name: str, value: Any) -> object:
    if name == "domain_size":
        return f"{value} = 2^{value.bit_length() - 1}"
    if name == "contributions":
        return ", ".join(c["name"] or f"unnamed {c['type']}" for c in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


COMMAND = Command(
    "inspect",
    "describe a file: sizes, curve, counts, sections, digest",
    configure,
    run,
    "Without --deep only headers are read: it is instant at any size and says nothing of the contents.\n"
    "The digest of a key is the SHA-256 of header, ic and contributions.",
)
