"""The compiled reader of PGN: splits text into games, and plays their moves.

It reads what is ordinary: a paragraph of tags, one a line, and movetext whose moves are legal and whose
numbers count them. At anything else it stops before the game, which `engine.notation` then reads, so here
nothing is guessed. What counts as ordinary is less than what that reader takes without a remark, never
more: both must say the same of a game that is read here.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.chess960 import allow_castling
from boomslang.core.board.constants import BLACK, KING, NO_SQUARE, ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.position import NO_MOVE, POSITION, Rules, rules_t
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import i64, jit, kernel, record_type, types
from boomslang.engine.games.san import read_san
from boomslang.engine.games.tokens import (
    BETWEEN,
    BRACKET,
    KIND,
    LINE,
    MAX_TAGS,
    NONE,
    OPEN,
    RESULT,
    SETUP,
    WORD,
    Scan,
    digit,
    read_comment,
    read_number,
    read_result,
    read_tag,
    read_tags,
    scan_t,
    skip_variation,
    stop,
    text_t,
)

_MAX_GAME: Final = I(1 << 20)  # bytes: more may be too much for `engine.notation`

# Why the kernel returned.
FULL, END, MORE, ODD, START = (I(number) for number in range(5))
_GAME: Final = I(5)

# A game; the places of values of tags are those in the text, 0 and 0 without the tag.
ROW: Final = np.dtype(
    [
        ("begin", "i8"),
        ("plies", "i8"),  # of all games up to its end
        ("start", "i8"),
        ("result", "i8"),  # see `tokens.RESULTS`
        ("tags", "i8", (MAX_TAGS, 2)),
    ],
    align=True,
)
PLY: Final = np.dtype([("clock", "f8"), ("eval", "f4"), ("move", "u2")], align=True)
NAG: Final = np.dtype([("ply", "i8"), ("nag", "u1")], align=True)
# A position in which games begin, the rooks of its castling rights, and the number of its move.
START_POSITION: Final = np.dtype(
    [("position", POSITION), ("rook", "u8", (4,)), ("number", "i8")], align=True
)
Rows: TypeAlias = Any  # an array of ROW
Plies: TypeAlias = Any  # an array of PLY
Nags: TypeAlias = Any  # an array of NAG
Starts: TypeAlias = Any  # an array of START_POSITION

starts_t: Any = types.Array(record_type(START_POSITION), 1, "C")
_rows_t: Any = types.Array(record_type(ROW), 1, "C")
_plies_t: Any = types.Array(record_type(PLY), 1, "C")
_nags_t: Any = types.Array(record_type(NAG), 1, "C")
_names_t: Any = types.Array(types.uint8, 2, "C")


@jit
def _add_nag(scan: Scan, nags: Nags, nag: np.int64) -> None:
    """Add an annotation to the last ply, in place, once."""
    number = scan.nags
    while number > I(0) and nags[U(number - I(1))].ply == scan.plies - I(1):
        number -= I(1)
        if I(nags[U(number)].nag) == nag:
            return
    nags[U(scan.nags)].ply = scan.plies - I(1)
    nags[U(scan.nags)].nag = nag
    scan.nags += I(1)


@jit
def _read_signs(scan: Scan, text: Any, place: np.int64, nags: Nags) -> np.int64:
    """Read the signs behind a move, such as `+!?`; returns the index behind them, or -1."""
    while text[U(place)] == ord("+") or text[U(place)] == ord("#"):
        place += I(1)
    first, second = U(text[U(place)]), U(text[U(place + I(1))])
    good, bad = U(ord("!")), U(ord("?"))
    if first != good and first != bad:
        return place
    if second != good and second != bad:
        _add_nag(scan, nags, I(1) if first == good else I(2))
        return place + I(1)
    if first == second:
        _add_nag(scan, nags, I(3) if first == good else I(4))
    else:
        _add_nag(scan, nags, I(5) if first == good else I(6))
    return place + I(2)


@jit
def _read_move_number(
    scan: Scan, text: Any, begin: np.int64, expected: np.int64, side: np.uint64, has_ply: bool
) -> np.int64:
    """The index behind the number of the move that follows, or -1."""
    number = read_number(scan, text, begin)
    place = scan.word_end
    while text[U(place)] == ord("."):
        place += I(1)
    dots = place - scan.word_end
    if number != expected or (dots > I(2) and side != BLACK):
        return stop(scan, begin)
    if number == I(1) and has_ply and dots < I(3):  # perhaps of another game
        return stop(scan, begin)
    return place if dots or KIND[U(text[U(place)])] == BETWEEN else stop(scan, begin)


@jit
def _read_move(
    rules: Rules, scan: Scan, text: Any, plies: Plies, nags: Nags, begin: np.int64
) -> np.int64:
    """Play the move that stands there, in place; returns the index behind it, or -1."""
    position = scan.position[ZERO]
    read = read_san(rules, position, scan.moves[ZERO], text, U(begin))
    if read == NO_MOVE:
        return stop(scan, begin)
    ply = plies[U(scan.plies)]
    ply.move = read & U(0xFFFF)
    ply.clock = np.nan
    ply.eval = np.nan
    scan.plies += I(1)
    place = _read_signs(scan, text, I(read >> U(16)), nags)
    if KIND[U(text[U(place)])] != BETWEEN and text[U(place)] != OPEN and text[U(place)] != ord("$"):
        return stop(scan, begin)
    make_move(rules, position, read & U(0xFFFF))
    return place


@jit
def _read_moves(
    rules: Rules, scan: Scan, text: Any, plies: Plies, nags: Nags, place: np.int64, number: np.int64
) -> np.int64:
    """Read the movetext that begins there, and play its moves, in place.

    `number` is that of the first move. Returns the index behind it in the lower 48 bits, and the number of
    the result, 0 for none, above; or -1.
    """
    position = scan.position[ZERO]
    first = scan.plies
    result = I(0)
    has_words = False
    line = place  # where this line begins
    while place >= I(0):
        begin = place
        character = U(text[U(place)])
        has_ply = scan.plies > first
        if KIND[character] == BETWEEN:
            place += I(1)
            if character == LINE:
                line = place
        elif character == BRACKET and place == line and has_words:
            # A tag of the next game.
            return NONE if read_tag(scan, text, place) < I(0) else place | result << I(48)
        elif character == ZERO and place == scan.end and scan.is_last and has_words:
            return place | result << I(48)
        elif character == OPEN:
            place = read_comment(scan, text, place)
            if has_ply and place > I(0):
                ply = plies[U(scan.plies - I(1))]
                if np.isnan(ply.clock):
                    ply.clock = scan.clock
                if np.isnan(ply.eval):
                    ply.eval = scan.eval
        elif character == U(ord("$")):
            nag = read_number(scan, text, place + I(1))
            place = scan.word_end
            if nag < I(0) or nag > I(255) or KIND[U(text[U(place)])] == WORD:
                return stop(scan, begin)
            if has_ply:
                _add_nag(scan, nags, nag)
            has_words = True
        elif result:
            return stop(scan, place)  # another game
        elif character == U(ord("(")):
            place = skip_variation(scan, text, place) if has_ply else stop(scan, place)
        elif digit(character) >= I(0) or character == U(ord("*")):
            result = read_result(scan, text, place)
            place = scan.word_end
            if result < I(0) or (result < I(4) and KIND[U(text[U(place)])] != BETWEEN):
                result = I(0)
                place = _read_move_number(scan, text, begin, number, U(position.side), has_ply)
            has_words = True
        else:
            number += I(U(position.side) == BLACK)
            place = _read_move(rules, scan, text, plies, nags, place)
            has_words = True
    return NONE


@jit
def set_up(rules: Rules, scan: Scan, starts: Starts) -> None:
    """Put the start position on the board, and its castling squares into the rules, in place."""
    start = starts[U(scan.start)]
    scan.position[ZERO] = start.position
    if scan.castling == scan.start:
        return
    scan.castling = scan.start
    for number in range(64):
        rules.castling_keep[U(number)] = U(15)
    for number in range(4):
        right = U(number)
        rules.castling_rook[right] = start.rook[right]
        if start.rook[right] != NO_SQUARE:
            own = start.position.by_colour[right >> ONE]
            king = lsb(start.position.by_type[KING] & own)
            allow_castling(rules, right, king, start.rook[right])


@jit
def _result_of(scan: Scan, text: Any, span: Any, behind: np.int64) -> np.int64:
    """The number of the result of a tag, or else of the one behind the moves; -1 if they differ."""
    tagged = I(0)
    if span[ONE]:
        tagged = read_result(scan, text, span[ZERO])
        if scan.word_end != span[ONE]:
            return NONE
    if tagged == I(0) or tagged == I(4):
        return behind if behind else I(4)
    return tagged if behind == I(0) or behind == I(4) or behind == tagged else NONE


@jit
def _read_game(
    rules: Rules,
    scan: Scan,
    text: Any,
    names: Any,
    starts: Starts,
    rows: Rows,
    plies: Plies,
    nags: Nags,
) -> np.int64:
    """Read the next game, in place; returns _GAME, or why it is not read."""
    # 1. The tags. With a start position of its own the game is read once more, when that is known.
    begin = line = scan.place
    while KIND[U(text[U(begin)])] == BETWEEN:
        begin += I(1)
        if text[U(begin - I(1))] == LINE:
            line = begin
    if begin == scan.end and text[U(begin)] == ZERO:
        scan.place = begin
        return END if scan.is_last else MORE
    scan.stopped = begin
    if begin != line:
        return ODD
    row = U(scan.games)
    spans = rows[row].tags
    place = read_tags(scan, text, names, spans, begin)
    if place < I(0):
        return ODD
    has_setup = spans[SETUP[0], ONE] + spans[SETUP[1], ONE] + spans[SETUP[2], ONE] > I(0)
    if has_setup and scan.start < I(0):
        return START
    if not has_setup:
        scan.start = I(0)

    # 2. The moves, and what they led to.
    set_up(rules, scan, starts)
    rows[row].start = scan.start
    number = starts[U(scan.start)].number
    scan.start = NONE
    found = _read_moves(rules, scan, text, plies, nags, place, number)
    if found < I(0):
        return ODD
    end = found & I((1 << 48) - 1)
    result = _result_of(scan, text, spans[RESULT], found >> I(48))
    if result < I(0) or end - begin >= _MAX_GAME:
        scan.stopped = begin
        return ODD
    rows[row].begin = begin
    rows[row].result = result
    rows[row].plies = scan.plies
    scan.place = end
    return _GAME


@kernel(i64(rules_t, scan_t, text_t, _names_t, starts_t, _rows_t, _plies_t, _nags_t))
def scan_games(
    rules: Rules,
    scan: Scan,
    text: Any,
    names: Any,
    starts: Starts,
    rows: Rows,
    plies: Plies,
    nags: Nags,
) -> np.int64:
    """Read games from `scan.place` on into rows, plies and annotations, in place; returns why it ended.

    FULL: no row is left. END: there is no more game. MORE: the text ends in a game. ODD: that game is not
    ordinary. START: it has a start position, whose number must be put into `scan.start`.

    `text` is uint8[::1] with PADDING zeros behind it; `names`, uint8[:, MAX_NAME], are the tags that are
    looked for, first TAGS; `plies` and `nags` have as many places as half of the text has bytes.
    """
    scan.games = scan.plies = scan.nags = I(0)
    while scan.games < rows.size:
        before, nags_before = scan.plies, scan.nags
        found = _read_game(rules, scan, text, names, starts, rows, plies, nags)
        if found != _GAME:
            scan.plies = before
            scan.nags = nags_before
            if found == ODD and scan.stopped >= scan.end and not scan.is_last:
                return MORE
            return found
        scan.games += I(1)
    return FULL
