"""Compiled kernels that a wheel carries, for processors of a level rather than for one processor.

A wheel for a platform has a folder `kernels` beside this module: `versions.json`, and a folder for each level
of processors, with files as in the cache of compiled kernels. A level is a name that LLVM knows, with the
features that its kernels may use. On a processor that has them all, everything is compiled for that level
instead of for the processor itself, so that the keys of the kernels are those of the wheel: whatever is in
the wheel is loaded, whatever is not is compiled into the user's cache.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).with_name("kernels")
VERSIONS_FILE: Final = "versions.json"

_V2: Final = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3: Final = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
# By machine, best first. Levels of x86-64 as in the psABI.
LEVELS: Final[Mapping[str, Mapping[str, Collection[str]]]] = {
    "x86_64": {"x86-64-v3": (*_V2, *_V3), "x86-64-v2": _V2},
    "aarch64": {"generic": ("neon",)},
}
# Compiled for in any case: on a Xeon with AVX-512 the search is 4 to 5 % faster so (medians of 24 and
# 12 pairs of `bench 13`) than compiled for that processor, on a Zen 5 as fast.
PREFERRED_LEVEL: Final = "x86-64-v3"
_MACHINES: Final = {"AMD64": "x86_64", "arm64": "aarch64"}  # as Windows and macOS call them


class Target(NamedTuple):
    """What kernels are compiled for: a processor and its features, as LLVM names them."""

    name: str
    features: str  # such as "+avx2,+bmi2"


def levels() -> dict[str, Target]:
    """The levels of this kind of machine, best first."""
    machine = platform.machine()
    found = LEVELS.get(_MACHINES.get(machine, machine), {})
    return {
        name: Target(name, ",".join(f"+{feature}" for feature in sorted(features)))
        for name, features in found.items()
    }


def choose_level(features: Mapping[str, bool], *, slow_pext: bool) -> Target | None:
    """The best level of a processor with these features; None if it is better served by its own kernels.

    With `slow_pext` that is so where the level's kernels would use PEXT, and a lower level would waste AVX2.
    """
    for name, target in levels().items():
        wanted = target.features.replace("+", "").split(",")
        if all(features.get(feature) for feature in wanted):
            return None if slow_pext and "bmi2" in wanted else Target(name, target.features)
    return None


def read_versions() -> dict[str, str]:
    """Versions that compiled the kernels of the wheel; empty if it has none, or the file is damaged."""
    try:
        found = json.loads((FOLDER / VERSIONS_FILE).read_text("utf-8"))
        return {str(name): str(version) for name, version in found.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def present_versions(**libraries: str) -> dict[str, str]:
    """Python's and the given versions of libraries: equal ones have the same kernels."""
    return {"python": f"{sys.version_info.major}.{sys.version_info.minor}", **libraries}
