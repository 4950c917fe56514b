"""The journal of an unfinished analysis, from which the same command resumes.

The keys are hashes of everything that a result depends on, so a journal of other settings, of another
engine or of another file does no harm.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from boomslang.core.system.journal import Journal
from boomslang.engine.analysis.segment import Evaluations
from boomslang.engine.analyst import Evaluation

_HEADER: Final = {"boomslang": "journal of an analysis", "version": 1}


def analysis_journal(path: Path) -> Journal[tuple[str, Evaluations]]:
    """The journal at `path` of keys and results; a missing folder is created. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return Journal(path, _HEADER, _read_found, "choose another --out", cut_damage=True)


def add_result(kept: Journal[tuple[str, Evaluations]], key: str, found: Evaluations) -> None:
    """Add a result; it is on the disk when this returns. Raises FileError."""
    content = [evaluation.to_json() for evaluation in found]
    kept.add({"key": key, "positions": content}, (key, found))


def _read_found(entry: Any, number: int) -> tuple[str, Evaluations]:
    evaluations = tuple(map(Evaluation.from_json, entry["positions"]))
    if not evaluations:
        raise ValueError("a result without a position")
    return str(entry["key"]), evaluations
