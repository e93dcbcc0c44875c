"""Plain text for people: tables, sizes and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def format_fields(fields: Mapping[str, object], indent: str = "  ") -> str:
    """One ``name  value`` a line, aligned; entries without a value are left out."""
    present = {name: value for name, value in fields.items() if value is not None}
    width = max((len(name) for name in present), default=0)
    return "\n".join(f"{indent}{name:<{width}}  {value}" for name, value in present.items())


def format_table(header: Sequence[str], rows: Sequence[Sequence[object]], indent: str = "  ") -> str:
    """Columns as wide as they need to be; numbers flush right."""
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    numeric = [all(_is_number(row[i]) for row in rows) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        return (indent + "  ".join(padded)).rstrip()

    return "\n".join(line(row) for row in cells)


def _is_number(cell: object) -> bool:
    return isinstance(cell, (int, float)) or (isinstance(cell, str) and cell[:1].isdigit())


def format_bytes(count: int) -> str:
    """``812 bytes``, ``45.2 MB`` (powers of 1000, as file managers show them)."""
    if count < 1000:
        return f"{count} bytes"
    value = float(count)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.95:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"
