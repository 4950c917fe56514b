"""The only door to Numba: one typed decorator, compile options and a few machine instructions.

Three kinds of functions live in the jitted core:

* `@jit` marks a helper. It is compiled into every kernel that calls it, never cached by itself.
* `@jit(signature)` marks a recursive function or another one that is worth compiling once and
  sharing. It is cached on disk under that one signature.
* `@kernel(signature)` is the same, for functions that Python calls.

Nothing is compiled at import: `load_kernels` compiles everything that has a signature, or loads it
from the cache, in the order of definition, so callees come before callers. Calling a kernel earlier
raises TypeError. (Lazily typed recursion in a cached function crashes at the second start of a
process, Numba #6061; that is why recursive functions must state their signature.)

With NUMBA_DISABLE_JIT=1 every function runs as the Python it is written in. With BOOMSLANG_BOUNDS=1
every index is checked, and one out of bounds raises IndexError, which says where; that build is slower.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import cache
from typing import Any, ParamSpec, TypeVar, cast, overload

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.caching import NullCache
from numba.extending import intrinsic

from engine.system.cache import KernelCache, prepare

P = ParamSpec("P")
R = TypeVar("R")

_config: Any = numba.config  # gets its attributes at run time
DISABLED = bool(_config.DISABLE_JIT)
CHECKED = not DISABLED and os.environ.get("BOOMSLANG_BOUNDS") == "1"

# The clock behind `time.monotonic()`, by which callers set deadlines, as clock_gettime knows it. On
# macOS that is not CLOCK_MONOTONIC, which goes on while the computer sleeps.
_CLOCK_NAME = "CLOCK_UPTIME_RAW" if sys.platform == "darwin" else "CLOCK_MONOTONIC"
_CLOCK: int | None = getattr(time, _CLOCK_NAME, None)

# Without clock_gettime (Windows) a timer thread of the caller must stop the search.
KERNELS_TELL_TIME = _CLOCK is not None

# The clock behind `time.thread_time()`: it stands still while others have the processor.
_THREAD_CLOCK: int | None = getattr(time, "CLOCK_THREAD_CPUTIME_ID", None)
KERNELS_TELL_THREAD_TIME = KERNELS_TELL_TIME and _THREAD_CLOCK is not None

# Without reference counts and bounds checks a board move costs what it costs in C; an exception that
# carries numbers, as in the checked build, needs both. The last two leave out what no kernel needs, to
# compile in less time: entries for C, and rewriting (array expressions, branches on constants).
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "_nrt": CHECKED,
    "error_model": "numpy",
    "boundscheck": CHECKED,
    "no_cfunc_wrapper": True,
    "no_rewrites": True,
}

i64, u64, boolean, void = types.int64, types.uint64, types.boolean, types.void

_signed: list[tuple[Any, Any]] = []  # (dispatcher, signature) of all that is compiled ahead
_returns: dict[Any, Any] = {}  # type that the signature names, by Python function
_lock = threading.RLock()
_loaded = 0


def record_type(dtype: np.dtype[Any]) -> Any:
    """The Numba type of one record of a structured dtype; in kernels it is a plain pointer."""
    return numba.from_dtype(dtype)


@overload
def jit(target: Callable[P, R]) -> Callable[P, R]: ...
@overload
def jit(target: Any) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def jit(target: Any) -> Any:
    """Compile a function of the core: `@jit` for a helper, `@jit(signature)` to do it ahead."""
    if callable(target) and not isinstance(target, numba.core.typing.templates.Signature):
        return numba.njit(**_OPTIONS)(target)
    signature = target

    def wrap(func: Callable[P, R]) -> Callable[P, R]:
        dispatcher = numba.njit(**_OPTIONS)(func)
        if not DISABLED:
            dispatcher._can_compile = False  # until load_kernels
            _signed.append((dispatcher, signature))
            _returns[func] = signature.return_type
        return cast("Callable[P, R]", dispatcher)

    return wrap


kernel = jit


@cache
def kernel_cache() -> KernelCache:
    """The folder where compiled kernels are kept, chosen once per process."""
    versions = [sys.version, numba.__version__, llvmlite.__version__, np.__version__]
    cpu = [sys.platform, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    return prepare("\n".join([*versions, *cpu, str(_OPTIONS)]))


def load_kernels(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile every function with a signature, or load it from the cache.

    `progress(done, total)` is called before the first and after each. Threads may call this at the
    same time; the work is done once. Raises what Numba raises when a function cannot be compiled.
    """
    global _loaded
    with _lock:
        total = len(_signed)
        with kernel_cache().opened(kernel_names()) if _loaded < total else nullcontext():
            while _loaded < total:
                if progress:
                    progress(_loaded, total)
                _compile(*_signed[_loaded])
                _loaded += 1
        if progress:
            progress(total, total)


