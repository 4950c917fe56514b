"""A command that fails ends as one that succeeds: programs read on to the same lines, behind the error."""

from __future__ import annotations

import pytest

from boomslang.engine.driver.loading import LoadingProgress
from boomslang.engine.driver.searcher import Searcher
from tests.support.uci_conversation import Conversation

ERROR = "info string error: "
NO_BOARD = ["Fen: none 0", "Checkers: "]
NO_COUNT = ["", "Nodes searched: 0", ""]
NO_SPEED = ["", "Nodes searched  : 0", "Nodes/second    : 0"]
NO_VALUE = ["Final evaluation: none", ""]
NO_MOVE = ["bestmove (none)"]
REFUSED = {
    "an illegal move": "position startpos moves e2e4 e2e4",
    "an illegal FEN": "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "no FEN": "position fen",
    "neither FEN nor start": "position e2e4",
    "an endless line": f"position startpos moves {'e2e4 ' * 300_000}",
}
LAST = {
    "d": NO_BOARD,
    "eval": NO_VALUE,
    "eval classical": NO_VALUE,
    "go": NO_MOVE,
    "go depth x": NO_MOVE,
    "go perft 3": NO_COUNT,
    "go perft x": NO_COUNT,
    "perft": NO_COUNT,
    "bench 1 1 1 current": NO_SPEED,
}
BAD_ARGUMENTS = {
    "eval 3": NO_VALUE,
    "bench x": NO_SPEED,
    "bench 1 1 1 /no/such/file": NO_SPEED,
    "bench 1 1 1 default colour": NO_SPEED,
    f"go searchmoves {'e2e4 ' * 300_000}": NO_MOVE,
    f"bench {'1 ' * 600_000}": NO_SPEED,
}


def answer(gui: Conversation, line: str) -> list[str]:
    gui.send(line)
    return gui.rest()


@pytest.mark.parametrize("how", REFUSED)
def test_without_a_position_every_answer_has_its_end(how: str) -> None:
    gui = Conversation()
    (refusal,) = gui.ask(REFUSED[how])
    assert refusal.startswith(ERROR)
    for command, last in LAST.items():
        said = answer(gui, command)
        assert said[0].startswith(ERROR), command
        assert said[-len(last) :] == last, command
    (refusal,) = gui.ask("flip")
    assert refusal.startswith(ERROR)
    assert not gui.puppet.asked
    gui.send("position startpos", "go depth 1")
    gui.until("bestmove [a-h]")


@pytest.mark.parametrize("line", BAD_ARGUMENTS, ids=lambda line: line[:30])
def test_bad_arguments_end_the_answer_too(line: str) -> None:
    gui = Conversation()
    said = answer(gui, line)
    assert said[0].startswith(ERROR) and said[1:] == BAD_ARGUMENTS[line]


def test_what_follows_a_command_without_arguments_does_not_matter() -> None:
    gui = Conversation()
    assert answer(gui, f"isready {'now ' * 300_000}") == ["readyok"]
    assert answer(gui, f"d {'now ' * 300_000}")[-1] == "Checkers: "


def test_the_end_comes_behind_the_answers_to_earlier_commands() -> None:
    gui = Conversation()
    gui.send("d", "eval 3", "d", "isready")
    said = [line for line in gui.until("readyok") if line.startswith(("Fen", "Final"))]
    assert [line.partition(":")[0] for line in said] == ["Fen", "Final evaluation", "Fen"]


def test_without_kernels_every_answer_has_its_end() -> None:
    def build(progress: LoadingProgress) -> tuple[Searcher, str]:
        raise ImportError("no numba")

    gui = Conversation(build)
    answer(gui, "isready")
    for command, last in {
        "eval": NO_VALUE,
        "go perft 3": NO_COUNT,
        "bench": NO_SPEED,
    }.items():
        said = answer(gui, command)
        assert said[0].startswith(f"{ERROR}no kernels") and said[1:] == last, command


def test_what_fails_inside_ends_the_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    gui = Conversation()
    monkeypatch.setattr("boomslang.uci.formatting.board_picture", None)
    said = answer(gui, "d")
    assert said[0].startswith(f"{ERROR}internal error") and said[-2:] == NO_BOARD
