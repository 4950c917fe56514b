from __future__ import annotations

import chess
import chess.variant
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.errors import CommandError
from boomslang.engine.notation.position_setup import MAX_MOVES, PositionSetup, from_fen
from boomslang.engine.notation.validity import MAX_MOVES as MAX_MOVES_OF_CORE
from boomslang.engine.notation.validity import why_invalid

REFUSED = {
    "empty": "",
    "a word": "blah",
    "a board alone": "4k3/8/8/8/8/8/8/4K3",
    "seven fields": "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x",
    "26 pieces on a rank": "P" * 26 + "/8/8/8/8/8/8/8 w - - 0 1",
    "nine ranks": "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
    "many slashes": "////////////////////////// w - - 0 1",
    "side x": "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
    "Unicode pieces": "♜♞♝♛♚♝♞♜/8/8/8/8/8/8/♖♘♗♕♔♗♘♖ w - - 0 1",
    "a megabyte": "p" * 1_000_000 + " w - - 0 1",
    "no kings": "8/8/8/8/8/8/8/8 w - - 0 1",
    "no white king": "4k3/8/8/8/8/8/8/8 w - - 0 1",
    "kings side by side": "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    "both in check": "4k3/8/8/8/4Q3/8/8/q3K3 w - - 0 1",
    "king can be taken": "4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1",
    "pawn on rank 8": "2P5/8/8/3p4/4bK2/8/4k1p1/2Q5 w - - 12 81",
    "33 pieces": "rnbqkbnr/pppppppp/8/8/8/n7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "two pawns too many": "rnbqkbnr/pppppppp/8/8/8/pp6/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "ten pawns and nothing else": "4k3/8/8/PPPP4/PPPPPP2/PPPPPP2/8/4K3 w - - 0 1",
    "63 queens": "kQQQQQQQ/" + "QQQQQQQQ/" * 6 + "QQQQQQQK b - - 0 1",
}


@pytest.mark.parametrize("name", REFUSED)
def test_unsound_positions_are_refused(name: str) -> None:
    with pytest.raises(CommandError) as refusal:
        from_fen(REFUSED[name], chess960=False)
    assert len(str(refusal.value)) < 300


# What is sent -> what is played
MENDED = {
    "4k3/8/8/8/8/8/8/4K3 w - -": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 7": "4k3/8/8/8/8/8/8/4K3 w - - 7 1",
    "2k5/8/3K4/8/8/8/8/8 b KQkq - 0 1": "2k5/8/3K4/8/8/8/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w XYZ!! - 0 1": "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - z9 0 1": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - e6 0 1": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/3p4/3pP3/8/8/8/4K3 w - d6 0 3": "4k3/8/3p4/3pP3/8/8/8/4K3 w - - 0 3",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3": "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3",
    "4k3/8/8/8/8/8/8/4K3 w - - -5 -7": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - x y": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1": "4k3/8/8/8/8/8/8/4K3 w - - 10000 1",
}


@pytest.mark.parametrize("fen", MENDED)
def test_harmless_faults_are_mended(fen: str) -> None:
    assert from_fen(fen, chess960=False).fen() == MENDED[fen]


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/bbbbbbbb/8/8/8/8/BBBBBBBB/RNBQKBNR w KQkq - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 100 140",
        "rnbqkbnr/ppp1pppp/3p4/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3",
    ],
    ids=["18 bishops", "218 moves", "50 moves are over", "a pawn left behind"],
)
def test_strange_but_sound_positions_are_played(fen: str) -> None:
    assert from_fen(fen, chess960=False).fen() == fen


def test_file_letters_make_a_chess960_board_without_the_option() -> None:
    board = from_fen("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", chess960=False)
    assert board.chess960
    assert chess.Move.from_uci("e1g1") in board.legal_moves


def test_rights_of_ordinary_chess_need_rooks_in_the_corners() -> None:
    board = from_fen("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", chess960=False)
    assert not board.chess960 and not board.castling_rights


CASTLINGS = [
    ("e1g1", False, "e1g1"),
    ("e1h1", False, "e1g1"),
    ("e1g1", True, "e1h1"),
    ("e1h1", True, "e1h1"),
]


@pytest.mark.parametrize(("sent", "chess960", "spelled"), CASTLINGS)
def test_castling_is_understood_in_both_spellings(sent: str, chess960: bool, spelled: str) -> None:
    board = PositionSetup().set_up("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", (sent,), chess960)
    assert board.piece_at(chess.F1) == chess.Piece(chess.ROOK, chess.WHITE)
    assert board.peek().uci() == spelled


@pytest.mark.parametrize(
    "moves",
    ["e2e5", "zzzz", "e2", "0000", "e2e4e5", "e2e4 e2e4", "f2f3 e7e5 g2g4 d8h4 e1f2", "e2e4k", ""],
)
def test_moves_that_cannot_be_played_are_refused(moves: str) -> None:
    with pytest.raises(CommandError, match="cannot be played"):
        PositionSetup().set_up(None, tuple(moves.split(" ")), False)


