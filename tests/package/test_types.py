"""The types that come along: for every tool that installs the wheel, and for an editable install."""

from __future__ import annotations

from pathlib import Path

from tests.support.installed import Installed, by_uv_pip, needs_wheel
from tests.support.places import ROOT

pytestmark = needs_wheel

TYPED = """\
import boomslang
import chess
import chess.engine
from boomslang import Engine, Info, Limits, Result

def best(fen: str) -> chess.Move | None:
    with boomslang.popen(Hash=4, UCI_ShowWDL=True) as engine:
        return engine.play(chess.Board(fen), chess.engine.Limit(nodes=500)).move

told: list[Info] = []
with Engine(Hash=4) as engine:
    result: Result = engine.go(Limits(nodes=500), told.append)
if __name__ == "__main__":
    print(best(chess.STARTING_FEN), result.best)
"""
MISTYPED = """\
import boomslang
words: str = boomslang.command()
boomslang.popen(Hash=[4])
boomslang.popen().think()
boomslang.Engine().go(boomslang.Limits(nodes="many"))
boomslang.Engine().think()
move: str = boomslang.Engine().go().best
score: int = boomslang.Score(centipawns=1)
"""
MISTAKES = list(range(2, 9))  # the lines


def errors(installed: Installed) -> list[int]:
    """The lines of the second program that mypy complains about; the first must have none."""
    right = installed.check_types("typed.py", TYPED)
    assert right.returncode == 0, right.stdout
    wrong = installed.check_types("mistyped.py", MISTYPED)
    places = (line.split(":") for line in wrong.stdout.splitlines())
    return sorted(
        {int(place[1]) for place in places if place[0] == "mistyped.py" and "error" in place[2]}
    )


def test_the_wheel_has_types(installed: Installed) -> None:
    assert errors(installed) == MISTAKES
    assert installed.program("typed.py", TYPED).strip()


def test_an_editable_install_has_types(tmp_path: Path) -> None:
    installed = by_uv_pip(tmp_path, "--editable", ROOT)
    assert errors(installed) == MISTAKES
