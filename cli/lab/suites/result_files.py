"""Result files of suites, for later comparisons."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from boomslang.cli.lab.suites.epd import BadLine
from boomslang.cli.lab.suites.outcome import Outcome
from boomslang.core.system.files import FileError, quote_path, read_text
from boomslang.engine.search_settings import SuiteSettings

_FORMAT: Final = "boomslang-suite-1"
_MAX_BYTES: Final = 1 << 28  # bytes


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The outcomes of one engine over all suites."""

    engine: str
    outcomes: Sequence[Outcome]


def to_json(effort: SuiteSettings, runs: Sequence[SuiteRun], skipped: Sequence[BadLine]) -> str:
    """A run as JSON; the first engine is ours, the second the one compared with."""
    content = {
        "format": _FORMAT,
        "limits": asdict(effort),
        "skipped": [asdict(line) for line in skipped],
        "runs": [
            {
                "engine": run.engine,
                "solved": sum(outcome.solved for outcome in run.outcomes),
                "positions": len(run.outcomes),
                "points": sum(outcome.points for outcome in run.outcomes),
                "most_points": sum(outcome.most_points for outcome in run.outcomes),
                "outcomes": [asdict(outcome) for outcome in run.outcomes],
            }
            for run in runs
        ],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def read_json(path: Path) -> tuple[SuiteRun, dict[str, Any]]:
    """Our run in a file of `to_json`, and its limits.

    Raises FileError if the file cannot be read or has another format.
    """
    try:
        content = json.loads(read_text(path, _MAX_BYTES))
        if content["format"] != _FORMAT:
            raise ValueError(f"format {content['format']} instead of {_FORMAT}")
        run = content["runs"][0]
        outcomes = [Outcome(**outcome) for outcome in run["outcomes"]]
        return SuiteRun(str(run["engine"]), outcomes), dict(content["limits"])
    except FileError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, RecursionError) as problem:
        raise FileError(f"{quote_path(path)} is not the JSON of a suite run ({problem})") from None
