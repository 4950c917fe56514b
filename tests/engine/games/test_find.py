from __future__ import annotations

import random
import re
from collections.abc import Callable

import chess
import numpy as np
import pytest

import boomslang
from boomslang.cli.lab.find_command import _EXAMPLES
from boomslang.engine.analysis.reasons.motifs import is_back_rank_mate
from boomslang.engine.games.columns import Games
from boomslang.engine.games.find import Pattern, find
from boomslang.engine.games.games import read_games
from boomslang.engine.games.patterns import ISOLATED, WORDS
from tests.support.pgn_writer import written_game
from tests.support.places import ROOT


def squares(board: chess.Board, colour: chess.Color, word: str) -> chess.SquareSet:
    """The squares that a word describes, of a colour; all or none for a check or mate by it."""
    if word in PAWNS:
        own, enemy = board.pieces(chess.PAWN, colour), board.pieces(chess.PAWN, not colour)
        return chess.SquareSet(pawn for pawn in own if PAWNS[word](pawn, own, enemy, colour))
    is_met = board.turn != colour and MATES[word](board, board.king(board.turn))
    return ~chess.SquareSet() if is_met else chess.SquareSet()


def apart(one: chess.Square, other: chess.Square) -> int:
    return abs(chess.square_file(one) - chess.square_file(other))


