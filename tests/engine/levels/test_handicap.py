"""Limited strength: how few positions, which move, and never while somebody analyses."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import chess
import pytest

from boomslang.engine.engine import Engine
from boomslang.engine.levels.handicap import FINISHING, Handicap, unrepeated
from boomslang.engine.levels.ladder import (
    FULL_SKILL,
    MAX_ELO,
    MIN_ELO,
    STYLES,
    elo_of_skill,
    level_of_elo,
)
from boomslang.engine.levels.oversight import OVERLOOKED
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.people.model import shipped_model, values_of
from tests.support.uci_conversation import Conversation

pytestmark = pytest.mark.jit_only
BOARD = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")


def lines(*scores: int | Score) -> list[Info]:
    """A line of thinking for each score, each with another move."""
    scored = [score if isinstance(score, Score) else Score(score) for score in scores]
    return [
        Info(5, 9, number, score, "", 100, 100, 0, 0, 1, (move,))
        for number, (score, move) in enumerate(zip(scored, BOARD.legal_moves, strict=False), 1)
    ]


def choices(
    elo: int, found: list[Info], board: chess.Board = BOARD, games: int = 300
) -> Counter[str]:
    """How often each move was chosen."""
    handicap = Handicap()
    handicap.model = shipped_model()
    chosen = Counter[str]()
    for game in range(games):
        handicap.reseed(str(game))
        number = handicap.choose(level_of_elo(elo), board, found, found)
        chosen[found[number].pv[0].uci()] += 1
    return chosen


def test_more_elo_looks_at_more_and_more_at_the_scores() -> None:
    levels = [level_of_elo(elo) for elo in range(MIN_ELO, MAX_ELO + 1, 50)]
    for weak, strong in pairwise(levels):
        assert weak.rating < strong.rating and weak.nodes <= strong.nodes < 2 * weak.nodes
        assert weak.lines >= strong.lines and weak.temperature > strong.temperature
    assert level_of_elo(0) == levels[0] and level_of_elo(9999) == levels[-1]


def test_skill_levels_span_the_ladder() -> None:
    assert elo_of_skill(0) == MIN_ELO and elo_of_skill(FULL_SKILL - 1) == MAX_ELO
    ratings = [elo_of_skill(skill) for skill in range(FULL_SKILL)]
    assert ratings == sorted(set(ratings))


def test_a_level_plays_moves_as_often_as_people_of_its_rating() -> None:
    """All moves are worth the same here: only the position tells."""
    board = chess.Board()
    found = [
        Info(5, 9, number, Score(20), "", 100, 100, 0, 0, 1, (move,))
        for number, move in enumerate(board.legal_moves, 1)
    ]
    chances = shipped_model().chances(board, 1500, values=values_of(found, found))
    chosen = choices(1500, found, board, 1000)
    for move, chance in chances.items():
        assert chosen[move.uci()] / 1000 == pytest.approx(chance, abs=0.06)


def test_what_a_move_loses_counts_more_for_the_strong() -> None:
    """What people play most often loses here, and nothing else does."""
    likely = list(shipped_model().chances(BOARD, 1500))
    found = [
        replace(line, pv=(move,))
        for line, move in zip(lines(-450, -900, 20, 15, 10), likely, strict=False)
    ]
    names = [move.uci() for move in likely[:2]]
    lost = [sum(choices(elo, found)[name] for name in names) for elo in (1500, 2300, MAX_ELO)]
    assert lost == sorted(set(lost), reverse=True) and lost[-1] == 0
    won = choices(MAX_ELO, lines(Score(mate=2), Score(centipawns=400), Score(mate=-1)))
    assert list(won) == [lines(0)[0].pv[0].uci()]


def test_a_win_is_not_repeated_away() -> None:
    """The search knows nothing of the second time."""
    board = chess.Board("7k/8/8/8/8/8/6R1/6K1 w - - 0 1")
    for move in ("g2g3", "h8h7", "g3g2", "h7h8"):
        board.push_uci(move)
    found = [
        Info(5, 9, number, Score(score), "", 100, 100, 0, 0, 1, (chess.Move.from_uci(move),))
        for number, (move, score) in enumerate((("g2g3", 900), ("g2g4", 500), ("g1f2", 450)), 1)
    ]
    limited = [unrepeated(board, line) for line in found]
    assert [line.score.centipawns for line in limited] == [0, 500, 450]
    bare = chess.Board(board.fen())  # without the game nothing is repeated
    assert [unrepeated(bare, line) for line in found] == found
    for elo in (1400, 2200):
        assert choices(elo, limited, board)["g2g3"] < choices(elo, found, board)["g2g3"]


def test_the_choice_hangs_on_the_seed_alone() -> None:
    found = lines(30, 25, 20, 15)
    level, (first, second) = level_of_elo(1500), (Handicap(), Handicap())
    for each in (first, second):
        each.reseed("7")
        each.model = shipped_model()
    back = found[::-1]
    chosen = found[first.choose(level, BOARD, found, found)]
    assert chosen == back[second.choose(level, BOARD, back, found)]


def test_a_level_plays_on_without_its_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It says so once; until the kernels are compiled there is none either."""
    monkeypatch.setattr("boomslang.engine.people.file.SHIPPED", tmp_path / "none")
    shipped_model.cache_clear()
    talk = Conversation()
    said = talk.ask("setoption name UCI_LimitStrength value true")
    talk.send("go depth 3", "go depth 3")
    said += talk.until("bestmove") + talk.until("bestmove")
    shipped_model.cache_clear()
    assert sum("levels choose by scores alone" in line for line in said) == 1
    assert sum(line.startswith("bestmove") for line in said) == 2


