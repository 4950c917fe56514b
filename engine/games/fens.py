"""The positions of games as FEN."""

from __future__ import annotations

from typing import Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.engine.games.columns import Games
from boomslang.engine.games.positions import boards_of

_PIECES: Final = np.frombuffer(b"\0PNBRQKpnbrqk", dtype=np.uint8)
_SQUARES: Final = [*chess.SQUARE_NAMES, "-"]
_NONE: Final = 64  # no square


def fens_of(games: Games) -> list[str]:
    """The positions of all games, also the last of each; as python-chess, with en passant after each step.

    Those of game i begin at `games.offsets[i] + i`, with an empty board for a game that cannot be played.
    Castling in Chess960 is said by files.
    """
    boards = boards_of(games, np.ones(len(games.moves) + len(games), dtype=np.uint8))
    firsts = games.offsets[:-1] + np.arange(len(games))
    start_of_game = np.maximum(games.start_of_game, 0)
    starts, lengths = games.starts[start_of_game], np.diff(games.offsets) + 1
    index = np.arange(len(boards))
    ply = index - np.repeat(firsts, lengths)

    # Where a pawn has made two steps; what a start position says counts for it alone.
    ep = np.full(len(boards), _NONE)
    before = np.delete(boards["by_type"][:, 0], firsts + lengths - 1)
    origin, target = games.moves & 63, games.moves >> 6 & 63
    steps = (origin ^ target == 16) & (before >> origin.astype(np.uint64) & 1 == 1)
    ep[np.delete(index, firsts)[steps]] = ((origin + target) // 2)[steps]
    ep[firsts] = starts["position"]["ep"]

    # Boards count up to 255 plies; so plies are counted from the last capture or move of a pawn.
    zeroed = np.maximum.accumulate(np.where((boards["halfmoves"] == 0) | (ply == 0), index, 0))
    halfmoves = index - zeroed
    halfmoves += np.repeat(starts["position"]["halfmoves"], lengths) * (ply == halfmoves)
    number = np.repeat(starts["number"], lengths)
    number += (ply + np.repeat(starts["position"]["side"], lengths)) // 2

    # The rights of each start position by their 16 numbers.
    is_960 = np.zeros(len(games.starts), dtype=np.bool_)
    is_960[start_of_game] = games["chess960"]
    rights: list[str] = []
    for rooks, by_file in zip(games.starts["rook"].tolist(), is_960.tolist(), strict=True):
        files = ["ABCDEFGH"[rook & 7] for rook in rooks]
        letters = [*files[:2], *map(str.lower, files[2:])] if by_file else "KQkq"
        rights += (
            "".join(letters[right] for right in range(4) if bits >> right & 1) or "-"
            for bits in range(16)
        )
    fields = (np.repeat(start_of_game, lengths) * 16 + boards["castling"], ep, halfmoves, number)
    return [
        f"{placement} {'wb'[side]} {rights[castling]} {_SQUARES[square]} {half} {full}"
        for placement, side, castling, square, half, full in zip(
            _placements(boards),
            boards["side"].tolist(),
            *map(np.ndarray.tolist, fields),
            strict=True,
        )
    ]


def _placements(boards: npt.NDArray[np.void]) -> list[str]:
    """The first fields."""
    kinds = 6 * _squares(boards["by_colour"][:, 1])
    for kind in range(6):
        kinds += _squares(boards["by_type"][:, kind]) * (kind + 1)
    text = np.full((len(boards), 8, 9), ord("/"), dtype=np.uint8)
    text[:, :, :8] = _PIECES[kinds].reshape(-1, 8, 8)[:, ::-1]
    text[:, 7, 8] = ord("\n")
    is_kept = text > 0
    is_kept[:, :, :8] |= text[:, :, 1:] > 0  # the last of some empty squares, which counts them
    count = np.zeros(text.shape[:2], dtype=np.uint8)
    for file in range(8):
        count = (count + 1) * (text[:, :, file] == 0)
        text[:, :, file] += np.where(count, count + ord("0"), 0).astype(np.uint8)
    return text[is_kept].tobytes().decode().splitlines()


def _squares(bitboards: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """1 for each square of the set, in uint8[n, 64]."""
    octets = np.ascontiguousarray(bitboards, "<u8").view(np.uint8)
    return np.unpackbits(octets, bitorder="little").reshape(-1, 64)
