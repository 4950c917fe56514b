"""The PyPI package `stockfish`, which reads what Stockfish prints line by line: all of its methods work.

They answer or raise their own error, whatever they are given.
"""

from __future__ import annotations

import queue
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from tests.support.places import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # it leaves its pipes open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3"
DISCONTINUED = {"get_parameters", "info"}
WDL = "does_current_engine_version_have_wdl_option"
MATE = {"type": "mate", "value": 1}
BOUND = 60.0  # seconds for each call, which takes far less than one; only a hang takes so long


@pytest.fixture
def wrapper(tmp_path: Path) -> Iterator[Any]:
    package = pytest.importorskip("stockfish", reason="needs the PyPI package stockfish")
    program = tmp_path / "boomslang"
    python, folder = shlex.quote(sys.executable), shlex.quote(str(ROOT))
    program.write_text(f"#!/bin/sh\ncd {folder} && exec {python} -m cli\n")
    program.chmod(0o755)
    engine = package.Stockfish(path=str(program), depth=6)
    yield engine
    engine.send_quit_command()


def methods_of_engine() -> set[str]:
    """The public methods, without those about the version, which is read at the start."""
    names = {name for name in vars(sys.modules["stockfish"].Stockfish) if name[0].islower()}
    return {name for name in names if not name.endswith(("_version", "_build_of_engine"))}


def answer_of(call: Callable[[], Any]) -> Any:
    """What a call returns, or the type of what it raises."""
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put(call())
        except Exception as problem:
            answers.put(type(problem))

    threading.Thread(target=work, daemon=True).start()
    return answers.get(timeout=BOUND)


def test_every_method_answers(wrapper: Any) -> None:
    direct, none = wrapper.Capture.DIRECT_CAPTURE, wrapper.Capture.NO_CAPTURE
    board = chess.Board(FEN)
    moves = {move.uci() for move in board.legal_moves}
    mated, moved = board.copy(), chess.Board()
    mated.push_uci("f3f7")
    moved.push_uci("e2e4")
    short = wrapper.BenchmarkParameters(limit=1)

    def top(count: int, **more: Any) -> list[str]:
        return [move["Move"] for move in wrapper.get_top_moves(count, **more)]

    def perft(depth: int) -> tuple[int, set[str]]:
        count, moves = wrapper.get_perft(depth)
        return count, set(moves)

    def raw() -> Any:
        return wrapper.raw_stockfish_output(wrapper.get_top_moves)

    rows: list[tuple[str, Callable[[], Any], Any]] = [
        ("set_debug_view", lambda: wrapper.set_debug_view(False), None),
        ("update_engine_parameters", lambda: wrapper.update_engine_parameters({"Hash": 8}), None),
        ("get_engine_parameters", lambda: wrapper.get_engine_parameters()["Hash"], 8),
        ("reset_engine_parameters", wrapper.reset_engine_parameters, None),
        ("send_ucinewgame_command", wrapper.send_ucinewgame_command, None),
        ("set_fen_position", lambda: wrapper.set_fen_position(FEN), None),
        ("get_fen_position", wrapper.get_fen_position, FEN),
        ("get_board_visual", lambda: wrapper.get_board_visual().count("\n"), 18),
        ("get_what_is_on_square", lambda: wrapper.get_what_is_on_square("f3").value, "Q"),
        ("get_best_move", wrapper.get_best_move, "f3f7"),
        ("get_best_move", lambda: wrapper.get_best_move(wtime=900, btime=900), "f3f7"),
        ("get_best_move_time", lambda: wrapper.get_best_move_time(50), "f3f7"),
        ("get_evaluation", wrapper.get_evaluation, MATE),
        ("get_evaluation", lambda: wrapper.get_evaluation(50), MATE),
        ("get_static_eval", lambda: -9 < wrapper.get_static_eval() < 9, True),
        ("get_top_moves", lambda: (len(top(3)), top(3)[0]), (3, "f3f7")),
        ("get_top_moves", lambda: len(top(2, verbose=True, num_nodes=999)), 2),
        ("raw_stockfish_output", lambda: raw()[-1].split()[0], "bestmove"),
        ("get_wdl_stats", wrapper.get_wdl_stats, [1000, 0, 0]),
        (WDL, getattr(wrapper, WDL), True),
        ("get_perft", lambda: perft(1), (len(moves), moves)),
        ("get_perft", lambda: perft(2)[0], 1232),  # as Stockfish counts
        ("is_move_legal", lambda: wrapper.is_move_legal("f3f7"), True),
        ("is_move_legal", lambda: wrapper.is_move_legal("f3f8"), False),
        ("will_move_be_a_capture", lambda: wrapper.will_move_be_a_capture("f3f7"), direct),
        ("will_move_be_a_capture", lambda: wrapper.will_move_be_a_capture("a2a3"), none),
        (
            "make_moves_from_current_position",
            lambda: wrapper.make_moves_from_current_position(["f3f7"]),
            None,
        ),
        ("get_fen_position", wrapper.get_fen_position, mated.fen()),
        ("get_static_eval", wrapper.get_static_eval, None),
        ("get_perft", lambda: perft(1), (0, set())),
        ("get_best_move", wrapper.get_best_move, None),
        ("get_top_moves", lambda: top(2), []),
        ("make_moves_from_start", lambda: wrapper.make_moves_from_start(["e2e4"]), None),
        ("flip", wrapper.flip, None),
        ("get_fen_position", wrapper.get_fen_position, moved.mirror().fen()),
        ("is_fen_valid", lambda: wrapper.is_fen_valid("8/8/8/8/8/8/8/8 w - - 0 1"), False),
        ("is_fen_valid", lambda: wrapper.is_fen_valid(FEN), True),
        ("set_skill_level", lambda: wrapper.set_skill_level(5), None),
        ("set_elo_rating", lambda: wrapper.set_elo_rating(1400), None),
        ("get_best_move", lambda: len(wrapper.get_best_move()), 4),
        ("resume_full_strength", wrapper.resume_full_strength, None),
        ("set_depth", lambda: wrapper.set_depth(4), None),
        ("get_depth", wrapper.get_depth, 4),
        ("set_num_nodes", lambda: wrapper.set_num_nodes(500), None),
        ("get_num_nodes", wrapper.get_num_nodes, 500),
        ("set_turn_perspective", lambda: wrapper.set_turn_perspective(False), None),
        ("get_turn_perspective", wrapper.get_turn_perspective, False),
        ("benchmark", lambda: wrapper.benchmark(short).split()[0], "Nodes/second"),
        ("send_quit_command", wrapper.send_quit_command, None),
    ]
    assert methods_of_engine() == {name for name, _, _ in rows} | DISCONTINUED
    for name, call, answer in rows:
        assert answer_of(call) == answer, name


def play_badly(wrapper: Any) -> None:
    wrapper.make_moves_from_start(["e2e4", "e2e4"])


def test_an_illegal_move_is_the_wrapper_s_own_error_and_the_game_goes_on(wrapper: Any) -> None:
    wrapper.set_fen_position(FEN)
    for moves in (["e1e8"], ["f3f7", "a7a6"], ["f3f2", "hello"], [""], ["0000"], ["a2a3", "moves"]):
        with pytest.raises(ValueError, match="Incorrect move sequence"):
            wrapper.make_moves_from_current_position(moves)
        assert wrapper.get_fen_position() == FEN
    with pytest.raises(ValueError, match="Incorrect move sequence"):
        play_badly(wrapper)
    assert wrapper.get_fen_position() == chess.STARTING_FEN
