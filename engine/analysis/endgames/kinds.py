"""The kinds of endings that can be practised: pieces, where they stand, and what is to be reached.

A kind is described with the stronger side as White, whose pawns go up the board. Positions are random within
the description, and kept if they are worth what the task says (`positions`), so it need not be exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, TypeAlias

import chess
from chess import BB_ALL, BB_FILES, BB_RANKS, Bitboard, Square

Places: TypeAlias = Mapping[str, Square]  # the last square of each letter that is placed
Where: TypeAlias = Callable[[Places], Bitboard]


class Task(IntEnum):
    """What the user is to reach, as a value for the user's side."""

    WIN = 1  # with the stronger side
    DRAW = 0  # with the weaker side


@dataclass(frozen=True, slots=True)
class EndingKind:
    """A kind of ending; the user is to move.

    `where` has the squares for pieces by their letters, in the order in which they are placed; the others
    stand anywhere.
    """

    name: str  # for the command line and the user's file
    title: str
    pieces: str  # the stronger side's and the weaker side's, as in KRPvKR
    task: Task
    picture: str  # one of its positions with the stronger side as White: the first part of a FEN
    idea: str  # one sentence about how it is done
    where: Mapping[str, Where] = field(default_factory=dict)
    moves: int = 5  # that the best way takes at least

    @property
    def heading(self) -> str:
        """The title with the task."""
        return f"{self.title}: {'win' if self.task == Task.WIN else 'draw'}"

    @property
    def group(self) -> str:
        """The chapter to which it belongs: by the strongest pieces."""
        if self.is_mate:
            return "Mates"
        groups = (("Q", "Queens"), ("R", "Rooks"), ("BN", "Bishops and knights"))
        return next((name for pieces, name in groups if {*pieces} & {*self.pieces}), "Pawns")

    @property
    def is_mate(self) -> bool:
        """True if the weaker side has nothing but its king, and the stronger side no pawns."""
        return self.pieces.endswith("vK") and "P" not in self.pieces

    def letters(self) -> Iterator[str]:
        """The pieces in the order in which they are placed, the weaker side's in lower case."""
        strong, _, weak = self.pieces.partition("v")
        letters = [*strong, *weak.lower()]
        for letter in dict.fromkeys([*self.where, *letters]):
            yield from letter * letters.count(letter)


def _files(names: str) -> Bitboard:
    return sum(BB_FILES["abcdefgh".index(name)] for name in names)


def _ranks(first: int, last: int) -> Bitboard:
    return sum(BB_RANKS[first - 1 : last])


def _near(square: Square, distance: int) -> Bitboard:
    """The squares that a king reaches in so many moves."""
    return sum(
        chess.BB_SQUARES[other]
        for other in chess.SQUARES
        if 0 < chess.square_distance(square, other) <= distance
    )


def _above(square: Square, distance: int = 7) -> Bitboard:
    """The squares before a pawn of White's, so many of them."""
    last = min(chess.square_rank(square) + 1 + distance, 8)
    return BB_FILES[chess.square_file(square)] & _ranks(chess.square_rank(square) + 2, last)


def _beside(square: Square, least: int, most: int = 7) -> Bitboard:
    """The files in that distance."""
    own = chess.square_file(square)
    return sum(BB_FILES[file] for file in range(8) if least <= abs(file - own) <= most)


def _towards(square: Square, other: Square, first: int, last: int) -> Bitboard:
    """The files in these distances, on the side of the other square; those below 0 are on the far side."""
    own, step = chess.square_file(square), chess.square_file(other) - chess.square_file(square)
    files = (own + (distance if step > 0 else -distance) for distance in range(first, last + 1))
    return sum(BB_FILES[file] for file in files if 0 <= file < 8)


def _same_shade(square: Square) -> Bitboard:
    light = bool(chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES)
    return chess.BB_LIGHT_SQUARES if light else chess.BB_DARK_SQUARES


def _fixed(squares: Bitboard) -> Where:
    return lambda at: squares


def _around(letter: str, distance: int, within: Bitboard = BB_ALL) -> Where:
    return lambda at: _near(at[letter], distance) & within


def _far(letter: str, distance: int, within: Bitboard = BB_ALL) -> Where:
    return lambda at: within & ~_near(at[letter], distance)


def _queening(at: Places) -> Square:
    """The last square of White's pawn."""
    return chess.square(chess.square_file(at["P"]), 7)


_ROOK_FILES: Final = _files("ah")
_INNER: Final = _files("bcdefg")
_EDGE: Final = _ROOK_FILES | _ranks(1, 1) | _ranks(8, 8)
_ROOK_PAWN: Final = _fixed(_ROOK_FILES & _ranks(2, 6))

