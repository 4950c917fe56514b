"""The names of the players of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import chess.pgn


def player_names(game: chess.pgn.Game) -> tuple[str, str]:
    """The names of White and Black, without surplus blanks; "?" for an unknown one."""
    white, black = (" ".join(game.headers.get(tag, "?").split()) for tag in ("White", "Black"))
    return white, black


def most_frequent(names: Sequence[str]) -> str:
    """The name that stands in most of the games, the first in the alphabet among equals; "" without names."""
    known = Counter(name for name in names if name.strip("?"))
    return min(known, key=lambda name: (-known[name], name), default="")
