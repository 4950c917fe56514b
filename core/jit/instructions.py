"""Machine instructions without an equivalent in Python, as functions for kernels.

Only this module and `jit`, `code_files`, `kernel_keys`, `linking` and `simd` beside it import Numba. With
NUMBA_DISABLE_JIT=1 each function is equivalent Python.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from functools import cache
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_config: Any = numba.config  # gets its attributes at run time
DISABLED = bool(_config.DISABLE_JIT)
CHECKED = not DISABLED and os.environ.get("BOOMSLANG_BOUNDS") == "1"
_CAN_RAISE = CHECKED or bool(_config.BOUNDSCHECK)

# The clock_gettime number of the clock behind `time.monotonic()`, which deadlines are based on. On macOS
# that is not CLOCK_MONOTONIC, which also runs while the computer sleeps.
_CLOCK_NAME = "CLOCK_UPTIME_RAW" if sys.platform == "darwin" else "CLOCK_MONOTONIC"
_CLOCK: int | None = getattr(time, _CLOCK_NAME, None)

# Without clock_gettime (Windows) a timer thread of the caller must stop the search.
KERNELS_TELL_TIME = _CLOCK is not None

# The clock behind `time.thread_time()`: it stops while other threads have the processor.
_THREAD_CLOCK: int | None = getattr(time, "CLOCK_THREAD_CPUTIME_ID", None)
KERNELS_TELL_THREAD_TIME = KERNELS_TELL_TIME and _THREAD_CLOCK is not None


def record_at(dtype: np.dtype[Any]) -> Any:
    """A function for kernels: the record of `dtype` that lies at an address in memory.

    So many records can share one other record. The address is not checked, and the memory is not kept
    alive: the owner of the address must do that.
    """
    if DISABLED:

        @cache
        def read(address: int) -> Any:
            raw: Any = (ctypes.c_byte * dtype.itemsize).from_address(address)
            return np.frombuffer(raw, dtype).view(np.recarray)[0]

        return lambda address: read(int(address))

    record = numba.from_dtype(dtype)

    @intrinsic
    def place(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(record))

        return record(types.uint64), codegen

    function: Any = place
    return function


def function_at(signature: Any) -> Any:
    """A function for kernels: calls the kernel of that signature whose `jit.address_of` comes first.

    Its code is not compiled into the caller, so processes that never call it never compile it.
    """
    if DISABLED:
        return lambda address, *args: functions[int(address)](*args)
    argument_types: Any = types

    @intrinsic
    def call(typingctx: Any, address: Any, *args: Any) -> Any:
        def codegen(context: Any, builder: Any, _: Any, values: Any) -> Any:
            kind = context.call_conv.get_function_type(signature.return_type, signature.args)
            code = builder.inttoptr(values[0], kind.as_pointer())
            given = [builder.extract_value(values[1], n) for n in range(len(signature.args))]
            return call_code(context, builder, code, signature, given)

        return signature.return_type(
            types.uint64, argument_types.StarArgTuple(signature.args)
        ), codegen

    function: Any = call
    return function


def call_code(context: Any, builder: Any, code: Any, signature: Any, args: Any) -> Any:
    """Emit a call of a kernel's code.

    Kernels raise exceptions only where every index is checked; there the caller passes them on.
    """
    building: Any = cgutils
    convention, result = context.call_conv, signature.return_type
    status, value = convention.call_function(builder, code, result, signature.args, args)
    if _CAN_RAISE:
        with building.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
    return value


functions: dict[int, Any] = {}  # without compilation: Python functions by their addresses

if DISABLED:

    def popcount(word: np.uint64) -> np.uint64:
        """Number of set bits."""
        return np.uint64(int(word).bit_count())

    def lsb(word: np.uint64) -> np.uint64:
        """Index of the lowest set bit; the word must not be 0."""
        value = int(word)
        return np.uint64((value & -value).bit_length() - 1)

    def msb(word: np.uint64) -> np.uint64:
        """Index of the highest set bit; the word must not be 0."""
        return np.uint64(int(word).bit_length() - 1)

    def pext(word: np.uint64, mask: np.uint64) -> np.uint64:
        """The bits of `word` under `mask`, packed into the low bits."""
        source, left, packed, bit = int(word), int(mask), 0, 0
        while left:
            low = left & -left
            if source & low:
                packed |= 1 << bit
            bit += 1
            left ^= low
        return np.uint64(packed)

    def prefetch(array: Any, index: np.uint64) -> None:
        """Ask for `array[index]` to be brought into the cache."""

    def word_at(address: np.uint64) -> np.uint64:
        """The eight bytes at an address in memory, the first of them lowest; nothing checks the address."""
        return np.uint64(int.from_bytes(ctypes.string_at(int(address), 8), "little"))

    def reverse_bytes(word: np.uint64) -> np.uint64:
        """The word with its first byte last."""
        return np.uint64(int.from_bytes(int(word).to_bytes(8, "little"), "big"))

    def clock_ns(of_thread: np.int64) -> np.int64:
        """`time.monotonic_ns()` from inside a kernel; `time.thread_time_ns()` if `of_thread`."""
        return np.int64(time.thread_time_ns() if of_thread else time.monotonic_ns())

else:

    @intrinsic
    def popcount(typingctx: Any, word: Any) -> Any:
        """Number of set bits."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), codegen

    @intrinsic
    def lsb(typingctx: Any, word: Any) -> Any:
        """Index of the lowest set bit; the word must not be 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.uint64(types.uint64), codegen

    @intrinsic
    def msb(typingctx: Any, word: Any) -> Any:
        """Index of the highest set bit; the word must not be 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.uint64(types.uint64), codegen

    @intrinsic
    def pext(typingctx: Any, word: Any, mask: Any) -> Any:
        """The bits of `word` under `mask`, packed into the low bits (BMI2)."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            function = _external(builder, "llvm.x86.bmi.pext.64", word, [word, word])
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), codegen

    @intrinsic
    def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
        """Ask for `array[index]` to be brought into the cache."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            view = context.make_array(signature.args[0])(context, builder, args[0])
            byte = ir.IntType(8).as_pointer()
            address = builder.bitcast(builder.gep(view.data, [args[1]]), byte)
            number = ir.IntType(32)
            function = _external(
                builder, "llvm.prefetch.p0", ir.VoidType(), [byte, number, number, number]
            )
            read, keep, data = (ir.Constant(number, n) for n in (0, 3, 1))
            builder.call(function, [address, read, keep, data])
            return context.get_dummy_value()

        return types.void(array, types.uint64), codegen

    @intrinsic
    def word_at(typingctx: Any, address: Any) -> Any:
        """The eight bytes at an address in memory, the first of them lowest; nothing checks the address."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
            word = builder.load(place)
            word.align = 1
            return word if sys.byteorder == "little" else builder.bswap(word)

        return types.uint64(types.uint64), codegen

    @intrinsic
    def reverse_bytes(typingctx: Any, word: Any) -> Any:
        """The word with its first byte last."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bswap(args[0])

        return types.uint64(types.uint64), codegen

    @intrinsic
    def clock_ns(typingctx: Any, of_thread: Any) -> Any:
        """`time.monotonic_ns()` from inside a kernel; `time.thread_time_ns()` if `of_thread`.

        0 where the system has no clock_gettime.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            if _CLOCK is None:
                return ir.Constant(word, 0)
            pair = ir.ArrayType(word, 2)  # struct timespec: seconds, nanoseconds
            room = builder.alloca(pair)
            number = ir.IntType(32)
            function = _external(builder, "clock_gettime", number, [number, pair.as_pointer()])
            usual = ir.Constant(number, _CLOCK)
            other = usual if _THREAD_CLOCK is None else ir.Constant(number, _THREAD_CLOCK)
            asked = builder.icmp_signed("!=", args[0], ir.Constant(word, 0))
            builder.call(function, [builder.select(asked, other, usual), room])
            now = builder.load(room)
            seconds = builder.mul(builder.extract_value(now, 0), ir.Constant(word, 10**9))
            return builder.add(seconds, builder.extract_value(now, 1))

        return types.int64(types.int64), codegen


def _external(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """Declare an LLVM intrinsic or C function in the module under construction."""
    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(result, arguments), name)
