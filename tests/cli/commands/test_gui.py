"""`boomslang gui`: settings for chess programs."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands import gui
from cli.gui_settings import PROGRAMS
from tests.support.places import ROOT
from tests.support.uci_process import UciProcess

WANTED = {
    "cutechess",
    "arena",
    "en-croissant",
    "pychess",
    "scid",
    "xboard",
    "banksia",
    "nibbler",
    "lichess-bot",
}
DOCS = (ROOT / "docs" / "guis.md").read_text("utf-8")
DOCS_PATH = Path("/path/to/boomslang")


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    """A launcher as `make` writes it, in a folder whose name has blanks and a quote."""
    folder = tmp_path / "Bob's  chess engines"
    folder.mkdir()
    path = folder / "boomslang"
    script = f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} export PYTHONPATH\n"
    path.write_text(f'{script}exec {shlex.quote(sys.executable)} -P -m cli "$@"\n', "utf-8")
    path.chmod(0o755)
    return path


def test_all_programs_are_known() -> None:
    assert set(PROGRAMS) == WANTED


@pytest.mark.parametrize("name", sorted(WANTED))
def test_the_full_path_is_told(
    name: str, launcher: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gui.main([name, "--engine", str(launcher)]) == 0
    out = capsys.readouterr().out
    assert PROGRAMS[name].title in out
    assert str(launcher) in out or json.dumps(str(launcher.parent)) in out


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_the_launcher_works_from_any_folder_and_with_blanks(launcher: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [str(launcher)], input="uci\nquit\n", capture_output=True, text=True, cwd=tmp_path
    )
    assert run.returncode == 0 and run.stdout.endswith("uciok\n") and run.stderr == ""


def test_cute_chess_keeps_the_engines_that_are_there(launcher: Path, tmp_path: Path) -> None:
    target = tmp_path / "engines.json"
    cases: list[list[dict[str, object]] | None] = [
        None,
        [{"name": "Other", "command": "other"}],
        [{"name": "Boomslang", "command": "old", "ponder": True, "notes": "kept"}, {"name": "B"}],
    ]
    for before in cases:
        if before is None:
            target.unlink(missing_ok=True)
        else:
            target.write_text(json.dumps(before), "utf-8")
        arguments = ["cutechess", "--engine", str(launcher), "--write", str(target)]
        for _ in range(2):
            assert gui.main(arguments) == 0
        engines = json.loads(target.read_text("utf-8"))
        (ours,) = [engine for engine in engines if engine["name"] == "Boomslang"]
        assert ours["command"] == str(launcher) and ours["protocol"] == "uci"
        others = [engine for engine in engines if engine["name"] != "Boomslang"]
        assert others == [engine for engine in before or [] if engine["name"] != "Boomslang"]
        if before and "notes" in before[0]:
            assert ours["notes"] == "kept"


def test_the_section_for_lichess_bot(launcher: Path, tmp_path: Path) -> None:
    target = tmp_path / "engine.yml"
    arguments = ["lichess-bot", "--engine", str(launcher), "--write", str(target)]
    assert gui.main(arguments) == 0
    lines = target.read_text("utf-8").splitlines()
    assert lines[0] == "engine:"
    # Strings of JSON are strings of YAML.
    values = dict(line.strip().split(": ", 1) for line in lines[1:] if ": " in line)
    assert Path(json.loads(values["dir"])) / json.loads(values["name"]) == launcher
    assert gui.main(arguments) == 2  # a config is not overwritten


@pytest.mark.jit_only
def test_the_options_for_lichess_bot_are_declared() -> None:
    settings = PROGRAMS["lichess-bot"].settings
    assert settings
    _, _, text = settings(DOCS_PATH).partition("uci_options:\n")
    options = [line.strip().split(":")[0] for line in text.splitlines() if line.startswith("    ")]
    assert len(options) == 4
    with UciProcess() as engine:
        engine.send("uci")
        declared = engine.until("uciok")
    for option in options:
        assert any(line.startswith(f"option name {option} type ") for line in declared)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["arena", "--write", "x"], "keeps its settings itself"),
        (["arena", "--engine", "nowhere/boomslang"], "there is no file"),
        (["cutechess", "--write", "no/such/folder/engines.json"], "no such file"),
        (["cutechess", "--write", "broken.json"], "cannot add to"),
        (["cutechess", "--write", "map.json"], "not a list of engines"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str],
    message: str,
    launcher: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gui, "launcher", lambda: launcher)
    Path("broken.json").write_text("[", "utf-8")
    Path("map.json").write_text("{}", "utf-8")
    assert gui.main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_module_is_no_launcher(capsys: pytest.CaptureFixture[str]) -> None:
    assert gui.main(["arena", "--engine", str(ROOT / "cli" / "__main__.py")]) == 2
    assert "run `make`" in capsys.readouterr().err


WORDS = ["/usr/bin/python3", "/home/Bob's  clone/cli/__main__.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="quotes are different there")
@pytest.mark.parametrize("name", sorted(WANTED))
def test_without_a_launcher_some_programs_take_a_command(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gui, "launcher", lambda: None)
    monkeypatch.setattr(gui, "command", lambda: WORDS)
    taken = gui.main([name])
    told, refusal = capsys.readouterr()
    assert gui.main([name, "--write", "x"]) == 2 and not Path("x").exists()
    if name not in ("cutechess", "scid", "xboard"):
        assert taken == 2 and "run `make`" in refusal
        return
    assert taken == 0
    (line,) = [line for line in told.splitlines() if "Parameters" in line or " -" in line]
    words = shlex.split(line)
    if name == "cutechess":
        assert [f"cmd={WORDS[0]}", f"arg={WORDS[1]}"] == words[3:5]
    elif name == "scid":
        assert words[1:] == WORDS[1:] and WORDS[0] in told
    else:
        assert shlex.split(words[words.index("-fcp") + 1]) == WORDS


@pytest.mark.parametrize("name", sorted(WANTED))
@pytest.mark.skipif(sys.platform == "win32", reason="paths are written in another way there")
def test_the_guide_says_the_same(name: str) -> None:
    program = PROGRAMS[name]
    assert f"## {program.title}\n" in DOCS
    assert program.steps(DOCS_PATH).strip() in DOCS
    if program.settings:
        assert program.settings(DOCS_PATH).strip() in DOCS
