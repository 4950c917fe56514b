"""The interface to Numba: one typed decorator and its compile options.

The jitted core has three kinds of functions:

* `@jit` marks a helper. It is compiled into every kernel that calls it, never cached by itself.
* `@jit(signature)` marks a recursive function, or another one worth compiling once and sharing. It is
  cached on disk under that signature.
* `@kernel(signature)` does the same for functions that Python calls.

Beside this module are machine instructions (`instructions.py`, `simd.py`), calls between kernels
(`linking.py`), and their keys and files (`kernel_keys.py`, `code_files.py`); no other module imports Numba.

Nothing is compiled at import: `load_kernels` compiles everything that has a signature, or loads it from the
cache. Calling a kernel earlier raises TypeError. (Lazily typed recursion in a cached function crashes at the
second start of a process, Numba #6061; that is why recursive functions must state their signature.)

With NUMBA_DISABLE_JIT=1 every function runs as plain Python. With BOOMSLANG_BOUNDS=1 every index is
checked, and an index out of bounds raises IndexError with its location; that build is slower.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import MAGIC_NUMBER
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast, overload

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types

from boomslang.core.jit import instructions, shipped
from boomslang.core.jit.cache import KernelCache, prepare
from boomslang.core.jit.code_files import KernelFile
from boomslang.core.jit.kernel_keys import KernelKeys
from boomslang.core.jit.linking import KernelPointer
from boomslang.core.jit.pipelines import KernelCompiler, new_helper
from boomslang.core.system.shutdown import delay_interrupts

_OURS = "boomslang."  # how the names of our modules begin
# Variables of Numba that do not change machine code, or count with the target.
_NOT_IN_CODE = {"NUMBA_CACHE_DIR", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"}

P = ParamSpec("P")
R = TypeVar("R")

_config: Any = numba.config  # gets its attributes at run time
DISABLED = instructions.DISABLED
CHECKED = instructions.CHECKED

# "Options of LLVM" in docs/measurements/speed.md says what each is worth. They hold for the whole process, so
# for other code that Numba compiles in it. LLVM ignores what it does not know: only a test would tell.
_LLVM_OPTIONS = (
    # LLVM chooses the width of a loop by its widest numbers. That leaves half of each register unused where
    # the second layer of the network multiplies numbers of 16 bits and adds 32.
    "--vectorizer-maximize-bandwidth",
    # A call between Numba's functions is dear: its result goes through memory, and a status is checked. With
    # LLVM's usual threshold, 250, most of the calls of a node of the search remain.
    "--inline-threshold=3000",
    # Without a profile LLVM takes each early return for the toss of a coin, so what follows a few of them for
    # cold, and inlines hardly anything there.
    "--cold-callsite-rel-freq=0",
)
if not DISABLED:
    for _option in _LLVM_OPTIONS:
        llvm.set_option("", _option)


def _versions() -> dict[str, str]:
    libraries = {"numba": numba, "llvmlite": llvmlite, "numpy": np}
    return shipped.present_versions(**{name: lib.__version__ for name, lib in libraries.items()})


def _choose_level() -> str:
    """Compile for a level of processors; returned if the wheel carries its kernels, "" if it does not.

    Without such kernels only the preferred level is compiled for, otherwise the processor itself. A level
    holds for the whole process, so it is not chosen after other code has been compiled in it.
    """
    is_told = _config.CPU_NAME is not None or _config.CPU_FEATURES is not None
    is_late = "_toplevel_target_context" in vars(numba.core.registry.cpu_target)
    if DISABLED or is_told or is_late:
        return ""
    level = shipped.choose_level(llvm.get_host_cpu_features(), slow_pext=not cpu_has_fast_pext())
    if level is None:
        return ""
    is_carried = shipped.read_versions() == _versions() and (shipped.FOLDER / level.name).is_dir()
    if is_carried or level.name == shipped.PREFERRED_LEVEL:
        _config.CPU_NAME, _config.CPU_FEATURES = level
    return level.name if is_carried else ""


# Without reference counts and bounds checks kernels are as fast as C. The checked build needs both for
# exceptions that carry numbers. The last two save compile time: no kernel needs wrappers for C or rewrites.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "_nrt": CHECKED,
    "error_model": "numpy",
    "boundscheck": CHECKED,
    "no_cfunc_wrapper": True,
    "no_rewrites": True,
}

i64, u64, boolean, void = types.int64, types.uint64, types.boolean, types.void


class _Signed(NamedTuple):
    """A function that is compiled ahead, and the pointer by which other kernels call it."""

    dispatcher: Any
    signature: Any
    pointer: KernelPointer
    name: str
    thread: int  # that imports its module


# Threads import modules at the same time, so what belongs together is appended together.
_signed: list[_Signed] = []
_signatures: dict[Any, Any] = {}  # by Python function
_lock = threading.RLock()
_loaded: set[int] = set()  # indices of the functions that can be called
_is_compiling = False


def record_type(dtype: np.dtype[Any]) -> Any:
    """The Numba type of one record of a structured dtype; in kernels it is a plain pointer."""
    return numba.from_dtype(dtype)


@overload
def jit(target: Callable[P, R]) -> Callable[P, R]: ...
@overload
def jit(target: Any, *, relaxed: bool = ...) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def jit(target: Any, *, relaxed: bool = False) -> Any:
    """Compile a function of the core: `@jit` for a helper, `@jit(signature)` to compile ahead of time.

    With `relaxed`, floating-point sums may be added up in any order, several terms at a time.
    """
    if callable(target) and not isinstance(target, numba.core.typing.templates.Signature):
        return new_helper(target, _OPTIONS)
    signature = target

    def wrap(func: Callable[P, R]) -> Callable[P, R]:
        options = _OPTIONS | {"fastmath": {"reassoc", "contract", "nsz"}} if relaxed else _OPTIONS
        dispatcher = numba.njit(pipeline_class=KernelCompiler, **options)(func)
        if not DISABLED:
            dispatcher._can_compile = False  # until load_kernels
            name = _name(func)
            pointer = KernelPointer(dispatcher, signature, name)
            _signatures[func] = signature
            _signed.append(_Signed(dispatcher, signature, pointer, name, threading.get_ident()))
        return cast("Callable[P, R]", dispatcher)

    return wrap


kernel = jit


def _name(func: Any) -> str:
    return f"{func.__module__}.{func.__qualname__}"


@cache
def kernel_cache() -> KernelCache:
    """The cache of compiled kernels, chosen once per process."""
    return prepare(shipped.FOLDER / SHIPPED_LEVEL if SHIPPED_LEVEL else None)


@cache
def _keys() -> KernelKeys:
    # Of two Pythons of one version, each built by somebody else, the kernels are the same.
    python = [sys.implementation.name, MAGIC_NUMBER.hex(), str("free-threading" in sys.version)]
    versions = [f"{name} {version}" for name, version in _versions().items()]
    variables = sorted(set(os.environ) - _NOT_IN_CODE)
    given = [f"{name}={os.environ[name]}" for name in variables if name.startswith("NUMBA_")]
    target = [sys.platform, cpu_name(), _feature_string()]
    stamp = "\n".join([*python, *versions, *given, *target])
    return KernelKeys(stamp, _signatures, CHECKED or bool(_config.DEBUGINFO_DEFAULT))


def _file(number: int) -> str:
    plain = re.sub("[<>]", "", _signed[number].name.removeprefix(_OURS))
    return f"{plain}-{_keys().key_of(_signed[number].dispatcher)}"


def load_kernels(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile every function with a signature, or load it from the cache.

    `progress(done, total)` is called before the first and after each. Threads may call this at the
    same time; the work is done once. Raises what Numba raises when a function cannot be compiled.
    """
    global _is_compiling
    with _lock:
        total = len(_signed)  # other threads may be importing more
        files = {
            number: _file(number)
            for number in range(total)
            if number not in _loaded and _is_whole(number)
        }
        if not files:
            if progress:
                progress(total, total)
            return
        kept, names = kernel_cache(), files.values()
        kept.recover(names)
        _is_compiling = bool(kept.missing(names))
        if _is_compiling:
            with kept.lock(lambda: len(kept.missing(names))):
                _compile_in_parallel(_missing(files), progress)
                for number in _missing(files):  # another process could not
                    _load(number)
        with kept.mark_load(names):
            for number in files:
                if progress and not _is_compiling:  # what has been counted is only loaded
                    progress(number, total)
                _load(number)
        _is_compiling = False
        if progress:
            progress(total, total)


