"""Strict checks of UCI commands given on the command line; a GUI is treated more leniently."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from boomslang.engine import options
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import spell_moves
from boomslang.engine.system.sanitize import quote
from boomslang.uci import parse

Words = Sequence[str]

_MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_MAX_WORDS: Final = {"bench": 5, "speedtest": 3}


def check(line: bytes) -> None:
    """Raises CommandError for a line of UCI that is invalid whatever the position.

    The line begins with a known command. Errors that depend on the position are raised when it runs.
    """
    command, *words = parse.words_of(line)
    if command == "setoption":
        _setoption(line)
    elif command in _CHECKS:
        _CHECKS[command](words)
    elif words:
        raise CommandError(f"{command}: unexpected argument {quote(words[0])}")
    most = _MAX_WORDS.get(command, len(words))
    if len(words) > most:
        raise CommandError(f"{command}: unexpected argument {quote(words[most])}")


def _setoption(line: bytes) -> None:
    command = parse.option(line)
    option = options.find(command.name)
    option.read(command.value)
    if option.kind == "button" and command.value:
        raise CommandError(f"setoption: {option.name} takes no value")


def _go(words: Words) -> None:
    limits = parse.go(words, strict=True)
    for move in spell_moves(limits.search_moves or (), "searchmoves"):
        if not _MOVE.fullmatch(move):
            raise CommandError(f"go searchmoves: {quote(move)} is not a move like e2e4")


def _debug(words: Words) -> None:
    if list(words) not in (["on"], ["off"]):
        raise CommandError(f"debug: on or off expected instead of {quote(' '.join(words))}")


def _register(words: Words) -> None:
    if list(words) != ["later"] and words[:1] not in (["name"], ["code"]):
        raise CommandError(
            f"register: later, name or code expected instead of {quote(' '.join(words))}"
        )


_CHECKS: Final[dict[str, Callable[[Words], object]]] = {
    "bench": parse.bench,
    "debug": _debug,
    "genfens": parse.genfens,
    "go": _go,
    "perft": lambda words: _go(["perft", *words]),
    "position": parse.position,
    "register": _register,
    "speedtest": parse.speedtest,
}
