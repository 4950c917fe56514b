"""`boomslang suite`: results on test suites of positions with known best moves."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boomslang.cli.terminal.arguments import (
    INTERRUPTED,
    Parser,
    UsageError,
    check_kind,
    check_outputs,
    complain_interrupted,
    with_arguments,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain, page
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import write_whole
from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.errors import refuse_errors
from boomslang.engine.other_engines.engine_settings import PlayerSettings
from boomslang.engine.search_settings import SuiteSettings, WorkSettings

if TYPE_CHECKING:
    from boomslang.cli.lab.suites.epd import BadLine, TestPosition
    from boomslang.cli.lab.suites.outcome import Outcome
    from boomslang.cli.lab.suites.result_files import SuiteRun
    from boomslang.engine.other_engines.engine_connection import EngineCommand

RIGHT, PROBLEMS = 0, 1
SHIPPED: Final = Path(__file__).with_name("tactics.epd")
_PAGE: Final = 100  # columns where there is no terminal
_ENGINE: Final = (
    "command of a UCI or CECP engine, or folder of an agent, to compare with, under the same limits"
)
_MAX_BAD: Final = 20  # lines of a file that are reported one by one

_DESCRIPTION: Final = """\
Solve the positions of EPD files: best moves (bm), moves to avoid (am), mates in N moves (dm) and points for
moves as in the Strategic Test Suite. Without a file, the built-in suite of tactics from self-play games.
"""
_EXAMPLES: Final = """\
examples:
  boomslang suite wac.epd --movetime 1000
  boomslang suite wac.epd sts.epd --nodes 100_000 --jobs 4 --json new.json --against old.json
  boomslang suite --depth 10 --engine "stockfish" --option "Skill Level=5"
  boomslang suite sts.epd --themes --cluster tcp://192.168.1.10:8786

The exit status is 0 if all positions were searched, solved or not; 1 if a line is invalid or a search failed;
2 after a usage error; 130 after Ctrl-C, which still writes the results so far. --engine also compares this
engine with other options. An agent is a folder whose file agent.py defines get_move(fen, milliseconds); it
runs unprotected, as any engine does.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang suite", _DESCRIPTION, _EXAMPLES)
    parser.option("files FILE", Path, "test suites in EPD (built-in tactics)", nargs="*")
    group = parser.add_argument_group("limits per position; the first one reached ends the search")
    add_settings(group, SuiteSettings)
    add_settings(parser, WorkSettings)
    parser.flag("--themes", "one line per theme, taken from the ids")
    parser.flag("--brief", "no list of unsolved positions")
    parser.option("--json FILE", Path, "JSON file of all results to write")
    parser.option("--against FILE", Path, "JSON file of an earlier run to compare with")
    add_settings(parser, PlayerSettings, engine=_ENGINE)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    from boomslang.cli.lab.suites import outcome_tables
    from boomslang.cli.lab.suites.result_files import SuiteRun, read_json, to_json

    console = Console(width=page(_PAGE))
    effort = read_settings(SuiteSettings, arguments)
    other = read_settings(PlayerSettings, arguments).command()
    if other and other.is_agent and not effort.movetime:
        raise UsageError("--engine: an agent knows no limit but time; use --movetime")
    check_kind("--json", arguments.json, "json")
    check_outputs(arguments.json, sources=[*arguments.files, arguments.against])
    earlier: tuple[SuiteRun, dict[str, Any]] | None = None
    if arguments.against:
        earlier = read_json(arguments.against)
    tasks, bad = _read(arguments.files or [SHIPPED])
    other_name = _name_of(other) if other else ""

    ours, theirs, interrupted = _solve(tasks, effort, other, arguments)
    runs = [SuiteRun(f"{NAME} {VERSION}", ours)]
    title = f"{runs[0].engine}, {_limits_in_words(asdict(effort))}"
    console.print(outcome_tables.summary(title, ours, arguments.themes))
    if not arguments.brief:
        outcome_tables.show_failures(console, ours)
    if other:
        runs.append(SuiteRun(other_name, theirs))
        console.print(outcome_tables.summary(other_name, theirs, arguments.themes))
        outcome_tables.compare(console, ours, theirs, other_name)
    if earlier:
        name = f"{arguments.against.name}: {earlier[0].engine}, {_limits_in_words(earlier[1])}"
        outcome_tables.compare(console, ours, earlier[0].outcomes, name)
    if arguments.json:
        write_whole(arguments.json, to_json(effort, runs, bad))
    if interrupted:
        written = " and written" if arguments.json else ""
        complain_interrupted(
            f"boomslang suite: interrupted; {len(ours)} of {len(tasks)} positions done{written}"
        )
        return INTERRUPTED
    failures = [outcome for run in runs for outcome in run.outcomes if outcome.failure]
    if failures:
        complain(f"boomslang suite: failed searches: {len(failures)}")
    return PROBLEMS if bad or failures else RIGHT


