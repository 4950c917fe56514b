"""`boomslang network`: origin, contents and mean of networks."""

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
    refuse_overwriting,
    remove_folders,
    run_command,
)
from boomslang.cli.terminal.output import say
from boomslang.core.system.files import check_writable
from boomslang.core.system.identity import VERSION
from boomslang.engine.errors import refuse_errors
from boomslang.eval.network.file import FILE, SHIPPED, read, write
from boomslang.eval.network.shape import (
    BUCKETS,
    HIDDEN,
    INPUTS,
    ONE_MATERIAL,
    ONE_THREAT,
    STATES,
)
from boomslang.eval.network.threat_counts import NAMES

_DESCRIPTION: Final = """\
Show the origin of a network and its weights: the average value of each piece and of each threat by game
stage. Or write the mean of several networks: the mean of networks trained from the same initial network may
be stronger than each of them.
"""
_EXAMPLES: Final = """\
examples:
  boomslang network
  boomslang network mine.net
  boomslang network one.net --mean two.net three.net -o mean.net
"""
_PIECES: Final = ("pawn", "knight", "bishop", "rook", "queen")
_LONG: Final = 84  # characters per line of the header
# What a mean keeps of its parts.
_KEPT: Final = ("command", "engine", "positions", "seed", "start", "sha256")


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang network", _DESCRIPTION, _EXAMPLES)
    parser.option("file FILE", Path, "network (the built-in one)", nargs="?")
    parser.option("--mean NET", Path, "networks for the mean, with FILE if it is given", nargs="+")
    parser.option("-o --out NET", Path, "network file to write the mean to")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `network`; return the exit status."""
    return run_command(new_parser(), argv, partial(_show, remove_folders(argv)))


def _show(command: str, arguments: argparse.Namespace) -> int:
    if (arguments.mean is None) != (arguments.out is None):
        raise UsageError("--mean and --out need each other: the networks, and the file to write")
    with refuse_errors(OSError, ValueError):
        path = _write_mean(command, arguments) if arguments.mean else arguments.file or SHIPPED
        network, header = read(path)
    say(
        f"{INPUTS} inputs a side and {STATES * INPUTS:,} for threatened pieces, {HIDDEN} hidden units,"
        f" {BUCKETS} stages of the game"
    )
    say(*_origin(header))
    say()
    say(*_worths(network))
    say()
    say(*_threats(network))
    return 0


def _write_mean(command: str, arguments: argparse.Namespace) -> Path:
    from boomslang.engine.learning.training.quantise import mean_of

    if arguments.out.resolve() == SHIPPED.resolve():
        raise UsageError(f"{arguments.out} is the built-in network; choose another --out")
    paths = [*([arguments.file] if arguments.file else []), *arguments.mean]
    if len(paths) < 2:
        raise UsageError("a mean is of two networks or more")
    refuse_overwriting(arguments.out, paths)
    check_writable(arguments.out)
    FILE.check_overwritable(arguments.out)
    parts = list(map(read, paths))
    origin = {
        "engine": VERSION,
        "command": f"boomslang network {command}",
        "mean": [{name: header[name] for name in _KEPT if name in header} for _, header in parts],
    }
    write(arguments.out, mean_of([network for network, _ in parts]), origin)
    say(f"{arguments.out} written")
    return Path(arguments.out)


def _origin(header: dict[str, Any]) -> Iterator[str]:
    entries = header | (header["plan"] if isinstance(header.get("plan"), dict) else {})
    for name, value in sorted(entries.items()):
        if name in ("plan", "shape", "mean"):
            continue
        for text in _entry(name, value):
            first, *rest = textwrap.wrap(text, _LONG, break_on_hyphens=False) or [""]
            yield f"{name:12} {first}"
            yield from (f"{'':12} {more}" for more in rest)
    parts = header.get("mean")
    for number, part in enumerate(parts if isinstance(parts, list) else [], start=1):
        yield f"part {number} of the mean"
        if isinstance(part, dict):
            yield from (f"  {name:10} {part[name]}" for name in _KEPT if name in part)


def _entry(name: str, value: Any) -> Iterator[str]:
    if name == "losses" and isinstance(value, list) and value:
        yield f"{len(value) - 1} epochs: {_pairs(value[0])} before, {_pairs(value[-1])} after"
    elif isinstance(value, list):
        for each in value:
            yield from _entry("", each)
    else:
        yield _pairs(value) if isinstance(value, dict) else "none" if value is None else str(value)


def _pairs(value: Any) -> str:
    return ", ".join(f"{name} {each}" for name, each in value.items())


def _worths(network: Any) -> Iterator[str]:
    """The values of the pieces in the material part by stage, in pawns of 100 centipawns."""
    columns = network.input[:, HIDDEN : HIDDEN + BUCKETS].astype(np.float64)
    sides = columns.reshape(2, 6, 64, BUCKETS)
    worth = (sides[0] - sides[1]) * int(network.scale) / ONE_MATERIAL / 100
    yield "Material part, pawns, average over the squares; by pieces on the board:"
    yield " " * 8 + "".join(f"{4 * bucket + 4:>8}" for bucket in range(BUCKETS))
    for kind, name in enumerate(_PIECES):
        squares = slice(8, 56) if kind == 0 else slice(0, 64)
        yield f"{name:8}" + "".join(f"{value:8.2f}" for value in worth[kind, squares].mean(axis=0))


def _threats(network: Any) -> Iterator[str]:
    """The values of threats by stage, in centipawns."""
    worth = network.threat.astype(np.float64) * int(network.scale) / ONE_THREAT
    for side, whose in enumerate(("of the side to move", "of the other side")):
        if side:
            yield ""
        yield f"Threats {whose}, centipawns for the side to move; by pieces on the board:"
        yield " " * 26 + "".join(f"{4 * bucket + 4:>6}" for bucket in range(BUCKETS))
        for number, name in enumerate(NAMES):
            row = worth[:, side, number]
            yield f"{name:26}" + "".join(f"{round(value):6}" for value in row)
