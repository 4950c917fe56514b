"""The moves of a game with its variations, comments, clocks, glyphs and arrows; one line is on the board.

What cannot be played (a null move, and what follows it) is neither shown nor walked, but kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

import chess
import chess.pgn
from chess.svg import Arrow

from boomslang.cli.play.board.page_messages import MessageError
from boomslang.engine.analysis.clock_times import clock_text
from boomslang.engine.analysis.notes import COMMANDS, glyph_of, words_of

Node: TypeAlias = chess.pgn.ChildNode
Shape: TypeAlias = tuple[str, str]  # a colour, and one square or two, like "e2e4"

COLOURS: Final = ("green", "red", "yellow", "blue")
_MAX_NODES: Final = 10_000
_MAX_SIGN: Final = 6  # the NAGs 1 to 6 judge a move
_BRACES: Final = str.maketrans("{}", "()")  # a comment in PGN has none
_MAX_NESTING: Final = 100  # variations inside variations that a user makes


class GameTree:
    """The tree, with a number for each move that can be played; 0 is the start."""

    def __init__(self, read: chess.pgn.Game) -> None:
        """From a game, which is left as it is. Raises MessageError if it has too many moves."""
        self.root = copy_of(read, _MAX_NODES)
        self.version = 0  # changes with everything that is shown of it
        self._numbers: dict[chess.pgn.GameNode, int] = {self.root: 0}
        self._nodes: dict[int, chess.pgn.GameNode] = {0: self.root}
        self._sans: dict[chess.pgn.GameNode, str] = {}
        self._newest = 0
        self._number_all(self.root, self.root.board())
        self.line: list[Node] = self.line_through(self.root)  # from the first move on

    @property
    def orientation(self) -> str:
        """The side below, as a study has it in its tag."""
        return "black" if self.root.headers.get("Orientation", "").lower() == "black" else "white"

    # The line on the board

    @property
    def is_main(self) -> bool:
        """True if the line on the board is the main line."""
        return self.line == self.line_through(self.root)

    def line_through(self, node: chess.pgn.GameNode) -> list[Node]:
        """The line through a move, from there on by the first moves."""
        line: list[Node] = []
        at: chess.pgn.GameNode | None = node
        while isinstance(at, chess.pgn.ChildNode):
            line.append(at)
            at = at.parent
        line.reverse()
        while following := playable(line[-1] if line else self.root):
            line.append(following[0])
        return line

    def node(self, number: int) -> chess.pgn.GameNode:
        """The move of that number. Raises MessageError."""
        if number not in self._nodes:
            raise MessageError("that move is not there any more")
        return self._nodes[number]

    def number_at(self, ply: int) -> int:
        """The number of the move on the line that leads to a position."""
        return self._numbers[self._at(ply)]

    def ply_of(self, node: chess.pgn.GameNode) -> int | None:
        """The place of a move on the line; None if it is on another."""
        if node is self.root:
            return 0
        return next((ply for ply, other in enumerate(self.line, start=1) if other is node), None)

    def sans(self) -> list[str]:
        """The moves of the line in SAN."""
        return [self._sans[node] for node in self.line]

    def take_line(self, node: chess.pgn.GameNode) -> None:
        """Put the line through a move on the board."""
        self.line = self.line_through(node)

    # Changes

    def play(self, move: chess.Move, ply: int, board: chess.Board) -> None:
        """Make a move at a place of the line, whose board this is; a new one begins a variation there."""
        before = self._at(ply)
        known_node = next((node for node in playable(before) if node.move == move), None)
        if known_node is None:
            if len(self._nodes) > _MAX_NODES:
                raise MessageError(f"a game has at most {_MAX_NODES} moves with its variations")
            inside = [node for node in self.line[:ply] if node is not playable(node.parent)[0]]
            if len(inside) >= _MAX_NESTING:
                raise MessageError("these are too many variations inside variations")
            known_node = before.add_variation(move)
            self._number(known_node, board)
            self.version += 1
        self.line = self.line_through(known_node)

    def cut(self, ply: int) -> None:
        """Remove everything behind a place of the line."""
        last = self._at(ply)
        for node in last.variations:
            self._forget(node)
        last.variations.clear()
        del self.line[ply:]
        self.version += 1

    def remove(self, ply: int) -> None:
        """Remove the line behind a place; variations beside it stay, and the first of them follows."""
        if ply < len(self.line):
            node = self.line[ply]
            self._forget(node)
            node.parent.variations.remove(node)
            self.line = self.line_through(self._at(ply))
            self.version += 1

    def promote(self) -> None:
        """Make the line on the board the main line."""
        for node in self.line:
            node.parent.promote_to_main(node)
        self.version += 1

    def comment(self, ply: int, words: str) -> None:
        """Add words to the comment of the move of the line that is played at a place."""
        node = self.line[ply]
        node.comment = f"{node.comment} {words}".strip()
        self.version += 1

    def annotate(self, number: int, glyph: int, words: str) -> None:
        """Give a move a sign (a NAG from 1 to 6, 0 for none) and a comment; clocks and arrows stay."""
        node = self.node(number)
        node.nags = {nag for nag in node.nags if not 1 <= nag <= _MAX_SIGN} | {glyph} - {0}
        commands = " ".join(COMMANDS.findall(node.comment))
        node.comment = f"{commands} {COMMANDS.sub('', words.translate(_BRACES)).strip()}".strip()
        self.version += 1

    def draw(self, number: int, shapes: Iterable[Shape]) -> None:
        """Write arrows and circles into the comment of a move."""
        arrows = [
            Arrow(chess.parse_square(squares[:2]), chess.parse_square(squares[-2:]), color=colour)
            for colour, squares in shapes
        ]
        self.node(number).set_arrows(arrows)

    # What a page shows

    def shapes_at(self, ply: int) -> list[Shape]:
        """Arrows and circles of a position of the line."""
        shapes = []
        for arrow in self._at(ply).arrows():
            ends = chess.square_name(arrow.tail), chess.square_name(arrow.head)
            shapes.append((arrow.color, ends[0] if ends[0] == ends[1] else "".join(ends)))
        return shapes

    def clocks_at(self, ply: int) -> dict[str, str]:
        """The clocks of both sides as the record has them, by colour; without those that it lacks."""
        clocks: dict[str, str] = {}
        for node in reversed(self.line[:ply]):
            side = chess.COLOR_NAMES[not node.turn()]
            if side not in clocks and (left := node.clock()) is not None:
                clocks[side] = clock_text(left)
            if len(clocks) == 2:
                break
        return clocks

    def items(self) -> list[dict[str, Any] | str]:
        """The moves as a PGN has them: a variation stands in parentheses behind the move it replaces."""
        first = words_of(self.root.comment)
        items: list[dict[str, Any] | str] = [{"text": first}] if first else []
        items += self._items(self.root, 0)
        return items

    def _items(self, node: chess.pgn.GameNode, ply: int) -> Iterator[dict[str, Any] | str]:
        while following := playable(node):
            for index, move in enumerate(following):
                if index:
                    yield "("
                yield self._item(move, ply, is_first=bool(index))
                if index:
                    yield from self._items(move, ply + 1)
                    yield ")"
            node, ply = following[0], ply + 1

    def _item(self, node: Node, ply: int, is_first: bool) -> dict[str, Any]:
        clock = node.clock()
        data = {
            "node": self._numbers[node],
            "ply": ply,
            "san": self._sans[node],
            "glyph": glyph_of(node.nags),
            "sign": min((nag for nag in node.nags if 1 <= nag <= _MAX_SIGN), default=""),
            "before": words_of(node.starting_comment) if is_first else "",
            "text": words_of(node.comment),
            "clock": "" if clock is None else clock_text(clock),
        }
        return {name: value for name, value in data.items() if value != ""}

    # Inside

    def _at(self, ply: int) -> chess.pgn.GameNode:
        return self.line[ply - 1] if ply else self.root

    def _number_all(self, start: chess.pgn.GameNode, board: chess.Board) -> None:
        """Number the moves behind a position."""
        plies = 0
        while following := playable(start):
            for node in following:
                self._number(node, board)
            for node in following[1:]:
                board.push(node.move)
                self._number_all(node, board)
                board.pop()
            start = following[0]
            board.push(start.move)
            plies += 1
        for _ in range(plies):
            board.pop()

    def _number(self, node: Node, board: chess.Board) -> None:
        self._newest += 1
        self._numbers[node], self._nodes[self._newest] = self._newest, node
        self._sans[node] = board.san(node.move)

    def _forget(self, node: chess.pgn.GameNode) -> None:
        """Take the numbers from a move and all behind it."""
        waiting = [node]
        while waiting:
            gone = waiting.pop()
            waiting += gone.variations
            self._sans.pop(gone, None)
            self._nodes.pop(self._numbers.pop(gone, 0) or -1, None)


def copy_of(game: chess.pgn.Game, most: float = math.inf) -> chess.pgn.Game:
    """A copy of a game with its tags, as they are. Raises MessageError for more moves than `most`."""
    copied = chess.pgn.Game(game.headers)
    copied.comment = game.comment
    waiting: list[tuple[chess.pgn.GameNode, chess.pgn.GameNode]] = [(game, copied)]
    count = 0
    while waiting:
        node, copy = waiting.pop()
        count += len(node.variations)
        if count > most:
            raise MessageError(f"that game has more than {most} moves with its variations")
        for child in node.variations:
            words = {"comment": child.comment, "starting_comment": child.starting_comment}
            waiting.append((child, copy.add_variation(child.move, **words, nags=child.nags)))
    return copied


def playable(node: chess.pgn.GameNode) -> list[Node]:
    """The moves that follow a move, without null moves."""
    return [child for child in node.variations if child.move]