def test_which_option_counts() -> None:
    handicap = Handicap()
    assert handicap.level is None
    handicap.set_elo(2000)
    assert handicap.level is None
    handicap.set_skill(0)
    assert handicap.level == level_of_elo(MIN_ELO)
    handicap.set_limited(True)
    assert handicap.level == level_of_elo(2000)
    handicap.set_limited(False)
    handicap.set_skill(FULL_SKILL)
    assert handicap.level is None


def test_the_rating_of_an_opponent_that_is_matched() -> None:
    handicap = Handicap()
    assert handicap.set_opponent("GM 2000 human Somebody") is None and handicap.level is None
    assert (
        handicap.match_opponent(True)
        == "Match Opponent: playing at 2000 Elo, for the opponent is rated 2000"
    )
    assert handicap.level == level_of_elo(2000)
    handicap.set_elo(1000)
    handicap.set_limited(True)
    assert handicap.level == level_of_elo(2000)
    assert handicap.set_opponent("none 400 computer Weak Engine 2900") == (
        f"Match Opponent: playing at {MIN_ELO} Elo, for the opponent is rated 400"
    )
    for unrated in ("none none human Somebody", "GM", "none 0 human x", "none 99999 human x"):
        assert handicap.set_opponent(unrated) is None  # the rating may come in the next line
        assert handicap.complaint == "Match Opponent: the rating of the opponent is not known"
        assert handicap.level == level_of_elo(1000)
    assert handicap.set_opponent("") is None
    assert handicap.match_opponent(False) is None and not handicap.complaint


@pytest.mark.parametrize("rated", [True, False])
def test_a_rating_after_the_option_is_no_reason_to_complain(rated: bool) -> None:
    talk = Conversation()
    opponent = f"none {1234 if rated else 'none'} human Somebody"
    talk.send("setoption name Match Opponent value true")
    talk.send(f"setoption name UCI_Opponent value {opponent}", "go depth 1", "go depth 1")
    said = talk.until("bestmove") + talk.until("bestmove")
    told = [line for line in said if "Match Opponent" in line]
    assert len(told) == 1 and ("1234" if rated else "not known") in told[0]


def test_a_level_does_not_limit_analysis() -> None:
    talk = Conversation()
    talk.ask("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1800")
    level = level_of_elo(1800)
    talk.send("go depth 3")
    talk.until("bestmove")
    asked = talk.puppet.asked
    assert [limits.nodes for limits in asked] == [None, level.nodes, FINISHING]
    assert [limits.depth for limits in asked] == [1, 3, 3]
    assert [limits.multipv for limits in asked] == [level.lines, level.lines, 1]
    assert [limits.threads for limits in asked] == [1, 1, 1]
    assert talk.puppet.calls.count("apart") == 1
    talk.send("go depth 3 nodes 9")
    talk.until("bestmove")
    assert [limits.nodes for limits in talk.puppet.asked[3:]] == [9, 9, 9]
    talk.send("go infinite", "stop")
    talk.until("bestmove")
    assert talk.puppet.asked[-1].nodes is None
    assert (talk.puppet.asked[-1].multipv, talk.puppet.asked[-1].threads) == (1, None)
    talk.send("go mate 3 depth 5")
    talk.until("bestmove")
    assert talk.puppet.asked[-1].nodes is None
    talk.ask("setoption name UCI_AnalyseMode value true")
    talk.send("go depth 3")
    talk.until("bestmove")
    assert talk.puppet.asked[-1].nodes is None


def test_a_level_plays_the_same_game_again_with_the_same_seed() -> None:
    def game(seed: int) -> list[str]:
        engine = Engine(Hash=1, Random_Seed=seed, UCI_LimitStrength=True, UCI_Elo=MIN_ELO)
        board = chess.Board()
        for _ in range(8):
            engine.set_position(board)
            told: list[Info] = []
            best = engine.go(Limits(nodes=60), told.append).best
            assert best and told[-1].multipv == 1 and told[-1].pv[0] == best
            board.push(best)
        return [move.uci() for move in board.move_stack]

    first = game(1)
    assert game(1) == first
    assert any(game(seed) != first for seed in (2, 3, 4))


