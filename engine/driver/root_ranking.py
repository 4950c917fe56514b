"""Root moves ranked by tablebases: which to search, show and play.

Ranks and the fifty-move rule are those of Stockfish (`root_probe`): all sure wins have one rank, wins that
the rule may take away are ranked by their distance, and likewise losses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import chess

from boomslang.engine.limits import KNOWN_WIN, Info, Limits, Result, Score

# What a move leads to. CURSED wins and BLESSED losses are draws by the fifty-move rule.
WIN, CURSED, DRAW, BLESSED, LOSS = 2, 1, 0, -1, -2

_SURE: Final = 1 << 18  # rank of a win that cannot slip away
_SLOW: Final = 1 << 17  # less the plies, of one that can
FIFTY: Final = 100  # plies
_MATE: Final = 1 << 20  # centipawns, more than any other score
_NEAR_DRAW: Final = 1  # centipawns for a win or loss that the fifty-move rule turns into a draw


@dataclass(frozen=True, slots=True)
class Grade:
    """What a move leads to: WIN ... LOSS, the plies to the next capture or pawn move, and a rank."""

    result: int
    plies: int | None  # None: not known
    rank: int  # higher is better


def grade(distance: int, clock: int, is_rounded: bool, has_repeated: bool, fifty: bool) -> Grade:
    """Grade a move by its distance in plies, the move included; negative: lost, 0: drawn.

    `clock` counts the plies since the last capture or pawn move before it, `is_rounded` distances may
    be a ply longer. If a position `has_repeated` since then, the quickest win counts. `fifty`: that rule
    holds.
    """
    plies = abs(distance)
    if not distance:
        return Grade(DRAW, 0, 0)
    if distance > 0:
        is_sure = plies + clock + is_rounded <= FIFTY
        rank = _SURE if is_sure and not has_repeated else _SLOW - plies - clock
        return Grade(WIN if is_sure or not fifty else CURSED, plies, rank)
    is_lost = plies + clock <= FIFTY
    rank = -_SURE if 2 * plies + clock < FIFTY else plies + clock - _SLOW
    return Grade(LOSS if is_lost or not fifty else BLESSED, plies, rank)


def as_played(known: Grade, value: int) -> Grade:
    """A grade by distance, put right by playing on: the move wins (1), draws (0) or loses (-1).

    What is proved has a rank of its own: moves of the same distance may be worth something else.
    """
    if value:
        return replace(known, result=WIN if value > 0 else LOSS, rank=value * _SLOW)
    slow = _SLOW - 2 * FIFTY - (known.plies or 0)  # behind all wins
    return (
        Grade(CURSED, known.plies, slow) if known.rank > 0 else Grade(BLESSED, known.plies, -slow)
    )


def grade_result(result: int, fifty: bool) -> Grade:
    """Grade a move by its result alone, WIN to LOSS, where there are no distances."""
    if not fifty and result:
        return Grade(WIN if result > 0 else LOSS, None, _SURE if result > 0 else -_SURE)
    ranks = {WIN: _SURE, CURSED: _SURE - FIFTY, DRAW: 0, BLESSED: FIFTY - _SURE, LOSS: -_SURE}
    return Grade(result, None, ranks[result])


class RankedMoves:
    """The moves of `grades` that may be played, and lines about them.

    `moves` are to be searched: those of the best rank, and as many others, the best first, as it takes to
    show `lines` lines. `hits` probes have found that.
    """

    def __init__(self, grades: Mapping[chess.Move, Grade], lines: int, hits: int) -> None:
        self._grades = grades
        self._hits = hits
        ranked = list(self.grades)
        best = [move for move in ranked if grades[move].rank == grades[ranked[0]].rank]
        self.moves = ranked[: max(lines, len(best))]
        self._quickest = ranked[0]

    @property
    def grades(self) -> Mapping[chess.Move, Grade]:
        """The moves with what they lead to, the best first."""
        best_first = sorted(self._grades.items(), key=lambda pair: order(pair[1]), reverse=True)
        return dict(best_first)

    @property
    def result(self) -> int:
        """What the best move leads to, WIN to LOSS."""
        return self._grades[self._quickest].result

    @property
    def has_distances(self) -> bool:
        """True if a win makes progress by the grades alone."""
        return self._grades[self._quickest].plies is not None

    def restrict(self, limits: Limits) -> Limits:
        """The limits of a search of `moves` alone."""
        return replace(limits, search_moves=tuple(move.uci() for move in self.moves))

    def order_lines(self, lines: Iterable[Info]) -> list[Info]:
        """The lines of a search with what the tables know, which is more, and therefore sorted again."""
        known_lines = sorted(
            map(self._correct_score, lines),
            key=lambda line: (_value(line.score), self._rank(line)),
            reverse=True,
        )
        return [replace(line, multipv=number) for number, line in enumerate(known_lines, 1)]

    def _rank(self, line: Info) -> int:
        return self._grades[line.pv[0]].rank if line.pv else 0

    def settle(self, result: Result) -> Result:
        """The result with the move to play: the quickest win that is known, unless the search sees a mate."""
        if result.info is None or result.best is None:
            return result
        info = result.info
        found_grade, quickest = self._grades[result.best], self._grades[self._quickest]
        gets_on = found_grade.rank == quickest.rank and (
            found_grade.result <= DRAW
            or info.score.mate is not None
            or found_grade.plies == quickest.plies
        )
        if gets_on:
            return result
        info = replace(info, score=_score(quickest, info.score), bound="", pv=(self._quickest,))
        return replace(result, best=self._quickest, ponder=None, lines=(info, *result.lines[1:]))

    def _correct_score(self, info: Info) -> Info:
        """A line with the score that its first move deserves."""
        hits = self._hits + info.tbhits
        if not info.pv:
            return replace(info, tbhits=hits)
        return replace(info, tbhits=hits, score=_score(self._grades[info.pv[0]], info.score))


def order(grade: Grade) -> tuple[int, int]:
    """A higher one is better: quick wins and slow losses."""
    plies = grade.plies or 0
    return grade.rank, plies if grade.result < 0 else -plies


def _value(score: Score) -> int:
    """A higher one is better."""
    if score.mate is None:
        return score.centipawns or 0
    return (_MATE if score.mate > 0 else -_MATE) - score.mate


def _score(grade: Grade, searched: Score) -> Score:
    """The score to show: that of the search only if it is a mate for the right side."""
    sign = (grade.result > 0) - (grade.result < 0)
    if not sign:
        return Score(centipawns=0)
    if grade.result in (CURSED, BLESSED):
        return Score(centipawns=sign * _NEAR_DRAW)
    if searched.mate is not None and searched.mate * sign > 0:
        return searched
    return Score(centipawns=sign * (KNOWN_WIN - (grade.plies or 0)))
