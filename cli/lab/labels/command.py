"""`boomslang label`: scores of many positions, one line each."""

from __future__ import annotations

import argparse
import contextlib
import marshal
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
from boomslang.core.system.files import (
    FileError,
    beside,
    check_writable,
    exists,
    is_file,
    quote_path,
    whole_text,
)
from boomslang.core.system.identity import VERSION
from boomslang.core.system.installation import fingerprint
from boomslang.core.system.journal import Journal
from boomslang.engine.errors import refuse_errors
from boomslang.engine.labels.label_settings import LabelSettings
from boomslang.engine.search_settings import WorkSettings

if TYPE_CHECKING:
    from boomslang.cli.lab.labels.formats import RowWriter
    from boomslang.engine.labels.input_positions import Item
    from boomslang.engine.labels.labeller import Label
    from boomslang.engine.search_settings import AnalysisSettings

    Block = list[Item]

DONE, PROBLEMS = 0, 1
_ENGINE: Final = "command of a UCI or CECP engine that searches the positions"
_MAX_TOLD: Final = 1000  # invalid positions reported one by one
_SAVE_INTERVAL: Final = 0.5  # seconds
_FORMATS: Final = ("csv", "epd", "jsonl")

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
    text = "positions in FEN or EPD, games in PGN, or - for standard input"
    parser.option("file FILE", Path, text)
    parser.option("-o --out FILE", Path, "file to write (standard output)")
    add("--format", choices=_FORMATS, help="output format (that of the file's extension, or csv)")
    add_settings(parser, LabelSettings, "network", "classical")
    search = parser.add_argument_group("search of each position; the first limit reached ends it")
    limits = ("nodes", "depth", "movetime", "hash_mb", "tables")
    add_settings(search, LabelSettings, *limits)
    add_settings(search, LabelSettings, "engine", "options", engine=_ENGINE)
    add_settings(parser.add_argument_group("work"), WorkSettings)
    return parser


@with_arguments(new_parser, "interrupted; with -o, repeat the command to resume")
def main(arguments: argparse.Namespace) -> int:
    from boomslang.cli.lab.labels.formats import FORMATS
    from boomslang.engine.labels import input_positions
    from boomslang.engine.labels.labeller import (
        OF_POSITION,
        SEARCHED,
        STATIC,
        block_size,
        new_labeller,
    )

    settings = read_settings(LabelSettings, arguments)
    search = settings.search(probe(settings))
    source, out, chosen = str(arguments.file), arguments.out, _format(arguments)
    source = "-" if source == "/dev/stdin" else source
    origin = {
        "version": VERSION,
        "engine": fingerprint("engine.labels.labeller"),  # an update is another engine
        "format": chosen,
        "evaluation": _evaluation(settings),
        "search": search and search.header(),
    }
    if out:
        for written in (out, _part(out)):
            refuse_overwriting(written, [Path(source)])
    scores = SEARCHED if search else STATIC
    if input_positions.is_pgn(source):
        from boomslang.engine.labels import game_positions

        load_kernels()
        items = game_positions.read_positions(source)
        columns = (*game_positions.COLUMNS, *scores)
    else:
        items = input_positions.read_positions(source)
        columns = (*input_positions.COLUMNS, *scores[:OF_POSITION])
    # An unreadable file is reported before the kernels are loaded.
    at = columns.index("fen")
    everything = chain(_up_to_a_position(items, at), items)
    size = block_size(search)
    blocks = iter(lambda: list(islice(everything, size)), [])
    network = settings.network and settings.network.absolute()
    make = partial(new_labeller, search, network, settings.classical)
    work = partial(_work, make, read_settings(WorkSettings, arguments), search, at, bool(out))
    rows = _Rows(source, columns, FORMATS[chosen])
    head = ",".join(columns) + "\n" if chosen == "csv" else ""
    if not out:
        lines = DataOutput()
        lines.write(head)
        for done in work(blocks):
            lines.write(rows.write(*done))
        return rows.status()
    if exists(out) and not is_file(out):
        raise FileError(f"cannot write {quote_path(out)}: it is not a regular file")
    check_writable(out)
    with _journal(_part(out), origin).open() as journal:
        _keep(journal, _part(out), blocks, work, rows)
        with whole_text(out) as file:
            file.write(head)
            file.writelines(content["rows"] for content in journal.contents())
        journal.is_done = True
    say(f"{out}: {rows.good:,} positions")
    return rows.status()


def _part(out: Path) -> Path:
    return beside(out, "part")


def _format(arguments: argparse.Namespace) -> str:
    """The output format; raises UsageError if the extension of the file promises another."""
    out, chosen = arguments.out, arguments.format
    if out is None:
        return chosen or _FORMATS[0]
    check_kind("--out", out, *([chosen] if chosen else _FORMATS))
    return chosen or kind_of(out) or _FORMATS[0]


def _up_to_a_position(items: Iterator[Item], at: int) -> Block:
    """The first items, with the first that is a position as the last; raises UsageError if none is.

    `at` is the place of the text.
    """
    from boomslang.engine.labels.input_positions import NoPosition
    from boomslang.engine.notation.positions import read_line

    reasons: list[str] = []
    looked: Block = []
    for item in items:
        looked.append(item)
        try:
            if isinstance(item, NoPosition):
                raise ValueError(item.reason)
            read_line(item[at])
            return looked
        except ValueError as problem:
            reasons.append(f"{item[0]}: {problem}")
        if len(reasons) == _MAX_TOLD:
            break
    raise UsageError(f"no position to label{f'; {reasons[0]}' if reasons else ''}")


