"""Splits a stream of lines into games: tags, comments and words, without interpreting them.

python-chess ends a game at an empty line, ignores tags behind the moves, and skips unknown letters. Here
empty lines have no meaning by themselves, and nothing is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import Final

from boomslang.engine.notation.results import RESULT
from boomslang.engine.notation.tags import STRICT, Tag, odd_tag, proper_name, unescape

MAX_GAME: Final = 1 << 20  # characters
_MAX_TAG: Final = 4096  # characters of a line whose last tag may continue in the next
_EXCERPT: Final = 40  # maximum length of quoted input
_END: Final = r"(?![^\s{}()\[\];$*,])"  # a delimiter follows, or nothing
_RESULT: Final = rf"{RESULT}{_END}|\*"
_TOKEN: Final = re.compile(
    rf"""[\s,]*(?:
    (?P<result>{_RESULT})
    |(?P<number>\d{{1,9}}(?:\s*(?:\.+|…))+|\d{{1,9}}{_END})
    |(?P<word>[^\s{{}}()\[\];$*,]+(?:(?<=[18])\([QRBNqrbn♕♖♗♘♛♜♝♞]\))?)
    |(?P<clock>\(\s*\d+:\d\d(?::\d\d)?(?:\.\d+)?\s*\)|\[%[^\]]*\])
    |(?P<nag>\$(?:[-+]?\d+|\w+)?)
    |(?P<comment>\{{)
    |(?P<rest>;)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<bracket>\[)
    |(?P<junk>[^\s,])
    )""",
    re.VERBOSE,
)
_FIRST_MOVE: Final = re.compile(r"\s*1\s*\.(?!\s*[.…])")
_BRACE: Final = re.compile("[{}]")
_COMMAND: Final = re.compile(r"\[%[^\[\]]*\]")  # in a comment: [%clk 0:01:30]
# Words that a line end has broken.
_BROKEN: Final = re.compile(r"(?<=[:,])\s*\n\s*|(?<=[\d.])\s*\n\s*(?=[\d:.,])|(?<!\s)\s+(?=\])")
# A score in the forms of all programs: [%eval -M3], [%eval +0.355/21].
_SCORE: Final = re.compile(
    r"\[%eval[ :=]*([-+]?)(?:([#M])([-+]?))?(\d{1,10}|(?=\.\d))(\.\d{1,2})?(?(5)\d*)"
    r"(?:[,/; ]+(?:d|depth )?(\d{1,5}))? ?\]",
    re.IGNORECASE,
)
_TOO_LONG: Final = re.compile(r"\d{19}")  # a number that fits into no clock and no score
_ENDED: Final = re.compile(rf"(?<!\S)(?:{_RESULT})\s*$")
_WRITTEN_MOVE: Final = re.compile(r"[^\W\d_][1-8]|[Oo0][-\u2010-\u2015\u2212][Oo0]")
# A tag with a name that no tag can have, as White.Title; and what stands behind a tag and is no result.
_MISNAMED: Final = re.compile(r'\[([^"\[\]]*)"((?:[^"\\]|\\.)*)"\s*\](?=\s*(?:\[|$))')
_BEHIND: Final = re.compile(rf"[\s,]*(?!{_RESULT})([^\s,\[{{;][^\[{{;]*)")
_SETUP: Final = re.compile("(?:fen|setup|variant).*", re.IGNORECASE)
_NO_LETTER: Final = re.compile(r"[\W\d_]+")
_MAX_NOTED: Final = 10  # problems of one kind, and remarks, per game
_FIRST_TAG: Final = "Event"  # first of the standard's seven tags


class TokenKind(Enum):
    """The kind of a token."""

    WORD = auto()  # a move, or what should be one
    NUMBER = auto()
    NAG = auto()
    COMMENT = auto()
    OPEN = auto()
    CLOSE = auto()
    RESULT = auto()
    STOP = auto()  # the rest cannot be trusted; the text is the reason


@dataclass(slots=True)
class GameText:
    """The text of a game."""

    line: int = 0  # its first line, from 1
    tags: dict[str, str] = field(default_factory=dict)
    tokens: list[tuple[TokenKind, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)  # the text
    problems: list[str] = field(default_factory=list)  # problems of tags
    remarks: list[str] = field(default_factory=list)  # on what changes no move
    unusable: str = ""  # why nobody can know what it means
    has_movetext: bool = False  # more than tags and comments

    @property
    def is_game(self) -> bool:
        """False for prose and for empty text."""
        if self.tags or self.unusable:
            return True
        kinds = [kind for kind, _ in self.tokens if kind is not TokenKind.COMMENT]
        words = [text for kind, text in self.tokens if kind is TokenKind.WORD]
        numbered = TokenKind.NUMBER in kinds[:1] and bool(words) and has_square(words[0])
        return numbered or (bool(words) and all(map(has_square, words[:2])))

    def copy(self) -> str:
        """The original text, changed so that other readers find the end of the game at the same place."""
        tags = 0
        while tags < len(self.lines) and (
            not self.lines[tags].strip() or self.lines[tags].lstrip()[0] in "[%"
        ):
            tags += 1
        parts = (self.lines[:tags], self.lines[tags:])
        texts = ["\n".join(line for line in part if line.strip()) for part in parts]
        if any(kind is TokenKind.STOP and text == NOT_CLOSED for kind, text in self.tokens):
            texts[1] += "\n}"
        return "\n\n".join(text for text in texts if text)


NOT_CLOSED: Final = "a comment is not closed"


def has_square(word: str) -> bool:
    """True for a word that may be a move, in any language."""
    return bool(_WRITTEN_MOVE.search(word))


def note(texts: list[str], text: str) -> None:
    """Add a problem or remark, in place, unless it is there or a hostile game has too many."""
    if text not in texts and len(texts) < _MAX_NOTED:
        texts.append(text)


def excerpt(text: str) -> str:
    """The beginning of a text in quotes."""
    words = " ".join(text[:_MAX_TAG].split())  # quoted often, and perhaps a megabyte
    return f"'{words if len(words) <= _EXCERPT else words[:_EXCERPT] + '...'}'"


def _proper_command(match: re.Match[str]) -> str:
    """A command as readers expect it: on one line, and plain text if they could not convert its number."""
    text = " ".join(_BROKEN.sub("", match[0]).split())
    if text.startswith("[%eval") and (score := _SCORE.fullmatch(text)):
        sign = "-" if "-" in (score[1], score[3]) else ""
        mate, depth = "#" if score[2] else "", f",{score[6]}" if score[6] else ""
        text = f"[%eval {mate}{sign}{score[4]}{score[5] or ''}{depth}]"
    return text.replace("[%", "[", 1) if _TOO_LONG.search(text) else text


def _is_tag(line: str) -> bool:
    return bool(STRICT.match(line.lstrip()))


def lines_in(text: str) -> int:
    """How many lines a text of the source is, see `Text`."""
    return 0 if text[:1] == "\r" else 1 + (len(text) if text[:1] == "\n" else 0)


def _close_in(text: str, start: int) -> int:
    """The place where the comment that begins there is closed in its own line; -1 if it is not."""
    close = text.find("}", start)
    if close < 0 or "{" not in text[start + 1 : close] or not STRICT.search(text, start, close):
        return close
    return _pairs(text).get(start, close)  # it quotes a game that has comments


@lru_cache(maxsize=1)  # a line may have a hundred thousand comments
def _pairs(text: str) -> dict[int, int]:
    """The place of each brace that is closed in this line, and where, by counting."""
    opened: list[int] = []
    pairs: dict[int, int] = {}
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            pairs[opened.pop()] = brace.start()
    return pairs


class Scanner:
    """Splits the lines of a text, as `Text` has them, into pieces; iterate over it once.

    When it yields a piece, `next_tag_line` is the number of the line in which the next one begins, if that is
    with a tag, first in the line, and so a game; else 0.
    """

    def __init__(self, lines: Iterator[str], before: int = 0) -> None:
        """The first line has `before` lines before it."""
        self._source = lines
        self._waiting: list[str] = []  # lines to be read again, the next one last
        self._number = before  # number of the current line
        self.next_tag_line = 0
        self._no_close_before = 0  # up to that line no comment is closed
        self._begin(0)

    def _begin(self, line: int) -> None:
        self._game_text = GameText(line)
        self._size = 0
        self._levels = [0]  # words so far, of the game and of each open variation
        self._is_over = False  # a result was read
        self._is_endless = False  # longer than a game may be
        self._is_apart = False  # an empty line came after the last token

    def __iter__(self) -> Iterator[GameText]:
        while (text := self._read()) is not None:
            yield from self._line(text)
        self.next_tag_line = 0
        yield self._game_text

    def _read(self) -> str | None:
        line = self._waiting.pop() if self._waiting else next(self._source, None)
        if line is not None:
            self._number += lines_in(line)
        return line

    def _push_back(self, lines: list[str]) -> None:
        self._waiting += reversed(lines)
        self._number -= sum(map(lines_in, lines))

    def _line(self, text: str) -> Iterator[GameText]:
        """Scan a line; yields the pieces that end in it."""
        if not text or text.isspace():
            self._is_apart = True
            self._keep("")
            return
        if self._is_endless and not (self._is_apart and _is_tag(text)):
            self._is_apart = False
            return
        if text[0] == "%":  # the escape of the standard: ignored
            self._keep(text)
            return
        begin = place = 0
        number = self._number
        is_first = True  # first token in its line
        while match := _TOKEN.match(text, place):
            kind = str(match.lastgroup)
            token = match[kind]
            start = match.start(kind)
            place = match.end()
            tag = None
            if kind == "bracket":
                text, tag = self._tag(text, start)
            if self._begins_game(kind, token, tag, is_first):
                self._keep(text[begin:start])
                self.next_tag_line = number if tag and not start else 0
                yield self._game_text
                self._begin(number)
                begin = start
            self._game_text.line = self._game_text.line or number
            if kind == "comment":
                place, more = self._scan_comment(text, start)
                if more is not None:  # the comment ended in another line
                    self._keep_all([text[begin:], *more[:-1]])
                    text, begin, number = more[-1], 0, self._number
                    if self._is_endless:
                        return
            elif tag:
                self._take_tag(tag)
                place = self._skip_behind(text, tag.end)
            elif kind == "bracket" and (longer := self._command(text, start)):
                text, place = longer, start
            elif kind == "bracket" and (end := self._skip_misnamed(text, start)):
                place = end
            elif kind == "bracket":
                self._stop(text[start:])
                place = len(text)
            elif kind == "rest":
                self._add_comment(text[start + 1 :])
                place = len(text)
            else:
                self._take(kind, token)
            self._is_apart = is_first = False
        self._keep(text[begin:])

    def _begins_game(self, kind: str, token: str, tag: Tag | None, first: bool) -> bool:
        """True if this token, the first of its line or not, cannot belong to the piece so far."""
        game_text = self._game_text
        if self._is_endless:
            return True
        if tag:
            known_value = game_text.tags.get(tag.name)
            if tag.name == _FIRST_TAG:
                is_again = bool(game_text.tags) and (
                    self._is_apart or known_value not in (None, tag.value)
                )
            else:
                is_again = self._is_apart and tag.name == next(iter(game_text.tags), "")
            return is_again or game_text.has_movetext
        if self._is_over and kind in ("number", "word", "open"):
            return True
        if kind != "number" or not first or "..." in token or "…" in token:
            return False
        if token.rstrip(". ") != "1" or not (self._is_apart or "." in token):
            return False
        words = self._levels[-1]
        return words > 1 or (words == 1 and self._is_apart)

    def _take(self, kind: str, token: str) -> None:
        match kind:
            case "word":
                self._levels[-1] += 1
                self._add(TokenKind.WORD, token)
            case "number":
                self._add(TokenKind.NUMBER, token)
            case "nag" if has_square(token):
                self._stop(token)
            case "nag":
                self._add(TokenKind.NAG, token[1:])
            case "clock":
                self._add_comment(token if token[0] == "[" else token.strip("( )"))
            case "open":
                self._levels.append(0)
                self._add(TokenKind.OPEN, token)
            case "close":
                if len(self._levels) > 1:
                    self._levels.pop()
                elif self._game_text.tokens and self._game_text.tokens[-1][0] is TokenKind.NUMBER:
                    return  # "1) e4"
                self._add(TokenKind.CLOSE, token)
            case "result":
                self._is_over |= len(self._levels) == 1
                self._add(TokenKind.RESULT, token)
            case _:
                self._stop(token)

    def _add(self, kind: TokenKind, text: str) -> None:
        self._game_text.tokens.append((kind, text))
        self._game_text.has_movetext |= kind is not TokenKind.COMMENT

    def _stop(self, text: str) -> None:
        self._add(TokenKind.STOP, f"what is {excerpt(text)}?")
        self._add(TokenKind.WORD, text)

    def _keep(self, text: str) -> None:
        game_text = self._game_text
        if not game_text.line or not (text or game_text.lines[-1:] != [""]):
            return  # no piece has begun, or it is another empty line
        self._size += len(text) + 1
        if self._size <= MAX_GAME:
            game_text.lines.append(text)
        elif not self._is_endless:
            self._is_endless = True
            game_text.unusable = f"more than {MAX_GAME} characters, which are not copied"
            game_text.lines.clear()
            game_text.tokens.clear()

    def _keep_all(self, lines: list[str]) -> None:
        for line in lines:
            self._keep(line.rstrip("\n"))

    # Tags

    def _tag(self, text: str, start: int) -> tuple[str, Tag | None]:
        """The line, perhaps extended by following ones, and the tag that begins there, None if invalid."""
        if match := STRICT.match(text, start):
            return text, Tag(proper_name(match[1]), unescape(match[2]), match.end())
        if tag := odd_tag(text, start, self._game_text.has_movetext):
            if not tag.problem or len(text) > _MAX_TAG:
                return text, tag
            if (following := self._read()) is not None:
                longer = f"{text} {following}"
                if (match := STRICT.match(longer, start)) and match.end() > len(text):
                    value = unescape(match[2])
                    return longer, Tag(proper_name(match[1]), value, match.end())
                self._push_back([following])
        return text, tag

    def _command(self, text: str, start: int) -> str | None:
        """The line with the next one, if a command that begins there is closed in that; else None."""
        if not text.startswith("[%", start) or len(text) > _MAX_TAG:
            return None
        if (following := self._read()) is None:
            return None
        longer = f"{text}\n{following}"
        if match := _COMMAND.match(longer, start):
            return f"{text[:start]}{_proper_command(match)}{longer[match.end() :]}"
        self._push_back([following])
        return None

    def _take_tag(self, tag: Tag) -> None:
        game_text = self._game_text
        if tag.problem:
            note(game_text.problems, tag.problem)
        if tag.name in ("FEN", "Variant", "SetUp"):
            if tag.problem:
                game_text.unusable = game_text.unusable or tag.problem
            elif game_text.tags.get(tag.name, tag.value) != tag.value:
                game_text.unusable = game_text.unusable or f"two different tags {tag.name}"
        known_value = game_text.tags.setdefault(tag.name, tag.value)
        if known_value != tag.value and not game_text.unusable:
            both = f"{excerpt(known_value)} and {excerpt(tag.value)}"
            note(game_text.remarks, f"two tags {tag.name}, {both}; the first counts")

    def _skip_misnamed(self, text: str, start: int) -> int:
        """The place behind a misnamed tag, which is reported; 0 if there is none, or it may be the position.

        After the empty line behind the tags, a bracket may hold moves or begin another game.
        """
        game_text = self._game_text
        if not game_text.tags or game_text.has_movetext or self._is_apart:
            return 0
        match = _MISNAMED.match(text, start)
        if not match or match[2].count("/") > 2 or _SETUP.match(_NO_LETTER.sub("", match[1])):
            return 0
        note(game_text.remarks, f"not a tag: {excerpt(match[0])}")
        return match.end()

    def _skip_behind(self, text: str, end: int) -> int:
        """The place behind words that follow a tag in its line and are no moves, which are reported."""
        match = _BEHIND.match(text, end)
        if not match or has_square(match[1]):
            return end
        note(self._game_text.remarks, f"not a tag: {excerpt(match[1])}")
        return match.end()

    # Comments

    def _scan_comment(self, text: str, start: int) -> tuple[int, list[str] | None]:
        """Read the comment that begins there. Returns the index behind it, in its last line.

        If that is another line, also the lines that were read, the last one that of its end.
        """
        close = _close_in(text, start)
        if close >= 0:
            self._add_comment(text[start + 1 : close])
            return close + 1, None
        lines: list[str] = []
        if self._number >= self._no_close_before:
            close = self._read_comment(text[start + 1 :], lines)
            if close >= 0:
                parts = [text[start + 1 :], *lines[:-1], lines[-1][:close]]
                self._add_comment("\n".join(parts))
                return close + 1, lines
        if not any("}" in line for line in lines):
            self._no_close_before = max(self._no_close_before, self._number)
        # It ends with its paragraph; the text behind that may be another game.
        end = 0
        while end < len(lines) and lines[end].strip() and not _is_tag(lines[end]):
            end += 1
        self._push_back(lines[end:])
        self._add_comment("\n".join([text[start + 1 :], *lines[:end]]))
        self._add(TokenKind.STOP, NOT_CLOSED)
        if not end:
            return len(text), None
        return len(lines[end - 1]), lines[:end]

    def _add_comment(self, text: str) -> None:
        """Comments cannot be nested, so the braces of what one quotes become brackets."""
        text = text.strip().replace("{", "(").replace("}", ")")
        self._add(TokenKind.COMMENT, _COMMAND.sub(_proper_command, text) if "[%" in text else text)

    def _read_comment(self, begin: str, lines: list[str]) -> int:
        """Read up to the line that closes the comment; returns the place of its end there, -1 if none is.

        Comments are not nested. But one may quote a game, with its tags and even with its comments, and
        one that is not closed must not swallow the games that follow. So what looks like a game in it is
        a quotation if it is the only one, or if the comment ends right behind a result. And behind a result
        and an empty line only another quoted game may follow, with tags if the first has any.
        """
        size, depth, games = 0, 1, 0
        in_tags = is_apart = has_tags = False
        line: str | None = begin
        last = ""  # last line that is not empty
        while line is not None and size < MAX_GAME:
            size += len(line) + 1
            is_tag = _is_tag(line)
            begins = is_tag or (is_apart and bool(_FIRST_MOVE.match(line)))
            goes_on = is_tag if has_tags else begins
            if games and is_apart and line.strip() and _ENDED.search(last) and not goes_on:
                return -1
            has_tags = has_tags or is_tag
            games += begins and not in_tags
            in_tags = is_tag or (in_tags and not line.strip())
            is_apart = not line.strip()
            for brace in _BRACE.finditer(line):
                if brace[0] == "}":
                    depth -= 1
                    if not depth:
                        before = line[: brace.start()].rstrip() or last
                        is_quotation = games < 2 or _ENDED.search(before)
                        return brace.start() if is_quotation else -1
                elif games > 1:
                    return -1
                elif games:
                    depth += 1
            last = line.rstrip() or last
            if (line := self._read()) is not None:
                lines.append(line)
        return -1
