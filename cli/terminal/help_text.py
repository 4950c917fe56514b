"""Help that is as wide as the terminal, and never wider."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from boomslang.cli.terminal.output import columns

_NARROWEST: Final = 24  # columns; nothing can be read in less
_WIDEST: Final = 100  # longer lines are hard to read
_TERM: Final = 32  # columns of the first of two, where there is room for both
_ROOM: Final = 28  # columns that the second of two needs
_COMMAND: Final = re.compile(r" +boomslang\b")
_HEADING: Final = re.compile(r"\w+:")
_WORD: Final = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")


class HelpFormatter(argparse.HelpFormatter):
    """Paragraphs are filled anew; a command keeps its line, or goes on behind a backslash."""

    def __init__(self, prog: str, **options: Any) -> None:
        options["width"] = width()
        super().__init__(prog, **options)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(filled(text, width))

    def format_help(self) -> str:
        """Called by argparse, which lets a long word stand out."""
        return "\n".join(cut(super().format_help().split("\n"), width()))


def width() -> int:
    """Columns that help may take."""
    return max(_NARROWEST, min(columns(), _WIDEST))


def filled(text: str, width: int) -> Iterator[str]:
    """The lines of a text of paragraphs, commands and lists; the two latter are indented."""
    paragraph: list[str] = []
    for line in text.strip("\n").split("\n"):
        if line and not line.startswith(" ") and not _HEADING.fullmatch(line):
            paragraph.append(line)
            continue
        yield from textwrap.wrap(" ".join(paragraph), width)
        paragraph = []
        if _COMMAND.match(line):
            yield from _command(line, width)
        else:
            hanging = re.match(r" *(?:\S+  +)?", line)
            yield from _hung(line, width, len(hanging[0]) if hanging else 0)
    yield from textwrap.wrap(" ".join(paragraph), width)


def _command(line: str, width: int) -> Iterator[str]:
    """A command of the shell, to be copied as it stands: no blank is put where none was."""
    words = _WORD.findall(line)
    current = "  " + words[0]
    for word in words[1:]:
        if len(current) + 1 + len(word) + 2 <= width:
            current += f" {word}"
            continue
        yield f"{current} \\"
        current = f"    {word}"
        while len(current) + 2 > width:  # a position in quotes, say
            yield current[: width - 1] + "\\"
            current = current[width - 1 :]
    yield current


def _hung(line: str, width: int, indent: int) -> list[str]:
    """A line, and what does not fit into it below, `indent` columns from the left."""
    if len(line) <= width:
        return [line]
    indent = indent if indent + _ROOM // 2 <= width else 4
    return textwrap.wrap(line, width, subsequent_indent=" " * indent, break_on_hyphens=False)


def cut(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines, those that are too long in pieces."""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        yield from _hung(line, width, min(indent + 2, width // 3))


def two_columns(rows: Sequence[tuple[str, str]], width: int, indent: int) -> Iterator[str]:
    """Terms and what they mean, beside each other or, where that is too narrow, below."""
    narrow = width < indent + _TERM + _ROOM
    for term, meaning in rows:
        at = indent + (4 if narrow else _TERM)
        texts = textwrap.wrap(meaning, width - at) or [""]
        first = " " * indent + term
        if narrow or len(first) >= at:
            yield from cut([first], width)
        else:
            yield f"{first:{at}}{texts.pop(0)}".rstrip()
        yield from (" " * at + text for text in texts if text)
