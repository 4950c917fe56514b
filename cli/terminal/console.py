"""Tables and colours for people, made safe for the terminal like `cli.terminal.output`."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from typing import Any

import rich.console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from boomslang.core.system.sanitize import printable, printable_lines


def figure_table(*headings: str, title: str | None = None, words: int = 1, **figures: Any) -> Table:
    """A table whose first columns are `words`; the others are figures, with these options of rich."""
    table = Table(title=title)
    for index, heading in enumerate(headings):
        if index < words:
            table.add_column(heading, overflow="fold")
        else:
            table.add_column(heading, justify="right", **figures)
    return table


class Console(rich.console.Console):
    """A console that prints every string as one line of plain text: no markup, no control characters.

    Colours are given as styles, by `rich.text.Text`, whose line breaks are kept.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)

    def on_broken_pipe(self) -> None:
        """Called by rich when nobody reads any more, which ends any command in the same way."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    def render_str(self, text: str, **options: Any) -> Text:
        """Called by rich for each string and cell; unencodable characters become escapes, which are wider."""
        encoding = self.encoding
        encodable = printable(text).encode(encoding, "backslashreplace").decode(encoding)
        return super().render_str(encodable, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Called by rich for all output; its own cursor movements are passed through."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(printable_lines(segment.text), segment.style)
