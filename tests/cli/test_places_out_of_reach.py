"""Names that are too long, and folders that may not be entered: a clear message from every command."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from boomslang.cli.command_line import run
from boomslang.cli.doctor import file_checks
from boomslang.cli.doctor.machine_checks import BAD
from boomslang.engine.driver.tablebase import split

_FILES: Final = {
    "games.pgn": "1. e4 e5 *\n",
    "tasks.epd": "4k3/8/8/8/8/8/4P3/4K2R w - - bm e2e4;\n",
}
_COMMANDS: Final = [
    "analyse {}",
    "analyse games.pgn -o {} --depth 1 --jobs 1",
    "analyse games.pgn {}",
    "board {} --no-open",
    "board --tables {} --no-open",
    "book build {} -o book.bin",
    "book build games.pgn -o {}",
    "book show {}",
    "book check {}",
    "datagen --games 1 -o {}",
    "datagen --games 1 -o x.bin --network {}",
    "datainfo {}",
    "endgames --list --file {}",
    "endgames --tables {}",
    "exercises add {}",
    "exercises add games.pgn --file {}",
    "exercises add --repertoire {} --colour white --file x.json",
    "analyse games.pgn --repertoire {}",
    "exercises list --file {}",
    "exercises export --file {} -o x.pgn",
    "fit-wdl {} -o x.py",
    "find Nd5 {}",
    "find Nd5 games.pgn -o {}",
    "games {}",
    "games games.pgn -o {}.csv",
    "gui lichess-bot --book {}",
    "gui lichess-bot --tables {}",
    "gui lichess-bot --engine {}",
    "gui cutechess --write {}",
    "label {}",
    "label tasks.epd -o {}",
    "label tasks.epd --network {}",
    "lichess --token-file {}",
    "match . {}",
    "match . {} --openings {}",
    "match . . --openings {}",
    "match . . -o {}",
    "match . . --pgn {}",
    "network {}",
    "people train games.pgn -o {}",
    "perft --suite {}",
    "play --pgn {}",
    "puzzles {} -o x.epd",
    "puzzles games.pgn -o {}",
    "suite {}",
    "suite tasks.epd --json {}",
    "suite tasks.epd --against {}",
    "suite tasks.epd --engine {}",
    "summary {}",
    "summary games.pgn -o {}",
    "train {} -o x.net",
    "train x.bin -o {}",
    "trial --network {}",
    "trial --against {}",
    "tune --state {}",
]


@pytest.fixture(params=["too long", "not to be entered"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a file that nobody can look at."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LICHESS_API_TOKEN", "")
    for name, text in _FILES.items():
        Path(name).write_text(text, "ascii")
    if request.param == "too long":
        return "x" * 300
    closed = tmp_path / "closed"
    closed.mkdir()

    def refusing(do: Callable[..., Any]) -> Callable[..., Any]:
        """As for anybody but root, who may enter every folder."""

        def refuse(path: Any, *others: Any, **named: Any) -> Any:
            if not isinstance(path, int) and "closed/" in os.fspath(path):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
            return do(path, *others, **named)

        return refuse

    for name in ("stat", "lstat", "open", "scandir", "listdir"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    return str(closed / "inside")


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_clear_message(command: str, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = run([word.format(place) for word in command.split()])
    except SystemExit as end:
        status = int(end.code or 0)
    said = capsys.readouterr()
    assert status in (1, 2), said
    assert said.err.strip()
    assert "internal error" not in said.err + said.out


@pytest.mark.parametrize("out", [".", "/"])
@pytest.mark.parametrize("command", [line for line in _COMMANDS if line.endswith(" -o {}")])
def test_no_file_has_the_place_of_a_folder(
    command: str, out: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    test_a_clear_message(command, out, capsys)


@pytest.mark.jit_only
def test_doctor(place: str) -> None:
    assert [found.verdict for found in file_checks.tables(Path(place))][:1] == [BAD]


def test_the_other_folders_of_tables_are_used(place: str, tmp_path: Path) -> None:
    assert split(f"{place};{tmp_path}") == (place, str(tmp_path))
    assert split(f"{tmp_path}:{place}") == (str(tmp_path), place)
    assert split(place) == (place,)