class _Done(NamedTuple):
    """How far a run is; sums from its beginning."""

    blocks: int = 0
    digest: int = 0  # CRC-32 of their input
    good: int = 0
    bad: int = 0


def _journal(part: Path, origin: dict[str, Any]) -> Journal[_Done]:
    """The rows of an unfinished run, by which the same command resumes it."""

    def read(line: Any, _: int) -> _Done:
        if line["after"] != (journal.entries[-1].blocks if journal.entries else 0):
            raise ValueError
        return _Done(*line["done"])

    journal = Journal(part, origin, read, "delete it to start again")
    return journal


def _keep(
    journal: Journal[_Done],
    part: Path,
    blocks: Iterator[Block],
    work: Callable[[Iterator[Block]], Iterator[tuple[Block, Sequence[Label | str]]]],
    rows: _Rows,
) -> None:
    """Label the blocks that are not in the journal, and add them. A crash loses half a second's work."""
    done = journal.entries[-1] if journal.entries else _Done()
    digest = 0
    for block in islice(blocks, done.blocks):
        digest = _digest(block, digest)
    if digest != done.digest:
        raise UsageError(f"cannot resume: {rows.source} has changed; delete {part} to start again")
    rows.good, rows.bad = done.good, done.bad
    if done.blocks:
        complain(f"resuming after {done.good + done.bad:,} positions")
    waiting: list[tuple[str, _Done]] = []

    def save() -> None:
        ready = tuple(waiting)
        waiting.clear()  # first, so that nothing is written twice when this is broken off
        if ready:
            after = journal.entries[-1].blocks if journal.entries else 0
            text, done = "".join(text for text, _ in ready), ready[-1][1]
            journal.add({"rows": text, "after": after, "done": done}, done)

    saved = time.monotonic()
    try:
        for block, labels in work(blocks):
            text, digest = rows.write(block, labels), _digest(block, done.digest)
            done = _Done(done.blocks + 1, digest, rows.good, rows.bad)
            waiting.append((text, done))
            if time.monotonic() - saved > _SAVE_INTERVAL:
                save()
                saved = time.monotonic()
    finally:
        save()


def _digest(block: Block, before: int) -> int:
    # The second format of marshal says the same of the same values.
    return zlib.crc32(marshal.dumps(list(map(tuple, block)), 2), before)


def _work(
    make: Callable[[], Callable[[Sequence[str]], Sequence[Label | str]]],
    settings: WorkSettings,
    search: AnalysisSettings | None,
    at: int,
    is_kept: bool,
    blocks: Iterator[Block],
) -> Iterator[tuple[Block, Sequence[Label | str]]]:
    """The blocks in order, each with the labels of what in it is a position, whose text is `at` a place."""
    from boomslang.engine.jobs.run import run_in_order
    from boomslang.engine.labels.input_positions import NoPosition

    ahead = list(islice(blocks, 2))
    # A static evaluation costs less than its way to another process.
    jobs = settings.count() if search and len(ahead) > 1 else 1
    if not settings.cluster:
        import boomslang.engine.driver.static_evaluator  # noqa: F401 - its kernel is loaded with the others

        load_kernels()
    begun: deque[Block] = deque()

    def texts() -> Iterator[list[str]]:
        for block in chain(ahead, blocks):
            begun.append(block)
            yield [item[at] for item in block if not isinstance(item, NoPosition)]

    work = run_in_order(make, texts(), jobs=jobs, cluster=settings.cluster)
    name = search.engine_name if search else None
    with (
        progress("Positions", None) as advance,
        refuse_failed_engine(name, is_kept=is_kept),
        contextlib.closing(work),
    ):
        done = 0
        for labels in work:
            block = begun.popleft()
            yield block, labels
            done += len(block)
            advance(title=f"{done:,} positions")


def _evaluation(settings: LabelSettings) -> str:
    """The evaluation: `classical`, or the digest of a network. Raises UsageError."""
    from boomslang.eval.network.file import load_shipped, read, sha256_of

    if settings.classical:
        return "classical"
    with refuse_errors(ValueError):
        return sha256_of(read(settings.network)[0] if settings.network else load_shipped())


class _Rows:
    """Writes rows, reports invalid positions, and knows the exit status."""

    def __init__(self, source: str, columns: Sequence[str], write: RowWriter) -> None:
        self.source = "standard input" if source == "-" else source
        self.good = self.bad = 0
        self._columns, self._at = columns, columns.index("fen")
        self._write = write

    def write(self, block: Block, labels: Sequence[Label | str]) -> str:
        """The rows of a block; its invalid positions are reported."""
        from boomslang.engine.labels.input_positions import NoPosition

        written: list[str] = []
        following = iter(labels)
        for item in block:
            label = item.reason if isinstance(item, NoPosition) else next(following)
            if isinstance(label, str):
                self._report(item[0], label)
            else:
                cells = (*item[: self._at], label.fen, *item[self._at + 1 :], *label.values)
                written.append(self._write(self._columns, cells[: len(self._columns)], label))
        self.good += len(written)
        return "".join(written)

    def _report(self, place: object, reason: str) -> None:
        self.bad += 1
        if self.bad <= _MAX_TOLD:
            complain(f"{self.source}:{place}: {reason}")
        elif self.bad == _MAX_TOLD + 1:
            complain("further invalid positions are only counted")

    def status(self) -> int:
        """The exit status; invalid positions of earlier runs count too."""
        if self.bad:
            complain(f"left out: {self.bad:,}")
        return PROBLEMS if self.bad else DONE
