"""A player's repertoire: games in PGN with variations, as moves by position; and where a game leaves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import chess
import chess.pgn

from boomslang.cli.analysis.reasons.candidate import line_words
from boomslang.engine.notation.pgn import read_games
from boomslang.engine.system.files import FileError, quote_path

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
    """The positions of files of games."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Read the files; raises FileError."""
        self.problems: list[str] = []
        # From which the games are shown, as their tags say: "white", "black".
        self.sides: set[str] = set()
        self._positions: dict[str, RepertoirePosition] = {}
        self._starts: set[str] = set()
        for path in paths:
            before = len(self._positions)
            for entry in read_games(path):
                self.problems += [f"{path}:{entry.line}: {problem}" for problem in entry.messages]
                if entry.analysable:
                    self.sides.add(entry.game.headers.get("Orientation", "").lower())
                    self._add(entry.game)
            if len(self._positions) == before and len(paths) == 1:
                why = f" ({self.problems[0]})" if self.problems else ""
                raise FileError(f"{quote_path(path)} has no moves{why}")
        self.sides -= {""}

    def _add(self, game: chess.pgn.Game) -> None:
        """All variations of a game, the main line first."""
        start = game.board()
        chapter = _chapter(game.headers)
        self._starts.add(start.epd())
        waiting: list[tuple[chess.pgn.GameNode, RepertoirePosition]]
        waiting = [(game, RepertoirePosition(start, (), start, chapter))]
        while waiting:
            node, here = waiting.pop()
            children = [child for child in node.variations if child.move]  # without null moves
            if not children:
                continue
            board = here.board
            known = self._positions.setdefault(board.epd(), here)
            for child in children:
                if child.move not in known.moves:
                    known.moves.append(child.move)
                if child.nags & _BAD:
                    known.bad.add(child.move)
            for child in reversed(children):
                after = board.copy(stack=False)
                after.push(child.move)
                line = (*here.line, child.move)
                waiting.append((child, RepertoirePosition(after, line, start, chapter)))

    def positions(self, colour: chess.Color) -> Iterator[RepertoirePosition]:
        """Those in which this side is to move and has made no bad move, in the order of the lines."""
        reached: set[str] = set()
        waiting = [*self._starts]
        while waiting:
            key = waiting.pop()
            known = self._positions.get(key)
            if not known or key in reached:
                continue
            reached.add(key)
            for move in known.right_moves() if known.board.turn == colour else known.moves:
                after = known.board.copy(stack=False)
                after.push(move)
                waiting.append(after.epd())
        for key, found in self._positions.items():
            if found.board.turn == colour and key in reached and found.right_moves():
                yield found

    def departure(self, game: chess.pgn.Game) -> Departure | None:
        """Where the main line leaves the repertoire; None if it was never in it, or ends in it."""
        board = game.board()
        for ply, move in enumerate(game.mainline_moves()):
            known = self._positions.get(board.epd())
            is_own = self.sides == {chess.COLOR_NAMES[board.turn]}
            moves = (known.right_moves() if is_own else known.moves) if known else []
            if move not in moves:
                is_left = ply > 0 and bool(move)
                return Departure(ply, board, move, tuple(moves)) if is_left else None
            board.push(move)
        return None


def _chapter(headers: chess.pgn.Headers) -> str:
    """What a game is called: its event, or its players."""
    event = headers.get("Event", "?").strip()
    if event.strip("?"):
        return event
    players = [headers.get(side, "?").strip("? ") for side in ("White", "Black")]
    return " – ".join(filter(None, players))