@pytest.mark.parametrize(
    ("elo", "fen"),
    [
        (MIN_ELO, "8/2Qp1r2/7K/8/8/2R5/8/1k6 w - - 0 1"),
        # Only the second search, for the mate alone, finds these:
        (MIN_ELO, "r5k1/2Q2ppp/8/8/3Pq2n/p3P3/P5PP/5RK1 w - - 2 38"),
        (2000, "1r4k1/5pp1/2Bp3p/q2P4/8/1PbQ4/P5PP/1K1R4 b - - 1 27"),
    ],
)
def test_a_mate_in_three_is_played_to_the_end(elo: int, fen: str) -> None:
    board = chess.Board(fen)
    with Engine(Hash=1, Random_Seed=1, UCI_LimitStrength=True, UCI_Elo=elo) as engine:
        for _ in range(3):
            engine.set_position(board)
            best = engine.go(Limits(movetime=60_000)).best
            assert best
            board.push(best)
            if not board.is_checkmate():
                board.push(next(iter(board.legal_moves)))
    assert board.is_checkmate()


def test_a_bare_king_is_mated_by_the_weakest() -> None:
    board = chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    with Engine(Hash=1, Random_Seed=1, UCI_LimitStrength=True, UCI_Elo=MIN_ELO) as engine:
        while not board.is_game_over():
            engine.set_position(board)
            best = engine.go(Limits(nodes=5000)).best
            assert best
            board.push(best)
            if not board.is_game_over():
                board.push(
                    max(
                        board.legal_moves,
                        key=lambda move: chess.square_distance(move.to_square, chess.A1),
                    )
                )
    assert board.is_checkmate() and board.fullmove_number < 20


def test_what_was_searched_before_does_not_matter_to_a_level() -> None:
    """Nor does a level's search empty the memory of an analysis."""
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    with Engine(Hash=1, Random_Seed=1, UCI_LimitStrength=True, UCI_Elo=MIN_ELO) as engine:
        engine.set_position(fen)
        limits = Limits(nodes=2000, multipv=40)
        fresh = [(line.pv, line.score) for line in engine.go(limits).lines]
        (analysed,) = engine.analyse(Limits(depth=12))
        assert [(line.pv, line.score) for line in engine.go(limits).lines] == fresh
        (again,) = engine.analyse(Limits(depth=12))
    assert again.nodes < analysed.nodes / 2


def test_a_level_plays_on_where_there_is_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of the analysis begins empty then, and is as good if it is as large."""

    def refuse(megabytes: int) -> None:
        raise MemoryError

    with Engine(Hash=16, Random_Seed=1, UCI_LimitStrength=True, UCI_Elo=MIN_ELO) as engine:
        engine.set_position(BOARD)
        limits = Limits(nodes=2000, multipv=40)
        usual = [(line.pv, line.score) for line in engine.go(limits).lines]
        engine.analyse(Limits(depth=8))
        monkeypatch.setattr("boomslang.engine.driver.searcher.new_table", refuse)
        assert [(line.pv, line.score) for line in engine.go(limits).lines] == usual


@pytest.mark.parametrize("algorithm", ["alphabeta", "mcts"])
def test_a_style_plays_on(algorithm: str) -> None:
    with Engine(Hash=1, Random_Seed=1, UCI_LimitStrength=True) as engine:
        engine.set_option("Search Algorithm", algorithm)
        engine.set_position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
        for style in STYLES:
            engine.set_option("Style", style)
            assert engine.go(Limits(nodes=500)).best


def test_what_a_level_says_it_overlooked_is_in_its_search() -> None:
    """The weakest level often leaves the rook to the bishop, which it says only when it is asked to."""
    board = chess.Board("6k1/5ppp/8/8/1b6/2R5/5PPP/1n4K1 w - - 0 1")

    def remarks(tells: bool) -> list[str]:
        said = list[str]()
        engine = Engine(said.append, Hash=1, UCI_LimitStrength=True, UCI_Elo=MIN_ELO)
        engine.set_option("Tell Oversights", tells)
        for seed in range(1, 25):
            engine.set_option("Random Seed", seed)
            engine.set_position(board)
            said.append("")
            best = engine.go(Limits(nodes=2000)).best
            assert best
            line = said[-1].removeprefix(OVERLOOKED)
            if "..." in line:  # the answer of Black
                board.push(best)
                assert board.san(board.parse_san(line.split("...")[1].split()[0])) in line
                board.pop()
        return [remark for remark in said if remark]

    told = remarks(True)
    assert told and all(remark.startswith(OVERLOOKED) for remark in told)
    assert not remarks(False)
