"""Puts what the tour runs in the browser into the site: Pyodide, and the textbook with python-chess.

    python .ci/tour_site.py SITE [PYODIDE]

SITE gets `textbook.zip`, and from the folder PYODIDE, if it is there, a copy of the files that a page loads.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parent.parent
_LOADED: Final = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
# They belong to the engine's play while it compiles, and import more than the textbook.
_LEFT_OUT: Final = ("fallback.py", "watch.py")


def pack(target: Path) -> None:
    """Write the archive: `boomslang.engine.textbook`, which is plain Python, and python-chess."""
    chess = importlib.util.find_spec("chess")
    if chess is None or chess.origin is None:
        raise SystemExit("python-chess is not installed")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(_ROOT / "boomslang.py", "boomslang/__init__.py")
        archive.write(_ROOT / "engine" / "__init__.py", "boomslang/engine/__init__.py")
        for path in sorted((_ROOT / "engine" / "textbook").glob("*.py")):
            if path.name not in _LEFT_OUT:
                archive.write(path, f"boomslang/engine/textbook/{path.name}")
        for path in sorted(Path(chess.origin).parent.glob("*.py")):
            archive.write(path, f"chess/{path.name}")


def main() -> None:
    """Complete the site."""
    site = Path(sys.argv[1])
    pack(site / "textbook.zip")
    pyodide = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if pyodide is None or not pyodide.is_dir():
        print("The tour does not run in this copy of the site: Pyodide is missing, which needs npm")
        return
    (site / "pyodide").mkdir(exist_ok=True)
    for name in _LOADED:
        shutil.copyfile(pyodide / name, site / "pyodide" / name)


if __name__ == "__main__":
    main()
