"""The algorithms side by side: they agree where they must, and each looks at fewer positions."""

from __future__ import annotations

import chess
import pytest

from boomslang.cli.lab.comparisons.algorithms_command import main
from boomslang.core.jit.jit import load_kernels
from boomslang.engine.comparisons.algorithms import (
    ALGORITHMS,
    SAME_VALUE,
    TITLES,
    AlgorithmBench,
    AlgorithmRun,
    depths,
    disagreements,
)
from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures, fail_hard, fail_soft
from boomslang.engine.textbook.chess_game import ChessGame, captures_first
from boomslang.engine.textbook.game import NodeCounter
from boomslang.engine.textbook.minimax import minimax
from tests.support.own_games import Evaluator, judge_classically, own_positions

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
EXACT = SAME_VALUE[0]

# White's rook on f2 is pinned and attacked twice. Qc8+ attacks another rook, but only puts off the loss.
HORIZON = "4k2r/7p/pq6/8/1pQ1P3/5PP1/PB1r1R1P/R5K1 w - - 0 1"


def check_textbook(board: chess.Board, depth: int) -> None:
    """Plain Python and compiled code find the same values, in the same number of nodes."""
    game = ChessGame(board, Evaluator(board))
    bench = AlgorithmBench(board)
    counter = NodeCounter()
    value = minimax(game, counter, depth).value
    for algorithm in EXACT:
        run = bench.run(algorithm, depth)
        assert run.value == value, (algorithm, board.fen())
        if algorithm in ("minimax", "negamax"):
            assert run.nodes == counter.nodes


@pytest.fixture(scope="module", autouse=True)
def _own_kernels(kernels: None) -> None:
    load_kernels()  # those of the comparison are not needed for play


@pytest.fixture(scope="module")
def few_positions(kernels: None) -> list[chess.Board]:
    return own_positions(5)


@pytest.mark.jit_only
@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_textbook_and_kernels_agree(few_positions: list[chess.Board], depth: int) -> None:
    for board in few_positions:
        check_textbook(board, depth)


@pytest.mark.jit_only
@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_textbook_and_kernels_agree_on_many() -> None:
    for number, board in enumerate(own_positions(500)):
        for depth in (1, 2, 3) if number < 10 else (1, 2):
            check_textbook(board, depth)
        # Minimax of depth 3 in plain Python would take half an hour; alpha-beta is enough here.
        game, bench = ChessGame(board, Evaluator(board)), AlgorithmBench(board)
        values = {bench.run(algorithm, 3).value for algorithm in EXACT}
        for search in (fail_hard, fail_soft):
            values.add(int(search(game, AlphaBetaFeatures(order=captures_first), 3).value))
        assert len(values) == 1, board.fen()


@pytest.mark.jit_only
def test_kernels_agree(few_positions: list[chess.Board]) -> None:
    for board in few_positions:
        bench = AlgorithmBench(board)
        for group in SAME_VALUE:
            runs = [bench.run(algorithm, depth) for algorithm in group for depth in (1, 2, 3)]
            assert not disagreements(runs), board.fen()


@pytest.mark.jit_only
@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "mcts"])
def test_nothing_is_remembered(algorithm: str) -> None:
    bench = AlgorithmBench(chess.Board(KIWIPETE))
    first, _, second = (bench.run(algorithm, depth).nodes for depth in (2, 3, 2))
    assert first == second


@pytest.mark.jit_only
def test_repetitions_of_the_game_count() -> None:
    board = chess.Board("7k/8/8/8/8/8/q7/7K b - - 0 1")
    for move in ("h8g8", "h1g1", "g8h8", "g1h1", "h8g8", "h1g1", "g8h8"):
        board.push_uci(move)
    for depth in (1, 2):
        check_textbook(board, depth)


