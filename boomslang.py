"""Boomslang, a chess engine in Python: the package under whose name everything is imported.

    Engine, Limits               a search in this process, and when it stops
    Result, Info, Score          the move, its lines of thinking, their scores
    label                        scores of many positions
    read_games, Games, find      games of PGN files as columns, and positions in them
    people                       how often people with a rating play each move
    analyse_game, play_match     the commands `analyse` and `match`
    popen, popen_async, command  the engine in a process of its own
    CommandError                 a ValueError: what was asked cannot be done, and why

Times are milliseconds, depths plies, scores centipawns for the side to move, moves those of python-chess.
Other types than those that are documented raise TypeError.

In one process, with this program (see `docs/python.md`):

    from boomslang import Engine, Limits

    with Engine(Hash=64) as engine:
        engine.set_position(moves=["e2e4", "e7e5"])
        print(engine.go(Limits(movetime=100)).best)

Scores of many positions, as an array:

    import boomslang, chess

    print(boomslang.label([chess.STARTING_FEN], nodes=1000)["score"])

In a process of its own, as an engine of python-chess:

    import boomslang, chess, chess.engine

    with boomslang.popen(Hash=64) as engine:
        print(engine.play(chess.Board(), chess.engine.Limit(time=0.1)).move)

In a clone this file makes the folder in which it lies the package `boomslang`; in an installed package it
is its `__init__.py`. `python -m boomslang` is the command line. Nothing heavy is imported here: a protocol
must answer before NumPy and Numba are there.
"""

import os
import sys

TYPE_CHECKING = False  # `typing` is not imported: a file of that name may be in the way
if TYPE_CHECKING:
    from typing import Any

    from boomslang.engine.analysis.analyse_game import analyse_game
    from boomslang.engine.analysis.people_moves import people
    from boomslang.engine.engine import Engine
    from boomslang.engine.errors import CommandError
    from boomslang.engine.games.columns import Games
    from boomslang.engine.games.find import find
    from boomslang.engine.games.games import read_games
    from boomslang.engine.labels.label import label
    from boomslang.engine.limits import Info, Limits, Result, Score
    from boomslang.engine.match.play_match import play_match
    from boomslang.engine.other_engines.popen import command, popen, popen_async

__all__ = [
    "CommandError",
    "Engine",
    "Games",
    "Info",
    "Limits",
    "Result",
    "Score",
    "__version__",
    "analyse_game",
    "command",
    "find",
    "label",
    "people",
    "play_match",
    "popen",
    "popen_async",
    "read_games",
]

__version__ = "0.1.0"

_FOLDER = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120 - loads faster
__path__ = [_FOLDER]

_PUBLIC = {
    "CommandError": "boomslang.engine.errors",
    "Engine": "boomslang.engine.engine",
    "Games": "boomslang.engine.games.columns",
    **dict.fromkeys(("Info", "Limits", "Result", "Score"), "boomslang.engine.limits"),
    "analyse_game": "boomslang.engine.analysis.analyse_game",
    "command": "boomslang.engine.other_engines.popen",
    "find": "boomslang.engine.games.find",
    "label": "boomslang.engine.labels.label",
    "people": "boomslang.engine.analysis.people_moves",
    "play_match": "boomslang.engine.match.play_match",
    "popen": "boomslang.engine.other_engines.popen",
    "popen_async": "boomslang.engine.other_engines.popen",
    "read_games": "boomslang.engine.games.games",
}
_PACKAGES = {
    "eval": "boomslang.eval.wdl.conversion",
    "perft": "boomslang.perft.divide",
}  # for programs


def __getattr__(name: str) -> "Any":
    """Import what a program asks for when it asks for it (PEP 562)."""
    from importlib import import_module

    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    if name in _PACKAGES:
        import_module(_PACKAGES[name])
        return sys.modules[f"{__name__}.{name}"]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """What `dir(boomslang)` shows."""
    return sorted(__all__)


def _main() -> None:
    """Run the command line, which puts signals and path in order before it imports anything."""
    path = os.path.join(_FOLDER, "cli", "__main__.py")  # noqa: PTH118
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        code = compile(file.read(), path, "exec")
    exec(code, {"__name__": "__main__", "__file__": path})  # noqa: S102


if __name__ == "__main__":
    _main()
