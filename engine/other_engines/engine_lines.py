"""What other engines say in a search, read into `Info`: numbers within bounds, and legal moves.

Nothing else reads their numbers, python-chess neither: it takes any. One that cannot be counts as not said. A
variation ends before its first illegal move. Ranges are wider than those of this engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import chess

from boomslang.engine.limits import MAX_COUNT, MAX_TIME, Info, Score

NO_EXACT_LINE: Final = "the engine has given no line with an exact score"
MAX_SCORE: Final = 100_000  # centipawns; greater scores are cut, and by CECP they are mates
MAX_MATE: Final = 1000  # moves
_MAX_PLIES: Final = 256  # of a variation that is read
_MAX_WORDS: Final = 100_000  # of a line that are read
_MAX_REMARK: Final = 1000  # characters
_RANGES: Final = {
    **dict.fromkeys(("depth", "seldepth"), (0, 1000)),
    "multipv": (1, 218),  # legal moves
    **dict.fromkeys(("nodes", "nps", "tbhits"), (0, MAX_COUNT)),
    "hashfull": (0, 1000),
    "time": (0, MAX_TIME),
}
_BY_CECP: Final = ("depth", "score", "time", "nodes", "seldepth", "nps")
_WDL_TOTAL: Final = range(990, 1011)  # per mille, as rounded
_BOUNDS: Final = {"!": "lowerbound", "?": "upperbound"}  # marks of CECP
_HUGE: Final = 10**30
_FAR: Final = {"min": 1 - _HUGE, "max": _HUGE - 1}  # the ends of an option that names none
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,30}")
_MOVE: Final = re.compile(r"[a-h][1-8]|[O0]-[O0]")
_PART: Final = re.compile(r"\b(default|min|max|var)\b")  # of the declaration of an option
_PLAIN_KINDS: Final = ("check", "button", "string")  # of options, with any default


class InfoReader:
    """Reads the lines of one search.

    `best` is the newest best line with an exact score, `nodes` are the most that were told. `cut` is what was
    left out of the first variation that was not legal.
    """

    def __init__(self, board: chess.Board, lines: int = 1, longest: int = _MAX_PLIES) -> None:
        """Of a search for so many `lines`, whose variations are read up to `longest` plies.

        Moves are written as on the board, whatever the engine knows of Chess960.
        """
        self._board = board
        self._lines = lines
        self._longest = longest
        self.best: Info | None = None
        self.nodes = 0
        self.cut = ""

    def read_uci(self, line: str) -> Info | str:
        """An `info` line of UCI; without a score the remark in it, which may be empty."""
        line, _, remark = line.partition(" string ")
        words = line.split(maxsplit=_MAX_WORDS)
        numbers: dict[str, int] = {}
        score: Score | None = None
        wdl: tuple[int, int, int] | None = None
        pv: tuple[chess.Move, ...] = ()
        bound = ""
        for at, word in enumerate(words, start=1):
            if (
                word in _RANGES
                and (parsed := _number(words[at : at + 1], *_RANGES[word])) is not None
            ):
                numbers[word] = parsed
            elif word == "score":
                score = self._score(words[at : at + 2]) or score
            elif word in _BOUNDS.values():
                bound = word
            elif word == "wdl":
                wdl = _chances(words[at : at + 3]) or wdl
            elif word == "pv":
                moves = [
                    move.lower() for move in words[at : at + self._longest]
                ]  # AnMon 5.75 writes e7e8Q
                pv = self._variation(moves, chess.Board.parse_uci)
        return self._info(numbers, score, bound, pv, wdl) or remark[:_MAX_REMARK]

    def read_cecp(self, line: str) -> Info | str | None:
        """A line of thinking of CECP; empty for one that is no good, None for anything else."""
        words = line.split(maxsplit=_MAX_WORDS)
        given_numbers = 0
        while given_numbers < len(words) and _NUMBER.fullmatch(words[given_numbers]):
            given_numbers += 1
        if given_numbers < 4:  # depth, score, time and nodes
            return None
        names = (*_BY_CECP, *("" for _ in words[len(_BY_CECP) : given_numbers - 1]), "tbhits")
        said = dict(zip(names, words[:given_numbers], strict=False))
        numbers = {
            name: parsed
            for name, word in said.items()
            if name in _RANGES and (parsed := _number([word], *_RANGES[name])) is not None
        }
        if "time" in numbers:
            numbers["time"] *= 10  # from centiseconds
        score = int(said["score"])
        excess = abs(score) - MAX_SCORE
        kind, value = ("mate", excess) if 0 < excess <= MAX_MATE else ("cp", abs(score))
        moves = [word for word in words[given_numbers:] if _MOVE.search(word)]
        bound = _BOUNDS.get(words[-1][-1], "")
        pv = self._variation([move.rstrip("!?") for move in moves], chess.Board.parse_xboard)
        sign = "-" if score < 0 else ""
        return self._info(numbers, self._score([kind, f"{sign}{value}"]), bound, pv) or ""

    def _score(self, words: Sequence[str]) -> Score | None:
        """The score of a kind and a number; None if there is none."""
        if words[:1] == ["cp"]:
            number = _number(words[1:])
            return None if number is None else Score(min(max(number, -MAX_SCORE), MAX_SCORE))
        number = _number(words[1:], -MAX_MATE, MAX_MATE) if words[:1] == ["mate"] else None
        is_possible = number or (number == 0 and self._board.is_checkmate())
        return Score(mate=number) if is_possible else None

    def _variation(
        self, words: Sequence[str], parse: Callable[[chess.Board, str], chess.Move]
    ) -> tuple[chess.Move, ...]:
        board = self._board.copy(stack=False)
        moves: list[chess.Move] = []
        for at, word in enumerate(words[: self._longest]):
            try:
                move = parse(board, word)
                if not move:
                    raise chess.IllegalMoveError("a null move")
            except chess.InvalidMoveError:  # another word of the line
                break
            except ValueError:
                self.cut = self.cut or " ".join(words[at : at + 3])
                break
            moves.append(move)
            board.push(move)
        return tuple(moves)

    def _info(
        self,
        numbers: dict[str, int],
        score: Score | None,
        bound: str,
        pv: tuple[chess.Move, ...],
        wdl: tuple[int, int, int] | None = None,
    ) -> Info | None:
        """The line; None without a score, and beyond the lines that are wanted."""
        self.nodes = max(self.nodes, numbers.get("nodes", 0))
        if not score or numbers.get("multipv", 1) > self._lines:
            return None
        info = Info(
            depth=numbers.get("depth", 0),
            seldepth=numbers.get("seldepth", 0),
            multipv=numbers.get("multipv", 1),
            score=score,
            bound=bound,
            nodes=numbers.get("nodes", 0),
            nps=numbers.get("nps", 0),
            hashfull=numbers.get("hashfull", 0),
            tbhits=numbers.get("tbhits", 0),
            time=numbers.get("time", 0),
            pv=pv,
            wdl=wdl,
        )
        if info.multipv == 1 and not bound:
            self.best = info
        return info


def read_option(line: str) -> str:
    """A line `option` as python-chess takes it, which refuses an engine for an odd one.

    Those of a kind or with a default, a minimum or a maximum that cannot be are texts then.
    """
    name, _, declared = line.partition(" type ")
    kind, *parts = (part.strip() for part in _PART.split(declared))
    said = list(zip(parts[::2], parts[1::2], strict=True))
    first = dict(reversed(said))
    default = first.get("default", "")
    least, most = (_number([first.get(end) or str(far)]) for end, far in _FAR.items())
    is_possible = kind in _PLAIN_KINDS or (kind == "combo" and ("var", default) in said)
    if kind == "spin" and least is not None and most is not None:
        is_possible = _number([default], least, most) is not None
    return line if is_possible else f"{name} type string default {default[:_MAX_REMARK]}"


def _number(words: Sequence[str], least: int = -_HUGE, most: int = _HUGE) -> int | None:
    """The whole number in the first word; None if there is none, or one out of range."""
    if not words or not _NUMBER.fullmatch(words[0]):
        return None
    number = int(words[0])
    return number if least <= number <= most else None


def _chances(words: Sequence[str]) -> tuple[int, int, int] | None:
    """Win, draw and loss per mille; None if they are none."""
    match [_number([word], 0, 1000) for word in words]:
        case [int(win), int(draw), int(loss)] if win + draw + loss in _WDL_TOTAL:
            return win, draw, loss
    return None