@pytest.mark.jit_only
@pytest.mark.parametrize(
    ("fen", "depth"), [(chess.STARTING_FEN, 4), pytest.param(KIWIPETE, 4, marks=pytest.mark.slow)]
)
def test_each_step_looks_at_fewer_positions(fen: str, depth: int) -> None:
    bench = AlgorithmBench(chess.Board(fen))
    runs = {name: bench.run(name, depth) for name in ALGORITHMS if name != "mcts"}
    assert not disagreements(list(runs.values()))
    everything = {chess.STARTING_FEN: 206_604, KIWIPETE: 4_185_553}[fen]  # perft 0 to `depth`
    assert runs["minimax"].nodes == runs["negamax"].nodes == everything
    assert runs["alphabeta"].nodes < everything / 10
    assert runs["ordering"].nodes < runs["alphabeta"].nodes / 2
    if fen == chess.STARTING_FEN:
        assert runs["table"].nodes < runs["quiescence"].nodes
    # What there is to capture beyond the depth must be paid for.
    assert runs["engine"].nodes < min(runs["quiescence"].nodes, runs["table"].nodes)
    assert max(runs["quiescence"].nodes, runs["table"].nodes) < runs["alphabeta"].nodes
    for run in runs.values():
        assert run.best in list(chess.Board(fen).legal_moves)
        assert run.branching**depth == pytest.approx(run.nodes)


def test_disagreements_are_found() -> None:
    one = AlgorithmRun("minimax", 2, 10, None, 5, 0.1)
    other = AlgorithmRun("ordering", 2, 11, None, 5, 0.1)
    deeper = AlgorithmRun("ordering", 3, 11, None, 5, 0.1)
    settled = AlgorithmRun("table", 2, 12, None, 5, 0.1)
    assert disagreements([one, other, deeper, settled]) == [(one, other)]


@pytest.mark.jit_only
@pytest.mark.parametrize(
    ("fen", "mate", "best"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "#1", "Rd8#"),
        ("k7/8/1K6/8/8/8/8/6R1 b - - 0 1", "#-1", "Kb8"),
    ],
)
def test_all_but_the_selective_see_a_mate(
    fen: str,
    mate: str,
    best: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("boomslang.engine.comparisons.algorithms.DOUBLINGS", 7)
    assert main(["--fen", fen, "--depth", "2"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if best in line]
    assert len(rows) == len(ALGORITHMS)
    exact = [row for row in rows if TITLES["engine"] not in row]
    assert all(mate in row for row in exact)


@pytest.mark.jit_only
def test_horizon_effect() -> None:
    """To a fixed depth White thinks that it wins a rook; with captures and checks the truth is seen."""
    board = chess.Board(HORIZON)
    bench = judge_classically(AlgorithmBench(board))
    right = board.parse_san("Rf1")  # protects the rook
    truth = {
        san: _value_after(board, san, 12)
        for san in ("Rf1", "Qc8+", "Bxh8")  # the last one is mate in two
    }
    for depth, tempting in ((1, "Bxh8"), (3, "Qc8+"), (4, "Qc8+")):
        for algorithm in ("alphabeta", "ordering"):
            run = bench.run(algorithm, depth)
            assert run.best == board.parse_san(tempting), (algorithm, depth)
        assert truth[tempting] < truth["Rf1"] - 200
        for algorithm in ("quiescence", "table", "engine"):
            if algorithm == "engine" and depth == 1:
                continue  # it prunes quiet moves at depth 1, but never stops there
            assert bench.run(algorithm, depth).best == right, (algorithm, depth)


def _value_after(board: chess.Board, san: str, depth: int) -> int:
    """What a move is worth to the one who makes it, by a search so much deeper."""
    after = board.copy()
    after.push_san(san)
    return -judge_classically(AlgorithmBench(after)).run("engine", depth).value


def test_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boomslang.engine.comparisons.algorithms.DOUBLINGS", 5)
    argv = ["--depth", "2", "--algorithms", "table,minimax,mcts"]
    assert main(argv) == 0
    shown = capsys.readouterr().out
    assert "421" in shown and "beyond the depth" not in shown
    assert [title in shown for title in (TITLES["minimax"], TITLES["table"])] == [True, True]
    assert TITLES["ordering"] not in shown


@pytest.mark.jit_only
def test_the_command_reports_a_disagreement(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ALGORITHMS, "negamax", lambda bench, depth: (99, None, 1))
    assert main(["--depth", "1", "--algorithms", "minimax,negamax"]) == 1
    assert "differ at depth 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--fen", "nonsense"], "bad FEN"),
        (["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "illegal position"),
        (["--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "no legal move"),
    ],
)
def test_bad_input(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv", [["--depth", "0"], ["--depth", "99"], ["--algorithms", "magic"], ["--algorithms", ","]]
)
def test_bad_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_depths() -> None:
    assert list(depths("minimax", 3)) == [1, 2, 3]
    assert list(depths("mcts", 3)) == [3]
