"""Engines that cannot be started: which commands say so, and how."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from boomslang.cli.command_line import COMMANDS
from boomslang.engine.other_engines.programs import split_command, why_not_startable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no modes of files there")

LINES = {
    "match": ["match", ".", "ENGINE", "--games", "2"],
    "match first": ["match", "ENGINE", ".", "--games", "2"],
    "suite": ["suite", "--engine", "ENGINE"],
    "perft": ["perft", "1", "--against", "ENGINE"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n", "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("text", "utf-8")
    (tmp_path / "nonsense").write_bytes(b"\x7fELF and nothing else")
    (tmp_path / "nonsense").chmod(0o755)
    (tmp_path / "silent").write_text("#!/bin/sh\nexit 3\n", "utf-8")
    (tmp_path / "silent").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nothere", "there is no program of that name"),
        ("text", "there is a file of that name here; write ./ before it"),
        ("./nothere", "there is no such file"),
        ("no/such/folder/engine", "there is no such file"),
        ("./folder", "it is a folder"),
        ("./text", "it is not an executable file"),
        ("./text/engine", "there is no such file"),
        ("a\0b", "the name contains a null character"),
        ("./silent", ""),
        ("sh", ""),
        ("x" * 5000, "file name too long"),
    ],
)
def test_reasons(name: str, reason: str) -> None:
    assert why_not_startable(name) == reason


@pytest.mark.parametrize(
    "engine", ["nothere", "./nothere", "./folder", "./text", "./nonsense", "./silent"]
)
@pytest.mark.parametrize("name", LINES)
def test_an_engine_that_cannot_start_is_reported_before_the_kernels_are_loaded(
    name: str, engine: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_early(*_: object) -> None:
        raise AssertionError("kernels are loaded before the engine is tried")

    # Where it is called, for a module that is first imported while this lasts would keep it.
    monkeypatch.setattr("boomslang.engine.driver.searcher.load_kernels", too_early)
    word, *arguments = [engine if each == "ENGINE" else each for each in LINES[name]]
    assert import_module(COMMANDS[word]).main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"boomslang {word}: ") and Path(engine).name in line
    assert "Errno" not in line and "Error" not in line
    if reason := why_not_startable(engine):
        assert line.endswith((reason, "has no agent.py"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"C:\engines\sf.exe", [r"C:\engines\sf.exe"]),
        (r'"C:\Program Files\sf.exe" bench 1', [r"C:\Program Files\sf.exe", "bench", "1"]),
        (r"\\server\share\sf.exe --uci", [r"\\server\share\sf.exe", "--uci"]),
        (r".\sf.exe -a", [r".\sf.exe", "-a"]),
        ("stockfish", ["stockfish"]),
        (r"python\ 3 -m 'a b' \"c", ["python 3", "-m", "a b", '"c']),
        ("#no comment", ["#no", "comment"]),
        ("  ", []),
    ],
)
def test_a_command_is_split_into_words(text: str, words: list[str]) -> None:
    assert split_command(text) == words


def test_the_path_of_a_file_needs_no_quotes(tmp_path: Path) -> None:
    folder = tmp_path / r"an engine\of 'mine"
    folder.mkdir()
    for name in ("sf.exe", "sf.exe 2"):
        (folder / name).touch()
        assert split_command(f" {folder}/{name} ") == [f"{folder}/{name}"]
        assert split_command(f"{folder}/{name} --a 'b c'") == [f"{folder}/{name}", "--a", "b c"]


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_backslashes_stand_for_themselves_on_windows(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    parted = split_command(r"sub\sf.exe -x")
    assert parted == [r"sub\sf.exe" if platform == "win32" else "subsf.exe", "-x"]
    with pytest.raises(ValueError, match=r"[Nn]o closing quotation"):
        split_command("'open")
