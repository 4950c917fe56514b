"""`boomslang play` with the engine at the board: levels, Ctrl-C, a whole game in a terminal."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import chess
import chess.pgn
import pytest

from boomslang.cli import __main__
from boomslang.cli.play import command as play
from boomslang.cli.play.my_level import MyLevel, parse_level, strength
from boomslang.cli.play.opponent import EngineOpponent
from boomslang.engine.chess_clock import ChessClock, Control
from boomslang.engine.levels.ladder import FULL_SKILL, MAX_ELO, MIN_ELO, level_of_elo
from boomslang.engine.limits import Result
from tests.support.places import ROOT
from tests.support.process import STARTUP

MATE_IN_TWO = "7k/8/5K2/8/8/8/8/1R4R1 w - - 0 1"


# The engine at the board


@pytest.mark.jit_only
def test_levels_and_hints(tmp_path: Path) -> None:
    board = chess.Board(MATE_IN_TWO)
    opponent = EngineOpponent(0, 5)
    result = opponent.choose(chess.Board(), None)
    assert result.best and chess.Board().is_legal(result.best)
    assert result.info and result.info.nodes <= level_of_elo(MIN_ELO).nodes + 100
    opponent.set_level(MAX_ELO)
    assert opponent.choose(chess.Board(), None).best
    mine = MyLevel(tmp_path / "level")
    opponent.set_level(mine)
    mine.record(0, mine.level)
    opponent.new_game()
    assert opponent.level == mine.level == 1168
    opponent.set_level(FULL_SKILL)
    result = opponent.choose(board, ChessClock(Control(5, 0)))
    assert result.info and result.info.score.mate == 2
    assert opponent.advise(board).score.mate == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [("0", "level 0, about 600 Elo"), ("20", "full strength"), ("1800", "1800 Elo")],
)
def test_levels(text: str, words: str) -> None:
    level = parse_level(text)
    assert isinstance(level, int) and strength(level) == words


@pytest.mark.parametrize("text", ["", "x", "-1", "21", "599", str(MAX_ELO + 1), "99999", "²"])
def test_bad_levels(text: str) -> None:
    with pytest.raises(ValueError, match=f"0 to 20, or an Elo from {MIN_ELO} to {MAX_ELO}"):
        parse_level(text)


@pytest.mark.jit_only
def test_interrupt_makes_it_move(monkeypatch: pytest.MonkeyPatch) -> None:
    opponent = EngineOpponent(FULL_SKILL, 600)
    wait = Future.result
    calls: list[int] = []

    def interrupted_once(future: Future[Result], timeout: float | None = None) -> Result:
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return wait(future, timeout)

    monkeypatch.setattr(Future, "result", interrupted_once)
    assert opponent.choose(chess.Board(), None).best


# Whole processes


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    master, slave = pty.openpty()
    yield Terminal(master, slave)
    os.close(master)


class Terminal:
    """The other end of a pseudo-terminal."""

    def __init__(self, master: int, slave: int) -> None:
        self.master, self.slave = master, slave
        self.text = ""

    def until(self, pattern: str) -> str:
        """What is shown up to the pattern."""
        end = time.monotonic() + STARTUP
        while not (match := re.search(pattern, self.text)):
            ready, _, _ = select.select([self.master], [], [], max(end - time.monotonic(), 0))
            assert ready, f"no {pattern!r} in {self.text[-1000:]}"
            self.text += os.read(self.master, 65536).decode("utf-8", "replace")
        seen, self.text = self.text[: match.end()], self.text[match.end() :]
        return seen

    def type(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\r")


@pytest.mark.jit_only
def test_a_whole_game_in_a_terminal(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    arguments = ["play", "--fen", MATE_IN_TWO, "--level", "1", "--pgn", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", *arguments],
        cwd=ROOT,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LANG": "C.UTF-8"},
        stdin=terminal.slave,
        stdout=terminal.slave,
        stderr=terminal.slave,
    )
    os.close(terminal.slave)
    terminal.until("White to move> ")
    process.send_signal(signal.SIGINT)
    terminal.until("Ctrl-C once more leaves the game")
    terminal.until("White to move> ")
    terminal.type("Kf5")
    terminal.until("Boomslang plays .*White to move> ".replace(".*", r"[\s\S]*"))
    terminal.type("undo")
    terminal.until("White to move> ")
    terminal.type("Qh8")
    terminal.until("not legal")
    for _ in range(2):
        terminal.until("White to move> ")
        terminal.type("hint")
        hint = re.search(r"(\S+) \(mate in \d\)", terminal.until(r"\(mate in \d\)"))
        assert hint
        terminal.until("White to move> ")
        terminal.type(hint[1])
    terminal.until("The game is over: 1-0, checkmate")
    terminal.until("quit> ")
    terminal.type("quit")
    assert process.wait(STARTUP) == 0
    saved = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert saved and saved.end().board().is_checkmate()


@pytest.mark.jit_only
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_signal_ends_play_and_the_game_is_kept(terminal: Terminal, tmp_path: Path) -> None:
    """While the engine thinks, too, where Ctrl-C would have it move."""
    path = tmp_path / "game.pgn"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "cli",
            "play",
            "--pgn",
            str(path),
            "--level",
            "20",
            "--movetime",
            "60",
        ],
        cwd=ROOT,
        stdin=terminal.slave,
        stdout=terminal.slave,
        stderr=terminal.slave,
    )
    os.close(terminal.slave)
    terminal.until("White to move> ")
    terminal.type("e4")
    time.sleep(0.5)
    process.terminate()
    assert process.wait(STARTUP) == 128 + signal.SIGTERM
    assert "1. e4 *" in path.read_text()


# The command line


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--fen", "nonsense"], "bad FEN"),
        (["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "illegal position"),
        (["--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "game is over"),
        (["--fen", "8/8/8/4k3/8/8/4P3/4K3 w - - 100 80"], "game is over"),
        (["--pgn", "/nowhere/x.pgn"], "cannot write"),
    ],
)
def test_bad_input(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["play", *argv]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "argv",
    [
        *(["--level", "21"], ["--level", "x"], ["--clock", "x"], ["--movetime", "0"]),
        *(
            ["--movetime", "x"],
            ["--colour", "red"],
            ["--chess960", "960"],
            ["--fen", "x", "--chess960"],
        ),
    ],
)
def test_bad_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert play.main(argv) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_link_whose_file_is_not_there_yet_stays(tmp_path: Path) -> None:
    link = tmp_path / "link.pgn"
    link.symlink_to(tmp_path / "games.pgn")
    play._check_writable(link)
    assert [*tmp_path.iterdir()] == [link]


@pytest.mark.jit_only
@pytest.mark.parametrize(
    "argv", [["--chess960"], ["--chess960", "5", "--colour", "random"], ["--ascii"]]
)
def test_command(
    argv: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("fen\nquit\n"))
    assert play.main(argv) == 0
    assert "to move> " in capsys.readouterr().out
