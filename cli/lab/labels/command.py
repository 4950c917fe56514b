"""`boomslang label`: scores of many positions, one line each."""

from __future__ import annotations

import argparse
import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boomslang.cli.lab.labels.formats import FORMATS, OF_GAME, OF_LINE, LabelFormat
from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    check_kind,
    kind_of,
    refuse_overwriting,
    with_arguments,
)
from boomslang.cli.terminal.engine_arguments import probe, refuse_failed_engine
from boomslang.cli.terminal.output import DataOutput, complain, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.identity import VERSION
from boomslang.core.system.installation import fingerprint
from boomslang.engine.errors import refuse_errors
from boomslang.engine.labels.columns import SEARCHED, STATIC
from boomslang.engine.labels.label_settings import LabelSettings
from boomslang.engine.search_settings import WorkSettings

if TYPE_CHECKING:
    from boomslang.cli.lab.labels.label_rows import Labelled
    from boomslang.cli.lab.labels.resumable_output import ResumableOutput
    from boomslang.engine.labels.raw_positions import LabelBlock, RawPosition
    from boomslang.engine.search_settings import AnalysisSettings

DONE, PROBLEMS = 0, 1
_ENGINE: Final = "command of a UCI or CECP engine that searches the positions"
_MAX_TOLD: Final = 1000  # invalid positions reported one by one

_DESCRIPTION: Final = """\
Score many positions, one output line each, in input order. Without a limit the score is the static
evaluation, which is empty in check; with --nodes, --depth or --movetime it is the score of a search, with the
best move and the win, draw and loss probabilities per mille. With --engine both are that engine's, and where
it has no option UCI_ShowWDL the probabilities are those of Lichess's curve, without draws.

FILE holds one position per line, in FEN or EPD, or games in PGN, all of whose positions are scored; - reads
lines from standard input. Scores are centipawns for the side to move (of this engine, 100 wins half of the
games) or moves to mate, negative for the side being mated.
"""
_EXAMPLES: Final = """\
examples:
  boomslang label positions.epd -o scores.csv
  boomslang label games.pgn --nodes 10_000 --format jsonl -o scores.jsonl
  sort -u positions.fen | boomslang label - --format epd > scores.epd
  boomslang label positions.epd --depth 12 --engine stockfish -o scores.csv
  boomslang label positions.epd --depth 12 --cluster tcp://192.168.1.10:8786 -o scores.csv

With --nodes or --depth the result does not depend on --jobs. Repeat an interrupted command with -o to resume
it. Invalid lines are reported with their numbers and left out; the exit status is then 1. It is 2 after a
usage error and 130 after Ctrl-C.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang label", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add(
        "file",
        type=lambda text: "-" if text == "/dev/stdin" else text,
        metavar="FILE",
        help="positions in FEN or EPD, games in PGN, or - for standard input",
    )
    add("-o", "--out", type=Path, metavar="FILE", help="file to write (standard output)")
    add("--format", choices=FORMATS, help="output format (that of the file's extension, or csv)")
    add_settings(parser, LabelSettings, "network", "classical")
    search = parser.add_argument_group("search of each position; the first limit reached ends it")
    limits = ("nodes", "depth", "movetime", "hash_mb", "tables")
    add_settings(search, LabelSettings, *limits)
    add_settings(search, LabelSettings, "engine", "options", engine=_ENGINE)
    add_settings(parser.add_argument_group("work"), WorkSettings)
    return parser


@with_arguments(new_parser, "interrupted; with -o, repeat the command to resume")
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang label`; returns the exit status."""
    from boomslang.cli.lab.labels import resumable_output
    from boomslang.cli.lab.labels.label_rows import row_writer
    from boomslang.engine.labels import raw_positions
    from boomslang.engine.labels.labeller import block_size

    settings = read_settings(LabelSettings, arguments)
    search = settings.search(probe(settings))
    is_pgn = arguments.file != raw_positions.STANDARD_INPUT and raw_positions.is_pgn(arguments.file)
    style = LabelFormat(
        _format(arguments), SEARCHED if search else STATIC, OF_GAME if is_pgn else OF_LINE
    )
    origin = {
        "version": VERSION,
        "engine": fingerprint("label"),  # its sources: an update is another engine
        "format": style.format,
        "evaluation": _evaluation(settings),
        "search": search and search.header(),
    }
    out = arguments.out
    if out:
        for written in (out, *resumable_output.unfinished(out)):
            refuse_overwriting(written, [Path(arguments.file)])
    items = raw_positions.read(arguments.file)
    # An unreadable file is reported before the kernels are loaded.
    everything = chain(_up_to_a_position(items), items)
    network = settings.network and settings.network.absolute()
    make = partial(row_writer, style, search, network, settings.classical)
    work = partial(_work, make, read_settings(WorkSettings, arguments), search, bool(arguments.out))
    size = block_size(search)
    report = _Report(arguments.file)
    if not arguments.out:
        lines = DataOutput()
        lines.write(style.head())
        for found in work(raw_positions.blocks(everything, size)):
            lines.write(found.text)
            report.hear(found)
        return report.status()
    with resumable_output.open_output(arguments.out, origin) as kept:
        _keep(kept, everything, work, size, style, report, arguments)
        kept.is_complete = True
        good, bad = kept.done.good, kept.done.bad
    say(f"{arguments.out}: {good:,} positions")
    return report.status(bad)


