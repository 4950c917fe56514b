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
from boomslang.eval.data.game_files import GameFileReader
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
squares, and a threat, by stage of the game; as a picture what its hidden units look for. Measure how well it
evaluates the positions of a file of games, and whether better than another network.
Or make one of several: the mean of networks that have learnt from the same one on may be better than each.
"""
_EXAMPLES: Final = """\
examples:
  boomslang network
  boomslang network mine.net
  boomslang network --svg units.svg
  boomslang network --svg units.svg --unit 17 --unit 80
  boomslang datagen --games 20_000 --depth 4 --sidelines 1 --jobs 2 --out positions.bin
  boomslang network mine.net other.net --positions positions.bin
  boomslang network one.net --mean two.net three.net --out mean.net

--positions takes the games that boomslang train keeps aside from such a file, so a network may have learnt
from the others. A negative difference means that the first network has the smaller error. Networks that
learnt from searches of the same kind are compared fairly; games have the last word.
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
        "other", nargs="?", type=Path, metavar="OTHER", help="network to compare with (--positions)"
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
        "--positions",
        type=Path,
        metavar="FILE",
        help="file of boomslang datagen: error of the evaluation in its held-out games",
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
    if arguments.other and not arguments.positions:
        raise UsageError(
            "two networks are compared on the positions of a file: add --positions FILE"
        )
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
        from boomslang.cli.plots.network import draw

        units = arguments.unit or _strongest(network)
        with drawing("--svg", arguments.svg):
            draw(network, units, arguments.svg)
        say("", f"Picture of the units {', '.join(map(str, units))}: {arguments.svg}")
    if arguments.positions:
        paths = [path, arguments.other] if arguments.other else [path]
        with refusing(OSError, ValueError):
            say("", *_measured(paths, arguments.positions))
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


def _measured(paths: Sequence[Path], file: Path) -> Iterator[str]:
    """How well networks evaluate the held-out positions of a file, a line each."""
    from boomslang.eval.training.position_error import estimate, read_held_out, squared_errors

    networks = [read(path)[0] for path in paths]
    with GameFileReader(file):
        pass  # whatever is no file of games is refused before the kernels are loaded
    load_kernels()
    positions = read_held_out(file)
    errors = [squared_errors(network, positions) for network in networks]
    yield (
        f"{shown(file)}: {len(positions.records):,} positions of {positions.games:,} held-out games,"
        f" {positions.share_of_sidelines:.0%} of them ends of sidelines"
    )
    yield "Mean squared error of the expected result (0 to 1), 95 % interval:"
    for path, values in zip(paths, errors, strict=True):
        mean = estimate(values, positions)
        yield f"{mean.mean:9.6f} ± {mean.margin:.6f}  {shown(path.name)}"
    if len(errors) == 2:
        gain = estimate(errors[0] - errors[1], positions)
        percent = 100.0 / float(errors[1].mean())
        yield (
            f"{gain.mean:+9.6f} ± {gain.margin:.6f}  difference:"
            f" {gain.mean * percent:+.1f} % ± {gain.margin * percent:.1f} %"
        )


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
