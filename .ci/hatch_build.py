"""What an editable install holds, the path of the clone; and what a wheel for a platform holds besides."""

from __future__ import annotations

import json
import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = "BOOMSLANG_KERNELS"  # variable: the folder that `tools.wheel_kernels` has made
# The oldest glibc of the wheels of Numba and llvmlite that kernels are compiled with.
GLIBC = "manylinux_2_28"


class BuildHook(BuildHookInterface[Any]):
    """Keeps the wheel's `force-include` out of editable installs, where it would hide the clone.

    With compiled kernels at hand the wheel carries them, and requires the versions that they are for.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds; `version` is "standard" or "editable"."""
        if version == "editable":  # an empty table would count as none
            build_data["force_include_editable"] = {"boomslang-stubs": "boomslang-stubs"}
        elif kernels := os.environ.get(KERNELS):
            build_data["force_include"][kernels] = "boomslang/core/jit/kernels"
            versions = json.loads(Path(kernels, "versions.json").read_text("utf-8"))
            del versions["python"]
            build_data["dependencies"] += [f"{name}=={number}" for name, number in versions.items()]
            python = f"cp{sys.version_info.major}{sys.version_info.minor}"
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["tag"] = f"{python}-{python}-{platform.replace('linux', GLIBC)}"
            build_data["pure_python"] = False
