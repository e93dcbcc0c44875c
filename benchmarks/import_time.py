"""Time of `import proverd`, net of the interpreter's own start: the floor under every short command.

python -m benchmarks.import_time [--repeats 20]
"""

from __future__ import annotations

import argparse
import statistics
import sys

from benchmarks import common

PROGRAMS = {
    "interpreter": "pass",
    "import proverd": "import proverd",
    "import proverd.formats": "import proverd.formats",
    "import numpy": "import numpy",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=20)
    repeats = parser.parse_args().repeats
    seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(repeats):  # in turn, so that a disturbance hits all alike
        for name, program in PROGRAMS.items():
            seconds[name].append(common.run_measured([sys.executable, "-c", program]).wall_seconds)
    floor = statistics.median(seconds["interpreter"])
    rows = [
        {"what": name, "wall_ms": 1e3 * middle, "net_ms": 1e3 * (middle - floor)}
        for name, middle in ((name, statistics.median(values)) for name, values in seconds.items())
    ]
    for row in rows:
        print(f"{row['what']:24} {row['wall_ms']:7.1f} ms, net {row['net_ms']:6.1f} ms")
    common.write_result("import_time", rows, repeats=repeats)


if __name__ == "__main__":
    main()
