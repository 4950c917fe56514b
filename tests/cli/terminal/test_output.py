"""The one door to the terminal: nobody goes round it, and nothing harmful leaves by it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from boomslang.cli.terminal import output
from boomslang.cli.terminal.console import Console
from tests.support.places import ROOT
from tests.support.process import run_python
from tests.support.strangers import CONTROLS, ENCODABLE, WORD, harmful


@given(st.text())
def test_a_line_is_a_line(text: str) -> None:
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        output.say(text, "next")
    first, second, rest = out.getvalue().split("\n")
    assert (second, rest) == ("next", "") and len(first) == len(text) and not harmful(first)


@given(st.text(st.sampled_from(f"{WORD}ab[]/\\{CONTROLS}")))
def test_strings_on_a_console_are_words(text: str) -> None:
    out = io.StringIO()
    console = Console(file=out, width=10_000, force_terminal=True, color_system=None)
    table = Table(title=text, box=None)
    table.add_column(text)
    table.add_row(text)
    console.print(table, text, Text(text), soft_wrap=True)
    assert not harmful(out.getvalue())
    visible = text.replace("\udce9", "?")
    if text and text.isprintable() and text.strip() == text and "  " not in text:
        assert out.getvalue().count(visible) >= 3


def test_a_string_on_a_console_is_one_line() -> None:
    out = io.StringIO()
    Console(file=out, width=80).print("a\nb\u2028[red]c")
    assert out.getvalue() == "a?b?[red]c\n"


def test_our_own_colours_stay() -> None:
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="standard").print(Text("yes", "green"))
    assert out.getvalue() == "\x1b[32myes\x1b[0m\n"


@pytest.mark.parametrize("is_seen", [False, True])
def test_data_is_exact_unless_a_terminal_shows_it(
    is_seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, "ascii", write_through=True)
    monkeypatch.setattr(stream, "isatty", lambda: is_seen, raising=False)
    monkeypatch.setattr("sys.stdout", stream)
    output.set_up_streams()
    output.DataOutput().write(f"{ENCODABLE}\nnext\n")
    text = raw.getvalue().decode("utf-8")
    if is_seen:
        assert not harmful(text) and text.endswith("\nnext\n")
    else:
        assert text == f"{ENCODABLE}\nnext\n"


@pytest.mark.skipif(sys.platform == "win32", reason="names of files are Unicode there")
def test_no_name_ends_a_process(tmp_path: Path) -> None:
    """What the encoding of the output does not have is written as its number."""
    name = str(tmp_path / "Иван♔\udce9\x1b[2J.epd")
    for encoding in ("cp1252", "utf-8"):
        command = [sys.executable, "-m", "cli", "suite", name]
        surroundings = os.environ | {"PYTHONIOENCODING": encoding}
        run = subprocess.run(command, capture_output=True, env=surroundings, cwd=ROOT)
        text = run.stderr.decode(encoding)
        assert (run.returncode, text.count("\n")) == (2, 1) and not harmful(text)
        assert ("Иван♔" if encoding == "utf-8" else r"\u0418\u0432\u0430\u043d\u2654") in text


def test_a_message_about_a_bug_is_sanitised() -> None:
    code = (
        "from threading import Thread\n"
        "from boomslang.cli.terminal.output import set_up_streams; set_up_streams()\n"
        "def fail(): raise ValueError('\\x1b[2J\\u2028\\ud800\\nnext')\n"
        "thread = Thread(target=fail); thread.start(); thread.join(); fail()"
    )
    run = run_python("-c", code)
    assert run.returncode == 1 and not harmful(run.stderr)
    assert run.stderr.count("ValueError: ?[2J") == 2