def _is_whole(number: int) -> bool:
    """False while another thread is importing the module of a function: what it calls may be missing."""
    function = _signed[number]
    module = sys.modules.get(function.dispatcher.py_func.__module__)
    is_importing = getattr(getattr(module, "__spec__", None), "_initializing", False)
    return not is_importing or function.thread == threading.get_ident()


def missing_kernels() -> list[str]:
    """The names of the imported kernels that a start would have to compile."""
    with _lock:
        files = {number: _file(number) for number in range(len(_signed)) if _is_whole(number)}
        return [_signed[number].name for number in _missing(files)]


def _missing(files: dict[int, str]) -> list[int]:
    missing = set(kernel_cache().missing(files.values()))
    return [number for number, file in files.items() if file in missing]


def _load(number: int) -> None:
    """Load one function from the cache, or compile it and keep it there; done once."""
    if number in _loaded:
        return
    function = _signed[number]
    function.dispatcher._can_compile = True
    function.dispatcher._cache = KernelFile(kernel_cache(), _file(number))
    with delay_interrupts():  # LLVM calls Python, and would lose an interrupt there
        function.dispatcher.compile(function.signature)
    function.dispatcher.disable_compile()
    function.pointer.set(address_of(function.dispatcher))
    _loaded.add(number)


def _compile_in_parallel(numbers: list[int], progress: Callable[[int, int], None] | None) -> None:
    """Compile kernels in several processes into the cache; what others compile is not loaded yet."""
    # A warm start needs no processes.
    from boomslang.core.jit.compile_pool import compile_all

    # Another process imports the module of a kernel, and a module of somebody else may call us there.
    ours = {_signed[n].name: n for n in numbers if _signed[n].name.startswith(_OURS)}
    sizes = {name: _size_of(_signed[n].dispatcher, set()) for name, n in ours.items()}
    done, total = len(_signed) - len(numbers), len(_signed)

    def finished(name: str) -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, total)

    if progress:
        progress(done, total)
    names, alone = sorted(ours, key=lambda name: -sizes[name]), kernel_cache().folder is None
    compile_all(names, lambda name: _load(ours[name]), finished, alone=alone)


