"""The journal of `boomslang screening`: lots and results of its pairs of games, kept on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boomslang.cli.match.engine_spec import OURS, described
from boomslang.engine.core.system.files import printable, shown
from boomslang.engine.core.system.journal import Journal
from boomslang.engine.search.params import TABLE
from boomslang.engine.selfplay.pentanomial import Games
from boomslang.engine.selfplay.screening import Signs, draw

_VERSION: Final = 1
_DEFAULTS: Final = "defaults"
_ENGINE: Final = "engine"
_Pair = tuple[Signs, Games]


@dataclass(frozen=True, slots=True)
class ScreeningPlan:
    """What the games depend on: changes as they are written, a move's limit, table and seed."""

    changes: tuple[str, ...]
    nodes: int
    movetime: int | None  # milliseconds, instead of the nodes
    hash: int  # megabytes of each side
    seed: int

    def told(self) -> dict[str, Any]:
        """As JSON keeps it, with the engine that played: its numbers, and a digest of its files."""
        return {
            "version": _VERSION,
            "changes": list(self.changes),
            "nodes": self.nodes,
            "movetime": self.movetime,
            "hash": self.hash,
            "seed": self.seed,
            _DEFAULTS: {param.name: param.default for param in TABLE},
            _ENGINE: described(OURS, {}).digest,
        }

    def lot(self, pair: int) -> Signs:
        """Who has which change in a pair of games."""
        return draw(self.seed, pair, len(self.changes))


class ScreeningJournal:
    """The pairs so far, `signs` and `results` of each; open it with `opened`."""

    def __init__(self, journal: Journal[_Pair]) -> None:
        self._journal = journal
        self.signs = [signs for signs, _ in journal.entries]
        self.results = [games for _, games in journal.entries]

    def add(self, signs: Signs, games: Games) -> None:
        """Keep the next pair; it is on the disk when this returns. Raises FileError."""
        told = {"number": len(self.results), "signs": signs, "results": games}
        self._journal.add(told, (signs, games))
        self.signs.append(signs)
        self.results.append(games)


@contextmanager
def opened(path: Path | None, plan: ScreeningPlan) -> Iterator[ScreeningJournal]:
    """The journal of a plan, new or continued; without a path nothing is kept.

    Raises what `Journal.opened` raises.
    """

    def pair(told: Any, number: int) -> _Pair:
        lot = plan.lot(number)
        return lot, _games(told, number, lot)

    journal = Journal(path, plan.told(), pair, lambda kept: _why_foreign(path, kept, plan.told()))
    with journal.opened():
        yield ScreeningJournal(journal)


def _games(told: Any, number: int, lot: Signs) -> Games:
    """The results of the pair of that number. Raises ValueError if the line is about something else."""
    first, second = told["results"]
    if told["number"] != number or told["signs"] != list(lot) or not {first, second} <= {-1, 0, 1}:
        raise ValueError
    return first, second


def _why_foreign(path: Path | None, kept: Any, wanted: dict[str, Any]) -> str:
    """Why a file whose header is `kept` is no journal of this plan."""
    if isinstance(kept, dict) and kept.keys() == wanted.keys():
        for name, value in wanted.items():
            if kept[name] != value:
                return (
                    f"{shown(path or '')}: was begun {_shown(name, kept[name])}; name another file"
                )
    return f"{shown(path or '')} is no journal of boomslang screening"


def _shown(name: str, value: Any) -> str:
    if name == _DEFAULTS:
        return "when the numbers of the engine were others"
    if name == _ENGINE:
        return "with another version of the engine"
    if value is None:
        return f"without {name}"
    words = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return printable(f"with {name} {words}")
