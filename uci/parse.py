"""Parsing of UCI lines into commands, independent of the position."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from boomslang.core.system.sanitize import number, quote
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Limits

BENCH_KINDS: Final = ("depth", "nodes", "movetime", "perft", "eval")

_LOOSE_NUMBER: Final = re.compile(
    r"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?"
)
_MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_OPTION: Final = re.compile(
    r"\bsetoption\s+name\s+(.+?)(?:\s+value(?:\s(.*))?)?", re.DOTALL | re.ASCII
)

# The parameters of `go`, and their names in Limits.
_CLOCKS: Final = {"wtime": "white_time", "btime": "black_time"}
_INCREMENTS: Final = {"winc": "white_increment", "binc": "black_increment"}
_ENDS: Final = {"depth": "depth", "nodes": "nodes", "movetime": "movetime", "perft": "perft"}
_NUMBERED: Final = frozenset({*_CLOCKS, *_INCREMENTS, *_ENDS, "movestogo", "mate"})
_ENDING: Final = frozenset({*_CLOCKS, *_ENDS, "mate"})
_GO_WORDS: Final = _NUMBERED | {"searchmoves", "ponder", "infinite"}


@dataclass(frozen=True, slots=True)
class PositionCommand:
    """`position`: a start position (None for the usual one) and the moves from it."""

    fen: str | None
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionCommand:
    """`setoption`: `value` is the raw rest of the line, empty if missing."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class BenchCommand:
    """`bench`: kind and limit, positions, hash and threads."""

    hash_mb: int = 16
    threads: int = 1
    limit: int | None = None  # None: the usual depth
    positions: str = "default"  # or "current", or a file with one FEN or EPD a line
    kind: str = "depth"  # or "nodes", "movetime" (milliseconds), "perft" (plies), "eval"


def words_of(line: bytes) -> list[str]:
    """The words of a line, separated by ASCII blanks."""
    return [word.decode("utf-8", "replace") for word in line.split()]


def loose_number(word: str) -> int | None:
    """An integer, parsed leniently: 1000 for 1000.5, +1000, 1e3 and 1000.

    Clipped as by `number`; None if it is not a number.
    """
    match = _LOOSE_NUMBER.fullmatch(word)
    if not match:
        return None
    sign, whole, fraction, power = match.groups(default="")
    point = len(whole) + int(power or 0)
    digits = (whole + fraction)[: max(point, 0)].ljust(point, "0").lstrip("0")
    return number(f"{sign.replace('+', '')}{digits or '0'}")


def position(words: Sequence[str]) -> PositionCommand:
    """The words after `position`; raises CommandError."""
    if not words:
        raise CommandError("position: startpos or fen expected")
    kind, *rest = words
    at = rest.index("moves") if "moves" in rest else len(rest)
    moves = tuple(rest[at + 1 :])
    if kind == "startpos":
        if at:
            raise CommandError("position startpos: only moves may follow")
        return PositionCommand(None, moves)
    if kind != "fen":
        raise CommandError("position: startpos or fen expected")
    return PositionCommand(" ".join(rest[:at]), moves)


def evaluation(words: Sequence[str]) -> bool:
    """The words after `eval`: True if the classical evaluation is asked for; raises CommandError."""
    if list(words) not in ([], ["classical"]):
        raise CommandError("eval: nothing may follow, or the word classical")
    return bool(words)


def option(line: bytes) -> OptionCommand:
    """A line with `setoption`; raises CommandError."""
    text = line.decode("utf-8", "replace").strip()
    match = _OPTION.fullmatch(text, max(0, text.find("setoption")))
    if not match or match[1] == "value" or match[1].startswith("value "):
        raise CommandError("setoption: a name is missing")
    return OptionCommand(" ".join(match[1].split()), (match[2] or "").strip())


