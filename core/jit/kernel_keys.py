"""The key of a kernel in the cache: a hash of everything that its machine code is made of.

That is the code of the function and of all that it reaches by its globals, closures and defaults: helpers,
functions that generate code, and constants, whose values Numba freezes into machine code. A kernel that
another one calls through a pointer counts with its name and signature only (`linking.py`). Line numbers,
file names and docstrings do not count. So an edit changes the keys of the kernels that contain it and of no
others, and copies of one source have the same keys, wherever they lie.

A value of a kind that is not known here gets a random number instead of a description. So a kernel that
contains it is compiled at each start; two keys are never equal where the code may differ.
"""

from __future__ import annotations

import builtins
import dis
import enum
import functools
import hashlib
import os
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.types import Type
from numba.core.typing.templates import Signature

# Their code does not change without their versions, which are part of the stamp.
_VERSIONED: Final = frozenset({"numba", "llvmlite", "numpy", *sys.stdlib_module_names})
# What these do to every kernel cannot be found by its globals.
_GENERATORS: Final = ("jit", "pipelines", "linking", "instructions", "code_files", "kernel_keys")
_PLAIN: Final = (bool, int, float, complex, str, bytes, type(None), type(...))
_NAMED: Final = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, np.ufunc)
_NOWHERE: Final = object()  # the value of a name that is not defined


