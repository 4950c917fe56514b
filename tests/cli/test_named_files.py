"""Files that commands are given: those that would be overwritten, and endings that mislead."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from boomslang.cli.command_line import COMMANDS
from boomslang.engine.learning.data.game_files import write_header

GAME = '[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 *\n'
POSITION = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n"
FEN = "8/2k5/8/1P6/3K4/8/5n2/8 w - - 0 1"
OVERWRITING = {
    "analyse": ["a.pgn", "-o", "a"],
    "analyse by name": ["a.pgn", "-o", "a.pgn"],
    "puzzles": ["a.epd", "-o", "a.epd"],
    "book": ["build", "a.pgn", "-o", "a.pgn"],
    "find": ["KR v K", "a.pgn", "-o", "a.pgn"],
    "games": ["a.pgn", "-o", "a.pgn"],
    "label": ["a.epd", "-o", "a.epd"],
    "fit-wdl": ["games", "-o", "./games"],
    "train": ["games", "-o", "games"],
    "train from": ["games", "--from", "a.net", "-o", "a.net"],
    "suite": ["a.json", "--json", "a.json"],
    "match": [".", ".", "--openings", "a.pgn", "--pgn", "a.pgn"],
    "match twice": [".", ".", "--out", "same", "--pgn", "same"],
}
MISLEADING = {
    "analyse": ["a.pgn", "-o", "report.pdf"],
    "analyse formats": ["a.pgn", "-o", "report.html", "--formats", "pgn"],
    "find": ["KR v K", "a.pgn", "-o", "found.csv"],
    "games": ["a.pgn", "-o", "games.pgn"],
    "label": ["a.epd", "-o", "scores.pgn"],
    "label format": ["a.epd", "--format", "csv", "-o", "scores.jsonl"],
    "puzzles": ["a.pgn", "-o", "tactics.pgn"],
    "match": [".", ".", "--out", "games.pgn"],
    "match pgn": [".", ".", "--pgn", "games.json"],
    "suite": ["a.epd", "--json", "results.csv"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def loaded(*_: object) -> None:
        raise AssertionError("work has begun")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boomslang.core.jit.jit.load_kernels", loaded)
    Path("a.pgn").write_text(GAME)
    Path("a.net").write_bytes(b"a network")
    for name in ("a.epd", "a.json"):
        Path(name).write_text(POSITION)
    with Path("games").open("wb") as file:
        write_header(file, {"evaluation": "classical"})
    return tmp_path


def refused(name: str, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error of a command that does nothing."""
    before = {path: path.read_bytes() for path in Path().iterdir()}
    word = name.split()[0]
    assert import_module(COMMANDS[word]).main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"boomslang {word}: ")
    assert {path: path.read_bytes() for path in Path().iterdir()} == before
    return err


@pytest.mark.parametrize("name", OVERWRITING)
def test_no_file_to_read_is_overwritten(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(name, OVERWRITING[name], capsys)
    wanted = "named twice" if "twice" in name else "choose another"
    assert wanted in said and said.count("\n") == 1


@pytest.mark.parametrize("name", MISLEADING)
def test_an_ending_that_promises_another_format_is_refused(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(name, MISLEADING[name], capsys)
    assert said.count("\n") == 1 and "--" in said


@pytest.mark.parametrize(
    "word", ["eval", "analyse", "perft", "algorithms", "board", "play", "book"]
)
@pytest.mark.parametrize("form", ["bare", "split", "after", "equals"])
def test_a_position_without_quotes_or_option_is_explained(
    word: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    forms = {
        "bare": [FEN],
        "split": FEN.split(),
        "after": ["--fen", *FEN.split()],
        "equals": [f"--fen={FEN.split()[0]}", *FEN.split()[1:]],
    }
    first = ["show", "some.bin"] if word == "book" else []
    said = refused(word, [*first, *forms[form]], capsys)
    assert said == f'boomslang {word}: a position goes behind --fen, in quotes: --fen "{FEN}"\n'
