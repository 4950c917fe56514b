"""Four bitboards in one register: vector instructions, which have no equivalent in Python.

Only this module, `jit.py` and `instructions.py` import Numba. LLVM maps the four bitboards to the
processor's registers: one with AVX2, two with SSE2 or NEON. With NUMBA_DISABLE_JIT=1 they are processed
one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from boomslang.core.jit.jit import DISABLED

_tuple_of: Any = types.UniTuple

_WIDTH: Final = 4

# The shift of a bitboard by one step, positive to higher squares; the squares on which it may end.
Step = tuple[int, int]


def four_fills(steps: Sequence[Step], *, slides: bool) -> Any:
    """A function for kernels: the squares that four sets of pieces attack by each of `steps`.

    It takes five bitboards (uint64), the four sets and the empty squares. With `slides`, pieces continue over
    empty squares, by the doubling steps of a parallel prefix in each direction ("Kogge-Stone", after Steffan
    Westcott and Gerd Isenberg). It returns a pair of bitboards for each set: the squares that its pieces
    attack, and those that two or more attack. That is exact: in one direction only the nearest piece
    reaches a square.
    """
    if DISABLED:
        return lambda *words: _fill_one_by_one(steps, slides, [int(word) for word in words])

    pair = _tuple_of(types.uint64, 2)

    @intrinsic
    def spread(typingctx: Any, a: Any, b: Any, c: Any, d: Any, empty: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = _together(builder, steps, slides, args)
            pairs = [context.make_tuple(builder, pair, both) for both in words]
            return context.make_tuple(builder, signature.return_type, pairs)

        return _tuple_of(pair, _WIDTH)(*[types.uint64] * (_WIDTH + 1)), codegen

    return spread


def _together(builder: Any, steps: Sequence[Step], slides: bool, args: Any) -> list[list[Any]]:
    """Emit the instructions of `four_fills`; returns its pairs of words."""
    vector = ir.VectorType(ir.IntType(64), _WIDTH)
    places = [ir.Constant(ir.IntType(32), lane) for lane in range(_WIDTH)]

    def constant(number: int) -> Any:
        return ir.Constant(vector, [number] * _WIDTH)

    def gather(words: Sequence[Any]) -> Any:
        found = ir.Constant(vector, ir.Undefined)
        for word, place in zip(words, places, strict=True):
            found = builder.insert_element(found, word, place)
        return found

    def shift_sets(sets: Any, by: int) -> Any:
        return builder.shl(sets, constant(by)) if by > 0 else builder.lshr(sets, constant(-by))

    pieces = gather(args[:_WIDTH])
    empty = gather([args[_WIDTH]] * _WIDTH)
    once = twice = constant(0)
    for by, allowed in steps:
        reached = pieces
        if slides:
            free = builder.and_(empty, constant(allowed))
            reached = builder.or_(reached, builder.and_(free, shift_sets(reached, by)))
            free = builder.and_(free, shift_sets(free, by))
            reached = builder.or_(reached, builder.and_(free, shift_sets(reached, 2 * by)))
            free = builder.and_(free, shift_sets(free, 2 * by))
            reached = builder.or_(reached, builder.and_(free, shift_sets(reached, 4 * by)))
        attacked = builder.and_(shift_sets(reached, by), constant(allowed))
        twice = builder.or_(twice, builder.and_(once, attacked))
        once = builder.or_(once, attacked)
    return [[builder.extract_element(sets, place) for sets in (once, twice)] for place in places]


def _fill_one_by_one(
    steps: Sequence[Step], slides: bool, words: list[int]
) -> tuple[tuple[np.uint64, np.uint64], ...]:
    """`four_fills` set by set and step by step."""
    *sets, empty = words
    pairs = []
    for pieces in sets:
        once = twice = 0
        for by, allowed in steps:
            front = pieces
            while front:
                front = (front << by if by > 0 else front >> -by) & allowed
                twice |= once & front
                once |= front
                front &= empty if slides else 0
        pairs.append((np.uint64(once), np.uint64(twice)))
    return tuple(pairs)
