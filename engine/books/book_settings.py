"""What goes into a book, as `boomslang book build` takes it."""

from __future__ import annotations

from dataclasses import dataclass

from boomslang.engine.settings import Settings, number, setting, whole


@dataclass(frozen=True, kw_only=True)
class BookSettings(Settings):
    """Which games and moves go into a book."""

    # fmt: off
    plies: int = setting(whole(1, 10**6), "maximum number of plies per game", "N", 40)
    min_games: int = setting(whole(1, 10**6), "minimum number of games with a move", "N", 2)
    min_score: float = setting(
        number(0, 100), "minimum score of a move in per cent; moves that scored nothing are never used", "P",
        0.0)
    min_rating: int = setting(
        whole(0, 99_999), "minimum rating of both players; a missing one counts as 0", "E", 0)
    # fmt: on
