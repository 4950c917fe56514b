"""Endings played through: the positions, the judgement and the defence against python-chess's own tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.syzygy
import pytest

from boomslang.engine.analysis.endgames.ending import Ending, Response, respond
from boomslang.engine.analysis.endgames.fortress import is_held
from boomslang.engine.analysis.endgames.judge import EndingJudge, value_at_end
from boomslang.engine.analysis.endgames.kinds import BY_NAME, KINDS, EndingKind, Task
from boomslang.engine.analysis.endgames.positions import is_quiet, is_reached, new_position, place
from boomslang.engine.analysis.endgames.record import EndingFile
from boomslang.engine.analysis.endgames.session import EndingSession
from boomslang.engine.analyst import searcher
from boomslang.engine.search_settings import AnalysisSettings
from tests.support.syzygy import FOLDERS

needs_tables = pytest.mark.skipif(not FOLDERS, reason="no shared suites beside this checkout")
MAX_MOVES = 200
NODES = 50_000


class Oracle:
    """Values of positions by python-chess, whose tables know no history, and by the clock."""

    def __init__(self) -> None:
        self._tables = chess.syzygy.Tablebase()
        for folder in FOLDERS:
            self._tables.add_directory(str(folder))

    def value(self, board: chess.Board) -> int:
        """1, 0 or -1 for the side to move."""
        if (over := value_at_end(board)) is not None:
            return over
        worth = self._tables.probe_wdl(board)
        if abs(worth) == 2 and board.halfmove_clock:
            worth *= abs(self._tables.probe_dtz(board)) + board.halfmove_clock <= 100
        return (worth == 2) - (worth == -2)

    def resistance(self, board: chess.Board, move: chess.Move) -> int:
        """The plies to a capture, pawn move or mate after a move of who is lost; beyond all if it saves."""
        after = board.copy()
        after.push(move)
        if self.value(after) < 1:
            return 0 if after.is_checkmate() else 1000
        return 1 if board.is_zeroing(move) else self._tables.probe_dtz(after) + 1

    def close(self) -> None:
        self._tables.close()


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    oracle = Oracle()
    yield oracle
    oracle.close()


@pytest.fixture(scope="module")
def judge(kernels: None) -> EndingJudge:
    remarks: list[str] = []
    judge = EndingJudge(";".join(map(str, FOLDERS)), remarks.append)
    assert all("error" not in remark for remark in remarks)
    return judge


def play_through(name: str, judge: EndingJudge, oracle: Oracle, dice: random.Random) -> None:
    """An ending in which every third move is any legal one; each judgement and reply is checked."""
    kind = BY_NAME[name]
    board = new_position(kind, judge, dice)
    assert oracle.value(board) == kind.task
    is_clear = True  # no position has come again, so that the tables know all
    for _ in range(MAX_MOVES):
        move = judge.reply(board) if dice.random() < 0.67 else dice.choice([*board.legal_moves])
        after = board.copy()
        after.push(move)
        is_clear = (is_clear or board.is_zeroing(move)) and not after.is_repetition(2)
        response = respond(judge, kind, board, move)
        if is_clear:
            assert response.is_kept == (-oracle.value(after) >= kind.task), (board.fen(), move)
        if not response.is_kept:
            assert board.san(move) in response.text and response.reply is None
            continue
        board = after
        if response.reply:
            replied = board.copy()
            replied.push(response.reply)
            if is_clear:
                assert_best(board, response.reply, oracle, is_measured=dice.random() < 0.1)
            is_clear = is_clear and not replied.is_repetition(2)
            board = replied
        if response.is_over:
            return
    raise AssertionError(f"{name} does not end: {board.fen()}")


def assert_best(board: chess.Board, reply: chess.Move, oracle: Oracle, is_measured: bool) -> None:
    """The reply keeps the result, and who is lost holds out longest, but for rounded distances.

    To measure that takes a second, as python-chess is slow.
    """
    after = board.copy()
    after.push(reply)
    before = oracle.value(board)
    assert -oracle.value(after) == before, (board.fen(), reply)
    if before < 0 and is_measured:
        left = {move: oracle.resistance(board, move) for move in board.legal_moves}
        assert max(left.values()) - left[reply] <= 2, (board.fen(), reply)


@needs_tables
@pytest.mark.jit_only
def test_kinds_yield_positions_in_which_nothing_is_settled(
    judge: EndingJudge, oracle: Oracle
) -> None:
    dice = random.Random(1)
    colours: set[tuple[Task, bool]] = set()
    for kind in KINDS[::5]:  # the slow test below takes all
        board = new_position(kind, judge, dice)
        assert is_quiet(board)
        for move in board.legal_moves:
            after = board.copy()
            after.push(move)
            if is_reached(kind, after, move):
                assert -oracle.value(after) < kind.task, (kind.name, board.fen(), move)
        assert oracle.value(board) == kind.task, (kind.name, board.fen())
        pieces = "".join(sorted(board.board_fen(), key="KQRBNPkqrbnp".find)).strip("/12345678")
        strong = board.turn == (kind.task == Task.WIN)
        letters = "".join(kind.letters())
        expected = letters if strong else letters.swapcase()
        assert sorted(pieces) == sorted(expected), kind.name
        placed = (place(kind, dice) for _ in range(20))
        colours |= {(kind.task, each.turn) for each in placed if each}
    assert len(colours) == 4


@needs_tables
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_picture_shows_a_position_of_its_kind(kind: EndingKind, oracle: Oracle) -> None:
    board = chess.Board(f"{kind.picture} {'w' if kind.task else 'b'} - - 0 1")
    strong, weak = kind.pieces.split("v")
    assert board.is_valid() and oracle.value(board) == kind.task
    assert sorted(filter(str.isalpha, kind.picture)) == sorted(strong + weak.lower())
    at = {piece.symbol(): square for square, piece in board.piece_map().items()}
    for letter, where in kind.where.items() if len(at) == board.occupied.bit_count() else ():
        assert where(at) & chess.BB_SQUARES[at[letter]], letter


@pytest.mark.parametrize(
    "fen", ["4K3/1k2P3/8/8/8/8/2R5/2r5 w - - 0 1", "8/8/8/3k4/8/1b6/2R5/1r1K4 b - - 0 1"]
)
def test_no_position_begins_with_a_piece_that_hangs(fen: str) -> None:
    assert not is_quiet(chess.Board(fen))
    assert not is_quiet(chess.Board(fen.replace(" w ", " b ").replace(" b ", " w ")))


@needs_tables
@pytest.mark.jit_only
@pytest.mark.parametrize(
    ("name", "fen", "move"),
    [
        ("vancura", "R4k2/8/P4r2/8/7K/8/8/8 b - - 0 1", "f8g7"),
        ("wrong-bishop", "5k2/8/8/8/5K2/7P/B7/8 b - - 0 1", "f8g7"),
        ("bishop-against-pawn", "6K1/8/8/8/8/5p2/2Bk4/8 w - - 0 1", "c2e4"),
    ],
)
def test_the_attacker_of_a_draw_keeps_its_material(
    name: str, fen: str, move: str, judge: EndingJudge
) -> None:
    board = chess.Board(fen)
    attackers = chess.popcount(board.occupied_co[not board.turn])
    best = chess.Move.from_uci(move)
    for _ in range(4):
        response = respond(judge, BY_NAME[name], board, best)
        assert response.is_kept and response.reply, response.text
        board.push(best)
        board.push(response.reply)
        assert chess.popcount(board.occupied_co[not board.turn]) == attackers, board.fen()
        best = judge.reply(board)


@needs_tables
@pytest.mark.jit_only
@pytest.mark.parametrize("name", ["opposition", "philidor"])
def test_played_through(name: str, judge: EndingJudge, oracle: Oracle) -> None:
    play_through(name, judge, oracle, random.Random(2))


@pytest.mark.parametrize(("lost", "words"), [(0, "1 move. "), (1, "1 ply slower"), (2, "2 plies")])
def test_what_was_slower_is_counted(lost: int, words: str, tmp_path: Path) -> None:
    session = EndingSession(EndingFile(tmp_path / "own.json"))
    session.begin(Ending("queen", "7k/8/5K2/8/8/8/8/Q7 w - - 0 1", by_tables=True))
    assert words in session.judge(Response(True, "", is_over=True, lost_plies=lost), 1)


@needs_tables
@pytest.mark.jit_only
def test_clock_and_repetition_count(judge: EndingJudge) -> None:
    queen, fen = BY_NAME["queen"], "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"
    last = chess.Board(fen.replace("0 1", "99 90"))
    response = respond(judge, queen, last, chess.Move.from_uci("g1g2"))
    assert not response.is_kept and "fifty moves" in response.text
    assert respond(judge, queen, last, chess.Move.from_uci("g1g7")).is_over
    near = chess.Board(fen.replace("0 1", "97 90"))  # a mate in two would come too late
    response = respond(judge, queen, near, chess.Move.from_uci("g1a1"))
    assert not response.is_kept and "gives the win away" in response.text
    assert "by the fifty-move rule" in response.text or "fifty moves" in response.text
    board = chess.Board(fen)
    for name in ("g1g2", "h8h7", "g2g1", "h7h8", "g1g2", "h8h7"):
        board.push_uci(name)
    response = respond(judge, queen, board, chess.Move.from_uci("g2g1"))  # and Kh8 repeats
    assert not response.is_kept and "threefold repetition" in response.text
    assert respond(judge, queen, board, chess.Move.from_uci("g2g7")).is_over
    board = chess.Board("8/6rR/8/8/8/8/6p1/3K2k1 b - - 0 1")
    sans = (
        "Rg5 Ke2 Re5+ Kd3 Kf2 Rf7+ Ke1 Rg7 Kf2 Rf7+ Kg3 Rg7+ Kf3 Rg8 Re3+"
        " Kd4 Re1 Rf8+ Kg3 Rg8+ Kh2 Rh8+ Kg1 Kd3 Kf2 Rf8+ Kg1 Rh8 Re5 Rh7"
    )
    for san in sans.split():
        board.push_san(san)
    text = respond(judge, BY_NAME["lucena"], board, board.parse_san("Kf2")).text  # and Rf7 repeats
    assert "gives the win away: " in text and text.endswith("Rf7+, threefold repetition.")


@pytest.mark.jit_only
def test_what_a_search_has_not_proved_is_called_probable(kernels: None, tmp_path: Path) -> None:
    judge = EndingJudge("", print, searcher(AnalysisSettings(nodes=2000)))
    board = chess.Board("8/2n5/8/8/8/1k6/4R3/1K6 w - - 0 1")
    text = respond(judge, BY_NAME["rook-knight"], board, chess.Move.from_uci("b1a1")).text
    assert "probably " in text
    stalemate = chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    text = respond(judge, BY_NAME["queen"], stalemate, chess.Move.from_uci("g5g6")).text
    assert "gives the win away" in text and "probably" not in text
    for clock, is_over in ((0, False), (97, True)):  # then the fiftieth move comes before any mate
        board = chess.Board(f"8/8/8/3k4/8/8/1Q6/K7 w - - {clock} 90")
        response = respond(judge, BY_NAME["queen"], board, chess.Move.from_uci("b2d4"))
        assert not response.is_kept and response.is_over == is_over
        session = EndingSession(EndingFile(tmp_path / "own.json"))
        assert session.judge(response, 1).endswith("any more." if is_over else "Try again.")


@pytest.mark.parametrize(
    ("placement", "is_known"),
    [
        ("8/8/8/8/7P/8/4k1K1/2B5 b", False),  # the king is shut out
        ("8/8/3k4/8/4B3/6K1/7P/8 b", True),
        ("k7/p7/8/8/8/2K2b2/8/8 w", True),
        ("8/8/3k4/8/3B4/6K1/7P/8 b", False),  # the right bishop
        ("8/8/K7/8/8/6Q1/5p2/6k1 b", True),  # 1... Kh1 2. Qxf2 is stalemate
        ("8/8/8/6Q1/3K4/8/5p2/6k1 b", False),  # the king is near
        ("8/8/K7/8/8/6Q1/4p3/4k3 b", False),
    ],
)
def test_fortresses(placement: str, is_known: bool) -> None:
    board = chess.Board(f"{placement} - - 0 1")
    assert is_held(board) == is_held(board.mirror()) == is_known


@needs_tables
def test_no_fortress_is_lost(oracle: Oracle) -> None:
    dice = random.Random(6)
    found = 0
    while found < 60:
        board = place(BY_NAME[dice.choice(["wrong-bishop", "pawn-queen"])], dice)
        if board and is_held(board):
            found += 1
            assert oracle.value(board) == 0, board.fen()


@pytest.mark.jit_only
def test_a_fortress_begins_and_is_kept_without_tables(kernels: None) -> None:
    judge = EndingJudge("", print, searcher(AnalysisSettings(nodes=2000)))
    kind = BY_NAME["pawn-queen"]
    board = new_position(kind, judge, random.Random(4))
    for _ in range(2):
        move = judge.reply(board)
        response = respond(judge, kind, board, move)
        assert response.is_kept and "probably" not in response.text, (board.fen(), response.text)
        assert response.reply
        board.push(move)
        board.push(response.reply)


def win_without_tables(name: str) -> None:
    """The engine wins against itself, and finds no fault with its moves."""
    kind = BY_NAME[name]
    judge = EndingJudge("", print, searcher(AnalysisSettings(nodes=NODES)))
    board = new_position(kind, judge, random.Random(4))
    for _ in range(MAX_MOVES):
        move = judge.reply(board)
        response = respond(judge, kind, board, move)
        assert response.is_kept, (board.fen(), response.text)
        if response.is_over:
            assert "Won" in response.text
            return
        board.push(move)
        assert response.reply
        board.push(response.reply)
    raise AssertionError(f"{name} is not won: {board.fen()}")


@pytest.mark.jit_only
def test_without_tables(kernels: None) -> None:
    win_without_tables("queen")


@pytest.mark.jit_only
@pytest.mark.slow
@pytest.mark.parametrize("name", ["rook", "two-rooks", "two-bishops", "opposition", "queen-pawn"])
def test_more_without_tables(kernels: None, name: str) -> None:
    win_without_tables(name)


@needs_tables
@pytest.mark.jit_only
@pytest.mark.slow
@pytest.mark.parametrize("name", BY_NAME)
def test_all_played_through(name: str, judge: EndingJudge, oracle: Oracle) -> None:
    play_through(name, judge, oracle, random.Random(3))
