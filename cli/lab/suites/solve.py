"""Solves tasks with this engine or with another one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from boomslang.cli.lab.suites.epd import TestPosition
from boomslang.cli.lab.suites.outcome import Outcome, failed_outcome, outcome_of
from boomslang.engine.analyst import Analyst, OtherAnalyst, new_analyst
from boomslang.engine.limits import Info
from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.search_settings import SuiteSettings


def solver(
    settings: SuiteSettings, other: EngineCommand | None
) -> Callable[[tuple[bool, TestPosition]], tuple[bool, Outcome]]:
    """For `engine.jobs.run`: a function of (whether by the other engine, task)."""
    analysts: dict[bool, Analyst] = {}

    def solve(item: tuple[bool, TestPosition]) -> tuple[bool, Outcome]:
        by_other, task = item
        try:
            if by_other not in analysts:
                analysts[by_other] = (
                    OtherAnalyst(other, replace(settings, tables=None), attempts=1)
                    if by_other and other
                    else new_analyst(settings)
                )
            return by_other, _solve(analysts[by_other], settings, task)
        except Exception as problem:  # one failure must not stop the others
            return by_other, failed_outcome(task, f"{type(problem).__name__}: {problem}")

    return solve


def _solve(analyst: Analyst, settings: SuiteSettings, task: TestPosition) -> Outcome:
    """The outcome of a search that knows nothing."""
    lines: list[Info] = []
    begun = time.monotonic()

    def record(info: Info) -> None:
        if info.multipv == 1 and not info.bound:
            lines.append(replace(info, time=_milliseconds(begun)))

    best = analyst.analyse(task.board(), settings.limits, record).best
    if best is None:
        raise ValueError("no move")
    return outcome_of(task, lines, best, _milliseconds(begun))


def _milliseconds(since: float) -> int:
    return int((time.monotonic() - since) * 1000)
