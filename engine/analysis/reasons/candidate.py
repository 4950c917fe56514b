"""A candidate for a reason, which a search has still to prove, and the words of its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import chess

from boomslang.engine.analysis.reason import Reason
from boomslang.engine.analysis.segment import Evaluations, Segment

SURE: Final = 3  # times the nodes of a search that must overlook no move,
VERY_SURE: Final = 8  # where neither a state nor a threat tells good moves from others
AGAIN: Final = 2  # of one that must confirm another
MOST: Final = 0.6  # share of the loss that is gone without what a reason by ablation names
NEAR: Final = 6.0  # winning chances in per cent that a longer search may change


@dataclass(frozen=True, slots=True)
class ProofQuestion:
    """Positions to search, and whether their evaluations, one argument each, fit the reason."""

    segment: Segment
    fits: Callable[..., bool]


@dataclass(frozen=True, slots=True)
class ReasonCandidate:
    """A reason that is true if the evaluations of all questions, asked in turn, fit it."""

    reason: Reason
    questions: tuple[ProofQuestion, ...] = ()


class ReasonSearch:
    """Proves one reason: `advance` returns the next position to search, or the proved reason."""

    def __init__(self, candidates: Iterator[ReasonCandidate]) -> None:
        self._candidates = candidates
        self._current = next(candidates, None)
        self._fitting = 0  # questions about it whose answers fit

    def advance(self, answer: Callable[[Segment], Evaluations | None]) -> Segment | Reason | None:
        """The proved reason, None if there is none, or the segment of the next question without an answer."""
        while self._current:
            questions = self._current.questions
            if self._fitting == len(questions):
                return self._current.reason
            evaluations = answer(questions[self._fitting].segment)
            if evaluations is None:
                return questions[self._fitting].segment
            if questions[self._fitting].fits(*evaluations):
                self._fitting += 1
            else:
                self._current, self._fitting = next(self._candidates, None), 0
        return None


def is_open(board: chess.Board) -> bool:
    """True if a position that never came about can be searched."""
    return board.is_valid() and not board.is_game_over()


def line_words(
    board: chess.Board, moves: Sequence[chess.Move], remarks: Mapping[int, str] | None = None
) -> str:
    """A line with move numbers, for example "23... Qh2+ 24. Kf1 Qh1#".

    `remarks` follow the moves with these indices.
    """
    after = board.copy(stack=False)
    words: list[str] = []
    is_numbered = True
    for index, move in enumerate(moves):
        if after.turn == chess.WHITE:
            words.append(f"{after.fullmove_number}.")
        elif is_numbered:
            words.append(f"{after.fullmove_number}...")
        remark = (remarks or {}).get(index)
        is_last = index == len(moves) - 1
        ending = f" {remark}{'' if is_last else ','}" if remark else ""
        words.append(f"{after.san(move)}{ending}")
        is_numbered = remark is not None
        after.push(move)
    return " ".join(words)
