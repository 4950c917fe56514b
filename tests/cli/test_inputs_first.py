"""A wrong file is refused before the kernels are compiled, by whatever command."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from boomslang.cli.command_line import COMMANDS
from boomslang.engine.learning.data.game_files import write_header
from tests.support.kernel_loader import replace_loader

OWN = ["datainfo", "fit-wdl", "train"]
LINES = {
    **{word: [word, "WRONG", *(["--out", "out"] if word != "datainfo" else [])] for word in OWN},
    "train from": ["train", "games", "--from", "WRONG", "--out", "out"],
    "datagen out": ["datagen", "--games", "2", "--out", "WRONG"],
    "datagen network": ["datagen", "--games", "2", "--out", "out", "--network", "WRONG"],
    "puzzles": ["puzzles", "WRONG", "--out", "out"],
    "network": ["network", "WRONG"],
    "trial network": ["trial", "--network", "WRONG"],
    "trial weights": ["trial", "--weights", "WRONG"],
    "trial against": ["trial", "--against", "WRONG.net"],
    "match out": ["match", ".", ".", "--out", "WRONG"],
    "match openings": ["match", ".", ".", "--openings", "WRONG"],
    "tune": ["tune", "--state", "WRONG"],
    "find": ["find", "KR v K", "WRONG"],
    "games": ["games", "WRONG"],
    "label": ["label", "WRONG"],
    "label network": ["label", "some.epd", "--network", "WRONG"],
    "analyse": ["analyse", "WRONG"],
    "summary": ["summary", "WRONG"],
    "exercises": ["exercises", "add", "WRONG", "--file", "exercises.json"],
    "endgames": ["endgames", "--file", "WRONG", "queen"],
    "suite": ["suite", "WRONG"],
    "suite against": ["suite", "some.epd", "--against", "WRONG"],
    "perft": ["perft", "--suite", "WRONG"],
    "board": ["board", "WRONG"],
    "book": ["book", "show", "WRONG"],
}


class Loaded(BaseException):
    """What must not happen."""


@pytest.mark.parametrize("content", [b"hello\n", b"", b"\xff\xfe\0\0" * 50, None], ids=str)
@pytest.mark.parametrize("name", LINES)
def test_wrong_files_cost_no_compiling(
    name: str,
    content: bytes | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if content == b"" and name in ("datagen out", "match out"):
        pytest.skip("an empty file is begun")
    if content is None and name in ("datagen out", "match out", "tune", "endgames"):
        pytest.skip("a new file is begun")

    def loaded(*_: object) -> None:
        raise Loaded

    monkeypatch.chdir(tmp_path)
    replace_loader(monkeypatch, loaded)
    (tmp_path / "folder").mkdir()
    Path("some.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n", "utf-8")
    with Path("games").open("wb") as file:
        write_header(file, {"evaluation": "classical"})
    for wrong in ("WRONG", "WRONG.net"):
        if content is not None:
            Path(wrong).write_bytes(content)
    word, *arguments = LINES[name]
    assert import_module(COMMANDS[word]).main(arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"boomslang {word}: ") or word == "suite"
    if content is None and name != "train from":  # whose games come first
        assert "WRONG" in err and err.count("\n") == 1
