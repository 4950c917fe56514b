"""Lines of other engines: what is good in them is kept, and nothing impossible comes out."""

from __future__ import annotations

import random
import tracemalloc

import chess
import pytest

from boomslang.engine.limits import MAX_COUNT, MAX_TIME, Info, Score
from boomslang.engine.other_engines.engine_lines import (
    MAX_MATE,
    MAX_SCORE,
    InfoReader,
    read_option,
)
from tests.support.wicked_engine import BAD, FIELDS, cecp_lines, uci_lines, uci_scores

KNOWN = {"depth": 5, "nodes": 9}
START = chess.Board()


def is_possible(info: Info) -> bool:
    counts = (info.nodes, info.nps, info.tbhits)
    mate, centipawns = info.score.mate, info.score.centipawns
    return (
        0 <= info.depth <= 1000
        and 0 <= info.seldepth <= 1000
        and 1 <= info.multipv <= 218
        and all(0 <= count <= MAX_COUNT for count in counts)
        and 0 <= info.hashfull <= 1000
        and 0 <= info.time <= MAX_TIME
        and abs(MAX_MATE if mate is None else mate) <= MAX_MATE
        and abs(centipawns or 0) <= MAX_SCORE
        and (info.wdl is None or 990 <= sum(info.wdl) <= 1010)
        and info.bound in ("", "lowerbound", "upperbound")
    )


def moves_of(info: Info) -> str:
    return " ".join(move.uci() for move in info.pv)


def test_one_bad_field_leaves_the_others() -> None:
    lines = [line.replace("PV", "g1f3 e7e5") for line in uci_lines()]
    assert len(lines) > 200
    tracemalloc.start()
    reader = InfoReader(START)
    for line in lines:
        info = reader.read_uci(line)
        assert isinstance(info, Info), line[:80]
        assert is_possible(info), line[:80]
        # A good number may follow a bad one of the same name, or come before it.
        assert (info.score, moves_of(info)) == (Score(7), "g1f3 e7e5"), line[:80]
        assert {"depth": info.depth, "nodes": info.nodes} == KNOWN, line[:80]
    for line in uci_scores():
        heard = reader.read_uci(line.replace("PV", "g1f3"))
        assert not isinstance(heard, Info) or is_possible(heard), line[:80]
        assert heard is None or isinstance(heard, str) or moves_of(heard) in ("", "g1f3"), line[:80]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 << 20


@pytest.mark.parametrize("seed", range(20))
def test_shuffled_words_say_nothing_impossible(seed: int) -> None:
    chance = random.Random(seed)
    words = [*FIELDS, *BAD[:-1], "score", "cp", "mate", "lowerbound", "wdl", "pv", "g1f3", "e7e5"]
    words += ["0", "1", "500", "a1a8"]
    for _ in range(300):
        line = " ".join(chance.choices(words, k=chance.randrange(40)))
        for heard in (
            InfoReader(START, 218).read_uci(f"info {line}"),
            InfoReader(START).read_cecp(f"1 2 {line}"),
        ):
            assert not isinstance(heard, Info) or is_possible(heard), line


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("cp 99999999", Score(MAX_SCORE)),
        ("cp -1" + "0" * 20, Score(-MAX_SCORE)),
        ("mate 3", Score(mate=3)),
        ("mate -7 upperbound", Score(mate=-7)),
        *((bad, None) for bad in ("cp x", "cp", "cp 1.5", "mate 0", "mate 99999999999", "elo 7")),
        ("cp 3 score cp x", Score(3)),
        ("cp x score cp 4", Score(4)),
    ],
)
def test_scores(said: str, score: Score | None) -> None:
    heard = InfoReader(START).read_uci(f"info depth 5 score {said} pv g1f3")
    assert (heard.score if isinstance(heard, Info) else None) == score


@pytest.mark.parametrize(
    ("pv", "kept", "cut"),
    [
        ("g1f3 e7e5 nodes 3", "g1f3 e7e5", ""),
        ("g1f3 e7e5 d2d4 e8e1 a7a6", "g1f3 e7e5 d2d4", "e8e1 a7a6"),
        ("g1f3 0000 d2d4", "g1f3", "0000 d2d4"),
        ("e1e8 g1f3", "", "e1e8 g1f3"),
        ("g1f3 " + "f6g8 " * 10_000, "g1f3", "f6g8 f6g8 f6g8"),
        ("g1f3 g8f6 f3g1 f6g8 " * 2500, "g1f3 g8f6 f3g1 f6g8 " * 64, ""),
        ("", "", ""),
        ("naïve", "", ""),
    ],
)
def test_a_variation_ends_before_its_first_illegal_move(pv: str, kept: str, cut: str) -> None:
    reader = InfoReader(START)
    info = reader.read_uci(f"info depth 5 score cp 3 pv {pv}")
    assert isinstance(info, Info)
    assert (moves_of(info), reader.cut) == (kept.strip(), cut)


