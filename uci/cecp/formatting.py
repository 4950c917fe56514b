"""Output of CECP: the features of the engine and its options, thinking lines, moves, statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Current, Info, Score
from boomslang.engine.options import CECP, Option, declared_in
from boomslang.engine.system.identity import NAME, VERSION
from boomslang.eval.wdl import conversion
from boomslang.uci.cecp.game import NULL_MOVE
from boomslang.uci.parse import OptionCommand

MATE: Final = 100_000  # the score of a mate in N moves is MATE + N

# Behind a blank, or python-chess would not read the move before it.
_BOUNDS: Final = {"": "", "lowerbound": " !", "upperbound": " ?"}


def spell(move: chess.Move, board: chess.Board) -> str:
    """A move in the notation of the protocol; castling has two forms."""
    return board.xboard(move) if move else NULL_MOVE


def score(value: Score) -> int:
    """Centipawns on the scale of `eval.wdl.conversion.to_cp`; mates are beyond all other scores."""
    if value.mate is None:
        return conversion.to_cp(value.centipawns or 0)
    return value.mate + (MATE if value.mate > 0 else -MATE)


def thinking_line(info: Info, board: chess.Board, centiseconds: int | None = None) -> str:
    """Ply, score, time, nodes, selective depth, speed, table hits, and after a tab the moves.

    `centiseconds` is the time to report instead of the search's.
    """
    spent = info.time // 10 if centiseconds is None else centiseconds
    numbers = (
        info.depth,
        score(info.score),
        spent,
        info.nodes,
        info.seldepth,
        info.nps,
        info.tbhits,
    )
    return f"{' '.join(map(str, numbers))}\t{' '.join(_moves(info, board))}{_BOUNDS[info.bound]}"


def over_line(board: chess.Board) -> str:
    """A thinking line for a position without legal moves: mate or stalemate."""
    return f"0 {-MATE if board.is_check() else 0} 0 0 0 0 0\t"


def stat_line(info: Info | None, seconds: float, looking: Current | None, moves: int) -> str:
    """The answer to `.`: time, nodes, depth, moves left, all `moves`, the current move."""
    nodes, depth = (info.nodes, info.depth) if info else (0, 1)
    left, move = 0, ""
    if looking:
        depth, left = looking.depth, max(0, moves - looking.number)
        move = looking.move.uci()
    return f"stat01: {int(seconds * 100)} {nodes} {depth} {left} {moves} {move}".rstrip()


def _moves(info: Info, board: chess.Board) -> Iterator[str]:
    after = board.copy(stack=False)
    for move in info.pv:
        yield spell(move, after)
        after.push(move)


RESIGN: Final = "Resign Below"
TABLES: Final = "SyzygyPath"

FIRST: Final = "feature done=0"
LAST: Final = "feature done=1"


def declared() -> dict[str, Option]:
    """The options by their CECP names."""
    return {option.name.replace(" ", ""): option for option in declared_in(CECP)}


def features() -> list[str]:
    """All lines between the first and the last."""
    return [
        f'feature myname="{NAME} {VERSION}" ping=1 setboard=1 playother=1 usermove=1'
        " san=0 time=1 draw=1 sigint=0",
        "feature reuse=1 analyze=1 colors=0 ics=0 name=1 pause=0 nps=1 debug=1 memory=1 smp=1"
        ' exclude=1 egt="syzygy" variants="normal,fischerandom"',
        *(f'feature option="{_declare(name, option)}"' for name, option in declared().items()),
    ]


def read_option(text: str) -> OptionCommand:
    """`NAME=VALUE`, or only NAME for a button; the value is the raw rest. Raises CommandError.

    Blanks in the name are ignored.
    """
    name, _, value = text.partition("=")
    wanted = "".join(name.split()).lower()
    for short, option in declared().items():
        if short.lower() == wanted:
            if option.kind == "check":
                value = {"1": "true", "0": "false"}.get(value.strip(), value)
            return OptionCommand(option.name, value.strip())
    raise CommandError("unknown option")


def _declare(name: str, option: Option) -> str:
    if option.kind == "button":
        return f"{name} -button"
    if option.kind == "check":
        return f"{name} -check {int(bool(option.default))}"
    if option.kind == "spin":
        return f"{name} -spin {option.default} {option.lowest} {option.highest}"
    if option.kind == "combo":
        choices = (f"*{c}" if c == option.default else c for c in option.choices)
        return f"{name} -combo {' /// '.join(choices)}"
    kind = "file" if name.endswith("File") else "path" if name.endswith("Path") else "string"
    return f"{name} -{kind} {option.default}"  # XBoard needs the blank before an empty default
