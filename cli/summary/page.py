"""The summary as one self-contained HTML file without scripts."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from string import Template
from typing import Any

from boomslang.cli.summary.tables import ERRORS, SummaryTable, tables_of
from boomslang.engine.core.system.files import printable
from boomslang.engine.identity import NAME, VERSION


def render(data: Mapping[str, Any]) -> str:
    """The page of a summary from `cli.summary.totals`."""
    games = data["total"]["games"]
    template = (resources.files("boomslang.cli.summary") / "page.html").read_text("utf-8")
    return Template(template).substitute(
        engine=_escaped(f"{NAME} {VERSION}"),
        player=_escaped(data["player"]),
        games=f"{games} game{'s' * (games != 1)}",
        errors=ERRORS,
        tables="\n".join(map(_table, tables_of(data))),
    )


def _table(table: SummaryTable) -> str:
    head = "".join(
        f'<th scope="col" class="{_kind(column, table.words)}">{_escaped(name)}</th>'
        for column, name in enumerate(table.columns)
    )
    rows = "\n".join(f"<tr>{''.join(_cells(row, table.words))}</tr>" for row in table.rows)
    return (
        f'<section><h2>{_escaped(table.title)}</h2><div class="scroller" tabindex="0" role="region" '
        f'aria-label="{_escaped(table.title)}"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _cells(row: Sequence[str], words: int) -> Iterable[str]:
    yield f'<th scope="row">{_escaped(row[0])}</th>'
    for column, text in enumerate(row[1:], start=1):
        yield f'<td class="{_kind(column, words)}">{_escaped(text)}</td>'


def _kind(column: int, words: int) -> str:
    return "word" if column < words else "figure"


def _escaped(text: str) -> str:
    return html.escape(printable(text))
