"""The games that the user has analysed, in one folder that is only read: found, and looked into."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import quote as quoted

from boomslang.cli.mcp.requests import MemoryRequest
from boomslang.cli.mcp.results import SCHEME, Answer, Data
from boomslang.cli.mcp.review import (
    SEVERAL,
    count_judgements,
    game_data,
    mistake_data,
    mistake_words,
)
from boomslang.cli.mcp.words import SCALE, count
from boomslang.core.system.files import FileError, cannot, quote_path, status_of
from boomslang.core.system.sanitize import sanitize
from boomslang.engine.analysis.assessment import GameReport
from boomslang.engine.analysis.input_files import choose_reports
from boomslang.engine.analysis.phases import phases_of
from boomslang.engine.analysis.stored import read_each_once
from boomslang.engine.notation.pgn_writer import format_pgn

_MAX_GAMES: Final = 10_000  # that are kept in memory
_POINTS: Final = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
_UNNAMED: Final = "no opening of the table"

_Games: TypeAlias = Mapping[str, Data]  # by address, with moves as PGN and judged moves


class GameMemory:
    """Reads the results of `boomslang analyse` in a folder, without its subfolders; any thread may ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._seen: list[Any] | None = None  # the files, with sizes and times
        self._games: _Games = {}
        self._problems: list[str] = []

    def games(self) -> tuple[_Games, list[str]]:
        """All games, the newest first, and why files were left out. Raises FileError."""
        with self._lock:
            files, problems = self._files()
            statuses = [(file, status_of(file)) for file in files]
            seen = [(file, stat and (stat.st_size, stat.st_mtime_ns)) for file, stat in statuses]
            if seen != self._seen:
                found = sorted(self._read(files, problems), key=_date, reverse=True)
                self._games = {game["game"]: game for game in found}
                self._seen, self._problems = seen, problems
            return self._games, self._problems

    def _files(self) -> tuple[list[Path], list[str]]:
        """The results that lie in the folder, behind links too, and which links lead elsewhere."""
        try:
            folder = self._folder.resolve(strict=True)
            names = sorted(folder.iterdir())
        except OSError as problem:
            raise cannot("read the folder", self._folder, problem) from None
        inside = [name for name in names if _lies_in(folder, name)]
        outside = [name for name in names if name.is_symlink() and name not in inside]
        problems = [f"left out: {quote_path(name.name)} leads elsewhere" for name in outside]
        return choose_reports(inside), problems

    def _read(self, files: Iterable[Path], problems: list[str]) -> Iterator[Data]:
        read, number = read_each_once(), 0
        for file in files:
            address = f"{SCHEME}{quoted(file.name, safe='')}/"
            try:
                for report in read(file):
                    if (number := number + 1) > _MAX_GAMES:
                        problems.append(f"only {_MAX_GAMES:,} games are read")
                        return
                    yield known_game(report, f"{address}{report.number}")
            except FileError as problem:
                reason = str(problem).rpartition("'")[2]  # without the way to the folder
                problems.append(f"left out: {quote_path(file.name)}{reason}")


def _lies_in(folder: Path, name: Path) -> bool:
    """True for a regular file there, behind a link too."""
    try:
        return name.resolve().parent == folder and name.is_file()
    except (OSError, RuntimeError):  # such as links in a circle
        return False


def known_game(report: GameReport, address: str) -> Data:
    """What is kept of a report: the fields of a game, and its judged moves beside them."""
    game = game_data(report)
    names = [game["white"]["name"], game["black"]["name"]]
    judged = [
        mistake_data(move)
        | {"game": address, "player": names[not move.board.turn], "phase": str(phase)}
        for move, phase in zip(report.moves, phases_of(report.game), strict=True)
        if move and move.judgement
    ]
    date = sanitize(report.game.headers.get("Date", "?"))[:10]
    pgn = format_pgn(report.game, bare=True)
    return game | {"game": address, "date": date, "pgn": pgn, "judged": judged}


