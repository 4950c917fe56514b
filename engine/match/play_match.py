"""Matches from Python: `boomslang.play_match`."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boomslang.engine.match.engine_spec import parse_engine
from boomslang.engine.match.match_game import TimeControl
from boomslang.engine.match.naming import MAX_ELO, find_anchors, name_engines
from boomslang.engine.match.opening import read
from boomslang.engine.match.pairs import MatchSettings, PairRecord, play_pairs
from boomslang.engine.match.pgn import in_pgn
from boomslang.engine.match.standings import Standings
from boomslang.engine.other_engines.programs import split_command


def play_match(
    *engines: str,
    games: int = 100,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    clock: tuple[float, float] | None = None,
    options: Sequence[Mapping[str, Any]] = (),
    odds: float | Sequence[float] = 1.0,
    gauntlet: bool = False,
    adjudicated: bool = True,
    openings: str | os.PathLike[str] | None = None,
    seed: int = 1,
    anchors: Mapping[str, float] | None = None,
    jobs: int = 1,
    python: str = "",
    out: str | os.PathLike[str] | None = None,
) -> dict[str, Any]:
    """Play a match of two engines or a tournament of more, as `boomslang match` does.

    An engine is "." for this version, "@REVISION" for a commit, a command, or the folder of an agent, which
    the interpreter `python` runs, or else this one; `options` has a mapping for each engine. One limit is
    given: `nodes`, `depth`, `movetime` in milliseconds, or a `clock` of base time and increment in seconds.
    The limit of all engines but the first is divided by `odds`, or that of each engine by its own of a
    sequence. `anchors` are fixed ratings by name of an engine; `jobs` is the number of processes. With
    `out`, a journal, the same call continues where it was interrupted.

    Returns what `boomslang match --json` writes, among it `engines` with `elo` and its 95 % `error`, `won`,
    `drawn` and `lost`, and the `games` as PGN. Raises ValueError for arguments of a wrong type or value, an
    engine that does not start, or a file that cannot be used.
    """
    if len(engines) < 2 or not all(isinstance(text, str) for text in engines):
        raise ValueError("a match needs two engines or more, each a command")
    if sum(limit is not None for limit in (nodes, depth, movetime, clock)) != 1:
        raise ValueError("a match needs one of nodes, depth, movetime and clock")
    if not isinstance(options, Sequence) or not all(map(_has_names, options)):
        raise ValueError("options must be a sequence of mappings of names to values")
    if len(options) > len(engines):
        raise ValueError("options must have at most one mapping for each engine")
    if anchors is not None and not _has_names(anchors):
        raise ValueError("anchors must be a mapping of names to ratings")
    for name, path in (("openings", openings), ("out", out)):
        if not isinstance(path, str | os.PathLike | None):
            raise ValueError(f"{name} must be the path of a file")
    if not isinstance(python, str):
        raise ValueError("python must be the command of an interpreter")
    if clock is not None and not (isinstance(clock, tuple) and len(clock) == 2):
        raise ValueError("clock must be a pair of numbers")
    base, increment = clock or (1.0, 0.0)
    own_odds = odds if isinstance(odds, Sequence) else [1.0, *[odds] * (len(engines) - 1)]
    if len(own_odds) != len(engines):
        raise ValueError("odds must be a number, or a sequence of one for each engine")
    numbers = (one for one in own_odds if isinstance(one, int | float))
    smallest = max([1.0, *numbers])  # one node or millisecond
    limits = (("nodes", nodes, smallest), ("depth", depth, 1), ("movetime", movetime, smallest))
    for name, value, least, kind in (
        *(("odds", one, 0.001, float) for one in own_odds),
        ("games", games, 2, int),
        *((name, limit, least, int) for name, limit, least in limits if limit is not None),
        ("base time", base, 0.001, float),
        ("increment", increment, 0.0, float),
        ("seed", seed, 0, int),
        ("jobs", jobs, 1, int),
        *((f"anchor {name}", elo, -MAX_ELO, float) for name, elo in (anchors or {}).items()),
    ):
        is_kind = isinstance(value, int | kind) and not isinstance(value, bool)
        if not (is_kind and least <= value and abs(value) < math.inf):
            number = "a whole number" if kind is int else "a finite number"
            raise ValueError(f"{name} must be {number} of at least {least:g}")
    if any(elo > MAX_ELO for elo in (anchors or {}).values()):
        raise ValueError(f"an anchor must be at most {MAX_ELO}")
    if depth and any(one != 1.0 for one in own_odds):
        raise ValueError("a depth is not divided by odds")
    if games % 2:
        raise ValueError("games are played in pairs: their number must be even")
    seconds = movetime / 1000 if movetime else None
    given = [{name: str(value) for name, value in own.items()} for own in options]
    given += [{}] * (len(engines) - len(given))
    words = split_command(python)
    specs = []
    for text, own in zip(engines, given, strict=True):
        try:
            specs.append(parse_engine(text, own, words))
        except ValueError as problem:
            raise ValueError(f"{text}: {problem}") from None
    if words and not any(spec.is_agent for spec in specs):
        raise ValueError("python needs an agent, which is a folder with the file agent.py")
    settings = MatchSettings(
        tuple(specs),
        TimeControl(nodes, depth, seconds, clock),
        seed,
        tuple(read(Path(openings), lambda problem: None)) if openings else (),
        tuple(map(float, own_odds)),
        gauntlet and len(engines) > 2,
        adjudicated,
    )
    record = PairRecord(Path(out) if out else None, settings)
    record.check()
    names = name_engines(settings)
    standings = Standings(names, find_anchors((anchors or {}).items(), engines, specs, names))
    with record.open():
        for _ in play_pairs(settings, record, games // 2, jobs):
            pass
    for pair in record.pairs:
        standings.add(pair)
    played = [game for pair in record.pairs for game in in_pgn(pair, names)]
    return {**standings.summary(), "games": played}


def _has_names(given: object) -> bool:
    """True for a mapping whose keys are text."""
    return isinstance(given, Mapping) and all(isinstance(name, str) for name in given)