# fmt: off
KINDS: Final = (
    # Mates
    EndingKind("queen", "Queen", "KQvK", Task.WIN, "8/8/8/4k3/8/8/8/KQ6",
               "Drive the king to the edge, and beware of stalemate."),
    EndingKind("rook", "Rook", "KRvK", Task.WIN, "8/8/8/4k3/8/8/8/K6R",
               "Cut the king off, and check when the kings stand opposed.", moves=7),
    EndingKind("two-rooks", "Two rooks", "KRRvK", Task.WIN, "8/8/8/4k3/8/8/8/R3K2R",
               "The rooks take rank by rank, out of reach."),
    EndingKind("two-bishops", "Two bishops", "KBBvK", Task.WIN, "8/8/8/4k3/8/8/8/2B1KB2",
               "The bishops side by side are a wall; the king helps to move it to a corner.",
               {"B": lambda at: ~_same_shade(at["B"]) & BB_ALL if "B" in at else BB_ALL}, moves=8),
    EndingKind("bishop-knight", "Bishop and knight", "KBNvK", Task.WIN, "8/8/8/4k3/8/8/8/2B1K1N1",
               "The mate is in a corner of the bishop's colour; the knight takes what it does not see.",
               moves=12),
    EndingKind("queen-rook", "Queen against rook", "KQvKR", Task.WIN, "8/8/8/8/5rk1/8/8/3KQ3",
               "Bring the king near, so that the rook must leave its king, and win it by a fork.", moves=8),
    EndingKind("queen-bishop", "Queen against bishop", "KQvKB", Task.WIN, "1Q6/8/8/3k4/b4K2/8/8/8",
               "Come near on the squares that the bishop does not see."),
    EndingKind("queen-knight", "Queen against knight", "KQvKN", Task.WIN, "8/8/8/8/5nk1/8/8/3KQ3",
               "Keep the king out of forks, and take the knight's squares away."),
    EndingKind("knights-pawn", "Two knights against pawn", "KNNvKP", Task.WIN, "8/7k/8/3p4/3N4/8/K2N4/8",
               "One knight holds the pawn, which saves the mate from stalemate, until the king is cornered.",
               {"p": _fixed(_ranks(3, 6)),
                "N": lambda at: BB_ALL if "N" in at else chess.BB_SQUARES[at["p"] - 8],
                "k": _fixed(_EDGE)}, moves=8),
    # Pawns
    EndingKind("pawn", "King and pawn", "KPvK", Task.WIN, "8/5k2/8/8/5KP1/8/8/8",
               "The king goes in front of its pawn.",
               {"P": _fixed(_INNER & _ranks(2, 5)), "K": _around("P", 2), "k": _around("P", 3)}),
    EndingKind("opposition", "Opposition", "KPvK", Task.WIN, "4k3/8/8/4K3/4P3/8/8/8",
               "Stand opposite the other king when it is to move; spare pawn moves lose a tempo.",
               {"P": _fixed(_INNER & _ranks(2, 4)),
                "K": lambda at: _near(at["P"], 2) & _above(at["P"] - 8) | _above(at["P"], 2),
                "k": lambda at: _near(at["K"], 3) & _above(at["K"] + 8)}),
    EndingKind("pawn-defence", "King against pawn", "KPvK", Task.DRAW, "8/8/2k5/4P3/3K4/8/8/8",
               "Go straight back in front of the pawn, and keep the opposition.",
               {"P": _fixed(_INNER & _ranks(2, 6)), "K": _around("P", 2), "k": _around("P", 3)}),
    EndingKind("rook-pawn", "Rook pawn", "KPvK", Task.DRAW, "2k5/8/P7/8/8/2K5/8/8",
               "Reach the corner, or shut the other king in, in front of its own pawn.",
               {"P": _ROOK_PAWN, "K": _around("P", 3), "k": _around("P", 4)}),
    EndingKind("square", "Square of the pawn", "KPvK", Task.WIN, "8/8/8/8/6K1/P7/6k1/8",
               "A king that cannot enter the square of the pawn is too late.",
               {"P": _fixed(_ranks(2, 5)), "K": _far("P", 2), "k": _far("P", 2)}),
    EndingKind("two-pawns", "Two pawns", "KPPvK", Task.WIN, "K7/8/8/5k2/7P/8/5P2/8",
               "The pawns protect each other from afar while the king comes.",
               {"P": lambda at: _ranks(2, 6) & (_near(at["P"], 2) if "P" in at else BB_ALL),
                "k": _around("P", 2), "K": _far("P", 2)}),
    EndingKind("pawn-race", "Pawn race", "KPvKP", Task.WIN, "8/k7/8/8/5P1p/8/3K4/8",
               "Count who queens first, and with check; a king's move with two aims gains time.",
               {"P": _fixed(_ranks(2, 5)), "p": lambda at: _ranks(3, 7) & _beside(at["P"], 2)}),
    EndingKind("reti", "Réti manoeuvre", "KPvKP", Task.DRAW, "8/8/8/8/7P/K1p5/8/7k",
               "The king goes after one pawn and helps the other one by the same moves.",
               {"P": _fixed(_ranks(4, 6)), "p": lambda at: _ranks(3, 6) & _beside(at["P"], 1),
                "k": _far("P", 2), "K": _around("p", 3)}),
    EndingKind("blocked-pawns", "Blocked pawns", "KPvKP", Task.WIN, "8/8/8/3K4/1p6/1P2k3/8/8",
               "Who must leave the pawn first loses it: come from the far side.",
               {"P": _fixed(_INNER & _ranks(3, 5)), "p": lambda at: chess.BB_SQUARES[at["P"] + 8],
                "K": _around("P", 3), "k": _around("p", 3)}),
    # Queen against pawn
    EndingKind("queen-pawn", "Queen against pawn on the seventh", "KQvKP", Task.WIN, "8/8/8/8/8/8/Q2pk3/7K",
               "Checks drive the king in front of its pawn; each time, bring your king nearer.",
               {"p": _fixed(_files("bdeg") & _ranks(2, 2)), "k": _around("p", 1), "K": _far("p", 2),
                "Q": _far("p", 2)}),
    EndingKind("pawn-queen", "Pawn on the seventh against queen", "KQvKP", Task.DRAW,
               "8/7K/8/8/8/4k3/5p2/1Q6",
               "With a rook or bishop pawn the corner is safe: taking the pawn would be stalemate.",
               {"p": _fixed(_files("acfh") & _ranks(2, 2)), "k": _around("p", 1), "K": _far("p", 3),
                "Q": _far("p", 2)}),
    # Rooks
    EndingKind("rook-against-pawn", "Rook against pawn", "KRvKP", Task.WIN, "8/3R4/K7/4k3/4p3/8/8/8",
               "The rook stops the pawn from behind, or cuts the king off until its own king is there.",
               {"p": _fixed(_ranks(3, 5)), "k": _around("p", 1)}),
    EndingKind("pawn-against-rook", "Pawn against rook", "KRvKP", Task.DRAW, "8/8/8/4K3/6k1/7p/8/3R4",
               "Keep the other king away, shoulder to shoulder; a knight may come out better than a queen.",
               {"p": _fixed(_ranks(3, 5)), "k": _around("p", 1), "K": _around("p", 4)}),
    EndingKind("lucena", "Lucena position", "KRPvKR", Task.WIN, "1K1k4/1P6/8/8/8/8/r7/2R5",
               "Build a bridge: the rook on the fourth rank stops the checks.",
               {"P": _fixed(_INNER & _ranks(7, 7)), "K": lambda at: chess.BB_SQUARES[at["P"] + 8],
                "k": lambda at: _beside(at["P"], 2, 3) & _ranks(7, 8),
                "r": lambda at: _towards(at["P"], at["k"], -2, -1) & _ranks(1, 4),
                "R": lambda at: _towards(at["P"], at["k"], 1, 2) & _ranks(1, 5)}),
    EndingKind("philidor", "Philidor position", "KRPvKR", Task.DRAW, "4k3/7R/r7/3KP3/8/8/8/8",
               "The rook keeps the king off the third rank; when the pawn steps there, check from behind.",
               {"P": _fixed(_INNER & _ranks(4, 5)),
                "K": lambda at: _near(at["P"], 1) & _ranks(4, 5),
                "k": lambda at: _beside(at["P"], 0, 1) & _ranks(7, 8),
                "r": _fixed(_ranks(6, 6) | _ranks(1, 2))}),
    EndingKind("vancura", "Vancura position", "KRPvKR", Task.DRAW, "R7/6k1/P4r2/8/8/4K3/8/8",
               "The rook attacks the rook pawn from the side, and checks from there.",
               {"P": _fixed(_ROOK_FILES & _ranks(5, 6)), "R": lambda at: _above(at["P"]),
                "r": lambda at: BB_RANKS[chess.square_rank(at["P"])] & _beside(at["P"], 4),
                "k": lambda at: _beside(at["P"], 5) & _ranks(6, 8), "K": _far("P", 1, _ranks(3, 7))}),
    EndingKind("back-rank", "Defence on the back rank", "KRPvKR", Task.DRAW, "rk6/8/P4R2/8/1K6/8/8/8",
               "Against a knight or rook pawn the rook may wait on the back rank.",
               {"P": _fixed(_files("abgh") & _ranks(5, 6)),
                "k": lambda at: _beside(at["P"], 0, 1) & _ranks(7, 8), "r": _fixed(_ranks(8, 8)),
                "K": _around("P", 2)}),
    EndingKind("cut-off", "King cut off", "KRPvKR", Task.WIN, "8/4K3/8/k2P4/2R5/8/8/1r6",
               "The rook keeps the other king some files away while the pawn goes up.",
               {"P": _fixed(_INNER & _ranks(3, 5)), "K": _around("P", 2),
                "k": lambda at: _beside(at["P"], 2, 4),
                "R": lambda at: _towards(at["P"], at["k"], 1, 2) & ~BB_FILES[chess.square_file(at["k"])]}),
    EndingKind("rook-bishop-defence", "Rook against rook and bishop", "KRBvKR", Task.DRAW,
               "8/7r/2R5/8/2KB4/k7/8/8",
               "Keep the king off the edge, or the rook on the second rank; pin the bishop to its king.",
               {"k": _fixed(_EDGE | _ranks(7, 7)), "K": _around("k", 3)}),
    EndingKind("rook-bishop", "Rook and bishop against rook", "KRBvKR", Task.WIN, "7k/8/5K2/8/1r6/8/8/5RB1",
               "The kings stand opposed at the edge; the bishop shelters its king and gains the tempo.",
               {"k": _fixed(_EDGE), "K": _around("k", 2)}, moves=8),
    EndingKind("rook-knight-defence", "Rook against rook and knight", "KRNvKR", Task.DRAW,
               "4rk2/7R/3K4/8/8/8/5N2/8",
               "Keep away from the corner, and check from afar.",
               {"k": _fixed(_EDGE), "K": _around("k", 3)}),
    EndingKind("bishop-against-rook", "Bishop against rook", "KRvKB", Task.DRAW, "b1K1k3/8/8/7R/8/8/8/8",
               "The corner of the other colour than the bishop's is safe.",
               {"k": _fixed(_EDGE), "K": _around("k", 2)}),
    EndingKind("knight-against-rook", "Knight against rook", "KRvKN", Task.DRAW, "n1k5/8/2K5/8/1R6/8/8/8",
               "King and knight stay together, away from the corner.",
               {"k": _fixed(_EDGE), "n": _around("k", 2), "K": _around("k", 3)}),
    EndingKind("rook-knight", "Rook against knight", "KRvKN", Task.WIN, "3K2k1/3R4/8/8/1n6/8/8/8",
               "Keep the knight apart from its king, and catch it.",
               {"k": _fixed(BB_ALL), "n": _far("k", 2)}),
    # Bishops and knights with pawns
    EndingKind("wrong-bishop", "Wrong bishop", "KBPvK", Task.DRAW, "6k1/8/8/6KP/8/8/4B3/8",
               "The bishop does not see the corner where the rook pawn queens: reach it.",
               {"P": _ROOK_PAWN, "B": lambda at: ~_same_shade(_queening(at)) & BB_ALL,
                "k": lambda at: _near(_queening(at), 4), "K": _around("P", 3)}),
    EndingKind("right-bishop", "Right bishop", "KBPvK", Task.WIN, "8/k7/8/P7/8/8/K7/1B6",
               "The bishop takes the corner from the king; only stalemate is to be avoided.",
               {"P": _ROOK_PAWN, "B": lambda at: _same_shade(_queening(at)),
                "k": lambda at: _near(_queening(at), 2)}),
    EndingKind("knight-pawn", "Knight and pawn", "KNPvK", Task.WIN, "8/2k5/P7/8/2N1K3/8/8/8",
               "The knight guards the pawn from behind, where it need not move.",
               {"P": _fixed(_ranks(3, 7)), "k": _around("P", 2), "N": _around("P", 3)}),
    EndingKind("bishop-against-pawn", "Bishop against pawn", "KPvKB", Task.DRAW, "3K4/8/2P4b/8/8/8/8/7k",
               "One square in front of the pawn is enough for the bishop, on the longer diagonal.",
               {"P": _fixed(_ranks(4, 6)), "K": _around("P", 2), "k": _far("P", 2)}),
    EndingKind("knight-against-pawn", "Knight against pawn", "KPvKN", Task.DRAW, "7K/6P1/1k6/8/4n3/8/8/8",
               "The knight in front of the pawn holds it, and forks guard what it cannot reach.",
               {"P": _fixed(_ranks(5, 7)), "K": _around("P", 2), "k": _far("P", 2), "n": _around("P", 4)}),
)
# fmt: on
BY_NAME: Final = {kind.name: kind for kind in KINDS}
