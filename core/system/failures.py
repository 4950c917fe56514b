"""Messages about a broken installation: one line with the reason and the file."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Final

from boomslang.core.system import installation
from boomslang.core.system.files import quote_path
from boomslang.core.system.sanitize import quote

_NUMPY_REASON: Final = "Original error was:"
_MEMORY_REASONS: Final = ("failed to map segment", "annot allocate memory", "start new thread")
_OURS: Final = Path(installation.FOLDER)


def is_of_installation(problem: BaseException) -> bool:
    """True if an import failed or memory or threads ran out: a fault of the installation or the system."""
    if isinstance(problem, ImportError | SyntaxError | MemoryError) or _lacks_memory(problem):
        return True
    if isinstance(problem, AttributeError) and isinstance(problem.obj, ModuleType):
        return not _is_ours(problem.obj.__file__)  # a library that lacks what it should have
    return any(
        frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__"
        for frame, _ in traceback.walk_tb(problem.__traceback__)
    )


def in_words(problem: BaseException) -> str:
    """The reason, the file unless it is one of the engine's, and what to do."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    # NumPy prints a long explanation with the reason somewhere inside.
    reasons = [line.removeprefix(_NUMPY_REASON).strip() for line in lines if _NUMPY_REASON in line]
    said = next(iter(reasons or lines), "")
    if _lacks_memory(problem):
        return "there is not enough memory" + (f": {quote(said)}" if said else "")
    text = f"{type(problem).__name__} {quote(said)}"
    file = _file_of(problem)
    where = f" in {quote_path(file)}" if file else ""
    folders = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if file and any(Path(file).is_relative_to(Path(folder).absolute()) for folder in folders):
        return f"{text}{where}, which PYTHONPATH leads to; take it out of that"
    if file or is_of_installation(problem):
        return f"{text}{where}; install Boomslang anew"
    return text


def _lacks_memory(problem: BaseException | None) -> bool:
    """True for a lack of memory, or of threads, also if it led to another exception."""
    while problem is not None:
        if isinstance(problem, MemoryError) or any(
            word in str(problem) for word in _MEMORY_REASONS
        ):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def _file_of(problem: BaseException) -> str | None:
    """The file of the fault; None for a file of the engine, unless its own source is damaged."""
    if isinstance(problem, SyntaxError) and problem.filename:
        return problem.filename
    if isinstance(problem, ImportError) and problem.path:
        return problem.path  # the module that lacks the name
    if isinstance(problem, ModuleNotFoundError) and problem.name:
        above = sys.modules.get(problem.name.rpartition(".")[0])
        if above and not hasattr(above, "__path__"):  # a module that hides a package
            return above.__file__
    if isinstance(problem, AttributeError) and isinstance(problem.obj, ModuleType):
        return problem.obj.__file__
    frames = traceback.walk_tb(problem.__traceback__)
    files = [frame.f_code.co_filename for frame, _ in frames]
    file = next((file for file in reversed(files) if not file.startswith("<")), None)
    return None if _is_ours(file) else file


def _is_ours(file: str | None) -> bool:
    """True for a file of the engine; in an installation the libraries lie beside it."""
    return file is None or any(
        Path(file).is_relative_to(_OURS / name) for name in installation.PACKAGES
    )
