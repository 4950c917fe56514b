"""Where the processor time of compiling goes: a table of kernels and phases, in per cent of the whole.

    python -m benchmarks.compile_profile [--kernels WORD]

One process compiles the kernels of `boomslang warmup`, or those whose name contains the word, as a cold start
does, but keeps nothing. A phase counts without what it calls of other phases; a helper counts for the first
kernel that contains it.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final

PHASES: Final = ("analysis", "inference", "lowering", "linking", "LLVM", "machine code")
_PASSES: Final = {
    "nopython_type_inference": "inference",
    "boomslang_helper_lowering": "lowering",
    "boomslang_kernel_lowering": "lowering",
}


class Stopwatch:
    """Processor time by kernel and phase."""

    def __init__(self) -> None:
        self.spent: defaultdict[tuple[str, str], float] = defaultdict(float)
        self.kernel = ""
        self._phases = ["analysis"]
        self._since = time.process_time()

    def enter(self, phase: str) -> None:
        """Begin a phase within the present one."""
        self._charge()
        self._phases.append(phase)

    def leave(self) -> None:
        """Go back to the phase before."""
        self._charge()
        self._phases.pop()

    def _charge(self) -> None:
        now = time.process_time()
        self.spent[self.kernel, self._phases[-1]] += now - self._since
        self._since = now

    def around(self, owner: Any, name: str, phase: str) -> None:
        """Measure a method of Numba."""
        method: Callable[..., Any] = getattr(owner, name)

        def measured(*args: Any, **kws: Any) -> Any:
            self.enter(phase)
            try:
                return method(*args, **kws)
            finally:
                self.leave()

        setattr(owner, name, measured)


def measure(word: str) -> Stopwatch:
    """Compile the kernels, the largest first."""
    os.environ["BOOMSLANG_CACHE_DIR"] = os.devnull
    from numba.core import codegen, event

    from boomslang.cli.doctor.warmup_command import import_common
    from boomslang.core.jit import jit

    import_common()
    watch = Stopwatch()

    class Passes(event.Listener):
        def on_start(self, event: Any) -> None:
            watch.enter(_PASSES.get(event.data["name"].partition(" ")[0], "analysis"))

        def on_end(self, event: Any) -> None:
            watch.leave()

    event.register("numba:run_pass", Passes())
    watch.around(codegen.CPUCodeLibrary, "finalize", "linking")
    watch.around(codegen.CPUCodeLibrary, "_optimize_functions", "LLVM")
    watch.around(codegen.CPUCodeLibrary, "_optimize_final_module", "LLVM")
    watch.around(codegen.JITCodeLibrary, "_finalize_specific", "machine code")
    sizes = [jit._size_of(function.dispatcher, set()) for function in jit._signed]
    for number in sorted(range(len(sizes)), key=lambda number: -sizes[number]):
        watch.kernel = jit._signed[number].name.removeprefix("boomslang.")
        if word in watch.kernel:
            jit._load(number)
            share = sum(spent for (name, _), spent in watch.spent.items() if name == watch.kernel)
            print(f"{watch.kernel}: {share:.2f} s", flush=True)
    return watch


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernels", default="", metavar="WORD")
    watch = measure(parser.parse_args().kernels)
    whole = sum(watch.spent.values())
    rows: defaultdict[str, float] = defaultdict(float)
    for (name, _), spent in watch.spent.items():
        rows[name] += spent
    ranked = sorted(rows.items(), key=lambda row: -row[1])
    print(
        f"\n{whole:.1f} s of processor time",
        "",
        f"| kernel | all | {' | '.join(PHASES)} |",
        sep="\n",
    )
    print("|---" * (len(PHASES) + 2) + "|")
    for name, spent in [*ranked, ("all", whole)]:
        parts = [
            sum(took for (n, p), took in watch.spent.items() if p == phase and name in (n, "all"))
            for phase in PHASES
        ]
        print(f"| {name} | {' | '.join(f'{100 * part / whole:.1f}' for part in [spent, *parts])} |")


if __name__ == "__main__":
    main()