def _size_of(target: Any, seen: set[Any]) -> int:
    """Bytes of Python's code of a function and of the helpers compiled into it."""
    func = target.py_func
    if func in seen or (seen and func in _signatures):
        return 0
    seen.add(func)
    helpers = [func.__globals__.get(name) for name in func.__code__.co_names]
    return len(func.__code__.co_code) + sum(
        _size_of(helper, seen) for helper in helpers if hasattr(helper, "py_func")
    )


def compile_kernel(name: str) -> bool:
    """Compile the function of that name for another process; True if it is in the cache."""
    for number, function in enumerate(_signed):
        if function.name == name:
            _load(number)
    return kernel_cache().folder is not None


def address_of(target: Any) -> int:
    """Where the code of a loaded kernel is, for `instructions.function_at`."""
    if DISABLED:
        instructions.functions[id(target)] = target
        return id(target)
    (compiled,) = target.overloads.values()
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.mangled_name))


def is_compiling() -> bool:
    """True if `load_kernels` is compiling kernels rather than loading them, when it reports progress."""
    return _is_compiling


def _hasten_inference() -> None:
    """Save Numba three kinds of repeated work.

    A recursive function is inferred anew at each call of itself, only to find its return type, which the
    signature states. At each `+` or `abs` all overloads are tried, although the same types have occurred
    before. And the name of a record type, with all its fields, is put together at each use. Raises
    ImportError or AttributeError if Numba's internals have changed.
    """
    from numba.core.typeinfer import TypeInferer
    from numba.core.types.functions import BaseFunction
    from numba.core.types.npytypes import Record

    inferer: Any = TypeInferer
    function: Any = BaseFunction
    record: Any = Record
    infer_return = inferer.return_types_from_partial
    find_overload = function.get_call_type
    spell = record.__repr__
    names: dict[int, tuple[Any, str]] = {}  # by identity; the type is kept alive

    def return_type(self: Any) -> Any:
        declared = _signatures.get(self.func_id.func)
        return declared.return_type if declared else infer_return(self)

    def call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return find_overload(self, context, args, kws)
        known = self.__dict__.setdefault("_boomslang_call_types", {})
        key = (context, tuple(args))
        if key not in known:
            known[key] = find_overload(self, context, args, kws)
        return known[key]

    def record_name(self: Any) -> str:
        if id(self) not in names:
            names[id(self)] = self, spell(self)
        return names[id(self)][1]

    inferer.return_types_from_partial = return_type
    record.__repr__ = record_name
    function.get_call_type = call_type