def recall(memory: GameMemory, asked: MemoryRequest) -> Answer:
    """The answer to a question about the games; raises FileError."""
    games, problems = memory.games()
    chosen = [
        game
        for game in games.values()
        if _players(game, asked.player)
        and asked.opening.casefold() in (game["opening"] or "").casefold()
        and _date(game) >= asked.since
    ]
    find = {"games": _find_games, "judged": _find_mistakes, "groups": _group_games}[asked.field]
    found, words = find(chosen, asked)
    told = found[: asked.limit]
    noun = "judged move" if asked.field == "judged" else asked.field[:-1]
    part = f", the first {len(told)}:" if len(told) < len(found) else ":" if told else "."
    searched = count(len(games), "analysed game", "analysed games")
    lines = [
        f"{count(len(found), noun, f'{noun}s')} in {searched}{part}",
        *map(words, told),
        *problems,
        SCALE,
    ]
    figures = {"searched": len(games), "found": len(found), "problems": problems}
    return Answer("\n".join(lines), figures | {asked.field: told})


_Found: TypeAlias = tuple[list[Data], Callable[[Data], str]]


def _find_games(games: list[Data], asked: Any) -> _Found:
    """One alone comes with its moves."""
    hidden = {"judged": None} if len(games) == 1 else {"judged": None, "pgn": None}
    return [game | hidden for game in games], _game_words


def _find_mistakes(games: list[Data], asked: Any) -> _Found:
    """The worst first."""
    found = [
        move
        for move in _judged(games, asked)
        if asked.kind.casefold() in move["kind"] and asked.judgement in ("any", move["judgement"])
    ]
    severity = list(SEVERAL)
    return sorted(found, key=lambda move: -severity.index(move["judgement"])), _judged_words


def _group_games(games: list[Data], asked: Any) -> _Found:
    """Whole games by opening, else judged moves."""
    openings = {game["game"]: game["opening"] or _UNNAMED for game in games}
    played, judged = defaultdict(list), defaultdict(list)
    if asked.by == "opening":
        for game in games:
            played[openings[game["game"]]].append(game)
    for move in _judged(games, asked):
        judged[openings[move["game"]] if asked.by == "opening" else move[asked.by]].append(move)
    groups = []
    for name in {**played, **judged}:
        pairs = [pair for game in played[name] for pair in _players(game, asked.player)]
        accuracies = [player["accuracy"] for player, _ in pairs if player["accuracy"] is not None]
        counts = Counter(SEVERAL[move["judgement"]] for move in judged[name])
        group = {
            "name": name,
            "games": len(played[name]) or len({move["game"] for move in judged[name]}),
            "points": sum(points for _, points in pairs) if pairs and asked.player else None,
            "accuracy": round(sum(accuracies) / len(accuracies), 1) if accuracies else None,
        }
        groups.append(group | {several: counts[several] for several in SEVERAL.values()})
    return sorted(groups, key=lambda group: (-group["games"], group["name"])), _group_words


def _players(game: Data, name: str) -> list[tuple[Data, float]]:
    """The players whose names have these letters, with their points."""
    points = _POINTS.get(game["result"], (0.0, 0.0))
    both = zip((game["white"], game["black"]), points, strict=True)
    return [(player, own) for player, own in both if name.casefold() in player["name"].casefold()]


def _judged(games: list[Data], asked: Any) -> Iterator[Data]:
    for game in games:
        yield from (m for m in game["judged"] if asked.player.casefold() in m["player"].casefold())


def _date(game: Data) -> str:
    return str(game["date"]).replace("?", "0")


def _game_words(game: Data) -> str:
    accuracies = ", ".join(
        f"{side} {game[side.lower()]['accuracy']:.1f} %"
        for side in ("White", "Black")
        if game[side.lower()]["accuracy"] is not None
    )
    opening = f" {game['opening']}." if game["opening"] else ""
    moves = f"\n{game['pgn']}" if game["pgn"] else ""
    names = f"{game['white']['name']} - {game['black']['name']}"
    return (
        f"{game['date']} {names} {game['result']}.{opening} Accuracy: {accuracies or 'none'}. "
        f"{game['game']}{moves}"
    )


def _judged_words(move: Data) -> str:
    depths = " and ".join(str(move[side]["depth"]) for side in ("before", "after"))
    return (
        f"{move['player']}, {move['game']}, {move['phase']}, {move['kind']}, depths {depths}: "
        f"{mistake_words(move)}"
    )


def _group_words(group: Data) -> str:
    points = "" if group["points"] is None else f", points: {group['points']:g}"
    accuracy = "" if group["accuracy"] is None else f", accuracy {group['accuracy']:.1f} %"
    games = count(group["games"], "game", "games")
    return f"{group['name']}: {games}{points}{accuracy}, {count_judgements(group)}."
