"""The work that the analysis of a game takes, and its report when the work is done.

A loop to a fixed point: ask `AnalysisPlan.tasks` what is missing, search it, ask again, until nothing is.
All that counts is which results are there, so an analysis that was broken off resumes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import chess
import chess.pgn

from boomslang.engine.analysis.assessment import (
    GameReport,
    MoveReport,
    assess,
    move_report,
    with_reasons,
)
from boomslang.engine.analysis.comparison import is_only, may_be_compared, peers_of, readings_of
from boomslang.engine.analysis.peers import Peers
from boomslang.engine.analysis.people_moves import is_available, values_in
from boomslang.engine.analysis.performance import Reading
from boomslang.engine.analysis.reason import Reason
from boomslang.engine.analysis.reasons.candidate import ReasonSearch
from boomslang.engine.analysis.reasons.choice import candidates
from boomslang.engine.analysis.segment import Evaluations, Segment
from boomslang.engine.analysis.win_percent import (
    contradicts,
    is_barely_blamed,
    judged_score,
    scores_around,
    win_chance,
)
from boomslang.engine.analyst import AnalysedPosition, Evaluation, finished_evaluation
from boomslang.engine.notation.pgn import InputGame
from boomslang.engine.notation.validity import why_invalid
from boomslang.engine.search_settings import AnalysisSettings

# Positions of a segment: enough work for many processors, and little to lose.
MAX_POSITIONS: Final = 8
_LAST_MOVES: Final = 3  # that people look at
_MAX_LINE: Final = 9  # plies of a reason, from the reply on


class AnalysisPlan:
    """The segments of a game's main line, and the moves between two of them."""

    def __init__(
        self,
        game: chess.pgn.Game,
        settings: AnalysisSettings,
        analysable: bool = True,
        source: InputGame | None = None,
        file: str = "",
        second: AnalysisPlan | None = None,
        repertoire: str = "",
    ) -> None:
        """`second` is the same game by a second engine; its results must be there first."""
        self.game = game
        self.source = source
        self.settings = settings
        self.second = second
        self.is_second = False
        if second:
            second.is_second = True
        self._repertoire = repertoire
        self._file = file
        self._moves = [move.uci() for move in game.mainline_moves()]
        self._known: dict[int, Evaluation] = {}
        self._segments: dict[int, Segment] = {}  # by first position
        self._boundaries: dict[
            int, Segment
        ] = {}  # the two positions around a move between two segments
        self._searches: dict[int, ReasonSearch] = {}  # for reasons, by ply
        self._peers: dict[tuple[int, bool], Peers] = {}  # by ply, and before a search
        self._readings: tuple[Reading | None, Reading | None] | None = None  # White's, Black's
        self._is_analysable = analysable
        if analysable:
            self._divide()

    def _divide(self) -> None:
        """Divide the positions that can be searched into segments of about the same length."""
        boards = list(_boards(self.game))
        runs: list[list[int]] = [[]]
        for index, board in enumerate(boards):
            over = finished_evaluation(board, final=index == len(self._moves))
            if over:
                self._known[index] = over
            is_open = not over and not why_invalid(board)  # one after a null move may be invalid
            is_next = is_open and runs[-1] and index and chess.Move.from_uci(self._moves[index - 1])
            if not is_next:
                runs.append([])
            if is_open:
                runs[-1].append(index)
        for run in filter(None, runs):
            count = -(-len(run) // MAX_POSITIONS)
            ends = [len(run) * part // count for part in range(count + 1)]
            for start, end in itertools.pairwise(ends):
                self._segments[run[start]] = self._segment(boards, run[start], run[end - 1])
                if start:
                    self._boundaries[run[start] - 1] = self._segment(
                        boards, run[start] - 1, run[start]
                    )

    def _segment(self, boards: Sequence[chess.Board], first: int, last: int) -> Segment:
        moves = tuple(self._moves[first:last])
        by_other = self.settings.engine is not None
        return Segment(AnalysedPosition.of(boards[first]), moves, by_other=by_other)

    def tasks(self, results: Mapping[str, Evaluations]) -> dict[str, Segment]:
        """The segments that can be searched now, by key; none when the analysis is complete."""
        if not self._is_analysable:
            return {}
        evaluations, missing = self._evaluate(results)
        if missing or self.is_second:
            return missing
        report = self._assess(evaluations)
        return self._reasons(report, results)[1] | self._compare(report, results)[1]

    def evaluations(self, results: Mapping[str, Evaluations]) -> list[Evaluation | None]:
        """Those of the positions, as far as they are known; none for a game that is not analysable."""
        return self._evaluate(results)[0] if self._is_analysable else []

    def report(self, results: Mapping[str, Evaluations]) -> GameReport:
        """The report of the game, when all results are there."""
        report = self._assess(self.evaluations(results))
        if not self._is_analysable:
            return report
        report = self._compare(report, results)[0]
        if self.second:
            positions = tuple(self.second.evaluations(results))
            rules = report.by_wdl, self.settings.thresholds
            report = replace(report, second=assess(self.game, positions, None, "", *rules))
        return with_reasons(report, self._reasons(report, results)[0])

    def _assess(self, positions: Sequence[Evaluation | None]) -> GameReport:
        """The report without reasons."""
        rules = self.settings.by_wdl, self.settings.thresholds
        report = assess(self.game, tuple(positions), self.source, self._file, *rules)
        return replace(report, repertoire=self._repertoire)

    def _reasons(
        self, report: GameReport, results: Mapping[str, Evaluations]
    ) -> tuple[dict[int, Reason], dict[str, Segment]]:
        """The proved reasons by ply, and the next question about each move that waits for an answer."""
        reasons: dict[int, Reason] = {}
        missing: dict[str, Segment] = {}
        boards = list(_boards(self.game))
        for move in report.moves:
            if not (move and move.judgement):
                continue
            if move.ply not in self._searches:
                own = self._own_report(move, boards[move.ply], results)
                if isinstance(own, Segment):
                    missing[own.key(self.settings)] = own
                    continue
                found_candidates = candidates(own, boards[move.ply]) if own else iter(())
                self._searches[move.ply] = ReasonSearch(found_candidates)
            later = slice(move.ply + 2, move.ply + 2 + _MAX_LINE)
            played = list(zip(boards[later], report.positions[later], strict=True))
            step = self._searches[move.ply].advance(partial(self._answer, results, played))
            if isinstance(step, Segment):
                missing[step.key(self.settings)] = step
            elif step:
                reasons[move.ply] = step
        return reasons, missing

    def _compare(
        self, report: GameReport, results: Mapping[str, Evaluations]
    ) -> tuple[GameReport, dict[str, Segment]]:
        """The report with what the players' peers do, and what has to be searched for that."""
        if not is_available():
            return report, {}
        self._readings = self._readings or readings_of(report)
        white, black = self._readings
        report = replace(
            report,
            white=replace(report.white, reading=white),
            black=replace(report.black, reading=black),
        )
        moves, missing = list(report.moves), dict[str, Segment]()
        boards = list(_boards(self.game))
        for number, move in enumerate(report.moves):
            if move and may_be_compared(move):
                compared = self._compare_move(report, move, boards[move.ply], results)
                if isinstance(compared, Segment):
                    missing[compared.key(self.settings)] = compared
                else:
                    moves[number] = compared
        return replace(report, moves=tuple(moves)), missing

    def _compare_move(
        self,
        report: GameReport,
        move: MoveReport,
        board: chess.Board,
        results: Mapping[str, Evaluations],
    ) -> MoveReport | Segment:
        """A judged or a great move with what its player's peers do, or the next search for that."""
        if not (move.judgement or self._peers_at(report, move, board).merit):
            return move
        position = AnalysedPosition.of(board)
        look = Segment(position, is_look=True)
        if (looks := results.get(look.key(self.settings))) is None:
            return look
        peers = self._peers_at(report, move, board, looks)
        if move.judgement:
            return replace(move, peers=peers)
        if not peers.merit or len(looks[-1].lines) < 2:
            return move
        by_other = self.settings.engine is not None
        rest = Segment(position, avoided=move.move.uci(), by_other=by_other)
        if (others := results.get(rest.key(self.settings))) is None:
            return rest
        other = win_chance(judged_score(others[0].best, report.by_wdl))
        return replace(move, peers=peers, merit=peers.merit) if is_only(move, other) else move

    def _peers_at(
        self,
        report: GameReport,
        move: MoveReport,
        board: chess.Board,
        looks: Evaluations | None = None,
    ) -> Peers:
        """What the mover's peers do, by a search of all moves or before there is one."""
        key = move.ply, looks is None
        if key not in self._peers:
            values = values_in(looks) if looks else None
            self._peers[key] = peers_of(report, move, board, values)
        return self._peers[key]

    def _own_report(
        self, move: MoveReport, history: chess.Board, results: Mapping[str, Evaluations]
    ) -> MoveReport | Segment | None:
        """The move as this engine judges it, with the lines of the report; None if it is no mistake to it.

        Or what has to be searched first. So scores of another engine are compared with none of these.
        """
        if not self.settings.engine:
            return move
        over = self._known.get(move.ply + 1)
        pair = Segment(AnalysedPosition.of(history), () if over else (move.move.uci(),))
        evaluations = results.get(pair.key(self.settings))
        if evaluations is None:
            return pair
        pair_found = evaluations[0], over or evaluations[1]
        rules = False, self.settings.thresholds
        own = move_report(move.ply, move.board, move.move, *pair_found, *rules)
        if not own.judgement:
            return None
        return replace(own, before=move.before, after=move.after)

    def _answer(
        self,
        results: Mapping[str, Evaluations],
        played: Sequence[tuple[chess.Board, Evaluation | None]],
        task: Segment,
    ) -> Evaluations | None:
        """The evaluations of a segment: of one position from `played`, if it came in the game, or searched.

        What another engine has found in the game proves nothing.
        """
        if task == Segment(task.first) and not self.settings.engine:
            for board, evaluation in played:
                if evaluation and AnalysedPosition.of(board) == task.first:
                    return (evaluation,)
        return results.get(task.key(self.settings))

    def _evaluate(
        self, results: Mapping[str, Evaluations]
    ) -> tuple[list[Evaluation | None], dict[str, Segment]]:
        """The evaluations of the positions, and what is still to be searched for them."""
        evaluations: list[Evaluation | None] = [None] * (len(self._moves) + 1)
        for index, over in self._known.items():
            evaluations[index] = over
        if missing := self._take(self._segments, results, evaluations):
            return evaluations, missing
        doubtful = {
            index: boundary
            for index in self._boundaries
            if (boundary := self._doubtful_boundary(evaluations, index))
        }
        return evaluations, self._take(doubtful, results, evaluations)

    def _take(
        self,
        segments: Mapping[int, Segment],
        results: Mapping[str, Evaluations],
        found: list[Evaluation | None],
    ) -> dict[str, Segment]:
        """Take over the results of segments; returns those without one."""
        missing: dict[str, Segment] = {}
        for first, segment in segments.items():
            key = segment.key(self.settings)
            if key not in results:
                missing[key] = segment
                continue
            for index, evaluation in enumerate(results[key], start=first):
                before = found[index]
                first_choice = before.first_choice if before else evaluation.first_choice
                found[index] = replace(evaluation, first_choice=first_choice)
        return missing

    def _doubtful_boundary(self, found: Sequence[Evaluation | None], index: int) -> Segment | None:
        """The positions around a move between two segments that disagree about it, or barely blame it."""
        before, after = found[index], found[index + 1]
        if before is None or after is None:
            return None
        scores = scores_around(before, after, self.settings.by_wdl)
        is_best = before.is_choice(self._moves[index])
        blamed = is_barely_blamed(*scores, is_best, self.settings.thresholds)
        if blamed or contradicts(*scores, is_best):
            return replace(self._boundaries[index], is_blamed=blamed)
        return None


class Reports:
    """The reports of all games, each made on demand, since it is many times as large as the game."""

    def __init__(self, plans: Sequence[AnalysisPlan], results: Mapping[str, Evaluations]) -> None:
        self._plans = plans
        self._results = results

    @property
    def settings(self) -> list[AnalysisSettings]:
        """Those of the searches by each engine; the same for all games."""
        plan = self._plans[0]
        return [plan.settings, *([plan.second.settings] if plan.second else [])]

    def __len__(self) -> int:
        return len(self._plans)

    def __iter__(self) -> Iterator[GameReport]:
        return (plan.report(self._results) for plan in self._plans)


def _boards(game: chess.pgn.Game) -> Iterator[chess.Board]:
    """The position before each move of the main line, and the last one, with what matters of its history."""
    board = game.board()
    yield board.copy()
    for move in game.mainline_moves():
        board.push(move)
        yield board.copy(stack=max(board.halfmove_clock, _LAST_MOVES))
