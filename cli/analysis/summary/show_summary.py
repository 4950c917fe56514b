"""A summary on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from boomslang.cli.analysis.summary.summary_tables import ERRORS, tables_of
from boomslang.cli.terminal.console import Console

_MAX_OPENINGS: Final = 15
_SHORT: Final = {"Inaccuracies": "?!", "Mistakes": "?", "Blunders": "??"}


def show_summary(data: Mapping[str, Any]) -> None:
    """Print all tables of a summary from `cli.analysis.summary.totals`."""
    console = Console()
    games = data["total"]["games"]
    console.print(f"{data['player']}, {games} game{'s' * (games != 1)}")
    for summary in tables_of(data, _MAX_OPENINGS):
        table = Table(title=summary.title)
        is_judged = _SHORT.keys() <= set(summary.columns)
        for index, column in enumerate(summary.columns):
            name = _SHORT.get(column, column) if is_judged else column
            is_word = index < summary.words
            table.add_column(
                name if is_word else _narrow(name),
                justify="left" if is_word else "right",
                overflow="fold",
                no_wrap=not is_word,
            )
        for row in summary.rows:
            table.add_row(*row)
        console.print(table)
    console.print(ERRORS)


def _narrow(heading: str) -> Text:
    """A heading in lines of one word, so that the figures leave room for the words beside them."""
    return Text(heading.replace("/", "/\n").replace(" ", "\n"))
