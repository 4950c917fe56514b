"""The answers to `help`, `license` and `compiler`."""

from __future__ import annotations

from typing import Final

HELP: Final = """\
Boomslang is a chess engine that speaks UCI and CECP; a chess GUI such as En
Croissant, Nibbler or Cute Chess gives it a board. By hand, type for example:

  position startpos moves e2e4 e7e5
  go movetime 1000

Further commands:
  d                 the board
  flip              exchange the colours
  eval [classical]  the static evaluation of the position, or the hand-made one
  go perft N        the number of move sequences N plies long, by first move
  bench [DEPTH]     nodes and speed of a fixed search over fixed positions, with
                    the evaluation in use; or, as in Stockfish,
                    bench HASH THREADS LIMIT POSITIONS KIND
                      POSITIONS: default, current or a FILE
                      KIND: depth, nodes, movetime, perft or eval
  compiler          the versions of the libraries, the processor, and the
                    folder of the kernels
  license           what you may do with it
  stop              end a search, a count or a bench
  quit              leave, when counts and benches have ended\
"""

LICENSE: Final = """\
Boomslang is free software: you can redistribute it and modify it under the
terms of the GNU General Public License as published by the Free Software
Foundation, either version 3 of the License, or (at your option) any later
version. It comes without any warranty, to the extent permitted by law. The file
LICENSE, which comes with it, and https://www.gnu.org/licenses/ have the full
text.\
"""

_PACKAGES: Final = ("numba", "llvmlite", "numpy", "chess")
_FEATURES: Final = ("popcnt", "bmi2", "avx2", "avx512f", "neon", "sve")  # those of the kernels


def compiler() -> str:
    """The versions on which the compiled kernels depend, the processor, the kernel cache."""
    import platform
    import sys
    from importlib import metadata

    from boomslang.core.jit import jit
    from boomslang.core.system.threads import usable_processors

    rows = [("Python", f"{sys.version.split()[0]} ({platform.python_implementation()})")]
    rows += [(package, metadata.version(package)) for package in _PACKAGES]
    features = jit.cpu_features()
    used_features = [feature for feature in _FEATURES if feature in features]
    pext = "PEXT" if jit.cpu_has_fast_pext() else "magic multiplication"
    cache = jit.kernel_cache()
    rows += [
        ("Machine", f"{platform.system()} {platform.machine()}, {usable_processors()} processors"),
        (
            "Processor",
            f"{jit.cpu_name()} ({', '.join(used_features) or 'no special features'}), attacks by {pext}",
        ),
        ("Kernels", str(cache.folder or cache.remark)),
    ]
    if jit.DISABLED:
        rows.append(("Compiler", "off (NUMBA_DISABLE_JIT)"))
    return "\n".join(f"{title:9} {value}" for title, value in rows)