def go(words: Sequence[str], strict: bool = False, say: Callable[[str], object] = str) -> Limits:
    """The words after `go`, in any order; unknown ones are ignored.

    A limit of zero or less becomes the smallest one: the GUI expects an answer, and an infinite search would
    hang it. The same holds for a limit that is not a number, if it is the only one; it is reported by `say`.
    If `strict`, both raise CommandError instead, as does what is no word of `go` or, after `searchmoves`, no
    move. Without any limit the search is infinite, but only the word `infinite` holds the answer until
    `stop`. With `perft` the words `infinite` and `ponder` mean nothing.
    """
    values: dict[str, int] = {}
    unread: dict[str, str] = {}
    moves: list[str] | None = None
    flags = set()
    rest = iter([*words, ""])
    word = next(rest)
    while word:
        key, word = word, next(rest)
        if key == "searchmoves":
            moves = []
            while word and word not in _GO_WORDS:
                if strict and not _MOVE.fullmatch(word.lower()):
                    raise CommandError(
                        f"go searchmoves: {quote(word[:20])} is not a move like e2e4"
                    )
                moves.append(word.lower())
                word = next(rest)
        elif key in ("infinite", "ponder"):
            flags.add(key)
        elif key in _NUMBERED:
            number_given = number(word) if strict else loose_number(word)
            if strict and (number_given is None or (number_given < 1 and key not in _INCREMENTS)):
                raise CommandError(
                    f"go {key}: a number above 0 expected instead of {quote(word[:20])}"
                )
            if number_given is None:
                unread[key] = quote("" if word in _GO_WORDS else word[:20])
            else:
                values[key] = number_given
            if word and word not in _GO_WORDS:
                word = next(rest)
        elif strict:
            raise CommandError(f"go: unknown word {quote(key[:20])}")
    if unread:
        listed = ", ".join(f"{key} {word}" for key, word in unread.items())
        say(f"error: go: no number: {listed}")
        if "infinite" not in flags and not values.keys() & _ENDING:
            values |= dict.fromkeys(unread, 0)
    if "perft" in values:
        flags.clear()  # a count has an end, and no answer that could wait
    return Limits(
        **_limits(values),
        infinite="infinite" in flags or not values,
        wait_for_stop="infinite" in flags,
        ponder="ponder" in flags,
        search_moves=moves or None,
    )


def _limits(values: dict[str, int]) -> dict[str, Any]:
    limits = {name: max(1, values[key]) for key, name in _ENDS.items() if key in values}
    if "mate" in values:
        # A mate in 0 moves is never found; search to a small depth instead.
        name, value = ("mate", values["mate"]) if values["mate"] > 0 else ("depth", 1)
        limits[name] = value
    if values.get("movestogo", 0) > 0:
        limits["moves_to_go"] = values["movestogo"]
    for key, name in _INCREMENTS.items():
        if key in values:
            limits[name] = max(0, values[key])
    clocks = {name: max(1, values[key]) for key, name in _CLOCKS.items() if key in values}
    if not values.keys() & _ENDING and values.keys() & {*_INCREMENTS, "movestogo"}:
        clocks = dict.fromkeys(_CLOCKS.values(), 1)  # only an increment: an empty clock
    for name in _CLOCKS.values() if clocks else ():
        limits[name] = clocks.get(name, max(clocks.values()))  # assume both clocks are equal
    return limits


def bench(words: Sequence[str]) -> BenchCommand:
    """The words after `bench`, in Stockfish's order; a number alone is the depth. Raises CommandError."""
    if len(words) == 1:
        return BenchCommand(limit=_at_least_1("bench", words[0]))
    usual = BenchCommand()
    hash_mb, threads, limit, positions, kind = [*words, *("",) * 5][:5]
    if kind and kind not in BENCH_KINDS:
        raise CommandError(f"bench: the last word is one of {', '.join(BENCH_KINDS)}")
    return BenchCommand(
        _at_least_1("bench", hash_mb) if hash_mb else usual.hash_mb,
        _at_least_1("bench", threads) if threads else usual.threads,
        _at_least_1("bench", limit) if limit else None,
        positions or usual.positions,
        kind or usual.kind,
    )


def _at_least_1(command: str, word: str) -> int:
    value = number(word)
    if value is None or value < 1:
        raise CommandError(f"{command}: a number above 0 expected instead of {quote(word[:20])}")
    return value
