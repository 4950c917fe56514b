"""Probing a position: its result (WDL), and how far the result is (DTZ).

The stored result of a position in which a capture is best is arbitrary up to that capture's value; this
compresses better. En passant is not in the index at all. So captures are always played out, and the
better of both holds. Positions with castling rights are in no table.

Distances are stored for one side to move. Those of the other take a search of one ply, and those before
a winning capture or pawn move follow from the results.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boomslang.core.board.constants import BLACK, EMPTY, KING, ONE, PAWN, WHITE, ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import EN_PASSANT, Position, Rules, position_t, rules_t
from boomslang.core.jit.instructions import popcount, word_at
from boomslang.core.jit.jit import i64, jit, kernel, u64
from boomslang.engine.tablebases.decoding import DAMAGED, value_at
from boomslang.engine.tablebases.index import find_part, index_of
from boomslang.engine.tablebases.probe_record import UNKNOWN, Probe, probe_t
from boomslang.engine.tablebases.table_records import (
    FLAG_LOSS_PLIES,
    FLAG_MAPPED,
    FLAG_SIDE,
    FLAG_WIDE,
    FLAG_WIN_PLIES,
    SLOTS,
    Tables,
    table_at,
    tables_at,
)

# Results, for the side to move. Cursed wins and blessed losses are draws by the fifty-move rule.
LOSS: Final = I(-2)
WIN: Final = I(2)
_OTHER_SIDE = UNKNOWN + I(1)  # the table has distances for the other side to move
_CURSED_PLIES = I(100)  # more in a distance that the fifty-move rule is in the way of
_NO_MOVE = I(1 << 16)

_WDL_BIT = U(1)  # bit in TABLES.damaged
_DTZ_BIT = U(2)
_SIDE, _MAPPED, _WIDE = U(FLAG_SIDE), U(FLAG_MAPPED), U(FLAG_WIDE)
_WIN_PLIES, _LOSS_PLIES = U(FLAG_WIN_PLIES), U(FLAG_LOSS_PLIES)
_NO_SLOT = U(SLOTS)
_HASH = U(0x9E3779B97F4A7C15)  # 2 ** 64 divided by the golden ratio
_HASH_SHIFT = U(64 - (SLOTS.bit_length() - 1))


@jit(i64(rules_t, probe_t, u64, i64))
def resolve(rules: Rules, probe: Probe, level: np.uint64, pawn_moves: np.int64) -> np.int64:
    """The result of `probe.position[level]` with captures played out, and if so pawn moves.

    `probe.best_is_zeroing` says if one of those is best.
    """
    position = probe.position[level]
    moves = probe.moves[level]
    generate(rules, position, moves)
    best = LOSS
    tried = ZERO
    for number in range(moves.count):
        move = U(moves.move[U(number)])
        if not is_zeroing(position, move) or (
            pawn_moves == I(0) and not is_capture(position, move)
        ):
            continue
        probe.position[level + ONE] = position
        make_move(rules, probe.position[level + ONE], move)
        value = resolve(rules, probe, level + ONE, I(0))
        if value == UNKNOWN:
            return UNKNOWN
        tried += ONE
        best = max(best, -value)
        if best == WIN:
            probe.best_is_zeroing = I(1)
            return WIN
    no_others = tried > ZERO and tried == moves.count
    stored = LOSS if no_others else _read_result(probe, position)
    if stored == UNKNOWN:
        return UNKNOWN
    probe.best_is_zeroing = I(best >= stored and (no_others or best > I(0)))
    return max(best, stored)


@jit
def is_capture(position: Position, move: np.uint64) -> bool:
    """True if a move that is not castling takes something."""
    target = move >> U(6) & U(63)
    return bool(move >> U(14) == EN_PASSANT or U(position.board[target]) != EMPTY)


@jit
def is_zeroing(position: Position, move: np.uint64) -> bool:
    """True if a move that is not castling is a capture or a pawn move."""
    piece = U(position.board[move & U(63)])
    return bool(piece == PAWN or piece == U(6) + PAWN or is_capture(position, move))


@jit
def _before_zeroing(result: np.int64) -> np.int64:
    """The distance of a position whose best move is a capture or pawn move, by its result."""
    sign = I(result > I(0)) - I(result < I(0))
    return sign * (I(1) + (_CURSED_PLIES if abs(result) == I(1) else I(0)))


@jit
def slot_of(tables: Tables, position: Position) -> np.uint64:
    """Where `tables` has the material of a position, or _NO_SLOT."""
    material = ZERO
    for colour in (WHITE, BLACK):
        for piece in range(5):
            pieces = position.by_type[U(piece)] & position.by_colour[colour]
            material |= popcount(pieces) << (U(4) * (U(5) * colour + U(piece)))
    slot = material * _HASH >> _HASH_SHIFT
    for _ in range(SLOTS):
        if tables.material[slot] == material:
            return slot
        if tables.material[slot] == ZERO:
            break
        slot = (slot + ONE) & (_NO_SLOT - ONE)
    return _NO_SLOT


@jit
def _note_damage(probe: Probe, position: Position, bit: np.uint64) -> None:
    """Damage was met in the table of a position."""
    tables = tables_at(probe.tables)
    number = U(tables.number[slot_of(tables, position)])
    tables.damaged[number] = U(tables.damaged[number]) | bit


@jit
def _read_result(probe: Probe, position: Position) -> np.int64:
    """What the WDL table says, LOSS to WIN, or UNKNOWN."""
    if (position.by_colour[WHITE] | position.by_colour[BLACK]) == position.by_type[KING]:
        return I(0)
    tables = tables_at(probe.tables)
    slot = slot_of(tables, position)
    if slot == _NO_SLOT:
        return UNKNOWN
    number = U(tables.number[slot])
    address = tables.wdl[number]
    if address == ZERO:
        tables.wanted[number] = 1
        return UNKNOWN
    table = table_at(address)
    us = U(position.side)
    swapped = us if table.is_symmetric else U(tables.is_swapped[slot])
    part = table.parts[find_part(tables, table, position, swapped, us ^ swapped, probe)]
    value = value_at(part, index_of(tables, table, part, position, swapped, probe))
    if value == DAMAGED:
        tables.damaged[number] = U(tables.damaged[number]) | _WDL_BIT
        return UNKNOWN
    return value - I(2)


@jit(i64(rules_t, probe_t, u64))
def _distance(rules: Rules, probe: Probe, level: np.uint64) -> np.int64:
    """The distance of `probe.position[level]` without a search, _OTHER_SIDE, or UNKNOWN."""
    position = probe.position[level]
    result = resolve(rules, probe, level, I(1))
    probe.result = result
    if result == I(0) or result == UNKNOWN:
        return result
    if probe.best_is_zeroing:
        return _before_zeroing(result)
    tables = tables_at(probe.tables)
    slot = slot_of(tables, position)
    address = tables.dtz[U(tables.number[slot])] if slot != _NO_SLOT else ZERO
    if address == ZERO:
        return UNKNOWN
    table = table_at(address)
    us = U(position.side)
    swapped = us if table.is_symmetric else U(tables.is_swapped[slot])
    part = table.parts[find_part(tables, table, position, swapped, us ^ swapped, probe)]
    if not table.is_symmetric and part.form & _SIDE != us ^ swapped:
        return _OTHER_SIDE
    value = value_at(part, index_of(tables, table, part, position, swapped, probe))
    if value != DAMAGED and part.form & _MAPPED:
        kind = U(I(result < I(0)) + (I(2) if abs(result) == I(1) else I(0)))
        if value >= I(part.map_count[kind]):
            value = DAMAGED
        elif part.form & _WIDE:
            value = I(word_at(part.map[kind] + U(2) * U(value)) & U(0xFFFF))
        else:
            value = I(word_at(part.map[kind] + U(value)) & U(0xFF))
    if value == DAMAGED:
        _note_damage(probe, position, _DTZ_BIT)
        return UNKNOWN
    in_plies = part.form & (_WIN_PLIES if result > I(0) else _LOSS_PLIES)
    if abs(result) == I(1) or in_plies == ZERO:
        value *= I(2)
        probe.is_rounded = I(1)
    value += I(1) + (_CURSED_PLIES if abs(result) == I(1) else I(0))
    return value if result > I(0) else -value


@kernel(i64(rules_t, position_t, probe_t))
def probe_wdl(rules: Rules, position: Position, probe: Probe) -> np.int64:
    """The result of a position for the side to move, LOSS to WIN, or UNKNOWN.

    Positions with castling rights are not for tables. `probe` is changed in place.
    """
    probe.position[ZERO] = position
    return resolve(rules, probe, ZERO, I(0))


@kernel(i64(rules_t, position_t, probe_t))
def probe_dtz(rules: Rules, position: Position, probe: Probe) -> np.int64:
    """Plies to the next capture or pawn move on the way to the result; UNKNOWN, or 0 for a draw.

    Positive for a win and negative for a loss of the side to move; beyond 100 where the fifty-move rule
    makes it a draw. A mate counts like a capture, and a side that is mated has -1. With
    `probe.is_rounded` it may be one ply more.
    """
    probe.position[ZERO] = position
    probe.is_rounded = I(0)
    distance = _distance(rules, probe, ZERO)
    if distance != _OTHER_SIDE:
        return distance
    position = probe.position[ZERO]
    moves = probe.moves[ZERO]
    is_won = probe.result > I(0)
    generate(rules, position, moves)
    best = _NO_MOVE
    for number in range(moves.count):
        move = U(moves.move[U(number)])
        zeroing = is_zeroing(position, move)
        probe.position[ONE] = position
        child = probe.position[ONE]
        make_move(rules, child, move)
        value = resolve(rules, probe, ONE, I(0)) if zeroing else _distance(rules, probe, ONE)
        if value == UNKNOWN:
            return UNKNOWN
        if value == _OTHER_SIDE:
            _note_damage(probe, position, _DTZ_BIT)
            return UNKNOWN
        distance = -_before_zeroing(value) if zeroing else -value
        if distance == I(1) and child.checkers != ZERO:
            generate(rules, child, probe.moves[ONE])
            if probe.moves[ONE].count == ZERO:
                return I(1)
        if not zeroing:
            distance += I(distance > I(0)) - I(distance < I(0))
        if distance != I(0) and (distance > I(0)) == is_won:
            best = min(best, distance)
    return I(-1) if best == _NO_MOVE else best
