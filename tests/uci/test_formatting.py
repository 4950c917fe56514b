from __future__ import annotations

import chess
import pytest

from boomslang.core.system.sanitize import quote
from boomslang.engine.driver.chances import as_displayed
from boomslang.engine.limits import Info, Result, Score
from boomslang.eval.wdl import conversion
from boomslang.uci import formatting


def info(score: Score, bound: str = "", pv: tuple[str, ...] = ("e2e4", "e7e5")) -> Info:
    moves = tuple(chess.Move.from_uci(move) for move in pv)
    return Info(5, 9, 1, score, bound, 1234, 5678, 90, 0, 217, moves)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            info(Score(centipawns=-13)),
            "info depth 5 seldepth 9 multipv 1 score cp -13 nodes 1234 nps 5678 "
            "hashfull 90 tbhits 0 time 217 pv e2e4 e7e5",
        ),
        (
            info(Score(mate=-2), "upperbound", ()),
            "info depth 5 seldepth 9 multipv 1 score mate -2 upperbound nodes 1234 nps 5678 "
            "hashfull 90 tbhits 0 time 217",
        ),
    ],
)
def test_info_lines_have_the_order_that_guis_want(given: Info, line: str) -> None:
    assert formatting.info_line(given) == line


def test_the_chances_follow_the_score_and_its_bound() -> None:
    shown = as_displayed(info(Score(centipawns=40), "lowerbound"), chess.Board())
    line = formatting.info_line(shown, with_wdl=True)
    assert " wdl " not in formatting.info_line(shown)
    chances = " ".join(map(str, conversion.win_draw_loss(40, conversion.FULL_MATERIAL)))
    assert f" score cp {conversion.to_cp(40)} lowerbound wdl {chances} nodes " in line


MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
FOOLS_MATE = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"


@pytest.mark.parametrize(
    ("fen", "best", "ponder", "line"),
    [
        (chess.STARTING_FEN, "e2e4", "e7e5", "bestmove e2e4 ponder e7e5"),
        (chess.STARTING_FEN, "e2e4", None, "bestmove e2e4"),
        (MATE_IN_ONE, "a1a8", "g8f8", "bestmove a1a8"),
        (FOOLS_MATE, "g2g4", "d8h4", "bestmove g2g4"),
        ("6k1/8/8/8/8/8/8/R3K3 w - - 98 90", "e1e2", "g8g7", "bestmove e1e2"),
        (chess.STARTING_FEN, None, None, "bestmove (none)"),
    ],
)
def test_bestmove(fen: str, best: str | None, ponder: str | None, line: str) -> None:
    def move(text: str | None) -> chess.Move | None:
        return chess.Move.from_uci(text) if text else None

    board = chess.Board(fen)
    assert formatting.bestmove_line(board, Result(move(best), move(ponder))) == line
    assert board.fen() == fen


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("plain words", "'plain words'"),
        ("a\nbestmove e2e4\x1b[2J\x00\x7f", "'a?bestmove e2e4?[2J??'"),
        ("žluť\u2028", "'?lu??'"),
        ("x" * 1000, "'" + "x" * 80 + "...'"),
    ],
)
def test_quotes_are_harmless(text: str, quoted: str) -> None:
    assert quote(text) == quoted


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("GM 2800 human Gary Kasparov", "playing against 'GM 2800 human Gary Kasparov'"),
        ("none none computer Shredder", "playing against 'computer Shredder'"),
        ("somebody", "playing against 'somebody'"),
    ],
)
def test_the_opponent_is_formatted(given: str, told: str) -> None:
    assert formatting.opponent(given) == told


def test_the_board_is_shown_as_by_stockfish() -> None:
    fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
    picture = formatting.board_picture(chess.Board(fen)).splitlines()
    assert " |   |   |   |   | r |   |   |   | 2" in picture
    assert picture[-5:] == ["", "Legal moves: 3", f"Fen: {fen}", picture[-2], "Checkers: e2 "]
    first = formatting.board_picture(chess.Board()).splitlines()
    assert first[-2:] == ["Key: 463B96181691FC9C", "Checkers: "]  # of the Polyglot specification
