"""The moves on which two engines disagree most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boomslang.engine.analysis.assessment import GameReport, MoveReport
from boomslang.engine.analysis.win_percent import TOLERANCE

_MAX_MOVES: Final = 8  # for each game


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A move that loses winning chances by one engine, and fewer or none by the other."""

    first: MoveReport
    second: MoveReport

    @property
    def size(self) -> float:
        """The difference of the losses, in per cent of winning chances."""
        return abs(self.first.chance_loss - self.second.chance_loss)


def find_disagreements(report: GameReport) -> list[Disagreement]:
    """The moves of a game whose losses differ most, by 5 % of winning chances at least, the largest first.

    Both engines are judged by the same rule, see `GameReport.second`.
    """
    if not report.second:
        return []
    pairs = zip(report.moves, report.second.moves, strict=True)
    disagreements = [Disagreement(first, second) for first, second in pairs if first and second]
    disagreements.sort(key=lambda each: (-each.size, each.first.ply))
    return [each for each in disagreements[:_MAX_MOVES] if each.size >= TOLERANCE]
