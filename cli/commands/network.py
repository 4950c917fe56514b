"""`boomslang network`: where a network comes from, and what it has learnt."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    check_drawing,
    drawing,
    refuse_overwriting,
    refusing,
    run_command,
    whole_number,
    without_folders,
)
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import load_kernels
from boomslang.engine.core.system.files import check_writable, shown
from boomslang.engine.identity import VERSION
from boomslang.eval.network.file import SHIPPED, read, write
from boomslang.eval.network.shape import (
    BUCKETS,
    HIDDEN,
    INPUTS,
    ONE_INPUT,
    ONE_MATERIAL,
    ONE_THREAT,
)
from boomslang.eval.network.threats import NAMES

_DESCRIPTION: Final = """\
Show where a network comes from and what it has learnt: what a piece is worth to it, on average over the
squares, and a threat, by stage of the game; as a picture what its hidden units look for; how well it judges.
Or make one of several: the mean of networks that have learnt from the same one on may be better than each.
"""
_EXAMPLES: Final = """\
examples:
  boomslang network
  boomslang network mine.net
  boomslang network --svg units.svg
  boomslang network --svg units.svg --unit 17 --unit 80
  boomslang network mine.net --exam exam.epd
  boomslang network one.net --mean two.net three.net --out mean.net

`boomslang exam` sets exams. The percentages say by how much an error is larger (+) or smaller (-) than that
of the network that ships.
"""
_PIECES: Final = ("pawn", "knight", "bishop", "rook", "queen")
_DRAWN: Final = 6  # units, if none is named: those that move the score most
_LONG: Final = 84  # characters of a line of the header
_KEPT: Final = ("command", "engine", "positions", "seed", "start", "sha256")  # of a mean's parts


def _parser() -> Parser:
    parser = Parser("boomslang network", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "file", nargs="?", type=Path, default=SHIPPED, metavar="FILE", help="(the one that ships)"
    )
    parser.add_argument(
        "--svg", type=Path, metavar="FILE", help="draw hidden units (SVG, PNG or PDF)"
    )
    parser.add_argument(
        "--unit",
        type=whole_number(0, HIDDEN - 1),
        action="append",
        metavar="N",
        help="that is drawn; may be repeated (those that move the score most)",
    )
    parser.add_argument(
        "--exam", type=Path, metavar="EPD", help="compare its judgement with scores of positions"
    )
    parser.add_argument(
        "--mean", type=Path, nargs="+", metavar="NET", help="other networks, to take the mean with"
    )
    parser.add_argument("--out", type=Path, metavar="NET", help="file to write it to")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `network`; return the exit status."""
    return run_command(_parser(), argv, partial(_show, without_folders(argv)))


def _show(command: str, arguments: argparse.Namespace) -> int:
    if (arguments.mean is None) != (arguments.out is None):
        raise UsageError("--mean and --out belong together: of what, and where to")
    if arguments.unit and not arguments.svg:
        raise UsageError("--unit: say with --svg where to draw")
    if arguments.svg:
        check_drawing("--svg", arguments.svg)
    with refusing(OSError, ValueError):
        path = _write_mean(command, arguments) if arguments.mean else arguments.file
        network, header = read(path)
    say(f"{INPUTS} inputs a side, {HIDDEN} hidden units, {BUCKETS} stages of the game")
    say(*_origin(header))
    say()
    say(*_worths(network))
    say()
    say(*_threats(network))
    if arguments.svg:
        from boomslang.cli.plots import network

        units = arguments.unit or _strongest(network)
        with drawing("--svg", arguments.svg):
            network.draw(network, units, arguments.svg)
        say("", f"Picture of the units {', '.join(map(str, units))}: {arguments.svg}")
    if arguments.exam:
        with refusing(OSError, ValueError):
            say("", *_examined(path, arguments.exam))
    return 0


def _write_mean(command: str, arguments: argparse.Namespace) -> Path:
    """Write the mean of all networks that are named; returns where it is."""
    from boomslang.eval.training.average import mean_of

    if arguments.out.resolve() == SHIPPED.resolve():
        raise UsageError(f"{arguments.out} is the network that ships")
    refuse_overwriting(arguments.out, [arguments.file, *arguments.mean])
    check_writable(arguments.out)
    parts = [read(path) for path in (arguments.file, *arguments.mean)]
    origin = {
        "engine": VERSION,
        "command": f"boomslang network {command}",
        "mean": [{name: header[name] for name in _KEPT if name in header} for _, header in parts],
    }
    write(arguments.out, mean_of([network for network, _ in parts]), origin)
    say(f"{arguments.out} written")
    return Path(arguments.out)


