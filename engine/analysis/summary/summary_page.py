"""The summary as one self-contained HTML file without scripts."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.sanitize import printable
from boomslang.engine.analysis.summary.summary_tables import (
    SummaryTable,
    games_table,
    remarks_on,
    tables_of,
)


def render(data: Mapping[str, Any], home: Path) -> str:
    """The page of a summary from `engine.analysis.summary.totals`, for a file in the folder `home`."""
    games = data["total"]["games"]
    links = [_link(game, home) for game in data["games"]]
    template = (resources.files("boomslang.engine.analysis.summary") / "page.html").read_text(
        "utf-8"
    )
    return Template(template).substitute(
        engine=_escape(f"{NAME} {VERSION}"),
        player=_escape(data["player"]),
        games=f"{games} game{'s' * (games != 1)}",
        remarks=remarks_on(data),
        tables="\n".join(map(_table, [*tables_of(data), games_table(data, links)])),
    )


def _link(game: Mapping[str, Any], home: Path) -> str:
    """Address of a game: in the report beside its analysis, else in the web, else empty."""
    report = Path(game["file"]).with_suffix(".html") if game["file"] else None
    if report is None or not os.path.isfile(report):  # noqa: PTH113 - Path.is_file may raise
        return game["site"] or ""
    try:
        place = quote(Path(os.path.relpath(report, home)).as_posix())
    except ValueError:  # another drive
        place = report.absolute().as_uri()
    return f"{place}#{game['number']}"


def _table(table: SummaryTable) -> str:
    head = "".join(
        f'<th scope="col" class="{_kind(column, table.words)}">{_escape(name)}</th>'
        for column, name in enumerate(table.columns)
    )
    links = table.links or [""] * len(table.rows)
    rows = "\n".join(
        f"<tr>{''.join(_cells(row, table.words, link))}</tr>"
        for row, link in zip(table.rows, links, strict=True)
    )
    return (
        f'<section><h2>{_escape(table.title)}</h2><div class="scroller" tabindex="0" role="region" '
        f'aria-label="{_escape(table.title)}"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _cells(row: Sequence[str], words: int, link: str) -> Iterable[str]:
    head = _escape(row[0])
    yield f'<th scope="row">{f"""<a href="{_escape(link)}">{head}</a>""" if link else head}</th>'
    for column, text in enumerate(row[1:], start=1):
        yield f'<td class="{_kind(column, words)}">{_escape(text)}</td>'


def _kind(column: int, words: int) -> str:
    return "word" if column < words else "figure"


def _escape(text: str) -> str:
    return html.escape(printable(text))
