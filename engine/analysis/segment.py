"""Consecutive positions of a game searched together: the unit of work of an analysis.

A segment is searched backwards, and the transposition table is kept from one position to the previous one. So
the search of a position knows what the search after the move played has found, and the two agree. Where they
do not, both are searched again with twice the nodes each time, until they agree or 16 times the nodes are
spent. A move about to be judged for a small loss is confirmed by half of the nodes more, unless other
searches have found it bad before. A decided position needs fewer: a quarter if a mate is found, half of
them with a lead of 8 pawns, which is 95 % of the winning chances.

A segment begins with an empty table. So with a limit of nodes or depth and one thread its result depends only
on its positions and the settings, not on the order of the work, the number of processes or an interruption.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from typing import Final

import chess
from chess.engine import Score

from boomslang.core.system.installation import fingerprint
from boomslang.engine.analysis.win_percent import (
    clip_score,
    contradicts,
    is_barely_blamed,
    judged_score,
    scores_around,
    win_chance,
)
from boomslang.engine.analyst import (
    AnalysedPosition,
    Analyst,
    Evaluation,
    evaluate,
    new_analyst,
)
from boomslang.engine.jobs.run import run
from boomslang.engine.limits import Info, Limits
from boomslang.engine.people.model import LOOKS
from boomslang.engine.search_settings import AnalysisSettings
from boomslang.eval.network.file import load_shipped

_VERSION: Final = 6  # counts changes in how segments are searched
_UNITS: Final = 4  # parts of the limits, in which the effort is counted
_MAX_EFFORT: Final = 16 * _UNITS
_DECIDED: Final = 800  # centipawns
_KEY_BYTES: Final = 16

Evaluations = tuple[Evaluation, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """The first position, and the moves from there to the last one."""

    first: AnalysedPosition
    moves: tuple[str, ...] = ()
    avoided: str | None = None  # move that is not searched in the first position
    effort: int = 1  # times the limits of the first search
    enough: float | None = None  # winning chances in per cent above which the search may end
    is_blamed: bool = False  # other searches have judged the move
    by_other: bool = False  # searched by the other engine of the settings
    is_look: bool = False  # a first look at all moves, and a short search of them: two evaluations

    def __len__(self) -> int:
        return len(self.moves) + 1

    def boards(self) -> list[chess.Board]:
        """The positions, with what matters of their history."""
        boards = [self.first.board()]
        for move in self.moves:
            board = boards[-1].copy()
            board.push_uci(move)
            boards.append(board)
        return boards

    def key(self, settings: AnalysisSettings) -> str:
        """A hash of everything that its evaluations depend on: positions, settings, sources, network."""
        content = json.dumps(
            [_VERSION, asdict(self), settings.header(), engine_key()], sort_keys=True
        )
        return hashlib.blake2b(content.encode(), digest_size=_KEY_BYTES).hexdigest()


@cache
def engine_key() -> str:
    """A hash of everything in the engine that an evaluation depends on: sources and network."""
    try:
        network = hashlib.sha256(load_shipped().tobytes()).hexdigest()
    except ValueError:  # the classical evaluation is used
        network = ""
    return fingerprint("engine.analysis.segment", network)


def _no_step() -> None:
    pass


def segment_searcher(settings: AnalysisSettings) -> Callable[..., Evaluations]:
    """A function that searches segments; loads the kernels."""
    own = new_analyst(replace(settings, engine=None))
    other = new_analyst(settings) if settings.engine else own
    return lambda segment, step=_no_step: search_segment(
        other if segment.by_other else own, settings, segment, step
    )


_kept_searcher: Final = cache(segment_searcher)


def search_kept(
    settings: AnalysisSettings, segment: Segment, step: Callable[[], None]
) -> Evaluations:
    """The evaluations of a segment, by a searcher that this process keeps for the next one.

    `step` is called after each position.
    """
    return _kept_searcher(settings)(segment, step)


def search_segments(
    tasks: Mapping[str, Segment],
    settings: AnalysisSettings,
    jobs: int = 1,
    cluster: str | None = None,
) -> Generator[tuple[str, Evaluations], None, None]:
    """Search every segment; yields keys and results, in the order of completion.

    Raises JobsError as `engine.jobs.run.run` does. Close it to end early.
    """
    keys, make = list(tasks), partial(segment_searcher, settings)
    for number, evaluations in run(make, tasks.values(), jobs=jobs, cluster=cluster):
        yield keys[number], evaluations


def search_segment(
    analyst: Analyst,
    settings: AnalysisSettings,
    segment: Segment,
    step: Callable[[], None] = _no_step,
) -> Evaluations:
    """The evaluations of a segment's positions, by an analyst that forgets what it knew.

    `step` is called after each position.
    """
    if segment.is_look:
        found = [analyst.analyse(segment.first.board(), limits) for limits in LOOKS]
        step()
        return tuple(Evaluation(tuple(map(_first_move, each.lines)), 0) for each in found)
    return _SegmentSearch(analyst, settings, segment).run(step)


def _first_move(line: Info) -> Info:
    """A line cut to its first move: there are many of them."""
    return Info.of(line.score, line.depth, line.pv[:1], line.wdl)


class _SegmentSearch:
    """The search of one segment. All lists go by position, those about moves by the position before."""

    def __init__(self, analyst: Analyst, settings: AnalysisSettings, segment: Segment) -> None:
        self._analyst = analyst
        self._settings = settings
        self._by_wdl = settings.by_wdl and segment.by_other
        self._moves = segment.moves
        self._avoided = segment.avoided
        self._boards = segment.boards()
        parts = (1, 1, 2) if settings.depth is None else (_UNITS,)
        more = _UNITS * (segment.effort - 1)
        self._enough = segment.enough
        self._first_units = (*parts, more) if segment.enough else (*parts[:-1], parts[-1] + more)
        self._found: list[Evaluation | None] = [None] * len(segment)
        self._spent = [0] * len(segment)  # in units of the limits
        # Moves that two searches have found bad.
        self._confirmed = [segment.is_blamed] * len(segment)

    def run(self, step: Callable[[], None] = _no_step) -> Evaluations:
        """The evaluations of all positions; `step` is called after each of them."""
        for index in reversed(range(len(self._boards))):
            self._search_first(index)
            while (doubtful := self._doubtful(index)) is not None:
                self._check(doubtful)
            step()
        return tuple(evaluation for evaluation in self._found if evaluation)

    def _search_first(self, index: int) -> None:
        """The first search of a position, shorter where it is decided or enough is found."""
        for units in self._first_units:
            self._search(index, units)
            if self._is_decided(index) or self._is_enough(index):
                return

    def _is_enough(self, index: int) -> bool:
        evaluation = self._found[index]
        if evaluation is None or self._enough is None:
            return False
        return win_chance(evaluation.best.score.to_chess()) > self._enough

    def _is_decided(self, index: int) -> bool:
        """True if more nodes would hardly change what a person makes of the position."""
        evaluation = self._found[index]
        if evaluation is None:
            return False
        score = judged_score(evaluation.best, self._by_wdl)
        return score.is_mate() or (self._spent[index] > 1 and abs(clip_score(score)) >= _DECIDED)

    def _search(self, index: int, units: int) -> None:
        board, before = self._boards[index], self._found[index]
        limits = _limits(self._settings, units, self._spent[index] + units)
        if self._avoided:
            others = [move.uci() for move in board.legal_moves if move.uci() != self._avoided]
            limits = replace(limits, search_moves=others or None)
        evaluation = evaluate(self._analyst, board, limits, is_new_game=not any(self._spent))
        if before:
            is_first = self._spent[index] < _UNITS
            choice = evaluation.first_choice if is_first else before.first_choice
            evaluation = replace(
                evaluation, first_choice=choice, nodes=evaluation.nodes + before.nodes
            )
        self._found[index] = evaluation
        self._spent[index] += units

    def _check(self, index: int) -> None:
        """Search the positions before and after a move again: with twice the nodes, or to confirm it."""
        was_blamed = self._is_barely_blamed(index)
        for position in (index + 1, index):
            spent = self._spent[position]
            more = max(spent // 2, 1) if was_blamed else spent
            self._search(position, min(more, _MAX_EFFORT - spent))
        self._confirmed[index] = was_blamed and self._is_barely_blamed(index)

    def _doubtful(self, first: int) -> int | None:
        """The last move from `first` on whose two evaluations do not agree yet."""
        for index in reversed(range(first, len(self._boards) - 1)):
            is_open = max(self._spent[index : index + 2]) < _MAX_EFFORT
            if is_open and self._is_doubtful(index):
                return index
        return None

    def _is_doubtful(self, index: int) -> bool:
        if contradicts(*self._find_around(index)):
            return True
        return self._is_barely_blamed(index) and not self._confirmed[index]

    def _is_barely_blamed(self, index: int) -> bool:
        return is_barely_blamed(*self._find_around(index), self._settings.thresholds)

    def _find_around(self, index: int) -> tuple[Score, Score, bool]:
        """The scores before and after a move from the mover's view, and if it is the best one."""
        before, after = self._found[index], self._found[index + 1]
        if before is None or after is None:
            raise RuntimeError("a move between positions that have not been searched")
        return *scores_around(before, after, self._by_wdl), before.is_choice(self._moves[index])


def _limits(settings: AnalysisSettings, units: int, total: int) -> Limits:
    """The limits of a search of that many units of nodes or time; twice the `total` is one ply more."""

    def share(limit: int | None) -> int | None:
        return None if limit is None else max(limit * units // _UNITS, 1)

    depth = None if settings.depth is None else settings.depth + (total // _UNITS).bit_length() - 1
    nodes, movetime = share(settings.nodes), share(settings.movetime)
    return Limits(depth=depth, nodes=nodes, movetime=movetime, multipv=settings.multipv)
