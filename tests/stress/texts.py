"""Whole files of strangers through the commands that read them: good games and lines between spoilt ones."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

from boomslang.cli.analysis import analyse_command
from boomslang.cli.lab.books import command as book
from boomslang.cli.lab.labels import command as label
from boomslang.cli.lab.suites import suite_command
from boomslang.cli.play.board.games_file import GamesFile
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.cli.play.board.web_game import WebGame
from tests.stress.inputs import Mutator, corpus

TARGET: Final = "texts"
_BATCH: Final = 50  # spoilt texts of a file
_LOADED: Final = 5  # games on the board of each text
_MOVES: Final = ("e2e4", "e8d7", "e1f2")
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_FEN: Final = "4k3/8/8/8/8/8/4P3/4K3 w - - 0"
_GOOD_GAMES: Final = (
    '[Event "good {0}"]\n[FEN "{1} {0}"]\n\n{0}. e4 Kd7 {0}. Kf2 *',
    '[Event "good {0}"]\n\n[FEN "{1} {0}"]\n{{ so }} {0}. e4 {{ a }} Kd7 ( {0}... Kf7 ) Kf2 1-0',
)


class FindingError(Exception):
    """Something that must not happen; says what."""


def file_of(texts: list[bytes], good: Callable[[int], str], between: bytes) -> bytes:
    """The texts with a good one before, between and behind them, numbered from 1."""
    parts = [good(1).encode()]
    for number, text in enumerate(texts, start=2):
        parts += [text, good(number).encode()]
    return between.join(parts) + b"\n"


def good_game(number: int) -> str:
    """A game that must come out of every file, with a number of its own in tag and position."""
    return _GOOD_GAMES[number % len(_GOOD_GAMES)].format(number, _FEN)


def good_line(number: int) -> str:
    """A line of EPD that must."""
    return f'{_FEN[:-2]} bm e4; id "good {number}"; fmvn {number};'


def said_by(main: Callable[[list[str]], int], *arguments: object) -> str:
    """What a command prints, by both ways; raises FindingError if it breaks or prints what it must not."""
    out, err = io.StringIO(), io.StringIO()
    words = [str(argument) for argument in arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(words)
    except Exception:
        raise FindingError(f"{main.__module__}: {traceback.format_exc()[-300:]}") from None
    said = out.getvalue() + err.getvalue()
    if status not in (0, 1):
        raise FindingError(f"{main.__module__}: status {status}: {said[-200:]}")
    if found := _CONTROL.search(said):
        raise FindingError(f"{main.__module__}: prints {found[0]!r}")
    return said


def check_games(path: Path, count: int) -> None:
    """A file with so many good games through all that reads games; raises FindingError."""
    out = path.with_name("out")
    said_by(analyse_command.main, path, "--nodes", 1, "--jobs", 1, "--hash", 1, "--out", out)
    games = json.loads(out.with_name("out.json").read_text("utf-8"))["games"]
    found = {}
    for game in games:
        if game["analysed"]:
            moves = tuple(move["uci"] if move else "0000" for move in game["moves"])
            found[game["headers"]["Event"]] = moves
    for number in range(1, count + 1):
        if found.get(f"good {number}") != _MOVES:
            raise FindingError(f"analyse: good {number} is {found.get(f'good {number}')}")
    again = out.with_name("out.pgn")
    said_by(label.main, again, "--jobs", 1, "-o", path.with_name("again.csv"))
    labels = path.with_name("labels.csv")
    labels.unlink(missing_ok=True)
    said_by(label.main, path, "--jobs", 1, "-o", labels)
    for table in (labels, path.with_name("again.csv")):
        rows = table.read_text("utf-8")
        for number in range(1, count + 1):
            if f",8/3k4/8/8/4P3/8/5K2/8 b - - 2 {number + 1}," not in rows.replace("\n", ",\n,"):
                raise FindingError(f"label, {table.name}: good {number} is lost")
    said_by(book.main, "build", path, "-o", path.with_name("out.bin"), "--min-games", 1)


def check_lines(path: Path, count: int) -> None:
    """A file with so many good lines through all that reads EPD; raises FindingError."""
    out = path.with_name("out.json")
    said_by(suite_command.main, path, "--nodes", 1, "--hash", 1, "--json", out)
    outcomes = json.loads(out.read_text("utf-8"))["runs"][0]["outcomes"]
    names = {outcome["id"] for outcome in outcomes}
    labels = path.with_name("labels.epd")
    labels.unlink(missing_ok=True)
    said_by(label.main, path, "--jobs", 1, "--format", "epd", "-o", labels)
    rows = labels.read_text("utf-8")
    for number in range(1, count + 1):
        if f"good {number}" not in names or f'id "good {number}"' not in rows:
            raise FindingError(f"suite or label: good {number} is lost")


def check_board(text: str) -> None:
    """A text through the board's loader; raises FindingError."""
    game = WebGame()
    remark = ""
    try:
        file = GamesFile.read("texts", text.encode("utf-8", "replace"))
        for number in range(1, min(len(file.rows), _LOADED) + 1):
            with contextlib.suppress(MessageError):
                remark += game.load(file.game(number))
                game.pgn()
                game.message()
                game.tree.items()
    except MessageError as problem:
        remark = str(problem)
    except Exception:
        raise FindingError(f"the board: {traceback.format_exc()[-300:]}") from None
    if found := _CONTROL.search(remark):
        raise FindingError(f"the board says {found[0]!r}")


def fuzz_texts(seed: int, count: int, finds: Path) -> list[str]:
    """So many spoilt games and as many spoilt lines; returns what was found, a line each."""
    findings: list[str] = []
    games, lines = (Mutator(corpus(name), seed) for name in ("pgn", "fen"))
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, count, _BATCH):
            size = min(_BATCH, count - first)
            for name, texts, good, between, check in (
                ("pgn", _texts(games, size), good_game, b"\n\n", check_games),
                ("epd", _texts(lines, size), good_line, b"\n", check_lines),
            ):
                path = Path(folder, f"spoilt.{name}")
                path.write_bytes(file_of(texts, good, between))
                try:
                    check(path, size + 1)
                    for text in texts:
                        check_board(text.decode("utf-8", "replace"))
                except FindingError as finding:
                    findings.append(f"{TARGET}, seed {seed}, {name} after {first}: {finding}"[:500])
                    finds.mkdir(parents=True, exist_ok=True)
                    (finds / f"{TARGET}-{seed}-{first}.{name}").write_bytes(path.read_bytes())
    print(f"{TARGET}, seed {seed}: {count} games and {count} lines", flush=True)
    return findings


def _texts(mutator: Mutator, count: int) -> list[bytes]:
    """Mutated inputs, none of which calls itself good."""
    return [mutator.data().replace(b"good", b"bad") for _ in range(count)]
