"""Everything that reads what strangers have written, and the only errors that it may raise."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boomslang.cli.lab.suites import epd
from boomslang.core.jit.jit import load_kernels
from boomslang.core.system.files import FileError, read_text
from boomslang.engine import options
from boomslang.engine.errors import CommandError
from boomslang.engine.notation.pgn import games_of_text, read_games
from boomslang.engine.notation.pgn_writer import format_pgn
from boomslang.engine.notation.position_setup import from_fen
from boomslang.engine.notation.validity import why_invalid
from boomslang.perft.suite import SuiteError, parse_line
from boomslang.uci import parse
from tests.stress.inputs import Mutator, corpus
from tests.support.both_ways import differences, read

_MAX_SECONDS: Final = 1.0  # seconds of processor time for one input


@dataclass(frozen=True, slots=True)
class Parser:
    """`read` is given mutated bytes of the corpus, and may raise nothing but `refusals`."""

    corpus: str
    read: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]


def _fen(data: bytes) -> None:
    board = from_fen(data.decode("utf-8", "replace"), chess960=bool(len(data) % 2))
    if why_invalid(board):
        raise AssertionError("an unsound board came in")


def _suite(data: bytes) -> None:
    parse_line(data.decode("utf-8", "replace"))


def _option(data: bytes) -> None:
    command = parse.option(data)
    option = options.find(command.name)
    value = option.read(command.value)
    if option.kind == "spin" and not option.lowest <= int(value) <= option.highest:
        raise AssertionError("a number outside its bounds came in")


def _command(data: bytes) -> None:
    words = parse.words_of(data)
    parse.go(words[1:])
    parse.position(words[1:])


def _file(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(data)
        read_text(file.name, 1 << 30)


def _epd(data: bytes) -> None:
    epd.parse(data.decode("utf-8", "replace"))


def _pgn(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".pgn") as file:
        Path(file.name).write_bytes(data)
        for entry in read_games(file.name):
            if not entry.analysable:
                continue
            (again,) = games_of_text(format_pgn(entry.game))
            moves = (list(game.mainline_moves()) for game in (entry.game, again.game))
            if again.problems or next(moves) != next(moves):
                raise AssertionError("what is written is not what was read")


def _games(data: bytes) -> None:
    load_kernels()
    found = differences(read(data, True, len(data) % 3 or None), read(data, False))
    if found:
        raise AssertionError(f"the two readers differ in {found}")


PARSERS: Final = {
    "games": Parser("pgn", _games, ()),
    "epd": Parser("fen", _epd, (ValueError,)),
    "pgn": Parser("pgn", _pgn, (FileError,)),
    "fen": Parser("fen", _fen, (CommandError,)),
    "suite": Parser("fen", _suite, (SuiteError,)),
    "option": Parser("uci", _option, (CommandError,)),
    "command": Parser("uci", _command, (CommandError,)),
    "file": Parser("fen", _file, (FileError,)),
}


def fuzz_parser(name: str, seed: int, count: int) -> list[str]:
    """Feed one parser; returns what was found, a line each."""
    parser = PARSERS[name]
    mutator = Mutator(corpus(parser.corpus), seed)
    findings: list[str] = []
    slowest = 0.0
    for _ in range(count):
        data = mutator.data()
        begun = time.process_time()
        try:
            parser.read(data)
        except parser.refusals:
            pass
        except Exception as problem:
            findings.append(f"{name}: {type(problem).__name__} {problem} for {data!r}"[:500])
        spent = time.process_time() - begun
        slowest = max(slowest, spent)
        if spent > _MAX_SECONDS:
            findings.append(f"{name}: {spent:.1f} s for {data!r}"[:500])
    print(f"{name}, seed {seed}: {count} inputs, slowest {slowest * 1000:.0f} ms", flush=True)
    return findings
