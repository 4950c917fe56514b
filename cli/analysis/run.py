"""Searches the positions of an analysis in parallel or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial

from boomslang.cli.analysis.position import AnalysedPosition, AnalysisSettings, Evaluation, searcher
from boomslang.engine.jobs.run import run


def search_all(
    tasks: Mapping[str, AnalysedPosition],
    settings: AnalysisSettings,
    jobs: int = 1,
    cluster: str | None = None,
) -> Generator[tuple[str, Evaluation], None, None]:
    """Search every position; yields keys and results, in the order of completion.

    Raises JobsError as `engine.jobs.run.run` does. Close it to end early.
    """
    keys = list(tasks)
    make: Callable[[], Callable[[AnalysedPosition], Evaluation]] = partial(searcher, settings)
    for number, found in run(make, tasks.values(), jobs=jobs, cluster=cluster):
        yield keys[number], found
