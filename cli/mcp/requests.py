"""The tools: what each takes, declared as settings are, and the work that answers it."""

from __future__ import annotations

import datetime
import re
from contextlib import suppress
from dataclasses import MISSING, dataclass
from functools import partial
from typing import Any, ClassVar, Final, Self

from boomslang.cli.mcp.pool import Work
from boomslang.cli.mcp.reading import MAX_TEXT, RefusalError, choose_game, read_move, read_position
from boomslang.cli.mcp.results import (
    ANALYSIS,
    COMPARISON,
    ENDGAME,
    FACTS,
    MEMORY,
    PLAY,
    REVIEW,
    Answer,
    Fields,
    one_of,
)
from boomslang.core.system.sanitize import quote, suggest
from boomslang.engine.errors import CommandError
from boomslang.engine.levels.ladder import MAX_ELO, MIN_ELO
from boomslang.engine.settings import TEXT, Kind, Settings, declared, need, setting, several, whole

_MAX_NODES: Final = 5_000_000
_MAX_WORD: Final = 40  # characters


def _text(least: int, most: int) -> Kind:
    def check(value: Any) -> str:
        need(least <= len(TEXT.check(value)) <= most)
        return str(value)

    schema = {"type": "string", "minLength": least, "maxLength": most}
    return Kind(f"text of {least:,} to {most:,} characters", schema, check, check)


def _date(value: Any) -> str:
    """A date, or its beginning, as PGN writes it; empty for none."""
    need(re.fullmatch(_DATE_PATTERN, date := TEXT.check(value), re.ASCII) is not None)
    if date:
        datetime.date.fromisoformat(f"{date}.01.01"[:10].replace(".", "-"))
    return str(date).replace("-", ".")


_DATE_PATTERN: Final = r"(\d{4}([.-]\d\d){0,2})?"
_DATE: Final = Kind("a date", {"type": "string", "pattern": f"^{_DATE_PATTERN}$"}, _date, _date)
_MOVE: Final = _text(2, _MAX_WORD)
_GAME: Final = _text(0, MAX_TEXT)
_LIST: Final = several(_text(0, _MAX_WORD))
_MOVES: Final = Kind(
    "text, or a list of moves",
    {"anyOf": [_GAME.schema, _LIST.schema]},
    lambda value: _GAME.check(value) if isinstance(value, str) else _LIST.check(value),
    _GAME.check,
)
_NODES: Final = whole(1000, _MAX_NODES)
_RATING: Final = whole(600, 2600)  # `engine.people.network.RATINGS`, without what that imports
_PEERS: Final = (
    "of players on Lichess: also tells how many of them play the first move of each line"
)
_EFFORT: Final = "positions to search; a million take a second or two"


@dataclass(frozen=True, kw_only=True)
class Request(Settings):
    """The arguments of a tool; others than those that are declared are refused."""

    fields: ClassVar[Fields]  # of the answer

    @classmethod
    def read(cls, given: dict[str, Any]) -> Self:
        """The request with these arguments; raises RefusalError."""
        own = declared(cls)
        for name in given:
            if name not in own:
                accepted_names = f"{suggest(name, own)} ({', '.join(own)})"
                raise RefusalError(f"no argument {quote(name)}{accepted_names}")
        try:
            return cls.of({name: _loosely(own[name].kind, value) for name, value in given.items()})
        except (TypeError, CommandError) as problem:
            raise RefusalError(str(problem)) from None

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """The arguments as JSON Schema."""
        own, made = declared(cls), cls.__dataclass_fields__
        required = [name for name in own if made[name].default is MISSING]
        properties = {
            name: {**one.kind.schema, "description": one.help, "default": made[name].default}
            for name, one in own.items()
        }
        for name in required:
            del properties[name]["default"]
        closed = {"required": required, "additionalProperties": False}
        return {"type": "object", "properties": properties} | closed

    def answer(self) -> Answer | Work:
        """The answer, or the work that finds it; raises RefusalError."""
        raise NotImplementedError


def _loosely(kind: Kind, value: Any) -> Any:
    """A whole number that a language model has written as text, or with a point."""
    if kind.schema.get("type") == "integer":
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, str):
            with suppress(ValueError):
                return kind.parse(value)
    return value


@dataclass(frozen=True, kw_only=True)
class OnPositionRequest(Request):
    """A request about a position."""

    # fmt: off
    position: str = setting(
        _GAME, "FEN, 'startpos', or the game so far as PGN or plain moves (1. e4 e5 2. Nf3)",
        default="startpos")
    moves: str | tuple[str, ...] = setting(
        _MOVES, "moves played from that position, SAN or UCI: 'Nf3 e7e5'", default="")
    # fmt: on


@dataclass(frozen=True, kw_only=True)
class AnalyseRequest(OnPositionRequest):
    """Best lines of a position or game so far, with evaluations in words and numbers, and chances."""

    fields = ANALYSIS

    lines: int = setting(whole(1, 8), "number of best lines", default=3)
    nodes: int = setting(_NODES, _EFFORT, default=400_000)
    rating: int | None = setting(_RATING, _PEERS)

    def answer(self) -> Answer | Work:  # noqa: D102
        from boomslang.cli.mcp.search_answers import analyse

        board = read_position(self.position, self.moves)
        work = partial(analyse, board=board, lines=self.lines, nodes=self.nodes)
        return partial(work, rating=self.rating)


