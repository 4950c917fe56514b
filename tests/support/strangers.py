"""Words that somebody hostile would choose, and what a terminal gets of them."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from boomslang.cli.command_line import run

# An escape sequence, a bell, the end of a line in four ways, a C1 control, a mark that turns the writing, a
# character that cannot be deleted, half of a surrogate as in the name of a file that is not UTF-8, markup.
CONTROLS = "\x1b[2J\x07\r\n\x0b\x85\x9b31m\u202e\u2066\u2028\u200f\x7f\udce9"
MARKUP = "[bold]b[/bold][link=http://e.vil]l[/link][/none]:boom:"
WORD = f"Иван♔{CONTROLS}{MARKUP}"
ENCODABLE = WORD.replace("\udce9", "")  # in files of text


def harmful(text: str) -> set[str]:
    """What a terminal would obey, and what turns or parts lines."""
    return {letter for letter in text if not letter.isprintable()} - {"\n"}


def said(
    arguments: Sequence[str], monkeypatch: pytest.MonkeyPatch, encoding: str = "ascii"
) -> tuple[int, str, str]:
    """Status and both outputs of a command in this process, where these know no letter but ASCII."""
    streams = {name: io.BytesIO() for name in ("stdout", "stderr")}
    with monkeypatch.context() as patch:
        for name in ("sys.excepthook", "threading.excepthook"):
            patch.setattr(name, lambda *_: None)
        for name, raw in streams.items():
            patch.setattr(f"sys.{name}", io.TextIOWrapper(raw, encoding, write_through=True))
        try:
            status = run(list(arguments))
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = (raw.getvalue().decode("utf-8") for raw in streams.values())
    return status, out, err
