"""The names of the players of games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import Final

import chess.pgn

from boomslang.core.system.files import quote_path
from boomslang.core.system.identity import NAME
from boomslang.core.system.sanitize import suggest
from boomslang.engine.errors import CommandError

_PROGRAM: Final = re.compile(
    rf"\b(AI|Bot|Computer|Engine|Program|Stockfish|{NAME})\b", re.IGNORECASE
)


def player_names(game: chess.pgn.Game) -> tuple[str, str]:
    """The names of White and Black, without surplus blanks; "?" for an unknown one."""
    white, black = (" ".join(game.headers.get(tag, "?").split()) for tag in ("White", "Black"))
    return white, black


def machines(game: chess.pgn.Game) -> list[str]:
    """Those of the players that are programs, by their tags or names."""
    programs = []
    for colour, name in zip(("White", "Black"), player_names(game), strict=True):
        kind, title = (game.headers.get(f"{colour}{tag}", "") for tag in ("Type", "Title"))
        if kind.lower() == "program" or title.upper() == "BOT" or _PROGRAM.search(name):
            programs.append(name)
    return programs


def find_most_frequent(names: Sequence[str], machines: Container[str] = ()) -> list[str]:
    """The names that stand in most of the games, people before machines, then by the alphabet."""
    name_counts = Counter(name for name in names if name.strip("?"))
    most = max(name_counts.values(), default=0)
    return sorted(
        (name for name in name_counts if name_counts[name] == most),
        key=lambda name: (name in machines, name),
    )


def choose_player(
    wanted: str | None, names: Sequence[str], machines: Container[str], say: Callable[[str], object]
) -> str:
    """The name as it stands among those of the games; without one that of most games.

    Raises CommandError. Says so if somebody else has as many games.
    """
    usual = find_most_frequent(names, machines)
    if wanted is None:
        if not usual:
            raise CommandError("the games name no players; add the tags White and Black")
        if len(usual) > 1:
            say(f"as many games are of {quote_path(usual[1])}; --player chooses")
        return usual[0]
    plain = " ".join(wanted.split())
    for name in names:
        if name.casefold() == plain.casefold():
            return name
    meant = suggest(plain, dict.fromkeys([*usual, *names]))
    most = f"; most games are of {quote_path(usual[0])}" if usual else ""
    raise CommandError(f"no game of a player {quote_path(plain)}{meant or most}")
