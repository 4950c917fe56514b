"""Results of games as programs and arbiters write them, forfeits too: `1-0`, `½ : ½`, `+--`, `0-1F`."""

from __future__ import annotations

import re
from typing import Final

_DASH: Final = "[-\u2010-\u2015\u2212]"
_TO: Final = rf"\s*(?:{_DASH}|:)\s*"
_HALF: Final = "(?:1/2|½|0[.,]5)"
_FORFEIT: Final = r"(?:\s?(?:[fF]{1,2}|[fF]orfeit))"
# What no move and no sign can be.
RESULT: Final = (
    rf"(?:(?:1{_TO}0|0{_TO}1|{_HALF}{_TO}{_HALF}|{_HALF}{_TO}0|0{_TO}{_HALF}){_FORFEIT}?"
    rf"|0{_TO}0{_FORFEIT}|\+\s?:\s?{_DASH}|{_DASH}\s?:\s?[-+]|1/2|½)\.*"
)
DECIDED: Final = ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2")
_WON_OR_LOST: Final = {"+--": "1-0", "--+": "0-1", "---": "0-0"}  # without a game
_AMBIGUOUS: Final = {"+-": "1-0", "-+": "0-1", "+/-": "1-0", "-/+": "0-1"}  # signs behind moves
_KNOWN: Final = (
    dict(zip((*DECIDED, "*"), (*DECIDED, "*"), strict=True))
    | dict.fromkeys(("1/2", "=", "=-="), "1/2-1/2")
    | _WON_OR_LOST
    | _AMBIGUOUS
)


def squeeze(text: str) -> str:
    """A result in one spelling: with ASCII dashes, and without blanks and the letter of a forfeit."""
    text = re.sub(rf"{_DASH}|:", "-", "".join(text.split())).rstrip(".")
    return re.sub(r"(?<=\d)[fF](?:[fF]?|orfeit)(?=-|$)", "", re.sub("½|0[.,]5", "1/2", text))


def standard_result(text: str) -> str | None:
    """One of `DECIDED` or "*"; None for a text that is no result."""
    return _KNOWN.get(squeeze(text))


def ends_game(words: str, tagged: str, is_alone: bool) -> bool:
    """True if the last words of a game, which may be `is_alone` in it, are its result and no move or sign.

    They are if they equal the tag Result, or say that there was no game.
    """
    text = squeeze(words)
    if text in _WON_OR_LOST or (is_alone and (text in _AMBIGUOUS or text == "0-0")):
        return True
    is_told = tagged not in ("", "?") and not re.search(r"[^\W\d_][1-8]", tagged)
    return is_told and text == squeeze(tagged)
