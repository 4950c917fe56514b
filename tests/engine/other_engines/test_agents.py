"""The front of an agent: what reaches its function, and that it needs nothing but Python."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import chess

from boomslang.engine.limits import Limits
from boomslang.engine.other_engines.agents import agent_command
from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.other_engines.engine_process import EngineProcess

# Answers by name, with an object that has the move too, and writes down what it is told.
AGENT = """\
import sys
sys.stdout.reconfigure(line_buffering=True)  # is no output
import run  # its own module, and none of its front's
class Move:
    def uci(self):
        return "e7e5"
def get_move(fen, milliseconds):
    with open("told", "a") as file:
        print(fen, milliseconds, sys.stdin.read(), file=file)
    return "e2e4" if " w " in fen else Move()
"""


def agent_in(folder: Path) -> Path:
    (folder / "agent.py").write_text(AGENT)
    (folder / "run.py").write_text("")
    return folder


def test_it_is_given_position_and_time_alone(tmp_path: Path) -> None:
    process = EngineProcess(EngineCommand(agent_command(str(agent_in(tmp_path))), is_agent=True))
    board = chess.Board()

    async def play() -> list[str]:
        played = []
        try:
            clocks = Limits(
                white_time=3000, black_time=2000, white_increment=1000, black_increment=1000
            )
            for limit in (Limits(movetime=500), clocks):
                answer = await process.play(board, limit, game=1)
                assert answer.best
                played.append(answer.best.uci())
                board.push(answer.best)
            found = await process.search(board.root(), Limits(movetime=250), lambda info: None)
            return [*played, str(found)]
        finally:
            await process.close()

    assert asyncio.run(play()) == ["e2e4", "e7e5", "e2e4"]
    board.pop()
    expected = [f"{chess.STARTING_FEN} 500 ", f"{board.fen(en_passant='fen')} 2000 "]
    assert (tmp_path / "told").read_text().splitlines() == [*expected, f"{chess.STARTING_FEN} 250 "]


def test_it_is_called_as_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "bo t \u2654"
    folder.mkdir()
    process = EngineProcess(EngineCommand(agent_command(str(agent_in(folder))), is_agent=True))

    async def name() -> str:
        try:
            return (await process.start()).id["name"]
        finally:
            await process.close()

    assert asyncio.run(name()) == folder.name


def test_it_needs_the_standard_library_alone(tmp_path: Path) -> None:
    command = agent_command(str(agent_in(tmp_path)), [sys.executable, "-S"])
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write("uci\n\nisready\nnonsense\nposition startpos\ngo wtime 7 btime 8\n")
        said = [process.stdout.readline().rstrip() for _ in range(5)]
        process.stdin.close()  # nobody is left to play with
        assert process.wait(60) == 0
    assert said[0] == f"id name {tmp_path.name}"
    assert said[2:] == ["uciok", "readyok", "bestmove e2e4"]
    assert (tmp_path / "told").read_text() == f"{chess.STARTING_FEN} 7 \n"
