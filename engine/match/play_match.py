"""Matches from Python: `boomslang.play_match`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from boomslang.core.system.journal import Journal
from boomslang.engine.limits import ignore
from boomslang.engine.match.match_settings import MatchSettings
from boomslang.engine.match.naming import find_anchors, name_engines
from boomslang.engine.match.pairs import MatchPlan, Pair, in_pgn, pair_journal, play_pairs
from boomslang.engine.match.standings import Standings
from boomslang.engine.search_settings import WorkSettings


class PreparedMatch(NamedTuple):
    """A match before its first game, or as far as its journal goes."""

    plan: MatchPlan
    record: Journal[Pair]
    names: list[str]
    standings: Standings


def prepare_match(
    settings: MatchSettings, plan: MatchPlan, hear: Callable[[str], object] = ignore
) -> PreparedMatch:
    """Start each engine once, for its name, and read the journal. Raises CommandError and FileError.

    `hear` is as for `name_engines`.
    """
    record = pair_journal(settings.out, plan)
    record.check()
    names = name_engines(plan, hear)
    anchors = find_anchors(settings.anchors or {}, settings.engines, plan.engines, names)
    return PreparedMatch(plan, record, names, Standings(names, anchors))


def play_match(
    *engines: str,
    games: int = 1000,
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
    jobs: int | None = None,
    python: str | None = None,
    out: str | os.PathLike[str] | None = None,
) -> dict[str, Any]:
    """Play a match of two engines or a tournament of more, as `boomslang match` does.

    An engine is "." for this version, "@REVISION" for a commit, a command, or the folder of an agent, which
    the interpreter `python` runs, or else this one; `options` has a mapping for each engine. One limit is
    given: `nodes`, `depth`, `movetime` in milliseconds, or a `clock` of base time and increment in seconds
    (8 and 0.08). The limit of all engines but the first is divided by `odds`, or that of each engine by its
    own of a sequence. `anchors` are fixed ratings by name of an engine; `jobs` is the number of processes
    (all processors). With `out`, a journal, the same call continues where it was interrupted.

    Returns what `boomslang match --json` writes, among it `engines` with `elo` and its 95 % `error`, `won`,
    `drawn` and `lost`, and the `games` as PGN. Raises TypeError for wrong types, CommandError (a ValueError)
    for wrong values and for an engine that does not start, FileError for a file that cannot be used.
    """
    given = locals()
    settings, work = MatchSettings.of(given), WorkSettings.of(given)
    match = prepare_match(settings, settings.plan(lambda problem: None))
    record, standings = match.record, match.standings
    with record.open():
        for _ in play_pairs(match.plan, record, settings.games // 2, work.count()):
            pass
    for pair in record.entries:
        standings.add(pair)
    played = [game for pair in record.entries for game in in_pgn(pair, match.names)]
    return {**standings.summary(), "games": played}
