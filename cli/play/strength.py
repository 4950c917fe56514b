"""Playing strength as one number: a skill level or, if larger, an Elo; or the level of the user."""

from __future__ import annotations

from typing import Final

from boomslang.cli.play.my_level import MINE, MyLevel
from boomslang.engine.levels.ladder import FULL_SKILL, MAX_ELO, MIN_ELO, elo_of_skill

LEVELS: Final = f"0 to {FULL_SKILL}, or an Elo from {MIN_ELO} to {MAX_ELO}, or {MINE}"


def parse_level(text: str) -> int | MyLevel:
    """Parse a level; raises ValueError, for the user's own also if it cannot be read."""
    if text.lower() == MINE:
        return MyLevel()
    level = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else -1
    if 0 <= level <= FULL_SKILL or MIN_ELO <= level <= MAX_ELO:
        return level
    raise ValueError(f"'{text}' is not a level: {LEVELS}")


def strength(level: int) -> str:
    """The level in words."""
    if level > FULL_SKILL:
        return f"{level} Elo"
    if level == FULL_SKILL:
        return "full strength"
    return f"level {level}, about {elo_of_skill(level)} Elo"
