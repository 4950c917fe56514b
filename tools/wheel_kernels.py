"""Compiles the kernels that a wheel carries, for each level of processors, into a folder.

    python -m tools.wheel_kernels build/kernels

It gets `versions.json`, `contents.txt` (the kernels by name) and a folder for each level; `make wheels`
builds a wheel of it. Every level of the machine's kind can be compiled on any machine of that kind.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from boomslang.core.jit import shipped
from boomslang.core.system.installation import IMPORT_FOLDER

# Kernels that are needed within the first minute of some command; training compiles its own.
_COMPILE = """
import pkgutil, importlib, sys
sys.path.insert(0, sys.argv[1])
from boomslang.core.jit import jit
from boomslang.cli.doctor.warmup_command import import_all
import_all("boomslang.engine.learning.")
jit.load_kernels()
print(*sorted(jit.kernel_names()), sep="\\n")
"""


def main() -> None:
    """Compile into the folder given, which is made anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    shutil.rmtree(folder, ignore_errors=True)
    contents = ""
    for name, target in shipped.levels().items():
        cache = folder.absolute() / f"{name}.cache"
        numba = {"NUMBA_CPU_NAME": target.name, "NUMBA_CPU_FEATURES": target.features}
        command = [sys.executable, "-P", "-c", _COMPILE, IMPORT_FOLDER]
        environment = {**os.environ, **numba, "BOOMSLANG_CACHE_DIR": str(cache)}
        ended = subprocess.run(
            command, env=environment, check=True, stdout=subprocess.PIPE, text=True
        )
        contents = ended.stdout
        (cache / "kernels").rename(folder / name)
        shutil.rmtree(cache)
        for other in {*(folder / name).iterdir()} - {*(folder / name).glob("*.kernel")}:
            other.unlink()
        print(f"{name}: {len(contents.split())} kernels")
    libraries = {library: metadata.version(library) for library in ("numba", "llvmlite", "numpy")}
    versions = shipped.present_versions(**libraries)
    (folder / shipped.VERSIONS_FILE).write_text(json.dumps(versions, indent=1) + "\n", "utf-8")
    (folder / "contents.txt").write_text(contents, "utf-8")


if __name__ == "__main__":
    main()
