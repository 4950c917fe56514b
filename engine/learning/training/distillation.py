"""Pretraining by distillation from static evaluations, which score a million positions per second.

A search takes a thousand times as long for a score, so searched positions are too few to learn the basic
values of pieces on squares from scratch. The network learns these first: from positions some random moves
away from games, like those that a search meets all the time and good play avoids. After that it is
trained on the scores of searches.

At first the teacher is the hand-made evaluation. Later it is the mean of that and the network itself:
their errors differ, so the mean is better than either, and the network can learn some of the difference
(as ensembles are distilled into one model, Hinton, Vinyals and Dean 2015).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import BLACK, ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import (
    MOVE_LIST,
    POSITION,
    MoveList,
    Position,
    Rules,
    move_list_t,
    new_record,
    position_t,
    rules_t,
)
from boomslang.core.board.splitmix import STEP, mix
from boomslang.core.board.tables import new_rules
from boomslang.core.jit.jit import i64, jit, kernel, types, void
from boomslang.engine.learning.data.dataset import Dataset, PositionSource, Records
from boomslang.engine.learning.data.records import DECIDED, DataRecords, pack, record_t, unpack
from boomslang.engine.learning.data.shuffle import state_of
from boomslang.eval.classical.evaluate import evaluate
from boomslang.eval.classical.new_evaluator import new_evaluator
from boomslang.eval.classical.terms import Evaluator, evaluator_t
from boomslang.eval.classical.weights import PIECE_SQUARE
from boomslang.eval.network.accumulator import ACCUMULATORS, Accumulators, accumulators_t
from boomslang.eval.network.features import is_known_ending
from boomslang.eval.network.forward import evaluate_afresh
from boomslang.eval.network.shape import NETWORK, Network, network_t

_MAX_MOVES: Final = U(4)
_TRIES: Final = 4  # then the position itself is used
_MAX_SCORE: Final = I(DECIDED)
_WHOLE: Final = I(256)  # shares are in 256ths

records_t: Any = types.Array(record_t, 1, "C")


@jit
def _random_moves(rules: Rules, position: Position, moves: MoveList, seed: np.uint64) -> bool:
    """Play one to four random moves, in place; True if that leads to a position out of check."""
    state = seed
    for _ in range(ONE + seed % _MAX_MOVES):
        state += STEP
        random = mix(state)
        generate(rules, position, moves)
        if moves.count == ZERO:
            return False
        make_move(rules, position, U(moves.move[(random >> U(32)) % moves.count]))
    return bool(position.checkers == ZERO)


@jit
def _opinion(
    rules: Rules,
    evaluator: Evaluator,
    network: Network,
    accumulators: Accumulators,
    position: Position,
    share: np.int64,
) -> np.int64:
    """The teacher's score of a POSITION for the side to move, centipawns; `share` / 256 is the network's."""
    score = evaluate(rules, evaluator, position)
    if share == I(0) or is_known_ending(position):
        return score
    other = evaluate_afresh(network, rules, accumulators, position)
    return (score * (_WHOLE - share) + other * share) // _WHOLE


@kernel(
    void(
        rules_t,
        evaluator_t,
        network_t,
        accumulators_t,
        position_t,
        move_list_t,
        records_t,
        i64,
        i64,
    )
)
def teach(
    rules: Rules,
    evaluator: Evaluator,
    network: Network,
    accumulators: Accumulators,
    position: Position,
    moves: MoveList,
    records: DataRecords,
    share: int,
    seed: int,
) -> None:
    """Replace each RECORD, in place, by a position near it with its score.

    `share` 256ths, 0 to 256, of the score are the network's, the rest the classical evaluation's. Castling
    rights are dropped, so that Chess960 games need no separate RULES.
    """
    state = U(seed)
    for number in range(records.size):
        record = records[U(number)]
        record.castling = 0
        score = _MAX_SCORE
        for attempt in range(_TRIES):
            unpack(rules, record, position)
            state += STEP
            if attempt < _TRIES - 1 and not _random_moves(rules, position, moves, mix(state)):
                continue
            position.halfmoves = 0
            score = _opinion(rules, evaluator, network, accumulators, position, I(share))
            if abs(score) < _MAX_SCORE:
                break
        score = min(max(score, -_MAX_SCORE), _MAX_SCORE)
        pack(position, record)
        record.score = -score if U(position.side) == BLACK else score


class _NearPositions:
    """Positions near those of another source, with the teacher's scores."""

    def __init__(self, source: PositionSource, network: Network, share: float) -> None:
        self._source = source
        self._network = new_record(NETWORK) if network is None else network
        self._share = round(share * int(_WHOLE))
        self._accumulators: Any = new_record(ACCUMULATORS)
        self._rules = new_rules()
        self._rules.psq[:] = PIECE_SQUARE
        self._evaluator = new_evaluator()
        self._position: Any = new_record(POSITION)
        self._moves: Any = new_record(MOVE_LIST)

    def arrays(self, seed: int, number: int) -> Iterator[Records]:
        """See Source."""
        for count, records in enumerate(self._source.arrays(seed, number)):
            yield self.evaluate(records, seed, number, count)

    def evaluate(self, records: Records, *seed: int) -> Records:
        """One position near each of these, in a new array."""
        batch = np.array(records)
        state = int(state_of("lesson", *seed) >> np.uint64(1))
        teach(
            self._rules,
            self._evaluator,
            self._network,
            self._accumulators,
            self._position,
            self._moves,
            batch.view(np.recarray),
            self._share,
            state,
        )
        return batch


def near_positions(data: Dataset, network: Any = None, share: float = 0.0) -> Dataset:
    """The teacher's evaluation of positions near those of `data`; kernels must be loaded.

    The teacher is the classical evaluation, with a `share`, 0 to 1, of a NETWORK record's.
    """
    near = _NearPositions(data.source, network, share)
    return replace(data, source=near, holdout=near.evaluate(data.holdout, 0, 0, 0))
