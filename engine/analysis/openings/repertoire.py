"""A player's repertoire: games in PGN with variations, as moves by position; and where a game leaves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import chess
import chess.pgn

from boomslang.core.system.files import FileError, quote_path
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.notation.pgn import read_games

_BAD: Final = frozenset({chess.pgn.NAG_MISTAKE, chess.pgn.NAG_BLUNDER, chess.pgn.NAG_DUBIOUS_MOVE})
_MAX_SHOWN: Final = 3  # moves that the repertoire has instead


@dataclass(slots=True)
class RepertoirePosition:
    """A position of a repertoire with its moves, the main one first."""

    board: chess.Board  # without its history
    line: tuple[chess.Move, ...]  # from `start` to it, the first way
    start: chess.Board
    chapter: str  # names of the game, for people
    moves: list[chess.Move] = field(default_factory=list)
    bad: set[chess.Move] = field(default_factory=set)  # those that the file calls bad

    def right_moves(self) -> list[chess.Move]:
        """The moves for a player whose repertoire it is."""
        return [move for move in self.moves if move not in self.bad]


@dataclass(frozen=True, slots=True)
class Departure:
    """Where a game leaves a repertoire."""

    ply: int  # half-moves that it shares with the repertoire
    board: chess.Board
    move: chess.Move  # the first other one
    known: tuple[chess.Move, ...]  # those of the repertoire there; none where the line ends

    @property
    def words(self) -> str:
        """The move and what the repertoire has instead, "4. Nc3 (4. Bb5)"; or where its line ends."""
        move = line_words(self.board, [self.move])
        if not self.known:
            return f"end of the line before {move}"
        first, *others = self.known[:_MAX_SHOWN]
        instead = [line_words(self.board, [first]), *(self.board.san(other) for other in others)]
        return f"{move} ({', '.join(instead)})"

    def side_of(self, colour: chess.Color) -> str:
        """Who leaves, for a player of that colour: "player" or "opponent"; empty where the line ends."""
        if not self.known:
            return ""
        return "player" if self.board.turn == colour else "opponent"

    @property
    def sentence(self) -> str:
        """Who leaves the repertoire, and how."""
        if not self.known:
            return f"in the repertoire to the {self.words}"
        side = chess.COLOR_NAMES[self.board.turn].capitalize()
        return f"{side} leaves the repertoire with {self.words}"


class Repertoire:
    """The positions of files of games, for each side.

    All chapters are for both, unless tags Orientation divide them into some for White and some for Black.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Read the files; raises FileError."""
        self.problems: list[str] = []
        self._positions: dict[chess.Color, dict[str, RepertoirePosition]] = {True: {}, False: {}}
        self._starts: dict[chess.Color, set[str]] = {True: set(), False: set()}
        games = list[chess.pgn.Game]()
        for path in paths:
            for entry in read_games(path):
                self.problems += [f"{path}:{entry.line}: {problem}" for problem in entry.messages]
                if entry.analysable:
                    games.append(entry.game)
            if len(paths) == 1 and not any(game.variations for game in games):
                why = f" ({self.problems[0]})" if self.problems else ""
                raise FileError(f"{quote_path(path)} has no moves{why}")
        self.sides = {*map(_side, games)} - {""}  # "white", "black" or both, as the tags say
        for colour in chess.COLORS:
            for game in games:
                if len(self.sides) < 2 or _side(game) != chess.COLOR_NAMES[not colour]:
                    self._add(game, colour)

    def _add(self, game: chess.pgn.Game, colour: chess.Color) -> None:
        """All variations of a game, the main line first."""
        start = game.board()
        chapter = _chapter(game.headers)
        self._starts[colour].add(start.epd())
        waiting: list[tuple[chess.pgn.GameNode, RepertoirePosition]]
        waiting = [(game, RepertoirePosition(start, (), start, chapter))]
        while waiting:
            node, here = waiting.pop()
            children = [child for child in node.variations if child.move]  # without null moves
            if not children:
                continue
            board = here.board
            entry = self._positions[colour].setdefault(board.epd(), here)
            for child in children:
                if child.move not in entry.moves:
                    entry.moves.append(child.move)
                if child.nags & _BAD:
                    entry.bad.add(child.move)
            for child in reversed(children):
                after = board.copy(stack=False)
                after.push(child.move)
                line = (*here.line, child.move)
                waiting.append((child, RepertoirePosition(after, line, start, chapter)))

    def positions(self, colour: chess.Color) -> Iterator[RepertoirePosition]:
        """Those in which this side is to move and has made no bad move, in the order of the lines."""
        positions = self._positions[colour]
        reached: set[str] = set()
        waiting = [*self._starts[colour]]
        while waiting:
            key = waiting.pop()
            entry = positions.get(key)
            if not entry or key in reached:
                continue
            reached.add(key)
            for move in entry.right_moves() if entry.board.turn == colour else entry.moves:
                after = entry.board.copy(stack=False)
                after.push(move)
                waiting.append(after.epd())
        for key, position in positions.items():
            if position.board.turn == colour and key in reached and position.right_moves():
                yield position

    def departure(
        self, game: chess.pgn.Game, colour: chess.Color | None = None
    ) -> Departure | None:
        """Where the main line leaves the repertoire of that side, or of either; None if it does not.

        A game that was never in it does not leave it.
        """
        sides = [side for side in chess.COLORS if chess.COLOR_NAMES[side] in self.sides]
        chosen = (sides or chess.COLORS) if colour is None else [colour]
        return max((self._follow(game, side) for side in chosen), key=lambda found: found[0])[1]

    def _follow(self, game: chess.pgn.Game, side: chess.Color) -> tuple[int, Departure | None]:
        """How many plies of the main line are in the repertoire of that side, and where it leaves it."""
        board = game.board()
        ply = 0
        for ply, move in enumerate(game.mainline_moves()):
            entry = self._positions[side].get(board.epd())
            is_own = board.turn == side
            moves = (entry.right_moves() if is_own else entry.moves) if entry else []
            if move not in moves:
                is_left = ply > 0 and bool(move)
                return ply, Departure(ply, board, move, tuple(moves)) if is_left else None
            board.push(move)
        return ply + 1, None


def _side(game: chess.pgn.Game) -> str:
    """The side that a game is for, as a word; empty: either."""
    side = game.headers.get("Orientation", "").lower()
    return side if side in chess.COLOR_NAMES else ""


def _chapter(headers: chess.pgn.Headers) -> str:
    """What a game is called: its event, or its players."""
    event = headers.get("Event", "?").strip()
    if event.strip("?"):
        return event
    players = [headers.get(side, "?").strip("? ") for side in ("White", "Black")]
    return " – ".join(filter(None, players))
