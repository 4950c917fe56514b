"""Settings of each GUI for the engine, as steps to follow and text to paste."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boomslang.cli.play.gui import lichess_bot
from boomslang.cli.terminal.arguments import shell_quote
from boomslang.core.system.identity import NAME
from boomslang.engine.levels.ladder import FULL_SKILL

# GNOME Chess itself limits no engine: it sends these at the start of a game. 600 and 1232 Elo, full strength.
_GNOME_LEVELS: Final = (("easy", 0), ("normal", 5), ("hard", FULL_SKILL))


@dataclass(frozen=True, slots=True)
class Program:
    """A chess program: manual steps, and for some programs the content of a settings file.

    `text` and `text_by_words` are the steps with a launcher, and without one for a command of several words,
    which not every program accepts; the names in braces are those of `_fill`.
    """

    title: str
    text: str
    settings: Callable[[Path], str] | None = None
    text_by_words: str = ""

    def steps(self, path: Path) -> str:
        """The manual steps with a launcher."""
        return _fill(self.text, [str(path)])

    def by_words(self, words: Sequence[str]) -> str:
        """The manual steps for a command of several words."""
        return _fill(self.text_by_words, words)


def _fill(text: str, words: Sequence[str]) -> str:
    """Steps for a command of these words, the first of which is a path."""
    path, *rest = words
    return text.format(
        name=NAME,
        path=path,
        folder=Path(path).parent,
        command=shell_quote(words),
        quoted=shell_quote([shell_quote(words)]),
        arguments=shell_quote(rest),
        cutechess=shell_quote([f"cmd={path}", *(f"arg={word}" for word in rest)]),
        systemd=lichess_bot.systemd(path),
    )


_CUTECHESS: Final = """\
Tools > Settings > Engines > + , then
  Name               {name}
  Command            {path}
  Working Directory  (leave it as it is)
  Protocol           UCI
With the command line:
  cutechess-cli -engine name={name} {cutechess} proto=uci ...
Or put the settings below among the entries of engines.json, which lies in
  Linux    ~/.config/cutechess/engines.json
  macOS    ~/Library/Preferences/cutechess/engines.json
  Windows  %APPDATA%\\cutechess\\engines.json"""
_CUTECHESS_BY_WORDS: Final = """\
With the command line:
  cutechess-cli -engine name={name} {cutechess} proto=uci ...
The windows take a launcher only: run `make`, or install with pipx or uv."""
_ARENA: Final = """\
Engines > Install New Engine..., and choose
  {path}
Type of engine: UCI. On Windows choose boomslang.exe, which pipx or uv has made."""
_EN_CROISSANT: Final = """\
Engines > Add New > Local > Binary file, and choose
  {path}
Name, options and the rest are found by themselves. Analysis takes MultiPV,
Threads and Hash from the engine's settings there."""
_PYCHESS: Final = """\
Edit > Engines > New, and choose
  {path}
Protocol uci. Start the engine once before that (or `boomslang warmup`), for
PyChess waits no longer than five seconds for its name."""
_SCID: Final = """\
Tools > Analysis Engine... > New, then
  Name       {name}
  Command    {path}
  Directory  {folder}
  UCI        tick the box"""
_SCID_BY_WORDS: Final = """\
Tools > Analysis Engine... > New, then
  Name        {name}
  Command     {path}
  Parameters  {arguments}
  UCI         tick the box"""
_GNOME_CHESS: Final = """\
GNOME Chess has no window for engines. It reads a list of them when it starts,
your own
  ~/.config/gnome-chess/engines.conf
or, if you have none, that of the system, /etc/gnome-chess/engines.conf; so copy
that first if you want to keep its engines. Then add the lines below, start the
program anew, and choose {name} as the opponent of
a new game. Its difficulty Easy is 600 Elo, Normal 1232, Hard full strength;
other steps of `Skill Level` can be written there."""
_XBOARD: Final = """\
The engine speaks XBoard's own protocol; nothing else is needed:
  xboard -fcp {quoted}
  xboard -fcp {quoted} -variant fischerandom
or Engine > Load New 1st Engine..., engine command
  {path}
As a UCI engine, through an adapter:
  xboard -fUCI -fcp {quoted}"""
_XBOARD_BY_WORDS: Final = """\
The engine speaks XBoard's own protocol; nothing else is needed:
  xboard -fcp {quoted}
or Engine > Load New 1st Engine..., engine command
  {command}"""
_BANKSIA: Final = """\
Engines > Engine manager > New, and choose
  {path}
Protocol uci. "Auto detect" fills in the options; Syzygy folder and hash size of
the general settings are handed over by their usual names."""
_NIBBLER: Final = """\
Engine > Choose engine..., and choose
  {path}
Nibbler looks at several lines at once: set MultiPV in the Engine menu. It shows
chances as win, draw and loss by itself (UCI_ShowWDL)."""


def _cutechess_settings(path: Path) -> str:
    entry = {
        "name": NAME,
        "command": str(path),
        "workingDirectory": str(path.parent),
        "protocol": "uci",
        "ponder": False,
    }
    return json.dumps([entry], indent=4, ensure_ascii=False) + "\n"


def _gnome_chess_settings(path: Path) -> str:
    name = str(path).replace("\\", "\\\\")  # as a GKeyFile wants it
    levels = "".join(f"option-{level}-0=Skill Level {skill}\n" for level, skill in _GNOME_LEVELS)
    return f"[{NAME}]\nprotocol=uci\nbinary={name}\n{levels}"


PROGRAMS: Final = {
    "cutechess": Program("Cute Chess", _CUTECHESS, _cutechess_settings, _CUTECHESS_BY_WORDS),
    "arena": Program("Arena", _ARENA),
    "en-croissant": Program("En Croissant", _EN_CROISSANT),
    "pychess": Program("PyChess", _PYCHESS),
    "scid": Program("Scid", _SCID, text_by_words=_SCID_BY_WORDS),
    "xboard": Program("XBoard and WinBoard", _XBOARD, text_by_words=_XBOARD_BY_WORDS),
    "banksia": Program("BanksiaGUI", _BANKSIA),
    "nibbler": Program("Nibbler", _NIBBLER),
    "gnome-chess": Program("GNOME Chess", _GNOME_CHESS, _gnome_chess_settings),
    "lichess-bot": Program("lichess-bot", lichess_bot.STEPS, lichess_bot.settings),
}