def _hasten_inference() -> None:
    """Spare Numba two things that it would find out again and again.

    At each call of itself a recursive function is inferred anew, only to learn what it returns; but the
    signature says so. And at each `+` or `abs` all overloads are tried, though the same types have met
    there before. Raises ImportError or AttributeError where Numba has become another inside.
    """
    from numba.core.typeinfer import TypeInferer
    from numba.core.types.functions import BaseFunction

    inferer: Any = TypeInferer
    function: Any = BaseFunction
    infer_return = inferer.return_types_from_partial
    find_overload = function.get_call_type

    def return_type(self: Any) -> Any:
        declared = _returns.get(self.func_id.func)
        return infer_return(self) if declared is None else declared

    def call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return find_overload(self, context, args, kws)
        known = self.__dict__.setdefault("_boomslang_call_types", {})
        key = (context, tuple(args))
        if key not in known:
            known[key] = find_overload(self, context, args, kws)
        return known[key]

    inferer.return_types_from_partial = return_type
    function.get_call_type = call_type


if not DISABLED:
    with suppress(ImportError, AttributeError):  # compiling takes longer then, and that is all
        _hasten_inference()


def _check_bounds() -> None:
    """Let IndexError name the kernel, the function and line in it, the index and the size.

    Numba's own says "index is out of bounds" and no more, and it lets a negative signed index count from
    the end, which no kernel means.
    """
    from numba.core import cgutils
    from numba.core.lowering import Lower
    from numba.core.registry import CPUDispatcher
    from numba.np import arrayobj

    lowering: Any = Lower
    dispatcher: Any = CPUDispatcher
    arrays: Any = arrayobj
    building: Any = cgutils
    lower, call = lowering.lower_inst, dispatcher.__call__

    def lower_inst(self: Any, inst: Any) -> None:
        name = f"{self.fndesc.modname}.{self.fndesc.qualname}"
        self.context._boomslang_place = f"{name}, line {inst.loc.line}"
        lower(self, inst)

    def fix_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    def check(context: Any, builder: Any, index: Any, size: Any, axis: int) -> None:
        outside = builder.icmp_unsigned(">=", index, size)  # a negative index too
        with building.if_unlikely(builder, outside):
            told = (context._boomslang_place, axis, index, size)
            kinds = (None, None, types.intp, types.intp)  # None is known while compiling
            context.call_conv.return_dynamic_user_exc(builder, IndexError, told, kinds)

    def call_kernel(self: Any, *args: Any, **kws: Any) -> Any:
        try:
            return call(self, *args, **kws)
        except IndexError as problem:
            if len(problem.args) != 4:  # one of Numba's, about a tuple
                raise
            place, axis, index, size = problem.args
        said = f"index {index} is out of bounds for axis {axis} with size {size}"
        raise IndexError(f"kernel {_name(self)}: {said} in {place}")

    lowering.lower_inst = lower_inst
    dispatcher.__call__ = call_kernel
    arrays.fix_integer_index = fix_index
    building.do_boundscheck = check


if CHECKED:
    _check_bounds()


def _compile(dispatcher: Any, signature: Any) -> None:
    """Load one function from the cache, or compile it and keep it there."""
    kept = kernel_cache()
    dispatcher._can_compile = True
    if kept.folder is not None:
        try:
            _config.CACHE_DIR = str(kept.folder)
            _config.CACHE_LOCATOR_CLASSES = "UserProvidedCacheLocator"  # no other folder
            dispatcher.enable_caching()
            dispatcher.compile(signature)
            kept.keep(_name(dispatcher))
        except OSError as problem:  # a full disk, say
            kept.give_up(problem.strerror or str(problem))
        except Exception as problem:  # nothing tells what a file that does not load will raise
            dispatcher._cache = NullCache()
            dispatcher.compile(signature)  # raises again if the function itself is at fault
            kept.distrust(f"{type(problem).__name__}, building it anew at the next start")
        if kept.folder is None:
            dispatcher._cache = NullCache()
    dispatcher.compile(signature)  # does nothing if it has been done above
    dispatcher.disable_compile()


def kernel_names() -> list[str]:
    """What the modules that have been imported so far want compiled ahead."""
    return [_name(dispatcher) for dispatcher, _ in _signed]


def _name(dispatcher: Any) -> str:
    return f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}"


def cpu_name() -> str:
    """What LLVM calls the processor."""
    return str(os.environ.get("NUMBA_CPU_NAME") or llvm.get_host_cpu_name())


def cpu_features() -> frozenset[str]:
    """What the processor that kernels are compiled for can do, as LLVM calls it."""
    given = os.environ.get("NUMBA_CPU_FEATURES")
    if given is not None:
        return frozenset(word[1:] for word in given.split(",") if word.startswith("+"))
    return frozenset(name for name, has in llvm.get_host_cpu_features().items() if has)


def cpu_has_fast_pext() -> bool:
    """True if the CPU compiled for has a fast PEXT instruction: BMI2, but not AMD Zen 1 or 2."""
    slow = cpu_name() in ("generic", "x86-64", "znver1", "znver2")
    return not slow and "bmi2" in cpu_features()


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
    """The declaration of an LLVM intrinsic or C function in the module that is being built."""
    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(result, arguments), name)
