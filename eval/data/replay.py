"""Games become positions: a kernel that plays what self-play has written.

The moves of a game are bytes that a file says are right. Whatever they are, the kernel reads nothing
beyond their end and plays nothing illegal; it stops at the first game that makes no sense.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boomslang.engine.core.board.chess960 import ARRAYS, ORDINARY, set_up
from boomslang.engine.core.board.makemove import make_move
from boomslang.engine.core.board.movegen import generate
from boomslang.engine.core.board.position import (
    MOVE_LIST,
    POSITION,
    Position,
    Rules,
    new_record,
    rules_t,
)
from boomslang.engine.core.board.tables import new_rules
from boomslang.engine.core.constants import ONE, ZERO, I, U
from boomslang.engine.core.system.jit import i64, jit, kernel, record_type, types
from boomslang.eval.data.game_encoding import (
    LARGEST_SCORE,
    LONGEST_SIDELINE,
    RANDOM_MOVES,
    SIDELINE,
    PositionFilter,
    is_chosen,
    mark_of,
    traits_of,
)
from boomslang.eval.data.records import (
    CHESS960,
    IN_SIDELINE,
    MOST_TO_COME,
    RANDOM,
    RECORD,
    TO_COME_SHIFT,
    DataRecords,
    pack,
    record_t,
)

# What precedes the moves of a game, little end first; the checksum is that of all that follows it.
HEAD: Final = np.dtype(
    [
        ("crc", "<u4"),  # zlib.crc32, begun with the number of the game
        ("length", "<u2"),  # bytes of the moves and scores that follow
        ("plies", "<u2"),  # of them
        ("white", "<u2"),  # number of White's array, see engine.core.board.chess960
        ("black", "<u2"),
        ("mark", "<u2"),  # plies.mark_of the last position and move
        ("random", "u1"),  # plies at the beginning that were drawn by lot, without a score
        ("result", "u1"),  # 0 Black won, 1 draw, 2 White won
    ]
)

_HEAD: Final = I(HEAD.itemsize)
_ARRAYS: Final = U(ARRAYS)

MOST_PLIES: Final = 1024  # of a game

_SCALE: Final = 220.0  # centipawns that are e : 1 between the engine and itself
_SUREST: Final = 0.01  # nearest to certainty that a result is taken for

ROOM: Final = np.dtype(
    [
        ("first_ply", "i8"),  # see plies.Choice
        ("score_below", "i8"),
        ("unwanted", "u8"),
        ("memory", "f8"),  # how much the score a ply later says of this one, 0 to 1
        ("game", "i8"),  # number of the first game in its file
        ("count", "i8"),  # records written so far
        ("place", "i8"),  # what is read next
        ("end", "i8"),  # of the game
        ("score", "i8"),  # the last one
        ("failed", "i8"),  # 1: the game that is being read makes no sense
        ("games", "i8"),  # that made sense
        ("scores", "i8", (MOST_PLIES,)),  # of the game, by ply
        ("random_moves", "i8", (MOST_PLIES,)),  # 1: the move played was not the best
        ("position", POSITION),
        ("sideline_position", POSITION),  # at the end of a sideline
        ("result", "u8"),  # of the game
        ("of_all", "u8"),  # traits of all its records
        ("moves", MOVE_LIST),
    ],
    align=True,
)
room_t: Any = record_type(ROOM)
ReplayWorkspace: TypeAlias = Any  # a record of ROOM
bytes_t: Any = types.uint8[::1]
records_t: Any = types.Array(record_t, 1, "C")


@jit
def _two_bytes(data: Any, place: np.int64) -> np.uint64:
    """An unsigned number, the low byte first."""
    return U(data[U(place)]) | U(data[U(place + I(1))]) << U(8)


@jit
def _next_byte(data: Any, room: ReplayWorkspace) -> np.uint64:
    """The next byte of the game; a failure, in place, if there is none."""
    if room.place >= room.end:
        room.failed = I(1)
        return ZERO
    byte = U(data[U(room.place)])
    room.place += I(1)
    return byte


@jit
def _read_score(data: Any, room: ReplayWorkspace) -> None:
    """Take over the next score, in place."""
    folded, shift = ZERO, ZERO
    while True:
        byte = _next_byte(data, room)
        folded |= (byte & U(127)) << shift
        shift += U(7)
        if byte < U(128) or shift > U(14):
            break
    room.score += I(folded >> ONE) ^ -I(folded & ONE)
    if byte >= U(128) or abs(room.score) > LARGEST_SCORE:
        room.failed = I(1)


@jit
def _seen_before(seen: Any, key: np.uint64) -> bool:
    """True if the key has been met lately; it is noted, in place. Without room nothing is noted."""
    if seen.size == 0:
        return False
    slot = (key >> U(16)) % U(seen.size)
    known = seen[slot] == key
    seen[slot] = key
    return bool(known)


@jit
def _next_move(rules: Rules, room: ReplayWorkspace, data: Any, position: Position) -> np.uint64:
    """The move of a POSITION that comes next, or a failure, in place; its moves are in `room.moves`."""
    generate(rules, position, room.moves)
    index = _next_byte(data, room)
    if index >= room.moves.count:
        room.failed = I(1)
        return ZERO
    return U(room.moves.move[index])


@jit
def _keep(
    room: ReplayWorkspace,
    seen: Any,
    records: DataRecords,
    position: Position,
    ply: np.int64,
    move: np.uint64,
    more: np.uint64,
) -> None:
    """Make a record of a POSITION with the last score, in place, if it is chosen; `more` traits are known."""
    traits = U(room.of_all) | more | traits_of(position, move)
    score = room.score
    chosen = is_chosen(traits, ply, score, room.first_ply, room.score_below, room.unwanted)
    if not chosen or _seen_before(seen, position.key):
        return
    if room.count >= records.size:
        room.failed = I(1)
        return
    record = records[U(room.count)]
    pack(position, record)
    record.game = room.game + room.games
    record.score = score
    record.ply = ply
    record.move = move
    record.result = room.result
    record.traits = traits
    room.count += I(1)


@jit
def _read_sideline(
    rules: Rules, room: ReplayWorkspace, data: Any, seen: Any, records: DataRecords, ply: np.int64
) -> None:
    """Take over the position at the end of a sideline, in place, if one comes next."""
    if room.place >= room.end or U(data[U(room.place)]) != SIDELINE:
        return
    room.place += I(1)
    steps = _next_byte(data, room)
    if steps == ZERO or steps > U(LONGEST_SIDELINE):
        room.failed = I(1)
        return
    room.sideline_position = room.position
    for _ in range(steps):
        move = _next_move(rules, room, data, room.sideline_position)
        if room.failed:
            return
        make_move(rules, room.sideline_position, move)
    best = _next_move(rules, room, data, room.sideline_position)
    before = room.score
    _read_score(data, room)
    if not room.failed:
        _keep(room, seen, records, room.sideline_position, ply, best, IN_SIDELINE)
    room.score = before


@jit
def _play(
    rules: Rules, room: ReplayWorkspace, data: Any, start: np.int64, seen: Any, records: DataRecords
) -> None:
    """Play the game whose head is at `start`, in place; `failed` says if it makes no sense."""
    # 1. The head.
    length = I(_two_bytes(data, start + I(4)))
    plies = I(_two_bytes(data, start + I(6)))
    white, black = _two_bytes(data, start + I(8)), _two_bytes(data, start + I(10))
    mark = _two_bytes(data, start + I(12))
    random, result = I(data[U(start + I(14))]), U(data[U(start + I(15))])
    room.result = result
    room.place = start + _HEAD
    room.end = room.place + length
    room.score = I(0)
    wrong = white >= _ARRAYS or black >= _ARRAYS or result > U(2) or plies > I(MOST_PLIES)
    if wrong or room.end > data.size:
        room.failed = I(1)
        return
    first = room.count
    position, moves = room.position, room.moves
    set_up(rules, position, white, black)
    room.of_all = ZERO if white == ORDINARY and black == ORDINARY else CHESS960

    # 2. The moves; each that is chosen becomes a record of the position before it.
    last = ZERO
    for ply in range(plies):
        generate(rules, position, moves)
        index = _next_byte(data, room)
        random_moves = index == RANDOM_MOVES
        if random_moves:
            index = _next_byte(data, room)
        if index >= moves.count:
            room.failed = I(1)
            return
        move = U(moves.move[index])
        traits = RANDOM if ply < random else ZERO
        if ply >= random:
            _read_score(data, room)
            last = mark_of(position, move)
        played = _next_byte(data, room) if random_moves else index
        if played >= moves.count:
            room.failed = I(1)
        if room.failed:
            return
        room.scores[U(ply)] = room.score
        room.random_moves[U(ply)] = I(random_moves)
        following = U(moves.move[played])
        _keep(room, seen, records, position, I(ply), move, traits)
        if ply >= random:
            _read_sideline(rules, room, data, seen, records, I(ply))
        if room.failed:
            return
        make_move(rules, position, following)

    # 3. The end is where it should be.
    if room.place != room.end or last != mark:
        room.failed = I(1)
        return
    _count_random_moves(room, records, first, plies)
    if room.memory > 0.0:
        _look_ahead(room, records, first, random, plies, result)


@jit
def _count_random_moves(
    room: ReplayWorkspace, records: DataRecords, first: np.int64, end: np.int64
) -> None:
    """Note in a game's records how many random moves were still to come after the opening, in place."""
    to_come = ZERO
    number = room.count
    for back in range(end):
        ply = end - I(1) - back
        if room.random_moves[U(ply)]:
            to_come = min(to_come + ONE, MOST_TO_COME)
        while number > first and I(records[U(number - I(1))].ply) == ply:
            number -= I(1)
            traits = U(records[U(number)].traits)
            records[U(number)].traits = traits | to_come << TO_COME_SHIFT