class KernelKeys:
    """The keys of the kernels of this process.

    `stamp` is what all kernels depend on: versions, processor, options. `signatures` are those of the
    functions that kernels call through a pointer. With `lines`, machine code names lines of the source.
    """

    def __init__(self, stamp: str, signatures: Mapping[Any, Signature], lines: bool) -> None:
        self._signatures = signatures
        self._lines = lines
        self._known: dict[Any, bytes] = {}  # descriptions of functions
        self._open: list[Any] = []  # the functions that are being described
        self._met = sys.maxsize  # index of the outermost of them that has been met again
        package = __name__.rpartition(".")[0]
        sources = [self._source(f"{package}.{name}") for name in _GENERATORS]
        self._stamp = _hash("stamp", stamp, *sources)

    def key_of(self, kernel: Any) -> str:
        """The key of a dispatcher with a signature, 32 hexadecimal digits."""
        parts = self._stamp, self._pointer(kernel), self._compiled(kernel)
        return _hash("kernel", *parts).hex()[:32]

    def _pointer(self, kernel: Any) -> bytes:
        func = kernel.py_func
        return _hash("pointer", _name(func), self._value(self._signatures[func]))

    def _compiled(self, dispatcher: Any) -> bytes:
        """The description of a compiled function: that of the function, and the options."""
        options = dict(dispatcher.targetoptions)
        text = repr(options)  # the same few for all
        if text not in self._known:
            self._known[text] = self._value(options)
        return _hash("compiled", self._function(dispatcher.py_func), self._known[text])

    def _function(self, func: Any) -> bytes:
        """The description of a function; where it leads back to itself stands how far back."""
        if func in self._known:
            return self._known[func]
        depth = len(self._open)
        if func in self._open:
            index = self._open.index(func)
            self._met = min(self._met, index)
            return _hash("again", str(depth - index))
        before, self._met = self._met, sys.maxsize
        self._open.append(func)
        try:
            cells = (cell.cell_contents for cell in func.__closure__ or ())
            described = _hash(
                "function",
                func.__module__,
                self._code(func.__code__, func.__globals__),
                self._value((func.__defaults__, func.__kwdefaults__)),
                *map(self._value, cells),
            )
        finally:
            self._open.pop()
        if self._met > depth:  # it is the same wherever the function is met
            self._known[func] = described
        self._met = min(before, self._met)
        return described

    def _code(self, code: types.CodeType, names: Mapping[str, Any] | None) -> bytes:
        """A code object, those within it, and the values of the globals that it reads, if given."""
        constants: list[Any] = list(code.co_consts)
        if constants and isinstance(constants[0], str) and 0 not in _arguments(code, "LOAD_CONST"):
            constants[0] = None  # a docstring
        described: list[str | bytes] = [code.co_code, code.co_exceptiontable, repr(_shape(code))]
        if self._lines:
            described += [str(code.co_firstlineno), code.co_linetable]
        for index, constant in enumerate(constants):
            if isinstance(constant, types.CodeType):
                constants[index] = self._code(constant, names)
            elif isinstance(constant, frozenset):  # in no certain order
                constants[index] = self._value(constant)
        described.append(repr(constants))
        if names is not None:
            read = {index >> 1 for index in _arguments(code, "LOAD_GLOBAL")}
            read.update(_arguments(code, "LOAD_NAME"))  # in the body of a class
            described += [self._global(code, code.co_names[n], names) for n in sorted(read)]
            imported = set(_arguments(code, "IMPORT_NAME"))
            described += [self._source(code.co_names[n]) for n in sorted(imported)]
        return _hash("code", *described)

    def _global(self, code: types.CodeType, name: str, names: Mapping[str, Any]) -> bytes:
        value = names.get(name, getattr(builtins, name, _NOWHERE))
        if not isinstance(value, types.ModuleType) or _is_versioned(value.__name__):
            return self._value(value)
        # Of a module the code may read whatever has one of its names.
        inside = vars(value)
        read = [self._global(code, name, inside) for name in code.co_names if name in inside]
        return _hash("module", value.__name__, *read)

    def _source(self, module: str) -> bytes:
        if _is_versioned(module):
            return _hash("named", module)
        try:
            loader: Any = sys.modules[module].__spec__.loader  # type: ignore[union-attr]
            return _hash("source", module, self._code(loader.get_code(module), None))
        except (AttributeError, ImportError, KeyError, OSError, SyntaxError):
            return os.urandom(32)

    def _value(self, value: Any) -> bytes:
        kind = type(value)
        if isinstance(value, (np.number, np.bool_)):
            return b"%s:%s" % (kind.__name__.encode(), value.tobytes())
        if kind in _PLAIN:
            return _hash(kind.__name__, repr(value))
        if kind in (tuple, list) or (isinstance(value, tuple) and hasattr(value, "_fields")):
            fields = repr(getattr(value, "_fields", None))
            return _hash(kind.__name__, fields, *map(self._value, value))
        if kind is slice:
            return _hash("slice", *map(self._value, (value.start, value.stop, value.step)))
        if kind in (set, frozenset):
            return _hash(kind.__name__, *sorted(map(self._value, value)))
        if kind is dict:
            return _hash("dict", *(self._value(pair) for pair in value.items()))
        if isinstance(value, (np.generic, np.ndarray)) and not value.dtype.hasobject:
            layout = value.shape, value.strides, value.flags.writeable, value.flags.aligned
            return _hash(kind.__name__, repr((value.dtype, *layout)), value.tobytes())
        if isinstance(value, Signature):
            return self._value((value.args, value.return_type))
        if isinstance(value, Type):
            return _hash("type", kind.__name__, str(value))
        if isinstance(value, np.dtype):
            return _hash("dtype", repr(value))
        if isinstance(value, enum.Enum):
            return _hash("enum", _name(kind), value.name, self._value(value.value))
        return self._callable(value)

    def _callable(self, value: Any) -> bytes:
        kind = type(value).__name__
        if isinstance(value, Dispatcher):
            known = value.py_func in self._signatures
            return self._pointer(value) if known else self._compiled(value)
        if isinstance(value, functools.partial):
            return _hash("partial", self._value((value.func, value.args, value.keywords)))
        if hasattr(value, "_defn"):  # an intrinsic
            return _hash("intrinsic", self._value(value._defn))
        if isinstance(value, _NAMED) and _is_versioned(getattr(value, "__module__", None)):
            return _hash("named", kind, _name(value))
        if isinstance(value, types.FunctionType):
            return self._function(value)
        return _hash("undefined") if value is _NOWHERE else os.urandom(32)


def _shape(code: types.CodeType) -> tuple[Any, ...]:
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    return code.co_qualname, code.co_flags, *names, *counts


def _name(value: Any) -> str:
    name: str = getattr(value, "__qualname__", value.__name__)
    return f"{getattr(value, '__module__', '')}.{name}"


def _is_versioned(module: str | None) -> bool:
    return (module or "builtins").partition(".")[0] in _VERSIONED


def _arguments(code: types.CodeType, instruction: str) -> Iterator[int]:
    wanted, extended = dis.opmap[instruction], dis.opmap["EXTENDED_ARG"]
    instructions, arguments = code.co_code[::2], code.co_code[1::2]
    place = instructions.find(wanted)
    while place >= 0:
        argument, shift = arguments[place], 8
        while place >= shift // 8 and instructions[place - shift // 8] == extended:
            argument |= arguments[place - shift // 8] << shift
            shift += 8
        yield argument
        place = instructions.find(wanted, place + 1)


def _hash(*parts: str | bytes) -> bytes:
    """A hash of the parts; each counts with its length, so that none runs into the next."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data) + data)
    return digest.digest()
