"""How Numba compiles helpers and kernels: as much as each needs.

* A **helper** is compiled only into its callers. Numba would make a library of machine code of each:
  optimised, with a wrapper for Python, and loaded. The caller needs none of that: it gets the function as
  intermediate code, which LLVM inlines and optimises there, once more. So a helper is only lowered here.
  Called from Python, as tests do, it is compiled apart from that, as Numba would.
* A **kernel** has a wrapper for Python. LLVM would inline the kernel there, and optimise it a second time.

Both together take a third off the processor time and the memory of compiling all kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering


def new_helper(func: Callable[..., Any], options: dict[str, Any]) -> Any:
    """A dispatcher of `func` for Numba's compile options."""
    return _Helper(func, targetoptions=options | {"nopython": True}, pipeline_class=_HelperCompiler)


class _Helper(CPUDispatcher):
    """What kernels call is compiled into them, and what Python calls apart from that."""

    @cached_property
    def _for_python(self) -> Any:
        options = {name: value for name, value in self.targetoptions.items() if name != "nopython"}
        return numba.njit(**options)(self.py_func)

    def __call__(self, *args: Any) -> Any:
        return self._for_python(*args)

    def add_overload(self, compiled: Any) -> None:
        """Nothing for Python is added."""
        self.overloads[tuple(compiled.signature.args)] = compiled


class _HelperLibrary(JITCodeLibrary):
    """Intermediate code that has not been optimised, for other libraries to link in."""

    def finalize(self) -> None:
        """Link in what the function calls itself."""
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


class _Entry:
    """What Numba knows a compiled helper by, in place of a function that Python can call."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _HelperLowering(NativeLowering):
    _name = "boomslang_helper_lowering"

    def run_pass(self, state: Any) -> bool:
        context, flags = state.targetctx, state.flags
        state.library = _HelperLibrary(context.codegen(), state.func_id.func_qualname)
        flags.no_cpython_wrapper = flags.no_compile = True
        super().run_pass(state)
        lowered = state.cr
        entry = _Entry()
        context.insert_user_function(entry, lowered.fndesc, [state.library])
        state.cr = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=entry, env=lowered.env)
        return True


class _KernelLower(Lower):
    def lower_normal_function(self, fndesc: Any) -> None:
        super().lower_normal_function(fndesc)
        self.function.attributes.add("noinline")


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):
    _name = "boomslang_kernel_lowering"
    lowering_class = _KernelLower


class _HelperCompiler(CompilerBase):
    lowering: Any = _HelperLowering

    def define_pipelines(self) -> list[PassManager]:
        """Numba's passes, with our lowering."""
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager = PassManager("boomslang")
        manager.passes = [
            (self.lowering if step is NativeLowering else step, name) for step, name in usual.passes
        ]
        manager.finalize()
        return [manager]


class KernelCompiler(_HelperCompiler):
    """The pipeline of kernels, for Numba's option `pipeline_class`."""

    lowering = _KernelLowering
