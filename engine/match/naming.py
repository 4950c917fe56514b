"""The names of the engines of a match, by which tables, PGN and anchors know them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Final

import chess
import chess.engine

from boomslang.core.system.files import quote_path
from boomslang.core.system.sanitize import shorten
from boomslang.engine.errors import CommandError, refuse_errors
from boomslang.engine.limits import Limits, ignore
from boomslang.engine.match.engine_spec import THIS, EngineSpec, engine_process
from boomslang.engine.match.match_game import FAILURES
from boomslang.engine.match.pairs import MatchPlan
from boomslang.engine.other_engines.engine_connection import (
    EngineProcessError,
    EngineSilentError,
    UciConnection,
)
from boomslang.engine.other_engines.engine_process import EngineProcess
from boomslang.engine.other_engines.engine_runner import EngineRunner

_ORDINALS: Final = ("first", "second", "third")
_PROBES: Final = {"nodes": Limits(nodes=1000), "depth": Limits(depth=1)}
_PROBE_TIMEOUT: Final = 10.0  # seconds


def name_engines(settings: MatchPlan, hear: Callable[[str], object] = ignore) -> list[str]:
    """The names of the engines; each is started once, to fail before the work begins.

    One that does not end a search at its limit of nodes or depth is refused. `hear` gets the last lines that
    one that does not start has written to standard error. Raises CommandError.
    """
    specs = settings.engines
    called: dict[int, str] = {}
    # Other engines first: they fail at once, while this version may have to be compiled.
    for spec in sorted(specs, key=lambda each: each.name == THIS):
        with refuse_errors(*FAILURES, about=f"{spec.name}: "):
            process = engine_process(spec)
            runner = EngineRunner(process.close)
            try:
                said = runner.run(process.start()).id.get("name")
            except EngineProcessError as problem:
                for remark in problem.remarks:
                    hear(remark)
                raise
            called[id(spec)] = shorten(said or spec.name)
            for kind, limits in _PROBES.items():
                is_asked = getattr(settings.pace, kind) and spec.name != THIS
                if is_asked and (spec.is_agent or not runner.run(_ends_search(process, limits))):
                    raise ValueError(f"it knows no limit of {kind}; use a clock or --movetime")
    names: list[tuple[str, list[str]]] = []
    for number, spec in enumerate(specs):
        own = called[id(spec)]
        marks = [spec.name] if own != spec.name else []
        marks += [f"{name}={value}" for name, value in spec.options.items()]
        if settings.odds and settings.odds[number] != 1.0:
            marks.append(f"odds {settings.odds[number]:g}")
        names.append((own, marks))
    for named in [each for each in names if names.count(each) > 1]:
        for place, number in enumerate([n for n, each in enumerate(names) if each == named]):
            ordinal = _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"
            names[number] = named[0], [*named[1], ordinal]
    return [f"{own} ({', '.join(marks)})" if marks else own for own, marks in names]


async def _ends_search(process: EngineProcess, limits: Limits) -> bool:
    """True if an engine ends a search at that limit, or fails: then it loses its games."""
    try:
        if limits.depth or isinstance(await process.start(), UciConnection):
            await process.play(chess.Board(), limits, timeout=_PROBE_TIMEOUT)
            return True
    except EngineSilentError:
        pass
    except chess.engine.EngineError:
        return True
    return False


def find_anchors(
    anchors: Mapping[str, float],
    texts: Sequence[str],
    specs: Sequence[EngineSpec],
    names: Sequence[str],
) -> dict[int, float]:
    """The fixed ratings by number of engine. Raises CommandError.

    An engine is known by how it was given; else, in any case of letters, by that, by its program alone, or
    by how its name begins.
    """
    known = [
        {each.casefold() for each in (given, spec.name, PurePath(*spec.command[:1]).name)}
        for given, spec in zip(texts, specs, strict=True)
    ]
    ratings: dict[int, float] = {}
    for text, elo in anchors.items():
        wanted = text.casefold()
        fitting = [number for number, given in enumerate(texts) if given == text] or [
            number
            for number, name in enumerate(names)
            if wanted in known[number] or name.casefold().startswith(wanted)
        ]
        if len(fitting) != 1:
            what = "more than one engine" if fitting else "no engine"
            raise CommandError(f"{what} is called {quote_path(text)}; there are {', '.join(names)}")
        if fitting[0] in ratings:
            raise CommandError(f"{names[fitting[0]]} has two ratings")
        ratings[fitting[0]] = elo
    return ratings