@pytest.mark.parametrize("move", ["a7a8", "a7a8k", "a7a8p"])
def test_promotion_needs_a_piece(move: str) -> None:
    with pytest.raises(CommandError):
        PositionSetup().set_up("8/P6k/8/8/8/8/8/K7 w - - 0 1", (move,), False)


def test_capital_letters_are_forgiven() -> None:
    board = PositionSetup().set_up("8/P6k/8/8/8/8/8/K7 w - - 0 1", ("a7a8Q",), False)
    assert board.peek() == chess.Move.from_uci("a7a8q")


SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def test_a_game_goes_on_move_by_move_or_anew() -> None:
    positions = PositionSetup()
    for length in (4, 8, 6, 0, 9):
        moves = (SHUFFLE * 3)[:length]
        board = positions.set_up(None, moves, False)
        assert [move.uci() for move in board.move_stack] == list(moves)
    assert board.is_repetition(3)


def test_a_refused_move_leaves_nothing_behind() -> None:
    positions = PositionSetup()
    positions.set_up(None, ("e2e4",), False)
    with pytest.raises(CommandError):
        positions.set_up(None, ("e2e4", "e7e5", "e4e5"), False)
    board = positions.set_up(None, ("e2e4",), False)
    assert len(board.move_stack) == 1 and board.turn == chess.BLACK


def test_games_are_bounded() -> None:
    with pytest.raises(CommandError, match="more than"):
        PositionSetup().set_up(None, ("g1f3",) * (MAX_MOVES + 1), False)


@given(
    st.one_of(
        st.text(max_size=80),
        st.builds(
            " ".join,
            st.tuples(
                st.text("pnbrqkPNBRQK12345678/", min_size=1, max_size=60),
                st.sampled_from("wbx"),
                st.text("KQkqAHah-", min_size=1, max_size=5),
                st.sampled_from(["-", "e3", "e6", "a9"]),
                st.sampled_from(["0", "-1", "99", "x"]),
                st.sampled_from(["1", "0", "999999999999999999999"]),
            ),
        ),
    ),
    st.booleans(),
)
def test_what_comes_in_is_sound(fen: str, chess960: bool) -> None:
    try:
        board = from_fen(fen, chess960)
    except CommandError:
        return
    assert why_invalid(board) is None
    assert board.castling_rights == board.clean_castling_rights()


def test_sound_positions_fit_into_the_move_lists() -> None:
    from boomslang.core.board.position import MAX_MOVES

    assert MAX_MOVES_OF_CORE == MAX_MOVES


class NamedBoard(chess.Board):
    """As programs extend boards: with a constructor of its own."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    @property
    def legal_moves(self) -> chess.LegalMoveGenerator:
        raise AssertionError("asked of a stranger")


def test_a_board_of_a_subclass_is_taken_with_its_history() -> None:
    board = NamedBoard("club")
    board.push_uci("g1f3")
    after = PositionSetup().set_up(board, ["g8f6"], False)
    assert type(after) is chess.Board and after.move_stack == [*board.move_stack, after.peek()]
    assert after.fen() == "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2"


@pytest.mark.parametrize("variant", chess.variant.VARIANTS, ids=lambda variant: variant.__name__)
def test_a_board_of_a_variant_is_not_taken(variant: type[chess.Board]) -> None:
    if variant is not chess.Board:
        with pytest.raises(CommandError, match="not a board of ordinary chess"):
            PositionSetup().set_up(variant(), [], False)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("halfmove_clock", -5),
        ("halfmove_clock", -(10**30)),
        ("fullmove_number", -1),
        ("castling_rights", -1),
        ("ep_square", -1),
        ("ep_square", 99),
        ("ep_square", 10**30),
        ("turn", 2),
        ("turn", None),
        ("occupied", 0),
        ("pawns", 0),
        ("queens", chess.BB_A2),
        ("occupied_co", [chess.BB_A1, chess.BB_A1]),
    ],
)
def test_fields_that_no_board_has_are_refused(field: str, value: object) -> None:
    board = chess.Board()
    board.push_uci("g1f3")
    setattr(board, field, value)
    with pytest.raises(CommandError):
        PositionSetup().set_up(board, [], False)


@pytest.mark.parametrize("field", ["halfmove_clock", "fullmove_number", "castling_rights"])
@pytest.mark.parametrize("value", [2.5, "3", None])
def test_fields_of_another_type_are_a_type_error(field: str, value: object) -> None:
    board = chess.Board()
    setattr(board, field, value)
    with pytest.raises(TypeError):
        PositionSetup().set_up(board, [], False)


def test_fields_are_numbers_of_python_and_within_bounds_afterwards() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1")
    board.fullmove_number = 10**30
    for field, value in {"halfmove_clock": 7, "castling_rights": 129, "turn": 0}.items():
        setattr(board, field, np.int64(value))
    after = PositionSetup().set_up(board, [], False)
    assert after.fen() == "r3k2r/8/8/8/8/8/8/R3K2R b KQ - 7 100000"
