from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from boomslang.cli.lab import find_command
from boomslang.engine.games import find
from boomslang.engine.games.columns import Games

pytestmark = pytest.mark.jit_only

GAMES = [
    '[Event "a"]\n\n1. Nf3 Nf6 1-0\n\n',
    '[Event "b"]\n\n1. e4 {odd: } e5 2. 0-0 *\n\nprose\n\n',
    '[Event "c"]\n\n1. d4 d5 2. Nf3\n{é} Nf6 *\n',
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("a.pgn.gz").write_bytes(gzip.compress("".join(GAMES).encode()))
    return "a.pgn.gz"


def test_games_are_named(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert find_command.main(["Nf3 nf6", file, file]) == find_command.FOUND
    assert capsys.readouterr().out == f"'{file}', game 1, ply 2\n'{file}', game 3, ply 4\n" * 2


def test_games_are_copied(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert find_command.main(["Nf3 nf6", file, "-o", "found.pgn"]) == find_command.FOUND
    assert capsys.readouterr().out == "2 games found\n"
    assert Path("found.pgn").read_text("utf-8").strip() == (GAMES[0] + GAMES[2]).strip()
    assert find_command.main(["pe5", file, "-o", "found.pgn"]) == find_command.FOUND
    assert capsys.readouterr().out == "1 game found\n"
    assert Path("found.pgn").read_text("utf-8").strip() == GAMES[1].strip()


def test_a_file_that_grows_between_its_two_readings(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("games.pgn").write_text("".join(GAMES), "utf-8")

    def search(self: find.Pattern, games: Games, *, every: bool) -> npt.NDArray[np.void]:
        with Path("games.pgn").open("a") as more:
            more.write("\n" + GAMES[1])
        return looked(self, games, every=every)

    looked = find.Pattern.find
    monkeypatch.setattr(find.Pattern, "find", search)
    assert find_command.main(["Nf3 nf6", "games.pgn", "-o", "found.pgn"]) == 2
    assert "'games.pgn' changes while it is read" in capsys.readouterr().err
    assert not Path("found.pgn").exists()


def test_nothing_is_found(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert find_command.main(["KR v K", file]) == find_command.NOTHING
    assert find_command.main(["mate", file, "-o", "found.pgn.gz"]) == 2
    assert "--out writes PGN, not .gz" in capsys.readouterr().err
    assert find_command.main(["mate", file, "-", "-o", "found.pgn"]) == 2
    assert "read twice" in capsys.readouterr().err and not Path("found.pgn").exists()
    assert find_command.main(["KR against K", file]) == 2
    assert "not a condition: 'KR against K'" in capsys.readouterr().err
