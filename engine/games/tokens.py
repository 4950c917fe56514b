"""What a PGN consists of, read by kernels: tags, numbers, comments, variations and results.

A function that reads something at an index returns the index behind it, or -1 for anything out of the
ordinary; `stopped` of the record is where.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.position import MOVE_LIST, POSITION, new_record
from boomslang.core.jit.jit import jit, record_type, types

PADDING: Final = 64  # bytes behind the text, all 0
MAX_TAGS: Final = 32  # tags that are looked for
MAX_NAME: Final = 32  # bytes of their names
_MAX_SEEN: Final = 64  # tags of a game

# Tags that are always looked for. They may be written in any case, so another case than this one is odd.
TAGS: Final = (
    *("Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp", "Variant"),
)
RESULT: Final = U(TAGS.index("Result"))
SETUP: Final = tuple(U(TAGS.index(name)) for name in ("FEN", "SetUp", "Variant"))
RESULTS: Final = ("", "1-0", "0-1", "1/2-1/2", "*")  # by number

SCAN: Final = np.dtype(
    [
        ("place", "i8"),  # behind the games that were read
        ("end", "i8"),  # of the text; a line ends there
        ("is_last", "i8"),  # 1 if no more text comes
        ("games", "i8"),
        ("plies", "i8"),
        ("nags", "i8"),
        ("start", "i8"),  # number of the start position of the next game, -1 if that is not known
        ("castling", "i8"),  # number of the start position whose castling squares are in the rules
        ("stopped", "i8"),  # where something is odd
        ("word_end", "i8"),  # behind a number or a result
        ("name_end", "i8"),  # of the last tag
        ("value", "i8"),
        ("value_end", "i8"),
        ("clock", "f8"),  # of the last comment, in seconds, or NaN
        ("eval", "f8"),  # the same in centipawns
        ("names", "i8", (_MAX_SEEN, 2)),  # of the tags of the game: place and size
        ("position", POSITION, (1,)),
        ("moves", MOVE_LIST, (1,)),
    ],
    align=True,
)
Scan: TypeAlias = Any  # a record of SCAN
scan_t: Any = record_type(SCAN)
text_t: Any = types.uint8[::1]

MATE_SCORE: Final = 100_000  # centipawns; a mate in n moves is n less
NONE: Final = I(-1)
LINE: Final = U(ord("\n"))
BRACKET: Final = U(ord("["))
OPEN: Final = U(ord("{"))
_BLANK, _TAB, _DELETE = U(ord(" ")), U(ord("\t")), U(127)
_MAX_DIGITS: Final = I(6)
_CLOCK, _EVAL, _WHITE_WINS, _BLACK_WINS, _DRAWN = (
    np.frombuffer(word, dtype=np.uint8)
    for word in (b"[%clk ", b"[%eval ", b"1-0", b"0-1", b"1/2-1/2")
)

# By character: those of words, also of the numbers and signs in variations, and those between words.
WORD, BETWEEN = U(1), U(2)
KIND = np.zeros(256, dtype=np.uint8)
KIND[list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+#=!?/*")] = WORD
KIND[list(b" \t\n")] = BETWEEN


def new_scan() -> Any:
    """A SCAN record for the first text."""
    scan = new_record(SCAN)
    scan.castling = scan.start = -1
    return scan


@jit
def digit(character: np.uint64) -> np.int64:
    """The value of a digit; -1 for anything else."""
    return I(character) - I(48) if character >= U(48) and character <= U(57) else NONE


@jit
def stop(scan: Scan, place: np.int64) -> np.int64:
    """Note, in place, where something is odd; returns -1."""
    scan.stopped = place
    return NONE


@jit
def read_number(scan: Scan, text: Any, place: np.int64) -> np.int64:
    """A number of one to six digits, or -1; `word_end` is set, in place, to the index behind it."""
    begin, value = place, I(0)
    while digit(U(text[U(place)])) >= I(0) and place - begin <= _MAX_DIGITS:
        value = value * I(10) + digit(U(text[U(place)]))
        place += I(1)
    scan.word_end = place
    return value if place > begin and place - begin <= _MAX_DIGITS else NONE


@jit
def _is_text(text: Any, place: np.int64, word: Any) -> bool:
    """True if a word, uint8[::1], stands there."""
    number = I(0)
    while number < word.size and text[U(place + number)] == word[U(number)]:
        number += I(1)
    return number == word.size


@jit
def _skip_blanks(text: Any, place: np.int64) -> np.int64:
    """The first index from there on without a blank."""
    while text[U(place)] == _BLANK or text[U(place)] == _TAB:
        place += I(1)
    return place


@jit
def _is_control(character: np.uint64) -> bool:
    """True for control characters, but not for tabs."""
    return (character < _BLANK and character != _TAB) or character == _DELETE


@jit
def read_tag(scan: Scan, text: Any, begin: np.int64) -> np.int64:
    """Find, in place, name and value of the tag that is alone in the line that begins there."""
    place = begin + I(text[U(begin)] == BRACKET)
    while KIND[U(text[U(place)])] == WORD or text[U(place)] == ord("_"):
        is_letter = U(text[U(place)]) >= U(ord("A"))
        if not is_letter and digit(U(text[U(place)])) < I(0):
            return stop(scan, begin)
        place += I(1)
    scan.name_end = place
    place = _skip_blanks(text, place)
    if text[U(begin + I(1))] == ord("_") or scan.name_end <= begin + I(1):
        return stop(scan, begin)
    if place == scan.name_end or text[U(place)] != ord('"'):
        return stop(scan, begin)
    place += I(1)
    scan.value = place
    while text[U(place)] != ord('"'):
        place += I(text[U(place)] == ord("\\"))  # what follows is no end
        if text[U(place)] == _TAB or _is_control(U(text[U(place)])):
            return stop(scan, begin)
        place += I(1)
    scan.value_end = place
    place = _skip_blanks(text, place + I(1))
    if text[U(place)] != ord("]"):
        return stop(scan, begin)
    place = _skip_blanks(text, place + I(1))
    return place + I(1) if text[U(place)] == LINE else stop(scan, begin)


@jit
def _is_name(text: Any, begin: np.int64, name: Any, size: np.int64) -> np.int64:
    """2 if a name, padded with zeros, of `size` bytes stands there, 1 if it does in another case, else 0."""
    found = I(2)
    for number in range(size):
        one, other = U(text[U(begin + number)]), U(name[U(number)])
        if one | U(32) != other | U(32):
            return I(0)
        if one != other:
            found = I(1)
    return found if size == MAX_NAME or name[U(size)] == ZERO else I(0)


@jit
def _is_again(scan: Scan, text: Any, seen: np.int64) -> bool:
    """True if the tag with the number `seen` has the name of one before it."""
    begin, size = scan.names[U(seen), ZERO], scan.names[U(seen), ONE]
    for number in range(seen):
        other = U(number)
        same = I(0)
        while same < size and (text[U(scan.names[other, ZERO] + same)] == text[U(begin + same)]):
            same += I(1)
        if same == size and scan.names[other, ONE] == size:
            return True
    return False


@jit
def read_tags(scan: Scan, text: Any, names: Any, spans: Any, place: np.int64) -> np.int64:
    """Write where the values of tags begin and end, in place, 0 and 0 without one: a paragraph of them.

    `names` is uint8[:, MAX_NAME], `spans` int64[MAX_TAGS, 2].
    """
    seen = I(0)
    for number in range(MAX_TAGS):
        spans[U(number), ZERO] = spans[U(number), ONE] = I(0)
    while text[U(place)] == BRACKET:
        begin = place + I(1)
        following = read_tag(scan, text, place)
        if following < I(0):
            return NONE
        size = scan.name_end - begin
        if seen == I(_MAX_SEEN) or size > I(MAX_NAME):
            return stop(scan, place)
        scan.names[U(seen), ZERO] = begin
        scan.names[U(seen), ONE] = size
        if _is_again(scan, text, seen):
            return stop(scan, place)
        seen += I(1)
        for number in range(names.shape[0]):
            match = _is_name(text, begin, names[U(number)], size)
            if match == I(1) and number < len(TAGS):
                return stop(scan, place)
            if match == I(2):
                spans[U(number), ZERO] = scan.value
                spans[U(number), ONE] = scan.value_end
        place = following
    return place if seen else stop(scan, place)


@jit
def _read_clock(scan: Scan, text: Any, place: np.int64) -> np.int64:
    """Read `0:01:30.5]`, in place."""
    hours = read_number(scan, text, place)
    middle = scan.word_end
    minutes = read_number(scan, text, middle + I(1))
    last = scan.word_end
    seconds = read_number(scan, text, last + I(1))
    place = scan.word_end
    if hours < I(0) or minutes < I(0) or seconds < I(0):
        return NONE
    if text[U(middle)] != ord(":") or text[U(last)] != ord(":"):
        return NONE
    part, unit = I(0), I(1)
    if text[U(place)] == ord("."):
        place += I(1)
        if text[U(place)] != ord("]"):
            part = read_number(scan, text, place)
            if part < I(0):
                return NONE
            for _ in range(scan.word_end - place):
                unit *= I(10)
            place = scan.word_end
    # One division, so that the number is the nearest one to what is written.
    scan.clock = float(hours * I(3600) + minutes * I(60)) + float(seconds * unit + part) / float(
        unit
    )
    return place + I(1) if text[U(place)] == ord("]") else NONE


@jit
def _read_eval(scan: Scan, text: Any, place: np.int64) -> np.int64:
    """Read `-0.25,12]` or `#3]`, in place."""
    is_mate = text[U(place)] == ord("#")
    place += I(is_mate)
    is_negative = text[U(place)] == ord("-")
    place += I(is_negative or text[U(place)] == ord("+"))
    value = read_number(scan, text, place)
    place = scan.word_end
    if value < I(0) or (is_mate and value == I(0)):
        return NONE
    if is_mate:
        value = I(MATE_SCORE) - value
    else:
        unit = I(100)
        value *= unit
        if text[U(place)] == ord("."):
            place += I(1)
            while unit > I(1) and digit(U(text[U(place)])) >= I(0):
                unit //= I(10)
                value += unit * digit(U(text[U(place)]))
                place += I(1)
    if text[U(place)] == ord(","):
        if read_number(scan, text, place + I(1)) < I(0):
            return NONE
        place = scan.word_end
    scan.eval = float(-value if is_negative else value)
    return place + I(1) if text[U(place)] == ord("]") else NONE


@jit
def _read_command(scan: Scan, text: Any, place: np.int64) -> np.int64:
    """Read the first clock and score of a comment, in place, at a bracket; others are skipped."""
    end = place + I(1)
    if _is_text(text, place, _CLOCK[:5]) and np.isnan(scan.clock):
        end = NONE
        if _is_text(text, place, _CLOCK):
            end = _read_clock(scan, text, place + I(_CLOCK.size))
    elif _is_text(text, place, _EVAL[:6]) and np.isnan(scan.eval):
        end = NONE
        if _is_text(text, place, _EVAL):
            end = _read_eval(scan, text, place + I(_EVAL.size))
    elif text[U(end)] >= U(128):  # perhaps nothing that is seen
        end = NONE
    return end if end > I(0) else stop(scan, place)


@jit
def read_comment(scan: Scan, text: Any, begin: np.int64) -> np.int64:
    """Read the comment that begins there, with its clock and score, in place.

    One of several lines may quote a game, or not be closed.
    """
    scan.clock = scan.eval = np.nan
    is_first = True  # nothing seen in this line
    lines, quotes = I(0), I(0)
    place = begin + I(1)
    while text[U(place)] != ord("}"):
        character = U(text[U(place)])
        following = place + I(1)
        if character == LINE:
            lines += I(1)
            quotes += I(is_first and lines > I(1))
            is_first = True
        elif _is_control(character) or character == OPEN:
            return stop(scan, place)
        elif character == BRACKET:
            quotes += I(is_first and text[U(following)] != ord("%"))
            is_first = False
            following = _read_command(scan, text, place)
            if following < I(0):
                return NONE
        elif is_first and character != _BLANK and character != _TAB:
            is_first = False
            # It may be the first byte of a character that is not seen, before a bracket.
            is_hidden = character >= U(0xD8) or (character >= U(128) and character <= U(0xC2))
            quotes += I(is_hidden)
        place = following
    return stop(scan, begin) if lines and quotes else place + I(1)


@jit
def skip_variation(scan: Scan, text: Any, place: np.int64) -> np.int64:
    """Skip the variation that begins there, with those inside it."""
    depth = I(0)
    while True:
        character = U(text[U(place)])
        following = place + I(1)
        if character == OPEN:
            following = read_comment(scan, text, place)
            if following < I(0):
                return NONE
        elif character == LINE:
            first = _skip_blanks(text, following)
            # The number 1 first in a line may begin another game.
            is_one = text[U(first)] == ord("1") and digit(U(text[U(first + I(1))])) < I(0)
            if is_one or text[U(following)] == ord("%"):
                return stop(scan, following)
        elif character == U(ord("(")):
            depth += I(1)
        elif character == U(ord(")")):
            depth -= I(1)
            if depth == I(0):
                return following
        elif character == U(ord("$")):
            if digit(U(text[U(following)])) < I(0):
                return stop(scan, place)
        elif KIND[character] == ZERO:
            return stop(scan, place)
        place = following


@jit
def read_result(scan: Scan, text: Any, place: np.int64) -> np.int64:
    """The number of the result that stands there, or -1; `word_end` is set, in place, behind it."""
    result, size = NONE, I(0)
    if text[U(place)] == ord("*"):
        result, size = I(4), I(1)
    elif _is_text(text, place, _WHITE_WINS):
        result, size = I(1), I(3)
    elif _is_text(text, place, _BLACK_WINS):
        result, size = I(2), I(3)
    elif _is_text(text, place, _DRAWN):
        result, size = I(3), I(7)
    scan.word_end = place + size
    return result
