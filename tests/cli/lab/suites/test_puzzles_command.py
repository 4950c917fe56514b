"""`boomslang puzzles`: what it takes for a tactic."""

from __future__ import annotations

from pathlib import Path

import pytest

from boomslang.cli.lab.suites.epd import read_epd
from boomslang.cli.lab.suites.puzzles_command import main
from boomslang.cli.lab.suites.suite_command import SHIPPED

pytestmark = pytest.mark.jit_only

# The breakthrough of three pawns, known for centuries: two are given, the third promotes, and a search of two
# plies sees only the gifts. And a game in which nothing happens.
PGN = """\
[White "A"]
[FEN "8/ppp5/8/PPP4k/8/8/8/7K b - - 0 47"]
[SetUp "1"]

47... Kg4 1-0

[White "B"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1/2-1/2
"""


def test_tactics_of_a_pgn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out = tmp_path / "games.pgn", tmp_path / "found.epd"
    games.write_text(PGN, encoding="utf-8")
    arguments = [str(games), "--nodes", "50000", "--deep-nodes", "100000", "-o", str(out)]
    assert main(arguments) == 0
    assert "1 tactics from" in capsys.readouterr().out
    tasks, bad = read_epd(out)
    assert len(tasks) == 1 and not bad
    assert tasks[0].describe() == "b6" and tasks[0].name == "found.001"
    text = out.read_text("utf-8")
    assert text.startswith("# Tactics, found by Boomslang") and "#   games.pgn\n" in text
    assert "games.pgn game 1, ply 94;" in text
    assert main([*arguments, "--jobs", "2"]) == 0
    assert out.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["GAMES", "-o", "/nowhere/x.epd"], 2, "there is no folder '/nowhere'"),
        (["GAMES"], 2, "required: -o/--out"),
        (
            ["QUIET", "--nodes", "1000", "--deep-nodes", "1000", "-o", "OUT"],
            1,
            "no tactics found in",
        ),
    ],
)
def test_what_is_refused(
    arguments: list[str],
    status: int,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = {name: str(tmp_path / name.lower()) for name in ("OUT", "GAMES", "QUIET")}
    Path(names["GAMES"]).write_text(PGN, encoding="utf-8")
    Path(names["QUIET"]).write_text(PGN[PGN.index('[White "B"]') :], encoding="utf-8")
    assert main([names.get(argument, argument) for argument in arguments]) == status
    err = capsys.readouterr().err.splitlines()
    assert words in err[-1] and err[-1].startswith("boomslang puzzles: ")
    assert not Path(names["OUT"]).exists()


def test_the_shipped_suite_is_what_it_says() -> None:
    tasks, bad = read_epd(SHIPPED)
    assert len(tasks) >= 10 and not bad
    assert len({task.fen for task in tasks}) == len(tasks)
    assert all(len(task.best) == 1 for task in tasks)
    assert SHIPPED.read_text("utf-8").startswith("# Tactics, found by Boomslang")