def test_promotions_castling_and_mates() -> None:
    for chess960, castle in ((False, "e1g1"), (True, "e1h1")):
        board = chess.Board("4k3/P7/8/8/8/8/8/4K2R w K - 0 1", chess960=chess960)
        info = InfoReader(board).read_uci("info score cp 3 pv e1g1 e8d7 a7a8Q")
        assert isinstance(info, Info) and moves_of(info) == f"{castle} e8d7 a7a8q"
    mated = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    info = InfoReader(mated).read_uci("info depth 0 score mate 0")
    assert isinstance(info, Info) and info.score == Score(mate=0)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("5 7 10 9 g1f3 e7e5", (5, Score(7), 100, 9, 0, 0, 0)),
        ("5 7 10 9 12 34 1. Nf3 e5 2. d4", (5, Score(7), 100, 9, 12, 34, 0)),
        ("5 7 10 9 12 34 0 0 8 Nf3", (5, Score(7), 100, 9, 12, 34, 8)),
        ("5 100003 10 9 Nf3", (5, Score(mate=3), 100, 9, 0, 0, 0)),
        ("5 -100003 10 9 Nf3", (5, Score(mate=-3), 100, 9, 0, 0, 0)),
        ("5 100000 10 9 Nf3", (5, Score(MAX_SCORE), 100, 9, 0, 0, 0)),
        ("5 9999999 10 9 Nf3", (5, Score(MAX_SCORE), 100, 9, 0, 0, 0)),
        ("-5 7 -10 -9 Nf3", (0, Score(7), 0, 0, 0, 0, 0)),
        (f"{10**20} 7 {10**20} {10**20} {10**20} -3 Nf3", (0, Score(7), 0, 0, 0, 0, 0)),
    ],
)
def test_thinking_of_cecp(line: str, said: tuple[object, ...]) -> None:
    info = InfoReader(START).read_cecp(line)
    assert isinstance(info, Info) and moves_of(info).startswith("g1f3")
    found = (info.depth, info.score, info.time, info.nodes, info.seldepth, info.nps, info.tbhits)
    assert found == said


def test_one_bad_field_of_cecp_leaves_the_others() -> None:
    for line in cecp_lines():
        info = InfoReader(START).read_cecp(line.replace("PV", "Nf3"))
        if info is not None:
            assert isinstance(info, Info) and is_possible(info), line[:80]
            assert moves_of(info) == "g1f3", line[:80]


def test_what_is_no_thinking_of_cecp() -> None:
    for line in ("1-0 {White mates}", "move e2e4", "5 x 10 9 e2e4", "5 7 10", "", "#5 7 10 9 e2e4"):
        assert InfoReader(START).read_cecp(line) is None
    for mark, bound in (("!", "lowerbound"), ("?", "upperbound")):
        info = InfoReader(START).read_cecp(f"5 7 10 9 Nf3 e5{mark}")
        assert isinstance(info, Info) and info.bound == bound and moves_of(info) == "g1f3 e7e5"


def test_the_best_line_is_the_last_exact_one_of_the_first_rank() -> None:
    reader = InfoReader(START, lines=2)
    for line in (
        "depth 1 score cp 1 nodes 10 pv e2e4",
        "depth 1 multipv 2 score cp -9 nodes 90 pv a2a3",
        "depth 2 multipv 1 score cp 900 lowerbound nodes 95 pv d2d4",
        "depth 2 lowerbound score cp 900 nodes 99 pv d2d4",
        "nodes 120 nps 7",
        "string depth 9 score cp 4 pv c2c4",
    ):
        reader.read_uci(f"info {line}")
    assert reader.best and (reader.best.depth, reader.best.score) == (1, Score(1))
    assert reader.nodes == 120
    assert reader.read_uci("info multipv 3 score cp 1 pv a2a4") == ""  # more than were asked for
    assert reader.read_uci("info depth 1 string pv e2e4") == "pv e2e4"


@pytest.mark.parametrize(
    "said",
    [
        "spin default 16 min 1 max 1024",
        "spin default -3 min -9",
        "spin default 0",
        "combo default Very Solid var Risky var Very Solid",
        *("check default true", "button", "string default <empty>", "string default a min b"),
    ],
)
def test_a_possible_option_stays_as_it_is(said: str) -> None:
    line = f"option name the max of it type {said}"
    assert read_option(line) == line


@pytest.mark.parametrize("bad", [*BAD[:2], *BAD[3:-1], "-1", "10"])
def test_an_odd_option_is_a_text(bad: str) -> None:
    odd = [f"spin default {bad} min 0 max 9", f"combo default {bad} var a", f"float default {bad}"]
    for said in odd:
        mended = read_option(f"option name Odd type {said}")
        assert mended.startswith("option name Odd type string default") and len(mended) < 1100
    if not bad.strip("-").isdecimal() or len(bad) > 99:
        for end in ("min", "max"):
            assert "string" in read_option(
                f"option name Odd type spin default 1 {end} {bad or 'x'}"
            )
