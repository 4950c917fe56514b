"""Untrusted text: safe to display, and parsed as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MOST_DIGITS: Final = 18  # so that every number fits into 64 bits

_LONGEST_QUOTE: Final = 80
_NEAR: Final = 0.7  # similarity by `difflib` of what may have been meant
_WORD: Final = re.compile(r"\w+")
_NUMBER: Final = re.compile(r"-?[0-9]+")


def quote(text: str) -> str:
    """Untrusted text, cut to 80 characters and made `harmless`, in quotes."""
    return f"'{harmless(text)}'"


def harmless(text: str) -> str:
    """Untrusted text, shortened, without characters that forge a line or move the cursor."""
    shown = text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "..."
    return "".join(c if " " <= c <= "~" else "?" for c in shown)


def suggest(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?` with the nearest known text; empty if none is near.

    Case, punctuation and the order of words do not count, and a part of a known text is enough.
    """
    from difflib import get_close_matches  # not needed for `uciok`

    given = _WORD.findall(word[:_LONGEST_QUOTE].casefold())
    keys: dict[str, str] = {}
    for name in known:
        words = _WORD.findall(name.casefold())
        keys.setdefault(" ".join(words), name)
        for start in range(max(1, len(words) - len(given) + 1)):
            keys.setdefault(" ".join(sorted(words[start : start + len(given)])), name)
    near = get_close_matches(" ".join(sorted(given)), keys, 1, _NEAR)
    return f"; did you mean {harmless(keys[near[0]])}?" if given and near else ""


def number(word: str) -> int | None:
    """An integer of ASCII digits, clipped to 18 digits; None if it is not a number."""
    if not _NUMBER.fullmatch(word):
        return None
    if len(word.lstrip("-")) > MOST_DIGITS:  # never give int() a number of any length
        return -(10**MOST_DIGITS) if word.startswith("-") else 10**MOST_DIGITS
    return int(word)
