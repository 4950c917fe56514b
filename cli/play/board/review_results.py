"""The results of a review, as a game keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from boomslang.engine.analysis.assessment import GameReport
    from boomslang.engine.analysis.segment import Evaluations

_NUMBERS: Final = count(1)


@dataclass(eq=False)
class Review:
    """The results of a review. They are kept with the game, so that it goes on where it was stopped."""

    results: dict[str, Evaluations] = field(default_factory=dict)
    is_wanted: bool = True
    done: int = 0  # positions
    total: int = 0
    report: GameReport | None = None
    page: dict[str, Any] | None = None  # the report as data for the page, when it is ready
    number: int = field(default_factory=lambda: next(_NUMBERS))