def is_passed(
    pawn: chess.Square, own: chess.SquareSet, enemy: chess.SquareSet, colour: chess.Color
) -> bool:
    steps = [(other // 8 - pawn // 8) * (1 if colour else -1) for other in enemy]
    return all(
        step <= 0 or apart(pawn, other) > 1 for step, other in zip(steps, enemy, strict=True)
    )


def is_hanging(
    pawn: chess.Square, own: chess.SquareSet, enemy: chess.SquareSet, colour: chess.Color
) -> bool:
    partners = [other for other in own if apart(pawn, other) == 1]
    if len(partners) != 1 or partners[0] // 8 != pawn // 8:
        return False
    pair = {pawn, partners[0]}
    return all(apart(other, each) > 1 for other in {*own} - pair for each in pair) and all(
        apart(other, each) > 0 for other in enemy for each in pair
    )


def checks(board: chess.Board, *kinds: chess.PieceType) -> list[chess.Square]:
    return [square for square in board.checkers() if board.piece_type_at(square) in kinds]


def is_smothered(board: chess.Board, king: chess.Square) -> bool:
    near = board.attacks(king)
    has_knight = bool(checks(board, chess.KNIGHT))
    return (
        board.is_checkmate()
        and has_knight
        and all(board.color_at(square) == board.turn for square in near)
    )


def is_arabian(board: chess.Board, king: chess.Square) -> bool:
    knights = board.pieces(chess.KNIGHT, not board.turn)
    rooks = [rook for rook in checks(board, chess.ROOK) if chess.square_distance(rook, king) == 1]
    return (
        board.is_checkmate()
        and king in (chess.A1, chess.A8, chess.H1, chess.H8)
        and any(board.attackers(not board.turn, rook) & knights for rook in rooks)
    )


def is_anastasia(board: chess.Board, king: chess.Square) -> bool:
    step = {0: 1, 7: -1}.get(chess.square_file(king), 0)
    return (
        board.is_checkmate()
        and step != 0
        and any(apart(king, heavy) == 0 for heavy in checks(board, chess.ROOK, chess.QUEEN))
        and board.color_at(king + step) == board.turn
        and board.piece_at(king + 3 * step) == chess.Piece(chess.KNIGHT, not board.turn)
    )


PAWNS: dict[str, Callable[..., bool]] = {
    "isolated": lambda pawn, own, *_: all(apart(pawn, other) != 1 for other in own),
    "doubled": lambda pawn, own, *_: sum(apart(pawn, other) == 0 for other in own) > 1,
    "passed": is_passed,
    "hanging": is_hanging,
}
MATES: dict[str, Callable[..., bool]] = {
    "check": lambda board, _: board.is_check(),
    "double check": lambda board, _: len(board.checkers()) > 1,
    "stalemate": lambda board, _: board.is_stalemate(),
    "mate": lambda board, _: board.is_checkmate(),
    "back rank mate": lambda board, _: is_back_rank_mate(board),
    "smothered mate": is_smothered,
    "arabian mate": is_arabian,
    "anastasia mate": is_anastasia,
}


pytestmark = pytest.mark.jit_only

_Test = Callable[[chess.Board, int], bool]
_ENDS = (
    *("3R2k1/5pp1/8/8/8/8/8/1B4K1 b - - 0 1", "6rk/5N1p/8/8/8/8/1B6/6K1 b - - 0 1"),
    *("7k/7R/6K1/8/2B5/8/8/8 b - - 0 1", "4k3/4R3/2N4B/8/8/8/8/6K1 b - - 0 1"),
    *("8/6pk/8/3B1P1R/8/8/8/6K1 b - - 0 1", "R7/4N1pk/6Q1/8/8/8/8/6K1 b - - 0 1"),
    *("k7/1pK5/8/1N6/8/8/6B1/8 b - - 0 1", "7k/5Q2/6K1/8/p7/P7/8/8 b - - 0 1"),
    *("3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1"),
    *("7k/7R/5N2/8/8/8/8/6K1 b - - 0 1", "8/4N1pk/8/7R/8/8/8/6K1 b - - 0 1"),
    *("6rk/5Npp/8/8/8/8/8/B5KR b - - 0 1", "7k/5Q2/8/8/8/8/8/6K1 b - - 0 1"),
    *("6k1/pp3ppp/8/2PP4/4p3/3p4/P5PP/6K1 w - - 0 1", "4k3/8/3N4/8/8/8/4R3/6K1 b - - 0 1"),
)


def an_end(source: random.Random) -> str:
    """A game without moves whose position is mate, stalemate, a pawn structure or nearly that."""
    board = chess.Board(source.choice(_ENDS))
    for _ in range(source.choice([0, 0, 1, 3])):
        square = source.choice(sorted({*chess.SQUARES} - {*chess.SquareSet(board.kings)}))
        piece = chess.Piece(source.randint(1, 5), source.random() < 0.5)
        board.set_piece_at(square, piece if source.random() < 0.7 else None)
    board = source.choice([board, board.mirror()])
    board = source.choice([board, board.transform(chess.flip_horizontal)])
    return f'[FEN "{board.fen()}"]\n\n*\n\n' if board.is_valid() else an_end(source)


@pytest.fixture(scope="module")
def games() -> Games:
    source = random.Random(21)
    texts = [written_game(source, source.choice([0, 0, 0.1])) for _ in range(40)]
    return read_games("".join([*texts, *(an_end(source) for _ in range(250))]).encode())


def boards(games: Games, game: int) -> list[chess.Board]:
    fen, is_free = games["fen"][game] or chess.STARTING_FEN, bool(games["chess960"][game])
    board = chess.Board(fen, chess960=is_free)
    found = [board.copy(stack=False)]
    for move in games.uci(game):
        board.push_uci(move)
        found.append(board.copy(stack=False))
    return found


def army(board: chess.Board, colour: chess.Color, kinds: str) -> str:
    """The pieces of these kinds of a colour, as patterns have them."""
    return "".join(
        kind * len(board.pieces(chess.PIECE_SYMBOLS.index(kind.lower()), colour)) for kind in kinds
    )


def a_condition(source: random.Random, board: chess.Board, ply: int) -> tuple[str, _Test]:
    """A condition that this position meets, where that is likely, and slow code for it."""
    side = source.choice(["", "white ", "black "])
    colours = {"white ": [True], "black ": [False]}.get(side, [True, False])
    match source.randrange(9):
        case 0:
            kinds = source.choice(["KQRBNP", "QRBN"])
            first, second = (army(board, each, kinds) for each in (colours[0], not colours[0]))
            if not first or not second:
                return "no pawns", lambda board, _: not board.pawns
            return f"{side}{first} v {second}", lambda board, _: any(
                army(board, each, kinds) == first and army(board, not each, kinds) == second
                for each in colours
            )
        case 1:
            known = {square: board.piece_at(square) for square in source.sample(chess.SQUARES, 2)}
            words = [f"{piece or '-'}{chess.square_name(at)}" for at, piece in known.items()]
            return (
                " ".join(words),
                lambda board, _: (
                    known.items()
                    <= {square: board.piece_at(square) for square in chess.SQUARES}.items()
                ),
            )
        case 2:
            turn = board.turn
            return f"{'white' if turn else 'black'} to move", lambda board, _: board.turn == turn
        case 3:
            low, high = ply // 2 + 1, ply // 2 + source.choice([1, 1, 9])
            text = f"move >= {low}, move < {high + 1}" if high > low else f"move = {low}"
            return text, lambda _, ply: low <= ply // 2 + 1 <= high
        case 4:
            shown = {square: board.piece_at(square) for square in source.sample(chess.SQUARES, 6)}
            cells = [
                str(shown[square] or "1") if square in shown else "?"
                for square in chess.SQUARES_180
            ]
            rows = ["".join(cells[start : start + 8]) for start in range(0, 64, 8)]
            return "/".join(rows), lambda board, _: all(
                board.piece_at(square) == piece for square, piece in shown.items()
            )
        case 5 | 6:
            word = source.choice([*PAWNS])
            here = [pawn for each in colours for pawn in squares(board, each, word)]
            pawn = source.choice(here or chess.SQUARES[8:56])
            file, name = chess.square_file(pawn), chess.square_name(pawn)
            text, wanted = source.choice(
                [
                    (f"{word} pawn", ~chess.SquareSet()),
                    (f"{word} {name[0]}-pawn", chess.SquareSet(chess.BB_FILES[file])),
                    (f"{word} pawns {name}", chess.SquareSet([pawn])),
                ]
            )
            return side + text, lambda board, _: any(
                squares(board, each, word) & wanted for each in colours
            )
        case 7:
            pawns = board.pieces(chess.PAWN, colours[0])
            links = [(one, other) for one in pawns for other in pawns if abs(one - other) in (7, 9)]
            chain = chess.SquareSet(source.choice(links or [(chess.D4, chess.E5)]))
            names = " ".join(map(chess.square_name, chain))
            if chess.square_distance(*chain) > 1:
                return "check", lambda board, _: board.is_check()
            return f"{side}chain {names}", lambda board, _: any(
                chain.issubset(board.pieces(chess.PAWN, each)) for each in colours
            )
        case _:
            met = [word for word in MATES for each in colours if squares(board, each, word)]
            word = source.choice(met or [*MATES])
            return side + word, lambda board, _: any(squares(board, each, word) for each in colours)


@pytest.mark.parametrize("number", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_random_patterns_find_what_slow_code_finds(games: Games, number: int) -> None:
    source = random.Random(number)
    played = [boards(games, game) for game in range(len(games))]
    hits = 0
    for _ in range(number):
        positions = source.choice(played)
        ply = source.randrange(len(positions))
        chosen = [a_condition(source, positions[ply], ply) for _ in range(source.choice([1, 1, 2]))]
        pattern = ", ".join(text for text, _ in chosen)
        expected = [
            (0, game + 1, ply)
            for game, positions in enumerate(played)
            for ply, board in enumerate(positions)
            if all(test(board, ply) for _, test in chosen)
        ]
        try:
            assert find(pattern, games, every=True).tolist() == expected, pattern
        except boomslang.CommandError as refusal:
            assert "twice" in str(refusal) or ("no position" in str(refusal) and not expected)
            continue
        firsts = {game: (0, game, ply) for _, game, ply in reversed(expected)}
        assert find(pattern, games).tolist() == sorted(firsts.values()), pattern
        hits += bool(expected)
    assert hits > number / 2


def test_the_page_and_the_help_have_an_example_of_each_word() -> None:
    page = (ROOT / "docs" / "games.md").read_text("utf-8")
    for text, grammar in ((page, r"^\| `([^`]+)` \|"), (_EXAMPLES, "^  (?!boomslang)(.+?)   ?")):
        examples = re.findall(grammar, text.split("examples:")[0], re.M)
        assert len(examples) > 9
        for example in examples:
            Pattern(example)
        assert not [word for word in WORDS[ISOLATED:] if not re.search(word.split()[0], text)]


def test_conditions_on_games(games: Games) -> None:
    for pattern, expected in (
        ("1-0", games["result"] == 1.0),
        ("1/2-1/2, white >= 2400", (games["result"] == 0.5) & (games["white_elo"] >= 2400)),
        ("rating < 2350", (games["white_elo"] > 0) & (games["white_elo"] < 2350)),
        ("black > 2300", games["white_elo"] < 0),
    ):
        assert find(pattern, games)["game"].tolist() == (np.flatnonzero(expected) + 1).tolist()


def test_files_and_pawns() -> None:
    kings = b'[FEN "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1"]\n\n1. Ke2 Ke7 *\n'
    pawn = kings.replace(b"3R4", b"3R3P")
    assert find("R v K, no pawns", [kings, pawn])["source"].tolist() == [0]
    assert find("KRP v K", [kings, pawn]).tolist() == [(1, 1, 0)]
    assert find("KR v K, white to move, move > 1", [kings, pawn]).tolist() == [(0, 1, 2)]


def test_a_game_without_a_position_has_none() -> None:
    unplayable = b'[FEN "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"]\n\n1. Ke2 *\n\n[Event "x"]\n\n1. e4 *\n'
    found = read_games([unplayable, unplayable])
    assert found["odd"].tolist() == [2, 0, 2, 0]
    assert find("white to move", found)["game"].tolist() == [2, 2]
    assert len(found.positions()) == 2


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        *(("", "not a condition: ''"), ("KR v K,", "not a condition: ''")),
        ("KR versus K", "not a condition: 'KR versus K'; a condition is material"),
        *(("isolatd d-pawn", "did you mean isolated pawn"), ("♘f3", "not a condition: '♘f3'")),
        *(("RK v K", "K comes first"), ("KR v K, KQ v K", "given twice")),
        ("8/8/8/8/8/8/8/7", "rank 1 of '8/8/8/8/8/8/8/7' has 7 squares"),
        ("chain d4 e6", "d4 and e6 do not touch diagonally"),
        ("Nd5 " * 999, "a pattern of 3,996 characters; at most 1,000"),
        *((text, "not a condition") for text in ("8/8/8/8/8/8/8/9", "Nd9", "passed pawn d1")),
        *((text, "not a condition") for text in ("white > 24000", "white > ٢٤٠٠", "chain d4")),
        *(
            (f"{text}{last}", f"no position meets '{last}' and what")
            for text, last in (
                *(("KRP v K, ", "no pawns"), ("no pawns, ", "KRP v K"), ("KR v K, ", "Qd5")),
                *(("KR v K, ", "passed pawn"), ("Nd5, ", "Bd5"), ("Kd5, ", "Kd6"), ("", "Pe8")),
                *(("", f"K{'P' * 9} v K"), ("1-0, ", "0-1"), ("", "move < 1"), ("", "white < 1")),
                *(("white to move, ", "black to move"), ("rating > 2400, ", "white < 2300")),
            )
        ),
    ],
)
def test_what_is_no_pattern(pattern: str, message: str) -> None:
    with pytest.raises(boomslang.CommandError, match=message):
        find(pattern, b"1. e4 *")