@dataclass(frozen=True, kw_only=True)
class CompareRequest(OnPositionRequest):
    """Why one move is better than another: both lines, and a reason that searches have proved, or none."""

    fields = COMPARISON

    better: str = setting(_MOVE, "the move that is thought better, SAN or UCI", default=MISSING)
    worse: str = setting(_MOVE, "the other move, SAN or UCI", default=MISSING)
    nodes: int = setting(_NODES, _EFFORT, default=300_000)
    rating: int | None = setting(_RATING, _PEERS)

    def answer(self) -> Answer | Work:  # noqa: D102
        from boomslang.cli.mcp.search_answers import compare

        board = read_position(self.position, self.moves)
        better, worse = (read_move(board, word) for word in (self.better, self.worse))
        work = partial(compare, board=board, better=better, worse=worse)
        return partial(work, nodes=self.nodes, rating=self.rating)


@dataclass(frozen=True, kw_only=True)
class ReviewRequest(Request):
    """Review of a game: mistakes and blunders with proved reasons, better lines, accuracy, opening."""

    fields = REVIEW

    # fmt: off
    pgn: str = setting(_text(1, MAX_TEXT), "the game as PGN text", default=MISSING)
    number: int = setting(whole(1, 1000), "which game of the text", default=1)
    nodes: int = setting(whole(2000, 1_000_000), "positions to search for each move", default=50_000)
    # fmt: on

    def answer(self) -> Answer | Work:  # noqa: D102
        from boomslang.cli.mcp.review import review

        entry, has_more = choose_game(self.pgn, self.number)
        return partial(review, entry=entry, has_more=has_more, nodes=self.nodes)


@dataclass(frozen=True, kw_only=True)
class EndgameRequest(OnPositionRequest):
    """Tablebases: the certain result of an ending, its distance, and the moves that keep it."""

    fields = ENDGAME

    def answer(self) -> Answer | Work:  # noqa: D102
        from boomslang.cli.mcp.position_facts import endgame

        return partial(endgame, board=read_position(self.position, self.moves))


@dataclass(frozen=True, kw_only=True)
class PositionRequest(OnPositionRequest):
    """Facts of a position without a search: legal moves, turn, checks, hanging pieces, material, opening."""

    fields = FACTS

    def answer(self) -> Answer | Work:  # noqa: D102
        from boomslang.cli.mcp.position_facts import describe

        return describe(read_position(self.position, self.moves))


@dataclass(frozen=True, kw_only=True)
class PlayRequest(OnPositionRequest):
    """A move to play, at full strength or at that of a player with a rating."""

    fields = PLAY

    # fmt: off
    elo: int | None = setting(whole(MIN_ELO, MAX_ELO), "strength of the move; without it the best one")
    nodes: int = setting(_NODES, "positions to search, without elo", default=400_000)
    seed: int | None = setting(
        whole(-(1 << 62), 1 << 62), "the same number throughout a game gives a level one taste for all of it")
    # fmt: on

    def answer(self) -> Answer | Work:  # noqa: D102
        from boomslang.cli.mcp.search_answers import play

        board = read_position(self.position, self.moves)
        return partial(play, board=board, elo=self.elo, nodes=self.nodes, seed=self.seed)


@dataclass(frozen=True, kw_only=True)
class MemoryRequest(Request):
    """A question about the games that the user has analysed, which `memory.recall` answers."""

    fields = MEMORY
    field: ClassVar[str]  # of the answer, that has what was found

    # fmt: off
    player: str = setting(_text(0, _MAX_WORD), "letters of the player's name; empty: all", default="")
    opening: str = setting(_text(0, _MAX_WORD), "letters of the opening's name or code", default="")
    since: str = setting(_DATE, "first date, YYYY.MM.DD; or a month, or a year", default="")
    limit: int = setting(whole(1, 100), "number of what is told", default=10)
    # fmt: on


@dataclass(frozen=True, kw_only=True)
class FindGamesRequest(MemoryRequest):
    """Games that the user has analysed, the newest first, with accuracies; one alone with its moves."""

    field = "games"


@dataclass(frozen=True, kw_only=True)
class FindMistakesRequest(MemoryRequest):
    """Judged moves in the user's analysed games, the worst first: lost or overlooked, with better lines."""

    field = "judged"
    # fmt: off
    kind: str = setting(
        _text(0, _MAX_WORD), "words of what it did: 'missed a mate', 'lost material', 'fork'", default="")
    judgement: str = setting(
        one_of("any", "inaccuracy", "mistake", "blunder"), "how bad it is", default="any")
    # fmt: on


@dataclass(frozen=True, kw_only=True)
class SummariseGamesRequest(MemoryRequest):
    """The user's analysed games by opening, with points and accuracy, by kind of mistake, or by phase."""

    field = "groups"
    by: str = setting(one_of("opening", "kind", "phase"), "what the groups are", default="opening")


TOOLS: Final[dict[str, type[Request]]] = {
    "analyse": AnalyseRequest,
    "compare_moves": CompareRequest,
    "review_game": ReviewRequest,
    "endgame": EndgameRequest,
    "position": PositionRequest,
    "play": PlayRequest,
}
MEMORY_TOOLS: Final[dict[str, type[MemoryRequest]]] = {
    "find_games": FindGamesRequest,
    "find_mistakes": FindMistakesRequest,
    "summarise_games": SummariseGamesRequest,
}