@jit
def _look_ahead(
    room: ReplayWorkspace,
    records: DataRecords,
    first: np.int64,
    begin: np.int64,
    end: np.int64,
    result: np.uint64,
) -> None:
    """Let the scores of a game's records say what came of them, in place.

    The expected result of a ply is that of its own score and, the less the later, of all that follow,
    the game's result the last (the lambda-return of temporal differences, Sutton 1988). Where the game
    strays nothing that follows counts.
    """
    expected = min(max(float(result) / 2.0, _SUREST), 1.0 - _SUREST)
    number = room.count
    for back in range(end - begin):
        ply = end - I(1) - back
        own = 1.0 / (1.0 + math.exp(-float(room.scores[U(ply)]) / _SCALE))
        memory = 0.0 if room.random_moves[U(ply)] else room.memory
        expected = own + memory * (expected - own)
        while number > first and I(records[U(number - I(1))].ply) == ply:
            number -= I(1)
            if U(records[U(number)].traits) & IN_SIDELINE:
                continue  # nothing came of it
            records[U(number)].score = I(_SCALE * math.log(expected / (1.0 - expected)))


@kernel(i64(rules_t, room_t, bytes_t, bytes_t, types.uint64[::1], records_t))
def replay(
    rules: Rules, room: ReplayWorkspace, data: Any, wanted: Any, seen: Any, records: DataRecords
) -> np.int64:
    """Play the games in `data`, in place: `records` are filled; returns how many games made sense.

    `wanted` is uint8[::1], one number for each game, 0 to pass over it. A position whose key is found in
    `seen`, uint64[::1], is passed over too; the table may have no place, and then none is. `room` says
    which positions are wanted, and in the end how many there were.
    """
    room.games = I(0)
    room.count = I(0)
    room.failed = I(0)
    start = I(0)
    for number in range(wanted.size):
        if start + _HEAD > data.size:
            break
        before = room.count
        if wanted[U(number)]:
            _play(rules, room, data, start, seen, records)
        if room.failed:
            room.count = before
            break
        start += _HEAD + I(_two_bytes(data, start + I(4)))
        room.games += I(1)
    return room.games


