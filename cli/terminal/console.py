"""Tables and colours for people, by the rule of `cli.terminal.output`: strangers' words stay words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rich.console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from boomslang.cli.terminal.output import harmless_lines
from boomslang.engine.core.system.files import printable


class Console(rich.console.Console):
    """A console to which every string is one line of plain words: no markup, no control characters.

    Colours are given as styles, by `rich.text.Text`, whose lines are ours.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Called by rich for each string, that of a cell too; what it has no letters for takes more room."""
        encoding = self.encoding
        known = printable(text).encode(encoding, "backslashreplace").decode(encoding)
        return super().render_str(known, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Called by rich for all that it shows; cursor movements of its own are no text."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(harmless_lines(segment.text), segment.style)
