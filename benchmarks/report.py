"""Renders `results/*.json` into the tables of `docs/performance.md`, between their markers.

python -m benchmarks.report
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from benchmarks import common

DOCUMENT = common.ROOT / "docs" / "performance.md"
Row = dict[str, Any]


def main() -> None:
    text = DOCUMENT.read_text()
    for name, render in TABLES.items():
        path = common.RESULTS / f"{name}.json"
        if path.exists():
            result = json.loads(path.read_text())
            text = replace_between(text, name, f"{origin(result)}\n\n{render(result['rows'])}")
    DOCUMENT.write_text(text)


def replace_between(text: str, name: str, contents: str) -> str:
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{DOCUMENT.name} has no place for {name}: add {begin} and {end}")
    return pattern.sub(lambda _: f"{begin}\n{contents}\n{end}", text)


def origin(result: Row) -> str:
    """Where a table's figures come from, in one paragraph."""
    m = result["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in m["versions"].items())
    return (
        f"`{result['command']}`, {result['date']}; {m['cpu']} (family/model {m['cpu_family_model']}; "
        f"{', '.join(m['flags'])}), {m['cores']} cores, {m['memory_gib']} GiB, Linux {m['kernel']}, "
        f"Python {m['python']}, {versions}; load before: {result['load_average_before']}."
    )


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def spread(value: Row, digits: int = 2) -> str:
    return f"{value['median']:.{digits}f} [{value['min']:.{digits}f} to {value['max']:.{digits}f}]"


def prove(rows: list[Row]) -> str:
    lines = []
    for row in rows:
        rapid = row.get("rapidsnark")
        lines.append(
            [
                row["curve"],
                f"{row['n_constraints']:,}",
                f"2^{row['domain_size'].bit_length() - 1}",
                spread(row["proverd"]["wall_seconds"]),
                spread(row["snarkjs"]["wall_seconds"]),
                f"**{spread(row['snarkjs_over_proverd'], 1)}**",
                spread(row["rapidsnark_over_proverd"]) if rapid else "",
                f"{row['peak_rss_bytes'] / 1e6:.0f} / {row['allowed_rss_bytes'] / 1e6:.0f}",
                f"{row['snarkjs']['peak_rss_bytes'] / 1e6:.0f}",
            ]
        )
    header = ["curve", "constraints", "domain", "proverd, s", "snarkjs, s", "snarkjs / proverd"]
    header += ["rapidsnark / proverd", "peak memory / allowed, MB", "snarkjs peak, MB"]
    return table(header, lines)


def groth16py(rows: list[Row]) -> str:
    lines = [
        [
            f"{row['n_constraints']:,}",
            spread(row["proverd_s"]),
            spread(row["groth16py_s"]),
            spread(row["ratio"]),
        ]
        for row in rows
    ]
    return table(["constraints", "proverd, s", "groth16py, s", "groth16py / proverd"], lines)


def arkworks(rows: list[Row]) -> str:
    lines = [
        [
            row["group"],
            f"2^{row['log_n']}",
            *(
                spread(row[f"{name}_ms"], 1)
                for name in ("proverd_1_thread", "arkworks", "proverd_all_threads")
            ),
            f"**{spread(row['arkworks_over_proverd_1_thread'])}**",
            spread(row["arkworks_over_proverd_all_threads"]),
        ]
        for row in rows
    ]
    header = ["group", "points", "proverd, one thread, ms", "arkworks, one thread, ms"]
    header += ["proverd, all threads, ms", "ratio, one thread each", "ratio, ours on all threads"]
    return table(header, lines)


def load(rows: list[Row]) -> str:
    return table(["what", "pages", "seconds"], [[r["what"], r["pages"], f"{r['seconds']:.3f}"] for r in rows])


def import_time(rows: list[Row]) -> str:
    lines = [[row["what"], f"{row['wall_ms']:.1f}", f"{row['net_ms']:.1f}"] for row in rows]
    return table(["program", "wall, ms", "net of the interpreter, ms"], lines)


def plain(*columns: str) -> Callable[[list[Row]], str]:
    """A table of the named fields as they are, numbers to three figures."""

    def show(value: Any) -> str:
        if isinstance(value, float):
            return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"
        return f"{value:,}" if isinstance(value, int) else str(value)

    def render(rows: list[Row]) -> str:
        header = [column.replace("_", " ") for column in columns]
        return table(header, [[show(row[column]) for column in columns] for row in rows])

    return render


TABLES: dict[str, Callable[[list[Row]], str]] = {
    "prove_vs_snarkjs": prove,
    "groth16py_vs_proverd": groth16py,
    "msm_vs_arkworks": arkworks,
    "load": load,
    "import_time": import_time,
    "kernels_field": plain("curve", "isa", "fr_multiply_ns", "fr_square_ns", "fr_add_ns", "fp_multiply_ns"),
    "kernels_ntt": plain(
        "curve", "log_n", "threads", "inverse_and_forward_ms", "multiplications", "floor_ms", "floor_share"
    ),
    "kernels_msm": plain(
        "curve", "group", "log_n", "threads", "ms", "million_additions_per_second", "floor_ms", "floor_share"
    ),
    "kernels_spmv": plain("curve", "log_n", "threads", "ms", "multiplications", "floor_ms", "floor_share"),
    "kernels_pairing": plain("curve", "pairings", "ms", "ms_per_pairing", "fp_multiplications_in_that_time"),
}

if __name__ == "__main__":
    main()
