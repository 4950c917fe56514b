"""Static evaluations of many positions at once: one kernel call for thousands of lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import NO_SCORE, I, U
from boomslang.core.board.fen import NOT_UNDERSTOOD, read_fen, text_t
from boomslang.core.jit.jit import kernel, types, void
from boomslang.engine import bridge
from boomslang.engine.driver.evaluation_options import EvaluationOptions
from boomslang.engine.search.evaluation import evaluate
from boomslang.engine.search.state import SearchState, search_t
from boomslang.eval.network.file import read

_numbers_t: Any = types.int64[::1]
_END_OF_LINE: Final = U(ord("\n"))


@kernel(void(search_t, text_t, _numbers_t, _numbers_t))
def evaluate_lines(search: SearchState, text: Any, scores: Any, ends: Any) -> None:
    """Evaluate the position at the beginning of each line of `text`, in place.

    `ends` gets where the position ends in its line or NOT_UNDERSTOOD, see `read_fen`; `scores` its
    evaluation, centipawns for the side to move, or NO_SCORE in check and where it is not understood.
    Each line ends with a line feed. Position 0 of `search` is overwritten.
    """
    place = I(0)
    for number in range(scores.size):
        begin = place
        while U(text[U(place)]) != _END_OF_LINE:
            place += I(1)
        position = search.position[U(0)]
        end = read_fen(search.rules, text, begin, place, position)
        ends[U(number)] = end - begin if end >= I(0) else NOT_UNDERSTOOD
        judged = end >= I(0) and position.checkers == U(0)
        scores[U(number)] = evaluate(search, I(0)) if judged else NO_SCORE
        place += I(1)


class StaticEvaluator:
    """What evaluates; kernels must be loaded."""

    def __init__(self, network: Path | None = None, classical: bool = False) -> None:
        """`network` is a file of one, instead of the one that ships. Raises ValueError if it is none."""
        self._search: Any = bridge.new_search()
        evaluation = EvaluationOptions(self._search)
        if network is not None:
            evaluation.use(read(network.expanduser())[0])
        evaluation.choose("classical" if classical else "network")
        self._evaluation = evaluation  # keeps its network alive

    def lines(self, texts: Sequence[str]) -> tuple[list[int | None], list[int]]:
        """The evaluation of each line, None in check, and where its position ends (-1: not understood).

        A line must not hold a line feed.
        """
        data = "".join(f"{text}\n" for text in texts).encode("utf-8", "replace")
        scores: npt.NDArray[np.int64] = np.empty(len(texts), dtype=np.int64)
        ends = np.empty_like(scores)
        if texts:
            evaluate_lines(self._search, np.frombuffer(bytearray(data), np.uint8), scores, ends)
        nothing = int(NO_SCORE)
        return [None if score == nothing else score for score in scores.tolist()], ends.tolist()

    def board(self, board: chess.Board) -> int | None:
        """The evaluation of a sound position, centipawns for the side to move; None in check."""
        if board.is_check():
            return None
        bridge.set_castling(self._search.rules, board)
        bridge.to_position(self._search.rules, board, self._search.position[0])
        return int(evaluate(self._search, I(0)))
