"""The words after `boomslang`, without a process for each."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace

import pytest

from boomslang.cli import __main__, command_line
from boomslang.core.jit.jit import DISABLED
from boomslang.core.system.identity import VERSION
from boomslang.uci.loop import UciLoop
from boomslang.uci.output import Output
from tests.support.uci_conversation import Conversation

# All that may follow `boomslang`.
WORDS = sorted(
    {
        *command_line.COMMANDS,
        *command_line._HELP,
        *command_line._WITHOUT_ARGUMENTS,
        *UciLoop(Output(lambda data: None, lambda: None))._commands,
    }
)


class Left(BaseException):
    """The process would have ended."""


@pytest.fixture
def gui(monkeypatch: pytest.MonkeyPatch) -> Conversation:
    """What the command line talks to, instead of standard output and kernels."""
    conversation = Conversation()

    def leave(status: int) -> None:
        raise Left(status)

    monkeypatch.setattr("boomslang.cli.__main__.leave", leave)  # it has its own name for it
    monkeypatch.setattr("boomslang.core.system.shutdown.leave", leave)
    monkeypatch.setattr("boomslang.uci.loop.UciLoop", lambda *_: conversation.loop)
    monkeypatch.setattr("boomslang.uci.output.Output", lambda *_: conversation.loop.output)
    monkeypatch.setattr("boomslang.cli.dispatch.UciLoop", lambda *_: conversation.loop)
    monkeypatch.setattr("boomslang.cli.dispatch.KernelLoader", lambda *_: conversation.loop.kernels)
    return conversation


def status_of(arguments: list[str]) -> int:
    """How a command line ends, by itself or from inside."""
    try:
        return __main__.main(arguments)
    except Left as end:
        return int(end.args[0])


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (["go", "depth", "1"], "bestmove "),
        (["position startpos moves e2e4", "go depth 1", "quit"], "bestmove "),
        (["position startpos moves e2e4", "d"], "Checkers: "),
        (["go infinite", "stop"], "bestmove "),
        (["position startpos", "go", "stop"], "bestmove "),
        (["uci"], "uciok"),
        (["compiler"], "Compiler  off" if DISABLED else "Kernels "),
        (["license"], "text."),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else given.strip(),
)
def test_protocol_commands_as_arguments(gui: Conversation, arguments: list[str], last: str) -> None:
    with pytest.raises(Left) as end:
        __main__.main(arguments)
    assert end.value.args == (0,)
    assert gui.rest()[-1].startswith(last)


@pytest.mark.parametrize("arguments", [["frobnicate"], [""], ["frobnicate now", "quit"]])
def test_unknown_words_are_bad_usage(
    gui: Conversation, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert __main__.main(arguments) == command_line.BAD_USAGE
    (line,) = capsys.readouterr().err.splitlines()
    assert "unknown command '" in line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["go", "depth", "x"], "go depth: a number above 0 expected instead of 'x'"),
        (["go", "nodes", "0"], "go nodes: a number above 0 expected instead of '0'"),
        (["position startpos", "go deep 3"], "go: unknown word 'deep'"),
        (["version", "\x1b[2J"], "unexpected argument '?[2J'"),
        (["analyse", "a.pgn", "--depth", "\x1b[2J"], "'?[2J' is not"),
        (["xboard", "foo"], "boomslang xboard: unexpected argument 'foo'"),
        (["--uci", "foo"], "boomslang --uci: unexpected argument 'foo'"),
        (["version", "foo"], "boomslang version: unexpected argument 'foo'"),
        (["uci", "foo"], "boomslang: uci: unexpected argument 'foo'"),
        (["position startpos", "eval foo"], "boomslang: eval: nothing may follow, or the"),
        (["positon", "startpos"], "unknown command 'positon'; did you mean position?"),
        (["analyze", "a.pgn"], "unknown command 'analyze'; did you mean analyse?"),
        (["exercises", "ad", "a.json"], "did you mean add?"),
        (["exercises", "list", "--count", "3"], "'--count' does not belong here"),
        (["exercises", "add", "a.json", "--least", "blundr"], "did you mean blunder?"),
        (["board", "--noopen"], "unknown option '--noopen'; did you mean --no-open?"),
        (["position startpos", "frobnicate now"], "unknown command 'frobnicate'"),
        (["go", "depth", "1", "searchmoves", "foo"], "'foo' is not a move like e2e4"),
        (["position", "startpos", "foo"], "position startpos: only moves may follow"),
        (["position startpos moves e2e5", "go depth 1"], "position refused: move 1, 'e2e5'"),
        (["setoption", "name", "foo"], "unknown option 'foo'"),
        (["setoption name Hash value x", "go depth 1"], "Hash is a whole number from 1 to"),
        (["setoption", "name", "Clear", "Hash", "value", "foo"], "Clear Hash takes no value"),
        (["debug", "foo"], "debug: unexpected argument 'foo'"),
        (["bench", "1\x1b[2J"], "bench: a number above 0 expected instead of '1?[2J'"),
        (["bench", "1", "1", "1", "default", "depth", "foo"], "bench: unexpected argument 'foo'"),
        (["bench", "1", "1", "1", "no/such/file"], "bench: cannot read 'no/such/file'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_nonsense_is_refused_in_one_line(
    gui: Conversation, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(arguments) == command_line.BAD_USAGE
    printed = capsys.readouterr()
    assert told in printed.err and printed.err.count("\n") == 1
    assert printed.out == "" and gui.rest() == []


@pytest.mark.parametrize("argument", ["frobnicate", "--frobnicate"])
@pytest.mark.parametrize("word", WORDS)
def test_every_word_refuses_unknown_arguments(
    gui: Conversation, word: str, argument: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of([word, argument]) == command_line.BAD_USAGE
    printed = capsys.readouterr()
    assert printed.err.startswith("boomslang") and printed.err.count("\n") == 1
    assert printed.out == "" and gui.rest() == []


def test_a_gui_is_forgiven_what_the_command_line_is_not(gui: Conversation) -> None:
    assert gui.ask("uci foo")[-1] == "uciok"
    gui.send("stop foo", "go depth 1 foo")
    gui.until("bestmove ")
    assert gui.ask("position foo") == ["info string error: position: startpos or fen expected"]


def test_nothing_is_done_before_all_is_understood(gui: Conversation) -> None:
    assert status_of(["go depth 1", "uci foo"]) == command_line.BAD_USAGE
    assert gui.rest() == [] and gui.puppet.calls == []


@pytest.mark.parametrize("words", ["help", "--help", "-h", "help --help"])
def test_help(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(words.split()) == 0
    assert "\n  perft ... " in capsys.readouterr().out


@pytest.mark.parametrize("ask", ["--help", "-h"])
@pytest.mark.parametrize("word", sorted(command_line._WITHOUT_OWN_HELP - {"help"}))
def test_each_command_has_help_of_its_own(
    word: str, ask: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for columns in (60, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert __main__.main([word, ask]) == 0
        shown = capsys.readouterr().out
        assert re.match(rf"usage: boomslang\s[^.]*\b{word}\b", shown)
        assert "perft ..." not in shown and max(map(len, shown.splitlines())) <= columns
    for argument in re.findall(r"\b[A-Z]{4,}\b", shown.splitlines()[0]):
        assert len(re.findall(rf"\b{argument}\b", shown)) > 1, argument


@pytest.mark.parametrize("word", ["go", "d", "setoption"])
def test_a_command_of_uci_asked_for_help_shows_that_of_uci(
    word: str, gui: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    assert __main__.main([word, "--help"]) == 0
    assert "Further commands:" in capsys.readouterr().out
    assert not gui.puppet.calls


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_help_lists_each_command_once_below_a_heading(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert __main__.main(["help"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= columns
    headings = [line[:-1] for line in out.splitlines() if re.fullmatch(r"\w[\w ]*:", line)]
    assert headings == [*command_line.USAGE] and len(headings) > 5
    for word in command_line.COMMANDS:
        assert len(re.findall(rf"^  {word}\b(?!-)", out, re.M)) == 1, word


@pytest.mark.parametrize("word", ["version", "--version", "-V", "-v"])
def test_version(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main([word]) == 0
    assert capsys.readouterr().out == f"Boomslang {VERSION}\n"


@pytest.mark.parametrize("arguments", [[], ["--uci"]])
def test_without_arguments_it_converses(
    gui: Conversation, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    packets = iter([b"uci\ngo depth 1\n", b""])
    monkeypatch.setattr(
        "boomslang.uci.line_reader.os", SimpleNamespace(read=lambda file, size: next(packets))
    )
    with pytest.raises(Left):
        __main__.main(arguments)
    assert gui.rest()[-1].startswith("bestmove ")


def test_an_interrupt_is_quiet(gui: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("boomslang.uci.line_reader.lines.__defaults__", (interrupted,))
    monkeypatch.setattr(sys, "argv", ["boomslang"])
    with pytest.raises(Left) as end:
        __main__.process()
    assert end.value.args == (130,)
