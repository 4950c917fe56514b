"""Help texts, filled to the width of the terminal."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from boomslang.cli.terminal.output import columns

_NARROWEST: Final = 24  # columns; less is unreadable
_MAX_WIDTH: Final = 100  # longer lines are hard to read
_TERM: Final = 32  # columns of the terms, if the meanings stand beside them
_ROOM: Final = 28  # columns that the meanings need at least
_COMMAND: Final = re.compile(r" +boomslang\b")
_HEADING: Final = re.compile(r"\w+:")
_WORD: Final = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")


class HelpFormatter(argparse.HelpFormatter):
    """Refills paragraphs; a long example command is continued after a backslash."""

    def __init__(self, prog: str, **options: Any) -> None:
        options["width"] = width()
        super().__init__(prog, **options)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(fill(text, width))

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Called by argparse for the help of an argument; does not break words at hyphens."""
        return _wrap(" ".join(text.split()), width)

    def format_help(self) -> str:
        """Called by argparse, which does not break long words."""
        return "\n".join(cut(super().format_help().split("\n"), width()))


def width() -> int:
    """The width of help texts in columns."""
    return max(_NARROWEST, min(columns(), _MAX_WIDTH))


def fill(text: str, width: int) -> Iterator[str]:
    """The lines of a text of paragraphs, and of indented commands and lists."""
    paragraph: list[str] = []
    for line in text.strip("\n").split("\n"):
        if line and not line.startswith(" ") and not _HEADING.fullmatch(line):
            paragraph.append(line)
            continue
        yield from _wrap(" ".join(paragraph), width)
        paragraph = []
        if _COMMAND.match(line):
            yield from _command(line, width)
        else:
            hanging = re.match(r" *(?:\S+  +)?", line)
            yield from _hang(line, width, len(hanging[0]) if hanging else 0)
    yield from _wrap(" ".join(paragraph), width)


def _command(line: str, width: int) -> Iterator[str]:
    """A shell command, broken so that it can be copied: no blank is added inside a word."""
    words = _WORD.findall(line)
    current = "  " + words[0]
    for word in words[1:]:
        if len(current) + 1 + len(word) + 2 <= width:
            current += f" {word}"
            continue
        yield f"{current} \\"
        current = f"    {word}"
        while len(current) + 2 > width:  # such as a FEN in quotes
            yield current[: width - 1] + "\\"
            current = current[width - 1 :]
    yield current


def _hang(line: str, width: int, indent: int) -> list[str]:
    """A line, continued below with an indent where it is too long."""
    if len(line) <= width:
        return [line]
    indent = indent if indent + _ROOM // 2 <= width else 4
    return _wrap(line, width, " " * indent)


def _wrap(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a text; options and commands are not broken at their hyphens."""
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)


def cut(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines, with long ones broken."""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        yield from _hang(line, width, min(indent + 2, width // 3))


def two_columns(rows: Sequence[tuple[str, str]], width: int, indent: int) -> Iterator[str]:
    """Terms and their meanings, side by side or, on a narrow terminal, below each other."""
    narrow = width < indent + _TERM + _ROOM
    for term, meaning in rows:
        at = indent + (4 if narrow else _TERM)
        texts = _wrap(meaning, width - at) or [""]
        first = " " * indent + term
        if narrow or len(first) >= at:
            yield from cut([first], width)
        else:
            yield f"{first:{at}}{texts.pop(0)}".rstrip()
        yield from (" " * at + text for text in texts if text)
