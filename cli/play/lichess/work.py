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
    lines: int
    fen: str
    moves: tuple[str, ...]
    movetime: int  # milliseconds
    depth: int | None
    nodes: int | None

    def board(self) -> chess.Board:
        """The position with its game."""
        board = chess.Board(self.fen, chess960=True)
        for move in self.moves:
            board.push_uci(move)
        return board

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        return Limits(self.depth, self.nodes, self.movetime, multipv=self.lines)

    def describe(self) -> str:
        """The search for people, in a few words."""
        limits = [] if self.depth is None else [f"depth {self.depth}"]
        limits += [] if self.nodes is None else [f"{self.nodes} nodes"]
        if self.movetime < MAX_SEARCH * 1000:
            limits.append(f"{self.movetime / 1000:g} s")
        played = f" and {len(self.moves)} moves" if self.moves else ""
        return (
            f"{self.fen}{played}; {' or '.join(limits) or 'no limit'}; Threads {self.threads}, "
            f"Hash {self.hash_mb}, MultiPV {self.lines}"
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
    _check_variant(work.get("variant", "chess"))
    fen, moves = _read_position(work.get("initialFen", chess.STARTING_FEN), work.get("moves", []))
    movetime = _number(work, "movetime", 1, None)
    depth = _number(work, "depth", 1, None)
    nodes = _number(work, "nodes", 1, None)
    longest = bounds.seconds * 1000
    return WorkRequest(
        session=str(session),
        threads=min(_number(work, "threads", 1, 1) or 1, bounds.threads),
        hash_mb=min(_number(work, "hash", 1, 16) or 16, bounds.hash_mb),
        lines=min(_number(work, "multiPv", 1, 1) or 1, bounds.lines),
        fen=fen,
        moves=moves,
        movetime=longest if movetime is None else min(movetime, longest),
        depth=min((value for value in (depth, bounds.depth) if value is not None), default=None),
        nodes=None if nodes is None else min(nodes, MAX_COUNT),
    )


def _number(work: Mapping[str, Any], name: str, lowest: int, otherwise: int | None) -> int | None:
    """A whole number of the work, or `otherwise` if it is missing; raises WorkError."""
    value = work.get(name)
    if value is None:
        return otherwise
    if isinstance(value, float) and value.is_integer() and abs(value) < _MAX_WHOLE_NUMBER:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < lowest:
        raise WorkError(f"{name} is not a whole number from {lowest} on")
    return value


def _check_variant(variant: object) -> None:
    if not isinstance(variant, str) or variant.lower().replace(" ", "") not in VARIANTS:
        raise WorkError(f"the variant {quote(str(variant))} is not supported")


def _read_position(fen: object, moves: object) -> tuple[str, tuple[str, ...]]:
    """The FEN and the moves as the engine gets them: legal, castling as king takes rook."""
    if not isinstance(fen, str) or len(fen) > _MAX_FEN:
        raise WorkError("initialFen is not a FEN")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise WorkError("moves is not a list of moves")
    if len(moves) > _MAX_MOVES:
        raise WorkError(f"more than {_MAX_MOVES} moves")
    try:
        board = from_fen(fen, chess960=True)
        root = board.fen(shredder=True)
        played = []
        for number, text in enumerate(moves, 1):
            move = read_move(board, text, number)
            played.append(move.uci())
            board.push(move)
    except CommandError as problem:
        raise WorkError(str(problem)) from None
    return root, tuple(played)
