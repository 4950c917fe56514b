"""Exams of networks: what is asked, what is marked, and what the commands say."""

from __future__ import annotations

import math
import shlex
import sys
from pathlib import Path

import chess
import numpy as np
import pytest

from boomslang.cli.commands import exam, network
from boomslang.cli.exams.marking import Mark, Paper, _deviation, read_paper, sit
from boomslang.cli.exams.setting import Root, Terms, roots, setter
from boomslang.cli.match.engine_spec import described
from boomslang.engine.batch import Batch
from boomslang.engine.core.system.files import FileError
from boomslang.engine.searcher import load
from boomslang.eval.network import file
from tests.support.networks import random_network
from tests.support.oracle import random_game

# Judges by the number of legal moves, as White all alike, and takes what it can.
JUDGE = """
import sys
import chess

board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Counter\\nuciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        board = chess.Board(" ".join(words[2:8]))
        for move in words[words.index("moves") + 1:] if "moves" in words else []:
            board.push_uci(move)
    elif words[0] == "go":
        moves = sorted(
            (move.uci() for move in board.legal_moves),
            key=lambda move: (not board.is_capture(chess.Move.from_uci(move)), move),
        )
        score = 10 if board.turn == chess.WHITE else FACTOR * len(moves)
        print(f"info depth 1 nodes {words[-1]} score cp {score} pv {moves[0]}")
        print("bestmove", moves[0])
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""
# White may give check with knight or rook, and put either where it can be taken.
ENDING = "4k3/1p4p1/8/8/3N4/8/6PP/R5K1 w - - 0 1"


def judge(folder: Path, factor: int = 1) -> str:
    """The command of a judge that is quick and knows nothing."""
    program = folder / f"judge{factor}.py"
    program.write_text(JUDGE.replace("FACTOR", str(factor)))
    return shlex.join([sys.executable, str(program)])


def questions(command: str, fen: str = ENDING) -> list[tuple[chess.Board, int]]:
    """What is asked about a position, each with its score as `ce`."""
    asked: list[tuple[chess.Board, int]] = []
    for line in setter(Terms(described(command, {}), nodes=10, seed=3))(Root(7, fen)):
        board, operations = chess.Board.from_epd(line)
        assert operations["id"] == "7"
        score = operations["ce"]
        assert isinstance(score, int)
        asked.append((board, score))
    return asked


def test_questions_follow_by_quiet_moves_and_have_the_judges_scores(tmp_path: Path) -> None:
    before = chess.Board(ENDING)
    asked = questions(judge(tmp_path))
    assert 2 <= len(asked) <= 12
    for board, score in asked:
        assert score == board.legal_moves.count()
        assert not board.is_check()
        assert chess.popcount(board.occupied) == chess.popcount(before.occupied)
        assert not any(map(board.is_capture, board.legal_moves))
    assert len({board.epd() for board, _ in asked}) == len(asked)
    assert questions(judge(tmp_path)) == asked


def test_moves_that_lose_much_are_not_asked_about(tmp_path: Path) -> None:
    everything = [score for _, score in questions(judge(tmp_path))]
    assert max(everything) - min(everything) >= 2
    scores = [score for _, score in questions(judge(tmp_path, factor=200))]
    assert 2 <= len(scores) == sum(score - min(everything) < 2 for score in everything)
    assert max(scores) - min(scores) < 250


def test_decided_and_impossible_positions_give_no_questions(tmp_path: Path) -> None:
    for factor in (100, -100):
        assert not questions(judge(tmp_path, factor), ENDING.replace(" w ", " b "))
    assert not questions(judge(tmp_path), "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")  # stalemate
    assert not questions(judge(tmp_path), "k7/8/8/8/8/8/8/8 w - - 0 1")


def test_roots_are_drawn_from_all_files(tmp_path: Path) -> None:
    fens = [board.fen() for board in random_game(5, 40)]
    (tmp_path / "one.fen").write_text("\n".join(fens[:20]))
    (tmp_path / "two.fen").write_text("\n".join(["hello", *fens[10:]]))
    files = [str(tmp_path / "one.fen"), str(tmp_path / "two.fen")]
    drawn = roots(files, 1000, seed=1)
    assert {root.text for root in drawn} == set(fens)
    assert [root.number for root in drawn] == list(range(len(drawn)))
    assert len(roots(files, 5, seed=1)) == 5
    assert roots(files, 5, seed=1) != roots(files, 5, seed=2)
    with pytest.raises(FileError):
        roots([str(tmp_path / "none")], 5, seed=1)


def own_exam(path: Path, noise: float = 0.0) -> Path:
    """An exam whose answers are those of the classical evaluation, more or less."""
    load()
    random = np.random.default_rng(2)
    boards = [
        board for seed in range(12) for board in random_game(seed, 30) if not board.is_check()
    ]
    lines = []
    for number, board in enumerate(boards):
        score = Batch(classical=True).board(board) or 0
        told = round(score * 2 + noise * random.normal())
        lines.append(f'{board.epd()} id "{number // 8}"; ce {told};')
    path.write_text(
        "\n".join(["# a remark", "no position ce;", f'{ENDING[:-4]} c0 "ce 5;";', *lines]) + "\n"
    )
    return path


def test_who_knows_the_answers_makes_no_errors(tmp_path: Path) -> None:
    paper = read_paper(own_exam(tmp_path / "own.epd"))
    assert len(paper.lines) == len((tmp_path / "own.epd").read_text().splitlines()) - 3
    marks = sit(paper, classical=True)
    assert marks.among is not None
    assert marks.overall.error < 1e-4  # twice as large scores are the same judgement
    assert marks.overall.correlation > 0.98
    assert marks.among.correlation > 0.98
    worse = sit(paper)
    assert worse.among is not None
    assert worse.overall.error > 10 * marks.overall.error
    assert worse.among.error > marks.among.error
    difference = worse.overall.against(marks.overall)
    assert difference is not None
    more, spread = difference
    assert more > spread > 0.0
    assert worse.overall.against(worse.overall) == (0.0, 0.0)


def test_intervals_count_families() -> None:
    """What is repeated in a family makes nothing more certain."""
    random = np.random.default_rng(1)
    errors, others = random.random(400), random.random(400)
    alone = Mark(errors, np.arange(400), 0.0).against(Mark(others, np.arange(400), 0.0))
    four = Mark(np.repeat(errors, 4), np.repeat(np.arange(400), 4), 0.0)
    repeated = four.against(Mark(np.repeat(others, 4), four.families, 0.0))
    assert alone is not None
    assert repeated == pytest.approx(alone)
    wanted = 196.0 * (errors - others).std() / 20.0 / others.mean()
    assert alone[1] == pytest.approx(wanted)
    assert alone[0] == pytest.approx(100.0 * (errors.mean() / others.mean() - 1.0))
    assert four.against(Mark(np.zeros(1600), four.families, 0.0)) is None


def test_who_orders_moves_backwards_is_told(tmp_path: Path) -> None:
    paper = read_paper(own_exam(tmp_path / "own.epd"))
    deviation = _deviation(paper.families)(paper.truths)
    marks = sit(Paper(paper.lines, paper.truths - 2.0 * deviation, paper.families), classical=True)
    assert marks.among is not None
    assert marks.among.correlation < -0.5


def test_positions_in_check_are_left_out(tmp_path: Path) -> None:
    path = own_exam(tmp_path / "own.epd", noise=50.0)
    with path.open("a") as exam_file:
        exam_file.write("4k3/8/8/8/8/8/4r3/4K3 w - - ce 5;\n")
    marks = sit(read_paper(path))
    assert np.isnan(marks.overall.errors[-1])
    assert math.isfinite(marks.overall.error)


def test_only_families_tell_among_moves(tmp_path: Path) -> None:
    paper = read_paper(own_exam(tmp_path / "own.epd"))
    alone = Paper(paper.lines, paper.truths, np.arange(len(paper.lines)))
    assert sit(alone).among is None
    assert _deviation(np.array([4, 4, 9]))(np.array([1.0, 3.0, 7.0])).tolist() == [-1.0, 1.0, 0.0]


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "games.fen", tmp_path / "exam.epd"
    kings = ("2k5", "3k4", "4k3", "5k2", "6k1", "7k", "1k6")
    source.write_text("\n".join(ENDING.replace("4k3", king) for king in kings))
    words = [str(source), "--engine", judge(tmp_path), "--nodes", "10", "-o", str(out)]
    assert exam.main([*words, "--roots", "6"]) == 0
    assert "follow from 6" in capsys.readouterr().out
    first = out.read_text()
    assert first.startswith("# ")
    assert exam.main([*words, "--roots", "6", "--jobs", "2"]) == 0
    assert out.read_text() == first
    tried = tmp_path / "tried.net"
    file.write(tried, random_network(3), {})
    capsys.readouterr()
    assert network.main([str(tried), "--exam", str(out)]) == 0
    told = capsys.readouterr().out
    for name in ("classical", "network that ships", "'tried.net'"):
        assert told.count(f"\n{name} ") == 2
    assert "%" in told


@pytest.mark.parametrize("command", ["no-such-engine", f"{sys.executable} -c pass"])
def test_a_judge_that_does_not_play(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "one.fen"
    source.write_text(ENDING)
    assert exam.main([str(source), "--engine", command, "-o", str(tmp_path / "x.epd")]) == 2
    assert "boomslang exam: " in capsys.readouterr().err


def test_what_gives_no_questions_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "one.fen"
    source.write_text("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n")
    words = [str(source), "--engine", judge(tmp_path), "-o"]
    assert exam.main([*words, str(tmp_path / "x.epd")]) == 2
    assert "no questions" in capsys.readouterr().err
    assert not (tmp_path / "x.epd").exists()
    assert exam.main([*words, str(source)]) == 2
    assert "over itself" in capsys.readouterr().err
    assert source.read_text().startswith("7k")


def test_a_paper_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "exam.epd"
    path.write_text(f"{ENDING}\n")
    assert network.main(["--exam", str(path)]) == 2
    assert "0 positions with scores" in capsys.readouterr().err
    assert network.main(["--exam", str(tmp_path / "none.epd")]) == 2
