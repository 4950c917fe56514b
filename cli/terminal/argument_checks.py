"""Strict checks of UCI commands given on the command line; a GUI is treated more leniently."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from boomslang.core.system.sanitize import quote
from boomslang.engine import options
from boomslang.engine.errors import CommandError
from boomslang.uci import parse

_PARSERS: Final[dict[str, Callable[[list[str]], object]]] = {
    "bench": parse.bench,
    "eval": parse.evaluation,
    "go": partial(parse.go, strict=True),
    "perft": lambda words: parse.go(["perft", *words], strict=True),
    "position": parse.position,
}
_FIRST_WORDS: Final = {"debug": ("on", "off"), "register": ("later", "name", "code")}
_MAX_WORDS: Final = {"bench": 5}


def check(line: bytes) -> None:
    """Raises CommandError for a line of UCI that is invalid whatever the position.

    The line begins with a known command. Errors that depend on the position are raised when it runs.
    """
    command, *words = parse.words_of(line)
    surplus: list[str] = []
    if command == "setoption":
        given = parse.option(line)
        option = options.find(given.name)
        option.read(given.value)
        if option.kind == "button" and given.value:
            raise CommandError(f"setoption: {option.name} takes no value")
    elif command in _PARSERS:
        _PARSERS[command](words)
        surplus = words[_MAX_WORDS.get(command, len(words)) :]
    elif words[:1] and words[0] not in _FIRST_WORDS.get(command, ()):
        surplus = words
    if surplus:
        raise CommandError(f"{command}: unexpected argument {quote(surplus[0])}")
