"""Untrusted text: safe to display, and parsed as numbers."""

from __future__ import annotations

import re
from typing import Final

MOST_DIGITS: Final = 18  # so that every number fits into 64 bits

_LONGEST_QUOTE: Final = 80
_NUMBER: Final = re.compile(r"-?[0-9]+")


def quote(text: str) -> str:
    """Untrusted text, cut to 80 characters and made `harmless`, in quotes."""
    return f"'{harmless(text)}'"


def harmless(text: str) -> str:
    """Untrusted text, shortened, without characters that forge a line or move the cursor."""
    shown = text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "..."
    return "".join(c if " " <= c <= "~" else "?" for c in shown)


def number(word: str) -> int | None:
    """An integer of ASCII digits, clipped to 18 digits; None if it is not a number."""
    if not _NUMBER.fullmatch(word):
        return None
    if len(word.lstrip("-")) > MOST_DIGITS:  # never give int() a number of any length
        return -(10**MOST_DIGITS) if word.startswith("-") else 10**MOST_DIGITS
    return int(word)
