"""Untrusted text: safe to keep, to display and to send, and parsed as numbers.

`sanitize` is for text that is kept, `printable` for terminals and pages, `harmless` and `quote` for the
protocols, which are ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MAX_DIGITS: Final = 18  # so that every number fits into 64 bits

_MAX_QUOTE: Final = 80
_NEAR: Final = 0.7  # similarity by `difflib` of what may have been meant
_WORD: Final = re.compile(r"\w+")
# Also Unicode line ends that do not end a line here, and byte order marks.
_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe]")
_FORMATS: Final = re.compile(  # all others of the category Cf
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)
_NUMBER: Final = re.compile(r"-?[0-9]+")


def sanitize(text: str) -> str:
    """Text of strangers to keep and to pass on: control characters become blanks, invisible ones vanish.

    Those are the format characters of Unicode; some turn the direction of what follows.
    """
    return text if text.isprintable() else _CONTROLS.sub(" ", _FORMATS.sub("", text))


def printable(text: str) -> str:
    """Untrusted text for display, without characters that forge a line, move the cursor or set a colour."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def printable_lines(text: str) -> str:
    """`printable` for each of several lines; their line breaks are kept."""
    return "\n".join(map(printable, text.split("\n")))


def shorten(text: str, most: int = _MAX_QUOTE) -> str:
    """`printable`, cut to so many characters."""
    return printable(text if len(text) <= most else f"{text[:most]}...")


def quote(text: str) -> str:
    """Untrusted text, cut to 80 characters and made `harmless`, in quotes."""
    return f"'{harmless(text)}'"


def harmless(text: str) -> str:
    """Untrusted text, shortened, without characters that forge a line or move the cursor."""
    return "".join(c if " " <= c <= "~" else "?" for c in shorten(text))


def suggest(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?` with the nearest known text; empty if none is near.

    Case, punctuation and the order of words do not count, and a part of a known text is enough.
    """
    from difflib import get_close_matches  # not needed for `uciok`

    given_words = _WORD.findall(word[:_MAX_QUOTE].casefold())
    keys: dict[str, str] = {}
    for name in known:
        words = _WORD.findall(name.casefold())
        keys.setdefault(" ".join(words), name)
        for start in range(max(1, len(words) - len(given_words) + 1)):
            keys.setdefault(" ".join(sorted(words[start : start + len(given_words)])), name)
    near = get_close_matches(" ".join(sorted(given_words)), keys, 1, _NEAR)
    return f"; did you mean {shorten(keys[near[0]])}?" if given_words and near else ""


def number(word: str) -> int | None:
    """An integer of ASCII digits, clipped to 18 digits; None if it is not a number."""
    if not _NUMBER.fullmatch(word):
        return None
    if len(word.lstrip("-")) > MAX_DIGITS:  # never give int() a number of any length
        return -(10**MAX_DIGITS) if word.startswith("-") else 10**MAX_DIGITS
    return int(word)
