"""The report: one self-contained HTML file that works offline."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from string import Template
from typing import Any, Final

import chess
import chess.svg

from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.sanitize import printable
from boomslang.engine.search_settings import AnalysisSettings

_DATA: Final = "<games>"  # their placeholder; escaped names contain no such brackets
_COLOURS: Final = {"square light": "#f0d9b5", "square dark": "#c0ae91"}  # as in `boomslang board`
_BY_CURVE: Final = "come from scores by the curve of Lichess"
_BY_WDL: Final = "are what each engine says itself (WDL)"
_SHARED: Final = ("changes.js", "graph.js", "accuracy.js")  # modules of `boomslang board`
_SCRIPTS: Final = ("board.js", "clocks.js", "moves.js", "trying.js", "report.js")


def render(
    games: Iterable[dict[str, Any]],
    number: int,
    settings: AnalysisSettings,
    second: AnalysisSettings | None = None,
) -> Iterator[str]:
    """The page in pieces, with `number` games from `engine.analysis.page_data`.

    `second` are the settings of a second engine.
    """
    embedded = map(_embed, games)
    first = next(embedded)
    names = json.loads(first)
    title = f"{names['white']} – {names['black']}"
    if number > 1:
        title += f" and {number - 1} more"
    used = [settings, second] if second else [settings]
    engines = list(map(name_of, used))
    page = Template(_part("page.html")).substitute(
        title=html.escape(printable(title)),
        engine=html.escape(" and ".join(engines)),
        footer=html.escape(credit(used)),
        style=f"{_shared('look.css')}\n{_part('page.css')}",
        script="\n".join([_words(), *map(_module, _SHARED), *map(_part, _SCRIPTS)]),
        pieces=_pieces(),
        squares=chess.svg.board(None, coordinates=False, colors=_COLOURS),
        data=_DATA,
    )
    before, _, after = page.rpartition(_DATA)
    yield f'{before}{{"engines":{_embed(engines)},"games":[{first}'
    for game in embedded:
        yield f",{game}"
    yield f"]}}{after}"


def credit(settings: Sequence[AnalysisSettings]) -> str:
    """Who has analysed, how long, and where the figures come from."""
    engines = [name_of(each) for each in settings]
    words = f"Analysed by {' and '.join(engines)}, {describe(settings[0])}."
    if len(engines) > 1:
        words += f" Judgements, accuracy and critical moments are those of {engines[0]}."
    rule = _BY_WDL if settings[0].by_wdl else _BY_CURVE
    words += f" Winning chances, and all that follows from them, {rule}"
    if settings[0].engine:
        words += (
            f"; reasons are proved by searches of {NAME} {VERSION}, and left out where it does not agree with"
            f" {engines[0]}"
        )
    return f"{words}."


def name_of(settings: AnalysisSettings) -> str:
    """The name of the engine that has searched."""
    return settings.engine_name or f"{NAME} {VERSION}"


def describe(settings: AnalysisSettings) -> str:
    """The limits of a search as text."""
    limits = []
    if settings.nodes is not None:
        limits.append(f"{settings.nodes:,} nodes")
    if settings.depth is not None:
        limits.append(f"depth {settings.depth}")
    if settings.movetime is not None:
        limits.append(f"{settings.movetime / 1000:g} s")
    words = f"{' or '.join(limits)} a position"
    return words if settings.threads == 1 else f"{words}, {settings.threads} threads"


def _part(name: str) -> str:
    return (resources.files("boomslang.engine.analysis") / "page" / name).read_text("utf-8")


def _shared(name: str) -> str:
    """A part of the page of `boomslang board`."""
    return (resources.files("boomslang.cli.play.board") / "page" / name).read_text("utf-8")


def _module(name: str) -> str:
    """A module of the page of `boomslang board` as a script: a report has no modules."""
    return re.sub(r"^(export |import .*\n)", "", _shared(name), flags=re.MULTILINE)


def _words() -> str:
    """Pieces in words, as on the page of `boomslang board`."""
    inner = _module("words.js")
    return f"const {{ NAMES, menInWords }} = (() => {{\n{inner}\nreturn {{ NAMES, menInWords }};\n}})();"


def _pieces() -> str:
    """One drawing of each piece, which the page reuses."""
    pieces = (chess.Piece(kind, colour) for colour in chess.COLORS for kind in chess.PIECE_TYPES)
    return "".join(chess.svg.piece(piece) for piece in pieces)


def _embed(data: dict[str, Any] | list[str]) -> str:
    """JSON safe to embed in an HTML element: nothing in it can close the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
