"""A person to play like, whose games are read before the game begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.progress import load_kernels

if TYPE_CHECKING:
    from boomslang.engine.people.person import Person
    from boomslang.engine.search_settings import LikeSettings


def read_person(like: LikeSettings) -> Person | None:
    """Learn from the games, or read what was learnt, and say what that is; None without any.

    Raises CommandError for games or a player that cannot be used.
    """
    if not like.like:
        return None
    console = Console(soft_wrap=True)
    with console.status("Loading the engine"):
        from boomslang.engine.people.person import adapted
    load_kernels()
    with console.status("Learning from the games"):
        person, _ = adapted(like.like, like.player or "")
    console.print(f"It plays {person}.")
    return person
