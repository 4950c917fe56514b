"""Searches the segments of an analysis in parallel or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial

from boomslang.cli.analysis.search_position import AnalysisSettings
from boomslang.cli.analysis.segment import Evaluations, Segment, segment_searcher
from boomslang.engine.jobs.run import run


def search_all(
    tasks: Mapping[str, Segment],
    settings: AnalysisSettings,
    jobs: int = 1,
    cluster: str | None = None,
) -> Generator[tuple[str, Evaluations], None, None]:
    """Search every segment; yields keys and results, in the order of completion.

    Raises JobsError as `engine.jobs.run.run` does. Close it to end early.
    """
    keys = list(tasks)
    make: Callable[[], Callable[[Segment], Evaluations]] = partial(segment_searcher, settings)
    for number, found in run(make, tasks.values(), jobs=jobs, cluster=cluster):
        yield keys[number], found
