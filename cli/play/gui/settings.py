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


@dataclass(frozen=True, slots=True)
class Program:
    """A chess program: manual steps, and for some programs the content of a settings file.

    `merge` takes the path of the engine and the present text of the file, and returns the new text; it raises
    ValueError if it cannot add to the present one. `by_words` gives the manual steps without a launcher, for
    a command of several words, which not every program accepts.
    """

    title: str
    steps: Callable[[Path], str]
    settings: Callable[[Path], str] | None = None
    merge: Callable[[Path, str], str] | None = None
    by_words: Callable[[Sequence[str]], str] | None = None


def quote_argument(text: str) -> str:
    """One argument for a shell of this system."""
    return shell_quote([text])


def _cutechess(path: Path) -> str:
    return f"""\
Tools > Settings > Engines > + , then
  Name               {NAME}
  Command            {path}
  Working Directory  (leave it as it is)
  Protocol           UCI
With the command line:
  cutechess-cli -engine name={NAME} {quote_argument(f"cmd={path}")} proto=uci ...
Or put the settings below among the entries of engines.json, which lies in
  Linux    ~/.config/cutechess/engines.json
  macOS    ~/Library/Preferences/cutechess/engines.json
  Windows  %APPDATA%\\cutechess\\engines.json"""


def _cutechess_by_words(words: Sequence[str]) -> str:
    program, *arguments = words
    given_arguments = " ".join(quote_argument(f"arg={argument}") for argument in arguments)
    return f"""\
With the command line:
  cutechess-cli -engine name={NAME} {quote_argument(f"cmd={program}")} {given_arguments} proto=uci ...
The windows take a launcher only: run `make`, or install with pipx or uv."""


def _cutechess_settings(path: Path) -> str:
    entry = {
        "name": NAME,
        "command": str(path),
        "workingDirectory": str(path.parent),
        "protocol": "uci",
        "ponder": False,
    }
    return json.dumps([entry], indent=4, ensure_ascii=False) + "\n"


def _cutechess_merge(path: Path, before: str) -> str:
    """The present engines, and this one, which replaces an older entry of the same name."""
    engines = json.loads(before or "[]")
    if not isinstance(engines, list) or not all(isinstance(entry, dict) for entry in engines):
        raise ValueError("it is not a list of engines")
    (ours,) = json.loads(_cutechess_settings(path))
    others = [entry for entry in engines if entry.get("name") != NAME]
    older: dict[str, object] = next((entry for entry in engines if entry.get("name") == NAME), {})
    return json.dumps([*others, older | ours], indent=4, ensure_ascii=False) + "\n"


def _arena(path: Path) -> str:
    return f"""\
Engines > Install New Engine..., and choose
  {path}
Type of engine: UCI. On Windows choose boomslang.exe, which pipx or uv has made."""


def _en_croissant(path: Path) -> str:
    return f"""\
Engines > Add New > Local > Binary file, and choose
  {path}
Name, options and the rest are found by themselves. Analysis takes MultiPV,
Threads and Hash from the engine's settings there."""


def _pychess(path: Path) -> str:
    return f"""\
Edit > Engines > New, and choose
  {path}
Protocol uci. Start the engine once before that (or `boomslang warmup`), for
PyChess waits no longer than five seconds for its name."""


def _scid(path: Path) -> str:
    return f"""\
Tools > Analysis Engine... > New, then
  Name       {NAME}
  Command    {path}
  Directory  {path.parent}
  UCI        tick the box"""


def _scid_by_words(words: Sequence[str]) -> str:
    program, *arguments = words
    return f"""\
Tools > Analysis Engine... > New, then
  Name        {NAME}
  Command     {program}
  Parameters  {shell_quote(arguments)}
  UCI         tick the box"""


# GNOME Chess itself limits no engine: it sends these at the start of a game. 600 and 1232 Elo, full strength.
_GNOME_LEVELS: Final = (("easy", 0), ("normal", 5), ("hard", FULL_SKILL))


def _gnome_chess(path: Path) -> str:
    return f"""\
GNOME Chess has no window for engines. It reads a list of them when it starts,
your own
  ~/.config/gnome-chess/engines.conf
or, if you have none, that of the system, /etc/gnome-chess/engines.conf; so copy
that first if you want to keep its engines. Then add the lines below, or have
`--write` do it, start the program anew, and choose {NAME} as the opponent of
a new game. Its difficulty Easy is 600 Elo, Normal 1232, Hard full strength;
other steps of `Skill Level` can be written there."""


def _gnome_chess_settings(path: Path) -> str:
    name = str(path).replace("\\", "\\\\")  # as a GKeyFile wants it
    levels = "".join(f"option-{level}-0=Skill Level {skill}\n" for level, skill in _GNOME_LEVELS)
    return f"[{NAME}]\nprotocol=uci\nbinary={name}\n{levels}"


def _gnome_chess_merge(path: Path, before: str) -> str:
    """The present engines unchanged, and this one, which replaces an older entry of the same name."""
    own = False
    lines: list[str] = []
    for line in before.splitlines():
        if line.strip().startswith("["):
            own = line.strip() == f"[{NAME}]"
        if not own:
            lines.append(line)
    others = "\n".join(lines).strip("\n")
    return f"{others}\n\n{_gnome_chess_settings(path)}" if others else _gnome_chess_settings(path)


def _xboard(path: Path) -> str:
    return f"""\
The engine speaks XBoard's own protocol; nothing else is needed:
  xboard -fcp {quote_argument(quote_argument(str(path)))}
  xboard -fcp {quote_argument(quote_argument(str(path)))} -variant fischerandom
or Engine > Load New 1st Engine..., engine command
  {path}
As a UCI engine, through an adapter:
  xboard -fUCI -fcp {quote_argument(quote_argument(str(path)))}"""


def _xboard_by_words(words: Sequence[str]) -> str:
    return f"""\
The engine speaks XBoard's own protocol; nothing else is needed:
  xboard -fcp {quote_argument(shell_quote(words))}
or Engine > Load New 1st Engine..., engine command
  {shell_quote(words)}"""


def _banksia(path: Path) -> str:
    return f"""\
Engines > Engine manager > New, and choose
  {path}
Protocol uci. "Auto detect" fills in the options; Syzygy folder and hash size of
the general settings are handed over by their usual names."""


def _nibbler(path: Path) -> str:
    return f"""\
Engine > Choose engine..., and choose
  {path}
Nibbler looks at several lines at once: set MultiPV in the Engine menu. It shows
chances as win, draw and loss by itself (UCI_ShowWDL)."""


PROGRAMS: Final = {
    "cutechess": Program(
        "Cute Chess", _cutechess, _cutechess_settings, _cutechess_merge, _cutechess_by_words
    ),
    "arena": Program("Arena", _arena),
    "en-croissant": Program("En Croissant", _en_croissant),
    "pychess": Program("PyChess", _pychess),
    "scid": Program("Scid", _scid, by_words=_scid_by_words),
    "xboard": Program("XBoard and WinBoard", _xboard, by_words=_xboard_by_words),
    "banksia": Program("BanksiaGUI", _banksia),
    "nibbler": Program("Nibbler", _nibbler),
    "gnome-chess": Program("GNOME Chess", _gnome_chess, _gnome_chess_settings, _gnome_chess_merge),
    "lichess-bot": Program(
        "lichess-bot", lichess_bot.steps, lichess_bot.settings, lichess_bot.merge
    ),
}