def _examined(network: Path, path: Path) -> Iterator[str]:
    """How well a network does in an exam, beside the one that ships and the classical evaluation."""
    from boomslang.cli.exams.marking import read_paper, sit

    paper = read_paper(path)
    load_kernels()
    shipped = sit(paper)
    results = [("classical", sit(paper, classical=True)), ("network that ships", shipped)]
    if network != SHIPPED:
        results.append((shown(network.name), sit(paper, network)))
    yield f"{len(paper.lines)} positions: mean squared error of the expected result, correlation"
    for name, marks in results:
        for part, mark, usual in (
            ("overall", marks.overall, shipped.overall),
            ("among moves", marks.among, shipped.among),
        ):
            if mark and usual:
                difference = mark.against(usual) if mark is not usual else None
                beside = "  {:+.1f} % +/- {:.1f} %".format(*difference) if difference else ""
                yield f"{name:20} {part:12} {mark.error:.5f} {mark.correlation:6.3f}{beside}"


def _origin(header: dict[str, Any]) -> Iterator[str]:
    """What the file says about itself, a line each."""
    told = header | (header["plan"] if isinstance(header.get("plan"), dict) else {})
    for name, value in sorted(told.items()):
        if name in ("plan", "shape", "mean"):
            continue
        for text in _told(name, value):
            first, *rest = textwrap.wrap(text, _LONG, break_on_hyphens=False) or [""]
            yield f"{name:12} {first}"
            yield from (f"{'':12} {more}" for more in rest)
    parts = header.get("mean")
    for number, part in enumerate(parts if isinstance(parts, list) else [], start=1):
        yield f"part {number} of the mean"
        if isinstance(part, dict):
            yield from (f"  {name:10} {part[name]}" for name in _KEPT if name in part)


def _told(name: str, value: Any) -> Iterator[str]:
    """A value of the header, in lines."""
    if name == "losses" and isinstance(value, list) and value:
        yield f"{len(value) - 1} passes: {_pairs(value[0])} at first, {_pairs(value[-1])} at last"
    elif isinstance(value, list):
        for each in value:
            yield from _told("", each)
    else:
        yield _pairs(value) if isinstance(value, dict) else "none" if value is None else str(value)


def _pairs(value: Any) -> str:
    """A dictionary as people read it."""
    return ", ".join(f"{name} {each}" for name, each in value.items())


def _worths(network: Any) -> Iterator[str]:
    """What the pieces are worth in the material part, by stage; in pawns of 100 centipawns."""
    columns = network.input[:, HIDDEN : HIDDEN + BUCKETS].astype(np.float64)
    sides = columns.reshape(2, 6, 64, BUCKETS)
    worth = (sides[0] - sides[1]) * int(network.scale) / ONE_MATERIAL / 100
    yield "Material part, pawns, average over the squares; by pieces on the board:"
    yield " " * 8 + "".join(f"{4 * bucket + 4:>8}" for bucket in range(BUCKETS))
    for kind, name in enumerate(_PIECES):
        squares = slice(8, 56) if kind == 0 else slice(0, 64)
        yield f"{name:8}" + "".join(f"{value:8.2f}" for value in worth[kind, squares].mean(axis=0))


def _threats(network: Any) -> Iterator[str]:
    """What a threat is worth, by stage; in centipawns."""
    worth = network.threat.astype(np.float64) * int(network.scale) / ONE_THREAT
    for side, who in enumerate(("of the side to move", "of the other side")):
        if side:
            yield ""
        yield f"Threats {who}, centipawns for the side to move; by pieces on the board:"
        yield " " * 26 + "".join(f"{4 * bucket + 4:>6}" for bucket in range(BUCKETS))
        for number, name in enumerate(NAMES):
            row = worth[:, side, number]
            yield f"{name:26}" + "".join(f"{round(value):6}" for value in row)


def _strongest(network: Any) -> list[int]:
    """The units that move the score most: how much their inputs differ, times their output weights."""
    spread = network.input[:, :HIDDEN].astype(np.float64).std(axis=0) / ONE_INPUT
    weight = np.abs(network.output.astype(np.float64)).mean(axis=(0, 1))
    order = np.argsort(spread * weight)[::-1]
    return sorted(int(unit) for unit in order[:_DRAWN])
