"""What suites ask, and what counts as an answer; the command is in `test_suite_command`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.cli.lab.suites.epd import parse, read_epd
from boomslang.cli.lab.suites.outcome import failed_outcome, outcome_of
from boomslang.cli.lab.suites.outcome_tables import theme
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Info, Score
from boomslang.engine.search_settings import WorkSettings
from boomslang.perft.suite import STANDARD
from tests.support.places import SUITES

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
LEVEL = Score(centipawns=0)


def test_best_and_avoided_moves() -> None:
    task = parse(f'{START} bm e4 Nf3; am h4; id "a; b.01";', "x.epd", "x.epd:1")
    assert (task.best, task.avoid, task.name) == (("e2e4", "g1f3"), ("h2h4",), "a; b.01")
    assert task.describe() == "e4 Nf3, not h4"
    assert [task.is_solved_by(move, LEVEL) for move in ("e2e4", "g1f3", "d2d4", "h2h4")] == [
        True,
        True,
        False,
        False,
    ]
    only_avoid = parse(f"{START} am h4;", "", "x.epd:7")
    assert only_avoid.name == "x.epd:7"
    assert only_avoid.is_solved_by("d2d4", LEVEL) and not only_avoid.is_solved_by("h2h4", LEVEL)


@pytest.mark.parametrize(
    ("mate", "found", "solved"),
    [
        *((3, 3, True), (3, 2, True), (3, 4, False), (3, -3, False), (3, None, False)),
        *((-2, -2, True), (-2, -3, False), (-2, 2, False)),
    ],
)
def test_mates_are_judged_by_their_length(mate: int, found: int | None, solved: bool) -> None:
    task = parse(f"{START} bm e4; dm {mate};")
    score = LEVEL if found is None else Score(mate=found)
    assert task.is_solved_by("d2d4", score) is solved


@pytest.mark.parametrize(
    "operations",
    [
        'bm e4; c0 "e4=10, Nf3=7, d4=1"',
        'c0 "e4=10,Nf3=7,d4=1"',
        'bm e4; c7 "e4 Nf3 d4"; c8 "10 7 1"; c9 "e2e4 g1f3 d2d4"',
        'c8 "10 7 1"; c9 "e2e4 g1f3 d2d4"',
        'c8 "10 7 1"; c7 "e4 Nf3 d4"',
    ],
)
def test_points(operations: str) -> None:
    task = parse(f"{START} {operations};")
    assert task.points == {"e2e4": 10, "g1f3": 7, "d2d4": 1}
    assert task.best == ("e2e4",)


@pytest.mark.parametrize("comment", ["Kasparov, Moscow 1985", "see=0", "", "e4=best"])
def test_comments_are_not_points(comment: str) -> None:
    assert parse(f'{START} bm e4; c0 "{comment}";').points == {}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "not a position in FEN or EPD"),
        ("8/8 w - - bm e4;", "no such board: '8/8'"),
        (f"{START} bm e5;", "illegal move: 1. e5"),
        (f"{START} bm;", "no move"),
        (f"{START} bm Z0;", "not a move: Z0"),
        (f"{START} dm 0;", "not a number of moves"),
        (f'{START} id "only a name";', "nothing to find"),
        (f"{START} 0 1", "nothing to find"),
        (f"{START} 0 1 ;D1 20 ;D2 400", "perft --suite"),
        (f'{START} c0 "e4=10, e5=2";', "illegal move: 1. e5"),
        (f'{START} c8 "10 5"; c9 "e2e4";', "as many moves"),
        ("8/8/8/8/8/8/8/K7 w - - bm Ka2;", "Black has no king"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - dm -1;", "over"),
        (f"{START} bm e4;" + " c0;" * 100, "100 operations"),
    ],
)
def test_bad_lines(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse(line)


@given(st.text() | st.text().map(lambda text: f"{START} {text}"))
def test_any_line_is_a_task_or_a_value_error(line: str) -> None:
    try:
        task = parse(line)
    except ValueError:
        return
    assert task.best or task.avoid or task.mate


def test_clocks_and_chess960() -> None:
    assert parse(f"{START} 3 9 bm e4;").fen.endswith(" 3 9")
    assert parse(f"{START} bm e4; hmvc 4; fmvn 8;").fen.endswith(" 4 8")
    task = parse("bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRK1R1 w GDgd - bm O-O;")
    assert task.chess960 and task.board().is_legal(chess.Move.from_uci(task.best[0]))


def test_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.epd"
    text = f"\ufeff# a comment\n\n{START} bm e4;\r\nbad\n{START} bm d4;"
    path.write_bytes(text.encode())
    tasks, bad = read_epd(path)
    assert [task.place for task in tasks] == [f"{path}:3", f"{path}:5"]
    assert [line.place for line in bad] == [f"{path}:4"]
    tasks, bad = read_epd(STANDARD)
    assert not tasks and "perft --suite" in bad[0].reason


def test_the_solution_counts_from_when_the_engine_keeps_to_it() -> None:
    task = parse(f'{START} bm e4; c0 "e4=10, d4=3"; id "theme.7";', "x.epd", "x.epd:1")
    moves = list(map(chess.Move.from_uci, ["e2e4", "d2d4", "e2e4", "e2e4"]))
    thoughts = [
        replace(Info.of(LEVEL, n, (move,)), time=10 * n, nodes=100 * n)
        for n, move in enumerate(moves, start=1)
    ]
    outcome = outcome_of(task, thoughts, moves[-1], 45)
    assert outcome.solved and outcome.points == outcome.most_points == 10
    assert (outcome.solution_milliseconds, outcome.solution_nodes) == (30, 300)
    assert (outcome.milliseconds, outcome.nodes, outcome.played) == (45, 400, "e4")
    missed = outcome_of(task, thoughts[:2], moves[1], 25)
    assert not missed.solved and missed.points == 3 and missed.solution_nodes is None
    late = outcome_of(task, thoughts[:2], moves[0], 25)  # it has decided after its last line
    assert late.solved and (late.solution_nodes, late.solution_milliseconds) == (200, 25)
    silent = outcome_of(task, [], moves[0], 25)
    assert silent.solved and silent.score is None
    crashed = failed_outcome(task, "it crashed")
    assert not crashed.solved and crashed.most_points == 10 and crashed.key == outcome.key


@pytest.mark.parametrize("text", ["tcp://10.0.0.1:8786", "host-1.lan:1", "tls://[::1]:8786"])
def test_addresses_of_clusters(text: str) -> None:
    assert WorkSettings(cluster=text).cluster == text
    for wrong in (text + "x", text.replace(":", ""), text.rpartition(":")[0], ""):
        with pytest.raises(CommandError, match="cluster is an address like"):
            WorkSettings(cluster=wrong)


def test_themes() -> None:
    task = parse(f'{START} bm e4; id "STS(v1.0) Undermine.001";', "sts.epd")
    assert theme(failed_outcome(task, "")) == "STS(v1.0) Undermine"
    assert theme(failed_outcome(parse(f'{START} bm e4; id "17";', "bt.epd"), "")) == "bt.epd"


@pytest.mark.skipif(not SUITES.is_dir(), reason="needs the developers' suites")
@pytest.mark.parametrize(
    ("name", "number", "points"),
    [
        ("tactics/wac.epd", 300, 0),
        ("strategic/sts_a.epd", 748, 7480),
        ("mates/mate_in_2_a.epd", 400, 0),
        ("corner/special_moves_a.epd", 59, 0),
    ],
)
def test_known_suites(name: str, number: int, points: int) -> None:
    tasks, bad = read_epd(SUITES / name)
    assert len(tasks) == number and not bad
    assert sum(max(task.points.values(), default=0) for task in tasks) == points