def _format(arguments: argparse.Namespace) -> str:
    """The output format; raises UsageError if the extension of the file promises another."""
    out, chosen = arguments.out, arguments.format
    if out is None:
        return chosen or FORMATS[0]
    check_kind("--out", out, *([chosen] if chosen else FORMATS))
    return chosen or kind_of(out) or FORMATS[0]


def _up_to_a_position(items: Iterator[RawPosition]) -> list[RawPosition]:
    """The first items, with the first that is a position as the last; raises UsageError if none is."""
    from boomslang.engine.labels.raw_positions import LabelBlock
    from boomslang.engine.notation.positions import read_line

    reasons: list[str] = []
    looked: list[RawPosition] = []
    for item in items:
        looked.append(item)
        for entry in LabelBlock(len(looked) - 1, [item]).entries():
            try:
                if not entry.problem:
                    read_line(entry.text)
                    return looked
                reasons.append(f"{entry.place}: {entry.problem}")
            except ValueError as problem:
                reasons.append(f"{entry.place}: {problem}")
        if len(reasons) == _MAX_TOLD:
            break
    raise UsageError(f"no position to label{f'; {reasons[0]}' if reasons else ''}")


def _keep(
    kept: ResumableOutput,
    everything: Iterator[RawPosition],
    work: Callable[[Iterator[LabelBlock]], Iterator[Labelled]],
    size: int,
    style: LabelFormat,
    report: _Report,
    arguments: argparse.Namespace,
) -> None:
    """Label the remaining positions and store the lines."""
    from boomslang.cli.lab.labels.resumable_output import LabelMarks
    from boomslang.engine.labels.raw_positions import blocks

    marks = LabelMarks()
    items = marks.passing(everything)
    if kept.done.items:
        deque(islice(items, kept.done.items), maxlen=0)
        if (marks.items, marks.digest) != (kept.done.items, kept.done.digest):
            raise UsageError(
                f"cannot resume: {arguments.file} has changed; delete {arguments.out}.part to start again"
            )
        complain(f"resuming after {kept.done.good + kept.done.bad:,} positions")
    else:
        kept.add(style.head(), 0, "", 0, 0)
    passed: deque[tuple[int, str]] = deque()  # after each block that is being labelled

    def noting() -> Iterator[LabelBlock]:
        for block in blocks(items, size, marks.items):
            passed.append((marks.items, marks.digest))
            yield block

    for found in work(noting()):
        # Before it is stored: Ctrl-C in between repeats the report instead of losing it.
        report.hear(found)
        kept.add(found.text, *passed.popleft(), found.good, len(found.bad))


def _work(
    make: Callable[[], Callable[[LabelBlock], Labelled]],
    settings: WorkSettings,
    search: AnalysisSettings | None,
    is_kept: bool,
    blocks: Iterator[LabelBlock],
) -> Iterator[Labelled]:
    """The labelled blocks, in input order."""
    from boomslang.engine.jobs.run import run_in_order

    ahead = list(islice(blocks, 2))
    jobs = settings.count() if len(ahead) > 1 else 1  # there is nothing to share
    if not settings.cluster:
        import boomslang.engine.driver.static_evaluator  # noqa: F401 - its kernel is loaded with the others

        load_kernels()
    items = chain(ahead, blocks)
    work = run_in_order(make, items, jobs=jobs, cluster=settings.cluster)
    name = search.engine_name if search else None
    with (
        progress("Positions", None) as advance,
        refuse_failed_engine(name, is_kept=is_kept),
        contextlib.closing(work),
    ):
        done = 0
        for found in work:
            yield found
            done += found.good + len(found.bad)
            advance(title=f"{done:,} positions")


def _evaluation(settings: LabelSettings) -> str:
    """The evaluation: `classical`, or the digest of a network. Raises UsageError."""
    from boomslang.eval.network.file import load_shipped, read, sha256_of

    if settings.classical:
        return "classical"
    with refuse_errors(ValueError):
        return sha256_of(read(settings.network)[0] if settings.network else load_shipped())


class _Report:
    """Reports invalid positions, and knows the exit status."""

    def __init__(self, source: str) -> None:
        self._source = "standard input" if source == "-" else source
        self._bad = 0

    def hear(self, found: Any) -> None:
        """Report the invalid positions of a block."""
        for place, reason in found.bad:
            self._bad += 1
            if self._bad <= _MAX_TOLD:
                complain(f"{self._source}:{place}: {reason}")
            elif self._bad == _MAX_TOLD + 1:
                complain("further invalid positions are only counted")

    def status(self, bad: int | None = None) -> int:
        """The exit status; `bad` counts the invalid positions of earlier runs too."""
        bad = self._bad if bad is None else bad
        if bad:
            complain(f"left out: {bad:,}")
        return PROBLEMS if bad else DONE
