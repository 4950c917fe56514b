"""Calls between kernels through pointers, so that each kernel is compiled once and apart from the others.

Numba copies the code of every kernel that a kernel calls into the caller's module and optimises it again
there. That nearly doubled the time to compile the search, and it forces an order: callees first. Here the
caller contains only the name of a pointer to the callee. So kernels may be compiled in any order, in several
processes, as long as all are loaded before the first is called.

Small functions, which gain from being part of their caller, are helpers: `@jit` without a signature.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import typing

from boomslang.core.jit.instructions import call_code


class KernelPointer:
    """The pointer to one kernel; it is null until `set` is called with the address of the code."""

    def __init__(self, dispatcher: Any, signature: Any, name: str) -> None:
        """Let kernels call `dispatcher`, compiled or not, through the pointer `name`."""
        self._dispatcher = dispatcher
        self._signature = signature
        self._symbol = f"boomslang.{name}"
        self._cell = ctypes.c_void_p(0)
        self._is_defined = False
        llvm.add_symbol(self._symbol, ctypes.addressof(self._cell))
        dispatcher.get_call_template = self._call_template
        dispatcher.get_overload = self._overload

    def set(self, address: int) -> None:
        """The code lies at `address`."""
        self._cell.value = address

    def _call_template(self, args: Any, kws: Any) -> tuple[Any, ...]:
        """What Numba infers the type of a call from: the signature."""
        python, given = self._dispatcher._compiler.fold_argument_types(args, kws)
        making: Any = typing
        name = self._dispatcher.py_func.__name__
        template = making.make_concrete_template(name, key=name, signatures=[self._signature])
        return template, python, given, {}

    def _overload(self, args: Any) -> Any:
        """The key under which Numba finds `_call`."""
        if not self._is_defined:
            definition = (self._call, self, self._signature.args)
            self._dispatcher.targetctx.insert_func_defn([definition])
            self._is_defined = True
        return self

    def _call(self, context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return call_code(context, builder, self._code(context, builder), self._signature, args)

    def _code(self, context: Any, builder: Any) -> Any:
        kind = context.call_conv.get_function_type(
            self._signature.return_type, self._signature.args
        )
        try:
            pointer = builder.module.get_global(self._symbol)
        except KeyError:
            pointer = ir.GlobalVariable(builder.module, kind.as_pointer(), self._symbol)
            pointer.linkage = "external"
            pointer.global_constant = True
        return builder.load(pointer)