class Replay:
    """What the kernel works with; kernels must be loaded."""

    def __init__(self, position_filter: PositionFilter, remembered: int = 0) -> None:
        """Positions that are among the last `remembered`, about, are passed over."""
        self._rules = new_rules()  # one's own: it learns how each game castles
        self._room: Any = new_record(ROOM)
        self._room.first_ply = position_filter.first_ply
        self._room.score_below = position_filter.score_below
        self._room.unwanted = position_filter.unwanted
        self._room.memory = (
            0.5 ** (1.0 / position_filter.half_life) if position_filter.half_life else 0.0
        )
        self._seen = np.zeros(remembered, dtype=np.uint64)

    def play(
        self, data: bytes, game: int, plies: int, wanted: npt.NDArray[np.uint8]
    ) -> tuple[npt.NDArray[np.void], int]:
        """The chosen positions of games with `plies` altogether, of RECORD, and how many games made sense.

        The first of them has the number `game`; `wanted` has a number for each, 0 to pass over it.
        """
        self._room.game = game
        records = np.zeros(2 * plies, dtype=RECORD)  # a sideline behind each
        heard = np.frombuffer(data, dtype=np.uint8).copy()
        games = replay(
            self._rules, self._room, heard, wanted, self._seen, records.view(np.recarray)
        )
        return records[: int(self._room.count)].copy(), int(games)
