"""Signs and comments of a PGN as people read them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

COMMANDS: Final = re.compile(r"\[%[^\[\]]*\]")  # clocks, scores and arrows inside comments
# Comments of match runners for each move: "+0.35/14 0.12s".
_MATCH_NOTE: Final = re.compile(r"^([-+]?[#M]?-?\d+(\.\d+)?/\d+\s+[\d.]+s,?|book)(\s|$)")
_GLYPHS: Final = {
    1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+=", 15: "=+",
    16: "±", 17: "∓", 18: "+−", 19: "−+", 146: "N",
}  # fmt: skip


def glyph_of(nags: Iterable[int]) -> str:
    """The signs of a move as people write them: "!?", "±"."""
    return "".join(_GLYPHS[nag] for nag in sorted(nags) if nag in _GLYPHS)


def words_of(comment: str) -> str:
    """The text of a comment, without commands and comments of match runners."""
    return _MATCH_NOTE.sub("", " ".join(COMMANDS.sub(" ", comment).split())).strip()
