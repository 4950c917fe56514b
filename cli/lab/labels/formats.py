"""Output formats of labelled positions: CSV, EPD and JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from boomslang.engine.labels.columns import LabelValue

FORMATS: Final = ("csv", "epd", "jsonl")
OF_LINE: Final = ("place",)  # the number of the line
OF_GAME: Final = ("game", "ply")

Row: TypeAlias = Callable[[str, str, str, Mapping[str, LabelValue]], str]

# An opcode with its operands, up to the semicolon; text in quotes may hold one.
_OPERATION: Final = re.compile(r'([^\s;"]+)((?:[^";]|"[^"]*")*);?\s*')


@dataclass(frozen=True, slots=True)
class LabelFormat:
    """A format and its columns: OF_LINE or OF_GAME, the FEN, and STATIC or SEARCHED."""

    format: str
    columns: tuple[str, ...]
    place: tuple[str, ...] = OF_LINE

    def head(self) -> str:
        """The header line, if there is one."""
        return ",".join((*self.place, "fen", *self.columns)) + "\n" if self.format == "csv" else ""

    def row(self) -> Row:
        """The function that formats a row from place, FEN, EPD operations and values by column."""
        if self.format == "csv":
            return _csv
        return _epd if self.format == "epd" else _json


def _csv(place: str, fen: str, operations: str, values: Mapping[str, LabelValue]) -> str:
    """No cell needs quoting: they are FEN, UCI moves and numbers."""
    cells = ["" if value is None else str(value) for value in values.values()]
    return ",".join((*place.split("."), fen, *cells)) + "\n"


def _json(place: str, fen: str, operations: str, values: Mapping[str, LabelValue]) -> str:
    game, _, ply = place.partition(".")
    places = {"game": int(game), "ply": int(ply)} if ply else {"place": place}
    return json.dumps({**places, "fen": fen, **values}) + "\n"


def _epd(place: str, fen: str, operations: str, values: Mapping[str, LabelValue]) -> str:
    """The input line, in which our operations replace those of the same opcode."""
    fields = fen.split(" ")
    ours = dict(zip(("hmvc", "fmvn"), fields[4:], strict=False))
    if values["score"] is not None:
        ours["ce"] = str(values["score"])
    if values.get("mate"):
        ours["dm"] = str(values["mate"])
    if values.get("san"):
        ours["bm"] = str(values["san"])
    if "depth" in values:
        chances = (f"{name} {values[name]}" for name in ("win", "draw", "loss"))
        ours |= {"acd": str(values["depth"]), "acn": str(values["nodes"])}
        ours["c9"] = f'"{" ".join(chances)}"'
    replaced = ours.keys() | ({"ce", "dm", "bm"} if "depth" in values else {"ce"})
    kept = [
        f"{opcode}{operands.rstrip()};"
        for opcode, operands in _OPERATION.findall(operations)
        if opcode not in replaced
    ]
    words = [*fields[:4], *kept, *(f"{opcode} {value};" for opcode, value in ours.items())]
    return " ".join(words) + "\n"