if not DISABLED:
    with suppress(ImportError, AttributeError):  # then compiling only takes longer
        _hasten_inference()


def _check_bounds() -> None:
    """Make IndexError report kernel, function, line, index and size.

    Numba's own message is only "index is out of bounds", and Numba lets a negative signed index count from
    the end, which no kernel intends.
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
            arguments = (context._boomslang_place, axis, index, size)
            kinds = (None, None, types.intp, types.intp)  # None is known while compiling
            context.call_conv.return_dynamic_user_exc(builder, IndexError, arguments, kinds)

    def call_kernel(self: Any, *args: Any, **kws: Any) -> Any:
        try:
            return call(self, *args, **kws)
        except IndexError as problem:
            if len(problem.args) != 4:  # one of Numba's, about a tuple
                raise
            place, axis, index, size = problem.args
        said = f"index {index} is out of bounds for axis {axis} with size {size}"
        raise IndexError(f"kernel {_name(self.py_func)}: {said} in {place}")

    lowering.lower_inst = lower_inst
    dispatcher.__call__ = call_kernel
    arrays.fix_integer_index = fix_index
    building.do_boundscheck = check


if CHECKED:
    _check_bounds()


def kernel_names() -> list[str]:
    """The functions with a signature in all modules imported so far."""
    return [function.name for function in _signed]


def cpu_name() -> str:
    """LLVM's name of the processor that kernels are compiled for: the present one, or NUMBA_CPU_NAME."""
    return str(_config.CPU_NAME or llvm.get_host_cpu_name())


def cpu_features() -> frozenset[str]:
    """LLVM's names of the features of that processor; if NUMBA_CPU_FEATURES is set, those it adds."""
    return frozenset(word[1:] for word in _feature_string().split(",") if word.startswith("+"))


def _feature_string() -> str:
    """The features as LLVM reads them, such as "+avx2,-avx512f"."""
    given = _config.CPU_FEATURES
    return str(llvm.get_host_cpu_features().flatten() if given is None else given)


def cpu_has_fast_pext() -> bool:
    """True if the target CPU has a fast PEXT instruction: BMI2, but not AMD Zen 1 or 2."""
    slow = cpu_name() in ("generic", "x86-64", "znver1", "znver2")
    return not slow and "bmi2" in cpu_features()


SHIPPED_LEVEL = _choose_level()  # of the processors for which kernels of the wheel are used, or ""
