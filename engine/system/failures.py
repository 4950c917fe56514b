"""Messages about a broken installation: one line with the reason and the file."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Final

from boomslang.engine.system import installation
from boomslang.engine.system.files import quote_path
from boomslang.engine.system.sanitize import quote

_NUMPY_REASON: Final = "Original error was:"
_NO_MEMORY: Final = ("failed to map segment", "annot allocate memory")  # of a library
_OURS: Final = Path(installation.FOLDER)
_PACKAGES: Final = ("cli", "engine", "eval", "perft", "uci")


def is_of_installation(problem: BaseException) -> bool:
    """True if an import failed or memory or threads ran out: a fault of the installation or the system."""
    if isinstance(problem, ImportError | SyntaxError | MemoryError):
        return True
    if isinstance(problem, AttributeError) and isinstance(problem.obj, ModuleType):
        file = problem.obj.__file__
        return file is not None and not _is_ours(
            Path(file)
        )  # a library that lacks what it should have
    return _is_of_thread(problem) or any(
        frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__"
        for frame, _ in traceback.walk_tb(problem.__traceback__)
    )


def in_words(problem: BaseException) -> str:
    """The reason, the file unless it is one of the engine's, and what to do."""
    problem = _cause_of(problem)
    if isinstance(problem, MemoryError):
        return "there is not enough memory"
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    # NumPy prints a long explanation with the reason somewhere inside.
    reasons = [line.removeprefix(_NUMPY_REASON).strip() for line in lines if _NUMPY_REASON in line]
    said = next(iter(reasons or lines), "")
    if any(words in told for told in _with_contexts(problem) for words in _NO_MEMORY):
        return f"there is not enough memory: {quote(said)}"
    text = f"{type(problem).__name__} {quote(said)}"
    if _is_of_thread(problem):
        return f"{text}: there is not enough memory, or there are too many processes"
    file = _file_of(problem)
    if not is_of_installation(problem) and file is None:
        return text
    where = f" in {quote_path(file)}" if file else ""
    if file and _is_below_python_path(file):
        return f"{text}{where}, which PYTHONPATH leads to; take it out of that"
    return f"{text}{where}; install Boomslang anew"


def _cause_of(problem: BaseException) -> BaseException:
    """The failed import, perhaps on another thread, because of which a module of the engine lacks a name."""
    if not (isinstance(problem, ImportError) and problem.name and problem.path):
        return problem
    if not _is_ours(Path(problem.path)):
        return problem
    try:
        import_module(problem.name)
    except Exception as cause:
        return cause
    return problem


def _with_contexts(problem: BaseException | None) -> Iterator[str]:
    """What it says, and what was said by those that it came from."""
    while problem is not None:
        yield str(problem)
        problem = problem.__cause__ or problem.__context__


def _is_of_thread(problem: BaseException) -> bool:
    return isinstance(problem, RuntimeError) and "start new thread" in str(problem)


def _file_of(problem: BaseException) -> str | None:
    """The file of the fault; None for a file of the engine whose import is missing."""
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
    file = _last_file(problem.__traceback__)
    return None if file is None or _is_ours(Path(file)) else file


def _is_ours(file: Path) -> bool:
    """True for a file of the engine; in an installation the libraries lie beside it."""
    return any(file.is_relative_to(_OURS / package) for package in _PACKAGES)


def _last_file(trace: TracebackType | None) -> str | None:
    files = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(trace)]
    real = [file for file in files if not file.startswith("<")]
    return real[-1] if real else None


def _is_below_python_path(file: str) -> bool:
    folders = [Path(text).absolute() for text in os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return not sys.flags.ignore_environment and any(
        Path(file).is_relative_to(folder) and folder != _OURS for folder in folders
    )
