"""Replays encoded games: a kernel that turns them into positions.

The moves of a game are untrusted bytes. Whatever they are, the kernel never reads beyond their end or
plays an illegal move; it stops at the first invalid game.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boomslang.core.board.chess960 import ARRAYS, ORDINARY, set_up
from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import MOVE_LIST, POSITION, Position, Rules, new_record, rules_t
from boomslang.core.board.tables import new_rules
from boomslang.core.jit.jit import i64, jit, kernel, record_type, types
from boomslang.engine.learning.data.game_encoding import (
    MAX_SCORE,
    MAX_SIDELINE,
    RANDOM_MOVES,
    SIDELINE,
    PositionFilter,
    is_chosen,
    mark_of,
    traits_of,
)
from boomslang.engine.learning.data.records import (
    CHESS960,
    IN_SIDELINE,
    MAX_TO_COME,
    RANDOM,
    RECORD,
    TO_COME_SHIFT,
    DataRecords,
    pack,
    record_t,
)

# The head of a game, before its moves, little-endian; the checksum covers everything behind it.
HEAD: Final = np.dtype(
    [
        ("crc", "<u4"),  # zlib.crc32 with the number of the game as initial value
        ("length", "<u2"),  # bytes of the moves and scores that follow
        ("plies", "<u2"),  # number of these moves
        ("white", "<u2"),  # number of White's array, see engine.board.chess960
        ("black", "<u2"),
        ("mark", "<u2"),  # game_encoding.mark_of the last position and move
        ("random", "u1"),  # random plies at the beginning, without a score
        ("result", "u1"),  # 0 Black won, 1 draw, 2 White won
    ]
)

_HEAD: Final = I(HEAD.itemsize)
_ARRAYS: Final = U(ARRAYS)

MAX_PLIES: Final = 1024  # per game

_SCALE: Final = 220.0  # centipawns of odds e : 1 in self-play
_SUREST: Final = 0.01  # minimum distance of an expected result from 0 and 1

WORKSPACE: Final = np.dtype(
    [
        ("first_ply", "i8"),  # see game_encoding.PositionFilter
        ("score_below", "i8"),
        ("unwanted", "u8"),
        ("memory", "f8"),  # weight of the score a ply later, 0 to 1
        ("game", "i8"),  # number of the first game in its file
        ("count", "i8"),  # records written so far
        ("place", "i8"),  # index of the next byte
        ("end", "i8"),  # index of the end of the game
        ("score", "i8"),  # the last one
        ("failed", "i8"),  # 1: the current game is invalid
        ("games", "i8"),  # number of valid games
        ("scores", "i8", (MAX_PLIES,)),  # scores in the game, by ply
        ("random_moves", "i8", (MAX_PLIES,)),  # 1: the move played was not the best
        ("position", POSITION),
        ("sideline_position", POSITION),  # at the end of a sideline
        ("result", "u8"),  # result of the game
        ("of_all", "u8"),  # traits common to all its records
        ("moves", MOVE_LIST),
    ],
    align=True,
)
workspace_t: Any = record_type(WORKSPACE)
ReplayWorkspace: TypeAlias = Any  # a record of WORKSPACE
bytes_t: Any = types.uint8[::1]
records_t: Any = types.Array(record_t, 1, "C")


@jit
def _two_bytes(data: Any, place: np.int64) -> np.uint64:
    """An unsigned little-endian number of two bytes."""
    return U(data[U(place)]) | U(data[U(place + I(1))]) << U(8)


@jit
def _next_byte(data: Any, workspace: ReplayWorkspace) -> np.uint64:
    """The next byte of the game; sets `failed`, in place, if there is none."""
    if workspace.place >= workspace.end:
        workspace.failed = I(1)
        return ZERO
    byte = U(data[U(workspace.place)])
    workspace.place += I(1)
    return byte


@jit
def _read_score(data: Any, workspace: ReplayWorkspace) -> None:
    """Read the next score, in place."""
    folded, shift = ZERO, ZERO
    while True:
        byte = _next_byte(data, workspace)
        folded |= (byte & U(127)) << shift
        shift += U(7)
        if byte < U(128) or shift > U(14):
            break
    workspace.score += I(folded >> ONE) ^ -I(folded & ONE)
    if byte >= U(128) or abs(workspace.score) > MAX_SCORE:
        workspace.failed = I(1)


@jit
def _next_move(
    rules: Rules, workspace: ReplayWorkspace, data: Any, position: Position
) -> np.uint64:
    """Read the next move of a POSITION; sets `failed`, in place, if invalid. Fills `workspace.moves`."""
    generate(rules, position, workspace.moves)
    index = _next_byte(data, workspace)
    if index >= workspace.moves.count:
        workspace.failed = I(1)
        return ZERO
    return U(workspace.moves.move[index])


@jit
def _keep(
    workspace: ReplayWorkspace,
    records: DataRecords,
    position: Position,
    ply: np.int64,
    move: np.uint64,
    more: np.uint64,
) -> None:
    """Make a record of a POSITION with the last score, in place, if selected; `more` are known traits."""
    traits = U(workspace.of_all) | more | traits_of(position, move)
    score = workspace.score
    chosen = is_chosen(
        traits, ply, score, workspace.first_ply, workspace.score_below, workspace.unwanted
    )
    if not chosen:
        return
    if workspace.count >= records.size:
        workspace.failed = I(1)
        return
    record = records[U(workspace.count)]
    pack(position, record)
    record.game = workspace.game + workspace.games
    record.score = score
    record.ply = ply
    record.move = move
    record.result = workspace.result
    record.traits = traits
    workspace.count += I(1)


@jit
def _read_sideline(
    rules: Rules,
    workspace: ReplayWorkspace,
    data: Any,
    records: DataRecords,
    ply: np.int64,
) -> None:
    """Read a sideline, if one comes next, and keep the position at its end, in place."""
    if workspace.place >= workspace.end or U(data[U(workspace.place)]) != SIDELINE:
        return
    workspace.place += I(1)
    steps = _next_byte(data, workspace)
    if steps == ZERO or steps > U(MAX_SIDELINE):
        workspace.failed = I(1)
        return
    workspace.sideline_position = workspace.position
    for _ in range(steps):
        move = _next_move(rules, workspace, data, workspace.sideline_position)
        if workspace.failed:
            return
        make_move(rules, workspace.sideline_position, move)
    best = _next_move(rules, workspace, data, workspace.sideline_position)
    before = workspace.score
    _read_score(data, workspace)
    if not workspace.failed:
        _keep(workspace, records, workspace.sideline_position, ply, best, IN_SIDELINE)
    workspace.score = before


@jit
def _play(
    rules: Rules,
    workspace: ReplayWorkspace,
    data: Any,
    start: np.int64,
    records: DataRecords,
) -> None:
    """Play the game whose head is at `start`, in place; sets `failed` if it is invalid."""
    # 1. The head.
    length = I(_two_bytes(data, start + I(4)))
    plies = I(_two_bytes(data, start + I(6)))
    white, black = _two_bytes(data, start + I(8)), _two_bytes(data, start + I(10))
    mark = _two_bytes(data, start + I(12))
    random, result = I(data[U(start + I(14))]), U(data[U(start + I(15))])
    workspace.result = result
    workspace.place = start + _HEAD
    workspace.end = workspace.place + length
    workspace.score = I(0)
    wrong = white >= _ARRAYS or black >= _ARRAYS or result > U(2) or plies > I(MAX_PLIES)
    if wrong or workspace.end > data.size:
        workspace.failed = I(1)
        return
    first = workspace.count
    position, moves = workspace.position, workspace.moves
    set_up(rules, position, white, black)
    workspace.of_all = ZERO if white == ORDINARY and black == ORDINARY else CHESS960

    # 2. The moves; each selected one becomes a record of the position before it.
    last = ZERO
    for ply in range(plies):
        generate(rules, position, moves)
        index = _next_byte(data, workspace)
        random_moves = index == RANDOM_MOVES
        if random_moves:
            index = _next_byte(data, workspace)
        if index >= moves.count:
            workspace.failed = I(1)
            return
        move = U(moves.move[index])
        traits = RANDOM if ply < random else ZERO
        if ply >= random:
            _read_score(data, workspace)
            last = mark_of(position, move)
        played = _next_byte(data, workspace) if random_moves else index
        if played >= moves.count:
            workspace.failed = I(1)
        if workspace.failed:
            return
        workspace.scores[U(ply)] = workspace.score
        workspace.random_moves[U(ply)] = I(random_moves)
        following = U(moves.move[played])
        _keep(workspace, records, position, I(ply), move, traits)
        if ply >= random:
            _read_sideline(rules, workspace, data, records, I(ply))
        if workspace.failed:
            return
        make_move(rules, position, following)

    # 3. Check that the encoding ends here.
    if workspace.place != workspace.end or last != mark:
        workspace.failed = I(1)
        return
    _count_random_moves(workspace, records, first, plies)
    if workspace.memory > 0.0:
        _look_ahead(workspace, records, first, random, plies, result)


@jit
def _count_random_moves(
    workspace: ReplayWorkspace, records: DataRecords, first: np.int64, end: np.int64
) -> None:
    """Set the number of later random moves in a game's records, in place, without those of the opening."""
    to_come = ZERO
    number = workspace.count
    for back in range(end):
        ply = end - I(1) - back
        if workspace.random_moves[U(ply)]:
            to_come = min(to_come + ONE, MAX_TO_COME)
        while number > first and I(records[U(number - I(1))].ply) == ply:
            number -= I(1)
            traits = U(records[U(number)].traits)
            records[U(number)].traits = traits | to_come << TO_COME_SHIFT


