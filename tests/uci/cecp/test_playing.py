"""CECP, rows C10 to C21: clocks, thinking, pondering, analysis, the end of a game."""

from __future__ import annotations

import re

import chess
import pytest

from tests.support.process import THINKING, CecpProcess

pytestmark = pytest.mark.jit_only  # plain Python would be too slow, and coverage cannot follow


AFTER_E4 = chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
REPLIES = {move.uci() for move in AFTER_E4.legal_moves}


def thinking(engine: CecpProcess) -> list[str]:
    """Lines of thinking since the last pong."""
    lines: list[str] = []
    for line in reversed(engine.lines):
        if line.startswith("pong"):
            break
        if THINKING.fullmatch(line):
            lines.insert(0, line)
    return lines


def test_a_question_mark_moves_now(engine: CecpProcess) -> None:
    engine.send("st 1000", "post", "usermove e2e4")
    engine.until("5 ")
    assert engine.move("?") in REPLIES


def test_a_question_mark_outside_of_a_search_is_ignored(engine: CecpProcess) -> None:
    assert engine.ask("?", "force", "?") == []
    engine.send("analyze")
    engine.until("5 ")
    engine.send("?")
    engine.until("[6-9] |1")  # it goes on
    assert engine.ask("exit") is not None


def test_thinking_output_has_the_fields_of_the_protocol(engine: CecpProcess) -> None:
    engine.move("st 0.3", "post", "usermove e2e4")
    lines = thinking(engine)
    board = chess.Board()
    board.push_uci("e2e4")
    lines[-1] = re.sub(" [!?]$", "", lines[-1])  # a bound: the time ended a new attempt
    for line in lines:
        fields = THINKING.fullmatch(line)
        assert fields
        after = board.copy()
        for move in fields[8].split():
            after.push_xboard(move)
    best = engine.lines[-1].split()[1]
    assert lines[-1].split("\t")[1].split()[0] == best
    times = [int(line.split()[2]) for line in lines]
    assert times == sorted(times) and times[-1] <= 1000


@pytest.mark.parametrize(
    ("fen", "low", "high"),
    [
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 100_001, 100_002),  # mate, from our side
        ("7k/8/8/8/8/8/R7/1R5K b - - 0 1", -100_006, -100_001),
        ("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", -200_000, -500),
        ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", 500, 200_000),
    ],
)
def test_thinking_output_scores_are_in_the_engines_view(
    engine: CecpProcess, fen: str, low: int, high: int
) -> None:
    engine.move("force", f"setboard {fen}", "sd 9", "post", "go")
    assert low <= int(thinking(engine)[-1].split()[1]) <= high


def test_analysis_follows_the_board(engine: CecpProcess) -> None:
    engine.send("analyze")
    engine.until("5 ")
    engine.send("usermove e2e4", "ping 1")
    engine.settled_by(1)
    engine.until("5 ")
    assert engine.lines[-1].split("\t")[1].split()[0] in REPLIES
    engine.send("undo", "ping 2")
    engine.settled_by(2)
    engine.until("5 ")
    assert engine.lines[-1].split("\t")[1].split()[0] not in REPLIES
    engine.send("setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "ping 3")
    engine.settled_by(3)
    engine.until("5 ")
    assert engine.lines[-1].split("\t")[1].startswith("e8")
    engine.send("new", "ping 4")
    engine.settled_by(4)
    engine.until("5 ")
    assert engine.ask("exit") is not None
    assert engine.ask() == []


def test_several_lines_are_analysed(engine: CecpProcess) -> None:
    engine.send("analyze")
    engine.until("5 ")
    engine.send("option MultiPV=3", "ping 1")
    engine.settled_by(1)
    engine.until("7 ")
    sixth = (text for text in thinking(engine) if text.startswith("6 "))
    assert len({text.split("\t")[1].split()[0] for text in sixth}) == 3
    engine.ask("exit", "option MultiPV=1")


def test_analysis_of_a_finished_game_has_no_moves(engine: CecpProcess) -> None:
    engine.ask("setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    engine.send("analyze")
    assert engine.until("0 ") == ["0 -100000 0 0 0 0 0\t"]
    assert engine.ask(".", "exit", "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == []
    engine.send("analyze")
    assert engine.until("0 ") == ["0 0 0 0 0 0 0\t"]


def test_undo_and_remove_take_moves_back(engine: CecpProcess) -> None:
    moves = [f"usermove {move}" for move in ("e2e4", "e7e5", "g1f3")]
    assert engine.ask("force", *moves, "undo", "usermove d2d4") == []
    assert engine.ask("remove", "usermove d7d5") == []
    assert engine.ask("remove", "usermove d2d4") == []
    assert engine.ask("undo", "undo") == ["Error (no move to take back): undo"]
    assert engine.ask("usermove e2e4", "remove") == ["Error (no move to take back): remove"]


@pytest.mark.parametrize(
    ("move", "answer"), [("f3f8", "1-0 {White mates}"), ("f3f7", "1/2-1/2 {Stalemate}")]
)
def test_the_opponents_last_move_is_answered_by_the_result(
    engine: CecpProcess, move: str, answer: str
) -> None:
    engine.ask("force", "setboard 7k/8/6K1/8/8/5Q2/8/8 w - - 0 1", "sd 2", "playother")
    assert engine.ask(f"usermove {move}") == [answer]


@pytest.mark.parametrize(
    ("fen", "answers"),
    [
        ("k7/8/1K6/8/8/8/8/3R4 w - - 0 1", ["move d1d8", "1-0 {White mates}"]),
        ("3r4/8/8/8/8/1k6/8/K7 b - - 0 1", ["move d8d1", "0-1 {Black mates}"]),
        (
            "7k/8/8/8/8/2n5/1p6/K7 w - - 0 1",
            ["move a1b2", "1/2-1/2 {Draw by insufficient material}"],
        ),
    ],
)
def test_the_engines_last_move_is_followed_by_the_result(
    engine: CecpProcess, fen: str, answers: list[str]
) -> None:
    said = engine.ask("force", f"setboard {fen}", "sd 4", "go")
    assert [line for line in said if line != "offer draw"] == answers


def test_a_fifty_move_claim_offers_a_draw_before_the_move(engine: CecpProcess) -> None:
    fen = "7k/8/8/8/8/8/R7/K7 w - - 99 100"
    offer, move, claim = engine.ask("force", f"setboard {fen}", "sd 4", "go")
    assert offer == "offer draw" and move.startswith("move ")
    assert claim == "1/2-1/2 {Draw by fifty-move rule}"
