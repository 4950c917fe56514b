"""Work from Lichess: JSON in, one valid search out.

The fields are those of `ExternalEngineWork` in the API of Lichess. Unknown fields are ignored. The position
is read by the same code as any other, so that no text of the server reaches the engine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import chess

from boomslang.cli.play.lichess.provider_settings import MAX_SEARCH, ProviderSettings
from boomslang.core.system.sanitize import quote
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import MAX_COUNT, Limits
from boomslang.engine.notation.position_setup import from_fen, read_move

VARIANTS: Final = frozenset({"chess", "standard", "chess960", "fromposition"})
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,100}")
_MAX_FEN: Final = 200
_MAX_MOVES: Final = 2000
_MAX_WHOLE_NUMBER: Final = 1 << 53  # a whole number in JSON beyond that is none


class WorkError(ValueError):
    """Work that cannot be done; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class WorkRequest:
    """One search, within the bounds of the provider."""

    session: str
    threads: int
    hash_mb: int
    board: chess.Board  # with its game
    limits: Limits

    def describe(self) -> str:
        """The search for people, in a few words."""
        depth, nodes, seconds = (
            self.limits.depth,
            self.limits.nodes,
            (self.limits.movetime or 0) / 1000,
        )
        limits = [] if depth is None else [f"depth {depth}"]
        limits += [] if nodes is None else [f"{nodes} nodes"]
        limits += [f"{seconds:g} s"] if seconds < MAX_SEARCH else []
        moves = len(self.board.move_stack)
        return (
            f"{self.board.root().fen(shredder=True)}{f' and {moves} moves' if moves else ''}; "
            f"{' or '.join(limits) or 'no limit'}; Threads {self.threads}, Hash {self.hash_mb}, "
            f"MultiPV {self.limits.multipv}"
        )


def work_id(data: Any) -> str:
    """The id under which work is answered; raises WorkError."""
    value = data.get("id") if isinstance(data, dict) else None
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise WorkError("the work has no valid id")
    return value


def read_work(data: Mapping[str, Any], bounds: ProviderSettings) -> WorkRequest:
    """The search that is wanted, clipped to the bounds; raises WorkError."""
    work = data.get("work")
    if not isinstance(work, dict):
        raise WorkError("the request contains no work")
    session = work.get("sessionId", "")
    if not isinstance(session, str | int):
        raise WorkError("sessionId is not a text")
    variant = work.get("variant", "chess")
    if not isinstance(variant, str) or variant.lower().replace(" ", "") not in VARIANTS:
        raise WorkError(f"the variant {quote(str(variant))} is not supported")

    def number(name: str, otherwise: int | None, most: int | None) -> int | None:
        """A whole number of the work, at most `most`, or `otherwise` if it is missing."""
        value = work.get(name)
        if isinstance(value, float) and value.is_integer() and abs(value) < _MAX_WHOLE_NUMBER:
            value = int(value)
        elif value is None:
            value = otherwise
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise WorkError(f"{name} is not a whole number from 1 on")
        return value if most is None else min(value, most)

    longest = bounds.seconds * 1000
    return WorkRequest(
        session=str(session),
        threads=number("threads", 1, bounds.threads) or 1,
        hash_mb=number("hash", 16, bounds.hash_mb) or 16,
        board=_read_board(work.get("initialFen", chess.STARTING_FEN), work.get("moves", [])),
        limits=Limits(
            depth=number("depth", bounds.depth, bounds.depth),
            nodes=number("nodes", None, MAX_COUNT),
            movetime=number("movetime", longest, longest),
            multipv=number("multiPv", 1, bounds.lines) or 1,
        ),
    )


def _read_board(fen: object, moves: object) -> chess.Board:
    """The position with its game, in which castling is king takes rook; raises WorkError."""
    if not isinstance(fen, str) or len(fen) > _MAX_FEN:
        raise WorkError("initialFen is not a FEN")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise WorkError("moves is not a list of moves")
    if len(moves) > _MAX_MOVES:
        raise WorkError(f"more than {_MAX_MOVES} moves")
    try:
        board = from_fen(fen, chess960=True)
        for number, text in enumerate(moves, 1):
            board.push(read_move(board, text, number))
    except CommandError as problem:
        raise WorkError(str(problem)) from None
    return board
