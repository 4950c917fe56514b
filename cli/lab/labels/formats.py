"""Output formats of labelled positions: CSV, EPD and JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from boomslang.engine.labels.labeller import Label

# Writes a row from the names of its columns, its cells, and the label.
RowWriter: TypeAlias = Callable[[Sequence[str], Sequence[Any], Label], str]

# An opcode with its operands, up to the semicolon; text in quotes may hold one.
_OPERATION: Final = re.compile(r'([^\s;"]+)((?:[^";]|"[^"]*")*);?\s*')


def _csv(_: Sequence[str], cells: Sequence[Any], label: Label) -> str:
    """No cell needs quoting: they are FEN, UCI moves and numbers."""
    return ",".join(["" if value is None else str(value) for value in cells]) + "\n"


def _json(columns: Sequence[str], cells: Sequence[Any], label: Label) -> str:
    return json.dumps(dict(zip(columns, cells, strict=True))) + "\n"


def _epd(columns: Sequence[str], values: Sequence[Any], label: Label) -> str:
    """The input line, in which our operations replace those of the same opcode."""
    cells = dict(zip(columns, values, strict=True))
    fields = label.fen.split(" ")
    ours = dict(zip(("hmvc", "fmvn"), fields[4:], strict=False))
    if cells["score"] is not None:
        ours["ce"] = str(cells["score"])
    if cells.get("mate"):
        ours["dm"] = str(cells["mate"])
    if label.san:
        ours["bm"] = label.san
    if "depth" in cells:
        chances = (f"{name} {cells[name]}" for name in ("win", "draw", "loss"))
        ours |= {"acd": str(cells["depth"]), "acn": str(cells["nodes"])}
        ours["c9"] = f'"{" ".join(chances)}"'
    replaced = ours.keys() | ({"ce", "dm", "bm"} if "depth" in cells else {"ce"})
    kept_operations = [
        f"{opcode}{operands.rstrip()};"
        for opcode, operands in _OPERATION.findall(label.operations)
        if opcode not in replaced
    ]
    words = [
        *fields[:4],
        *kept_operations,
        *(f"{opcode} {value};" for opcode, value in ours.items()),
    ]
    return " ".join(words) + "\n"


FORMATS: Final[Mapping[str, RowWriter]] = {"csv": _csv, "epd": _epd, "jsonl": _json}
