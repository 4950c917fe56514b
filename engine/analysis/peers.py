"""What players with the mover's rating do in a position of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GREAT: Final = "great"
BRILLIANT: Final = "brilliant"
_RARE: Final = 0.1  # share of players that find such a move
_MANY, _TELLING, _HARDLY = 0.95, 0.4, 0.01  # shares, from which they are said in other words
_NUMBERS: Final = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
)


@dataclass(frozen=True, slots=True)
class Peers:
    """Shares of the players with a rating, 0 to 1."""

    rating: int
    best: float  # that find the best move
    played: float  # that play the move of the game
    stronger: float  # that find the best move, with a rating 400 higher

    @property
    def merit(self) -> str:
        """What to call the best move, if it was played and any other is much worse."""
        if self.best >= _RARE:
            return ""
        return BRILLIANT if self.stronger < _RARE else GREAT


def share_words(share: float, rating: int, verb: str) -> str:
    """For example "one in six players rated 1300 finds it"."""
    players = f"players rated {rating}"
    if share >= _MANY:
        return f"nearly all {players} {verb} it"
    if share >= _TELLING:
        return f"{_NUMBERS[round(10 * share)]} in ten {players} {verb} it"
    if share < _HARDLY:
        return f"hardly one in a hundred {players} {verb}s it"
    count = round(1 / share)
    return f"one in {_NUMBERS[count] if count < len(_NUMBERS) else count} {players} {verb}s it"
