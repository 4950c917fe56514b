"""The one door to the terminal: nobody goes round it, and nothing harmful leaves by it."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from boomslang.cli.terminal import output
from boomslang.cli.terminal.console import Console
from tests.support.places import ROOT
from tests.support.strangers import CONTROLS, ENCODABLE, WORD, harmful

DOOR = "cli/terminal/output.py"
# Where else something is written, and why it may be.
OTHERS = {
    # What the door has said; and that it cannot be opened, in ASCII.
    "cli/__main__.py": {"sys.stdout.flush", "os.write"},
    "cli/terminal/console.py": {"rich.console.Console"},  # the same door for tables and colours
    "core/system/shutdown.py": {"os.write"},  # a line of ours, where nothing may be waited for
    "core/board/magics.py": {"print"},  # a table of numbers, for who changes that file
    # Standard library alone, for an interpreter without Boomslang: the driver tames what it reads.
    "engine/other_engines/agent_runner.py": {"os.write", "traceback.print_exception"},
    "core/jit/compile_process.py": {"os.write"},  # names, for the same
    "engine/driver/precompiling.py": {"os.write"},  # numbers, for the process that has started it
    "uci/debug_log.py": {"os.write"},  # a file of its own
    "uci/output.py": {"os.write"},  # the protocols, whose lines are tamed there
}
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
WRITERS = {
    "print",
    "input",
    "os.write",
    "rich.print",
    "rich.console.Console",
    "rich.markup.escape",  # nothing is markup, so nothing needs it
    "rich.text.Text.from_markup",
    "traceback.print_exc",
    "traceback.print_exception",
    "warnings.showwarning",
    "logging.basicConfig",
    "logging.StreamHandler",
    "pprint.pprint",
}


MAY_WRITE = re.compile(r"print|std(out|err)|input|write|Console|markup|logging|warnings")


def written_round_the_door(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of what writes to a terminal by itself."""
    if not MAY_WRITE.search(source):
        return
    tree = ast.parse(source)
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {
                alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names
            }
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute):
            continue
        text = ast.unparse(node)
        head, dot, rest = text.partition(".")
        name = f"{names.get(head, head)}{dot}{rest}"
        base, _, last = name.rpartition(".")
        of_stream = base.startswith("sys.") and base.removeprefix("sys.") in STREAMS
        writes = of_stream and last not in ("isatty", "encoding")
        if writes or (name in WRITERS and (id(node) in calls or name == "rich.console.Console")):
            yield node.lineno, name
    for call in calls.values():  # file=sys.stderr
        for argument in call.keywords:
            if ast.unparse(argument.value) in {f"sys.{stream}" for stream in STREAMS}:
                yield call.lineno, f"{ast.unparse(call.func)}({argument.arg}=...)"


def test_all_output_goes_through_the_output_module() -> None:
    found = []
    for room in ("boomslang.py", "cli", "core", "engine", "eval", "perft", "uci"):
        place = ROOT / room
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name != DOOR:
                allowed = OTHERS.get(name, set())
                found += [
                    f"{name}:{line}: {what}"
                    for line, what in written_round_the_door(path.read_text("utf-8"))
                    if what not in allowed
                ]
    assert not found


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
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 1 and not harmful(run.stderr)
    assert run.stderr.count("ValueError: ?[2J") == 2