@jit
def _look_ahead(
    workspace: ReplayWorkspace,
    records: DataRecords,
    first: np.int64,
    begin: np.int64,
    end: np.int64,
    result: np.uint64,
) -> None:
    """Blend later scores of the game into the scores of its records, in place.

    The expected result of a ply is a mean of its own score and all later ones with decreasing weights, and of
    the game's result (the lambda-return of temporal differences, Sutton 1988). Scores behind a random move do
    not count.
    """
    expected = min(max(float(result) / 2.0, _SUREST), 1.0 - _SUREST)
    number = workspace.count
    for back in range(end - begin):
        ply = end - I(1) - back
        own = 1.0 / (1.0 + math.exp(-float(workspace.scores[U(ply)]) / _SCALE))
        memory = 0.0 if workspace.random_moves[U(ply)] else workspace.memory
        expected = own + memory * (expected - own)
        while number > first and I(records[U(number - I(1))].ply) == ply:
            number -= I(1)
            if U(records[U(number)].traits) & IN_SIDELINE:
                continue  # the game did not continue from it
            records[U(number)].score = I(_SCALE * math.log(expected / (1.0 - expected)))


@kernel(i64(rules_t, workspace_t, bytes_t, bytes_t, records_t))
def replay(
    rules: Rules,
    workspace: ReplayWorkspace,
    data: Any,
    wanted: Any,
    records: DataRecords,
) -> np.int64:
    """Play the games in `data` and fill `records`, in place; returns the number of valid games.

    `wanted` is uint8[::1], one number per game, 0 to skip it. `workspace` has the filter, and at the end the
    number of records.
    """
    workspace.games = I(0)
    workspace.count = I(0)
    workspace.failed = I(0)
    start = I(0)
    for number in range(wanted.size):
        if start + _HEAD > data.size:
            break
        before = workspace.count
        if wanted[U(number)]:
            _play(rules, workspace, data, start, records)
        if workspace.failed:
            workspace.count = before
            break
        start += _HEAD + I(_two_bytes(data, start + I(4)))
        workspace.games += I(1)
    return workspace.games


class Replay:
    """Replays games, with the workspace of the kernel; kernels must be loaded."""

    def __init__(self, position_filter: PositionFilter) -> None:
        self._rules = new_rules()  # not shared: each game sets its castling squares
        self._workspace: Any = new_record(WORKSPACE)
        self._workspace.first_ply = position_filter.first_ply
        self._workspace.score_below = position_filter.score_below
        self._workspace.unwanted = position_filter.unwanted
        self._workspace.memory = (
            0.5 ** (1.0 / position_filter.half_life) if position_filter.half_life else 0.0
        )

    def play(
        self, data: bytes, game: int, plies: int, wanted: npt.NDArray[np.uint8]
    ) -> tuple[npt.NDArray[np.void], int]:
        """The selected positions of games with `plies` plies in total, as RECORDs; the number of valid games.

        The first game has the number `game`; `wanted` has a number for each, 0 to skip it.
        """
        self._workspace.game = game
        records = np.zeros(2 * plies, dtype=RECORD)  # with a sideline behind each
        encoded = np.frombuffer(data, dtype=np.uint8).copy()
        games = replay(self._rules, self._workspace, encoded, wanted, records.view(np.recarray))
        return records[: int(self._workspace.count)].copy(), int(games)