def _name_of(other: EngineCommand) -> str:
    from boomslang.engine.other_engines.engine_connection import EngineProcessError
    from boomslang.engine.other_engines.engine_runner import probe_engine

    with refuse_errors(EngineProcessError):
        return probe_engine(other).name


def _read(paths: Iterable[Path]) -> tuple[list[TestPosition], list[BadLine]]:
    """The tasks of all files; reports the lines that are left out.

    Raises FileError, or UsageError if there is no task.
    """
    from boomslang.cli.lab.suites.epd import read_epd

    tasks, bad = [], []
    for path in paths:
        good, left_out = read_epd(path)
        for line in left_out[:_MAX_BAD]:
            complain(f"{line.place}: {line.reason}")
        if len(left_out) > _MAX_BAD:
            complain(f"{path}: {len(left_out) - _MAX_BAD} more invalid lines")
        tasks += good
        bad += left_out
    if not tasks:
        raise UsageError("no position to solve in these files")
    if bad:
        complain(f"lines left out: {len(bad)}")
    return tasks, bad


def _solve(
    tasks: Sequence[TestPosition],
    effort: SuiteSettings,
    other: EngineCommand | None,
    arguments: argparse.Namespace,
) -> tuple[list[Outcome], list[Outcome], bool]:
    """The outcomes of both engines in the order of the tasks, and whether Ctrl-C came before the end."""
    from boomslang.cli.lab.suites.outcome import solver
    from boomslang.engine.jobs.run import run

    settings = read_settings(WorkSettings, arguments)
    if not settings.cluster:
        load_kernels()
    # Alternating, so that both engines run under the same load.
    items = [(by_other, task) for task in tasks for by_other in (False, True)[: 1 + bool(other)]]
    outcomes: dict[int, tuple[bool, Outcome]] = {}
    solved = 0
    interrupted = False
    jobs = settings.count(effort.threads)
    work = run(partial(solver, effort, other), items, jobs=jobs, cluster=settings.cluster)
    try:
        with progress("Solving", len(items), counted=True) as advance, contextlib.closing(work):
            for number, (by_other, outcome) in work:
                outcomes[number] = by_other, outcome
                solved += outcome.solved and not by_other
                advance(1, title=f"{solved} solved")
    except KeyboardInterrupt:
        interrupted = True
    in_order = [outcomes[number] for number in sorted(outcomes)]
    ours = [outcome for by_other, outcome in in_order if not by_other]
    return ours, [outcome for by_other, outcome in in_order if by_other], interrupted


def _limits_in_words(limits: dict[str, Any]) -> str:
    words = {"movetime": "{:,} ms", "nodes": "{:,} nodes", "depth": "depth {}"}
    parts = [text.format(limits[name]) for name, text in words.items() if limits.get(name)]
    if limits.get("threads", 1) > 1:
        parts.append(f"{limits['threads']} threads")
    return ", ".join(parts)
