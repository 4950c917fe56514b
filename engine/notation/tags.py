"""PGN tag pairs as found in practice: escaped quotes, bare quotes, several on a line, incomplete tags."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

# [Name "value"], in which \" is a quote.
STRICT: Final = re.compile(
    r'\[\s*([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s*"((?:[^"\\]|\\.)*)"\s*\]', re.ASCII
)
# Unescaped or typographic quotes: the value ends before the last quote of the tag.
_QUOTED: Final = re.compile(
    r"""\[\s*([A-Za-z][A-Za-z0-9_]*)\s*["“”„«'](.*?)["“”»']\s*\]""", re.ASCII
)
_QUOTED_END: Final = re.compile(r"""["“”»']\s*\]""", re.ASCII)
_BARE: Final = re.compile(r"\[\s*([A-Za-z][A-Za-z0-9_]*)\s+((?:[^\]\"\s][^\]\"]*)?)\]", re.ASCII)
_BROKEN: Final = re.compile(r"\[\s*([A-Za-z][A-Za-z0-9_]*)\s*[\s\"“](.*)$", re.ASCII)
_ESCAPED: Final = re.compile(r'\\(["\\])')
# Tags that readers look up in any spelling, and other well-known ones.
_ASKED_FOR: Final = {
    name.lower(): name
    for name in (
        *("Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp"),
        "Variant",
    )
}
_NO_LETTER: Final = re.compile(r"[\W_]+")
_ORDINARY: Final = frozenset(
    {
        *("", "standard", "standardchess", "chess", "normal", "normalchess", "regular", "orthodox"),
        *("orthochess", "classical", "classic", "fromposition", "setup", "setupposition", "none"),
    }
)
_CHESS960: Final = frozenset(
    {
        *("960", "chess960", "fischerandom", "fischerrandom", "fischerandomchess"),
        *("fischerrandomchess", "fischerchess", "frc", "freestyle", "freestylechess", "chess9lx"),
    }
)
_KNOWN: Final = _ASKED_FOR.keys() | {
    *("eco", "opening", "annotator", "plycount", "timecontrol", "termination", "time"),
    *("whiteelo", "blackelo", "eventdate", "sourcedate", "utcdate", "utctime"),
}


class Tag(NamedTuple):
    """A tag pair in a line."""

    name: str
    value: str
    end: int  # the index behind it
    problem: str = ""  # empty if the meaning is clear


def proper_name(name: str) -> str:
    """The standard spelling of the names that readers look up."""
    return _ASKED_FOR.get(name.lower(), name)


def proper_variant(value: str) -> str:
    """Chess960 or Standard, however it is spelled; any other value as it is."""
    plain = _NO_LETTER.sub("", value.lower())
    if plain in _ORDINARY:
        return "Standard"
    return "Chess960" if plain in _CHESS960 else value


def unescape(value: str) -> str:
    r"""The value of a tag: \" and \\ are what they stand for, any other backslash is itself."""
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def escape(value: str) -> str:
    """The reverse of `unescape`: a value as written between quotes."""
    value = " ".join(value.splitlines())
    return value.replace("\\", "\\\\").replace('"', '\\"')


def odd_tag(text: str, start: int, in_moves: bool) -> Tag | None:
    """A non-standard tag that begins at a bracket; None if it is not a tag.

    Behind moves a bracket may mean something else, so only well-known names count there.
    """
    for form in (_QUOTED, _BARE, _BROKEN):
        if form is _QUOTED and _last_quoted_end(text) <= start:
            continue
        if match := form.match(text, start):
            if (in_moves or form is _BROKEN) and match[1].lower() not in _KNOWN:
                return None
            name = proper_name(match[1])
            if form is _BROKEN:
                value = match[2].strip(' \t"“”]')
                return Tag(name, value, len(text), f"the tag {name} is not closed")
            return Tag(name, unescape(match[2]).strip(), match.end())
    return None


@lru_cache(maxsize=1)  # else each of a hundred thousand tags looks for it to the end of the line
def _last_quoted_end(text: str) -> int:
    """Where the last quoted value of a line ends; -1 if it has none."""
    return max((match.start() for match in _QUOTED_END.finditer(text)), default=-1)
