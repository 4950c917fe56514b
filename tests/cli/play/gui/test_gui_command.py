"""`boomslang gui`: settings for chess programs."""

from __future__ import annotations

import json
import math
import shlex
import sys
from configparser import ConfigParser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from boomslang.cli.play.gui import command as gui
from boomslang.cli.play.gui import lichess_bot
from boomslang.cli.play.gui.lichess_bot import BotOptions
from boomslang.cli.play.gui.settings import PROGRAMS
from boomslang.engine.driver.loading import KernelLoader
from boomslang.engine.engine import Engine
from boomslang.engine.levels.ladder import MIN_ELO, level_of_elo
from tests.support.places import ROOT
from tests.support.process import UciProcess

WANTED = {
    *("cutechess", "arena", "en-croissant", "pychess", "scid", "xboard", "banksia", "nibbler"),
    *("gnome-chess", "lichess-bot"),
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


@pytest.mark.parametrize("name", sorted(WANTED))
def test_the_full_path_is_printed(
    name: str, launcher: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gui.main([name, "--engine", str(launcher)]) == 0
    out = capsys.readouterr().out
    assert PROGRAMS[name].title in out
    assert str(launcher) in out or json.dumps(str(launcher.parent)) in out


def test_gnome_chess_has_three_strengths() -> None:
    settings = PROGRAMS["gnome-chess"].settings
    assert settings
    found = ConfigParser(interpolation=None)
    found.read_string(settings(DOCS_PATH))
    ratings = []
    for difficulty in ("easy", "normal", "hard"):
        engine = Engine(kernels=KernelLoader(print))
        sent = [key for key in found["Boomslang"] if key.startswith(f"option-{difficulty}-")]
        assert sent == [f"option-{difficulty}-{number}" for number in range(len(sent))]
        for key in sent:  # GNOME Chess cuts a line at its last blank
            name, _, value = found["Boomslang"][key].rpartition(" ")
            engine.set_option(name, value)
        level = engine.handicap.level
        ratings.append(level.rating if level else math.inf)
    assert ratings[0] == level_of_elo(MIN_ELO).rating
    assert ratings[0] < ratings[1] < level_of_elo(1500).rating < ratings[2] == math.inf


def read_yaml(text: str) -> Any:
    """As lichess-bot reads it."""
    return import_module("yaml").safe_load(text)


def test_the_settings_of_lichess_bot(launcher: Path, tmp_path: Path) -> None:
    target = tmp_path / "config.yml"
    arguments = ["lichess-bot", "--engine", str(launcher), "--write", str(target)]
    assert gui.main(arguments) == 0
    assert gui.main(arguments) == 2  # a config is not overwritten
    found = read_yaml(target.read_text("utf-8"))
    engine = found["engine"]
    assert Path(engine["dir"]) / engine["name"] == launcher
    assert (engine["protocol"], engine["ponder"]) == ("uci", True)
    assert engine["polyglot"]["enabled"] is False and engine["draw_or_resign"]["resign_enabled"]
    assert found["challenge"]["variants"] == ["standard", "fromPosition", "chess960"]
    assert found["token"].startswith("xx") and found["move_overhead"] == 2000


def test_options_for_lichess_bot(launcher: Path, tmp_path: Path) -> None:
    target, book = tmp_path / "config.yml", tmp_path / "my book.bin"
    book.write_bytes(bytes(16))
    (tmp_path / "KQvK.rtbw").touch()
    arguments = ["lichess-bot", "--engine", str(launcher), "--write", str(target)]
    arguments += ["--threads", "3", "--hash", "64", "--move-overhead", "300", "--elo", "1500"]
    assert gui.main([*arguments, "--book", str(book), "--tables", str(tmp_path)]) == 0
    found = read_yaml(target.read_text("utf-8"))
    engine = found["engine"]
    assert engine["polyglot"]["enabled"] and engine["ponder"] is False
    assert engine["polyglot"]["book"]["standard"] == [str(book)]
    assert engine["uci_options"] == {
        "Move Overhead": 300,
        "Threads": 3,
        "Hash": 64,
        "UCI_ShowWDL": True,
        "UCI_LimitStrength": True,
        "UCI_Elo": 1500,
        "Human Time": True,
        "SyzygyPath": str(tmp_path),
    }


@pytest.mark.jit_only
def test_the_options_for_lichess_bot_exist_in_the_engine(tmp_path: Path) -> None:
    (tmp_path / "KQvK.rtbw").touch()
    bot_options = BotOptions(elo=1500, tables=str(tmp_path))
    found = read_yaml(lichess_bot.settings(DOCS_PATH, bot_options))
    options = found["engine"]["uci_options"]
    assert len(options) == 8
    with UciProcess() as engine:
        engine.send("uci")
        declared = engine.until("uciok")
    for option in options:
        assert any(line.startswith(f"option name {option} type ") for line in declared)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["arena", "--write", "x"], "is set up by hand"),
        (["arena", "--elo", "1500"], "does not take these options here"),
        (["lichess-bot", "--book", "no.bin"], "cannot read 'no.bin': no such file"),
        (["lichess-bot", "--book", "map.json"], "is no opening book"),
        (["lichess-bot", "--tables", "no"], "there are no tablebases in "),
        (["lichess-bot", "--tables", "."], "there are no tablebases in "),
        (["lichess-bot", "--elo", "99"], "is not a whole number"),
        (["arena", "--engine", "nowhere/boomslang"], "there is no file"),
        (["lichess-bot", "--write", "map.json/config.yml"], "cannot write 'map.json': "),
        (["lichess-bot", "--write", "map.json"], "has settings already"),
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
