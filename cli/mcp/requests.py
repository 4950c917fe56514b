"""The tools: what each takes, as a model of pydantic, and the work that answers it."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Annotated, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from boomslang.cli.mcp.pool import Work
from boomslang.cli.mcp.reading import MAX_TEXT, choose_game, read_move, read_position
from boomslang.engine.levels.ladder import MAX_ELO, MIN_ELO

_MAX_NODES: Final = 5_000_000
_MAX_WORD: Final = 40  # characters

# An answer at once, or the work of a searcher.
Answer: TypeAlias = str | Work


class Request(BaseModel):
    """The arguments of a tool; others than those that are declared are refused."""

    model_config = ConfigDict(extra="forbid", title="Arguments")

    @abstractmethod
    def answer(self) -> Answer:
        """The answer, or the work that finds it; raises RefusalError."""


class OnPositionRequest(Request):
    """A request about a position."""

    position: str = Field(
        "startpos",
        max_length=MAX_TEXT,
        description="FEN, 'startpos', or the game so far as PGN or plain moves (1. e4 e5 2. Nf3)",
    )
    moves: str | list[Annotated[str, Field(max_length=_MAX_WORD)]] = Field(
        "",
        max_length=MAX_TEXT,
        description="moves played from that position, SAN or UCI: 'Nf3 e7e5'",
    )


Nodes: TypeAlias = Annotated[
    int,
    Field(
        ge=1000, le=_MAX_NODES, description="positions to search; a million take a second or two"
    ),
]
Move: TypeAlias = Annotated[str, Field(min_length=2, max_length=_MAX_WORD)]


class AnalyseRequest(OnPositionRequest):
    """Best lines of a position or game so far, with evaluations in words and numbers, and chances."""

    lines: int = Field(3, ge=1, le=8, description="number of best lines")
    nodes: Nodes = 400_000

    def answer(self) -> Answer:  # noqa: D102
        from boomslang.cli.mcp.search_answers import analyse

        board = read_position(self.position, self.moves)
        return partial(analyse, board=board, lines=self.lines, nodes=self.nodes)


class CompareRequest(OnPositionRequest):
    """Why one move is better than another: both lines, and a reason that searches have proved, or none."""

    better: Move = Field(description="the move that is thought better, SAN or UCI")
    worse: Move = Field(description="the other move, SAN or UCI")
    nodes: Nodes = 300_000

    def answer(self) -> Answer:  # noqa: D102
        from boomslang.cli.mcp.search_answers import compare

        board = read_position(self.position, self.moves)
        better, worse = (read_move(board, word) for word in (self.better, self.worse))
        return partial(compare, board=board, better=better, worse=worse, nodes=self.nodes)


class ReviewRequest(Request):
    """Review of a game: mistakes and blunders with proved reasons, better lines, accuracy, opening."""

    pgn: str = Field(min_length=1, max_length=MAX_TEXT, description="the game as PGN text")
    number: int = Field(1, ge=1, le=1000, description="which game of the text")
    nodes: int = Field(
        50_000, ge=2000, le=1_000_000, description="positions to search for each move"
    )

    def answer(self) -> Answer:  # noqa: D102
        from boomslang.cli.mcp.review import review

        entry, has_more = choose_game(self.pgn, self.number)
        return partial(review, entry=entry, has_more=has_more, nodes=self.nodes)


class EndgameRequest(OnPositionRequest):
    """Tablebases: the certain result of an ending, its distance, and the moves that keep it."""

    def answer(self) -> Answer:  # noqa: D102
        from boomslang.cli.mcp.endgame import endgame

        return partial(endgame, board=read_position(self.position, self.moves))


class PositionRequest(OnPositionRequest):
    """Facts of a position without a search: legal moves, turn, checks, hanging pieces, material, opening."""

    def answer(self) -> Answer:  # noqa: D102
        from boomslang.cli.mcp.position_facts import describe

        return describe(read_position(self.position, self.moves))


class PlayRequest(OnPositionRequest):
    """A move to play, at full strength or at that of a player with a rating."""

    elo: int | None = Field(
        None, ge=MIN_ELO, le=MAX_ELO, description="strength of the move; without it the best one"
    )
    nodes: Nodes = Field(400_000, description="positions to search, without elo")
    seed: int | None = Field(
        None, description="the same number throughout a game gives a level one taste for all of it"
    )

    def answer(self) -> Answer:  # noqa: D102
        from boomslang.cli.mcp.search_answers import play

        board = read_position(self.position, self.moves)
        return partial(play, board=board, elo=self.elo, nodes=self.nodes, seed=self.seed)


TOOLS: Final[dict[str, type[Request]]] = {
    "analyse": AnalyseRequest,
    "compare_moves": CompareRequest,
    "review_game": ReviewRequest,
    "endgame": EndgameRequest,
    "position": PositionRequest,
    "play": PlayRequest,
}
