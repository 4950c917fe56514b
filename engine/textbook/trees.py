"""Abstract game trees, written out node by node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tree:
    """A node. Its `worth` for the player to move is the value of a leaf, the estimate of an inner node."""

    worth: float = 0
    children: tuple[Tree, ...] = ()

    def moves(self) -> Sequence[int]:
        """The numbers of the children."""
        return range(len(self.children))

    def play(self, move: int) -> Tree:
        """The child of that number."""
        return self.children[move]

    def is_over(self) -> bool:
        """True for a leaf."""
        return not self.children

    def value(self) -> float:
        """The worth of a leaf."""
        return self.worth

    def evaluate(self) -> float:
        """The estimate of an inner node."""
        return self.worth


def uniform_tree(height: int, leaves: Sequence[float], width: int = 2) -> Tree:
    """The full tree of `height` moves from root to leaf, `width` at each node."""

    def grow(level: int, worths: Iterator[float]) -> Tree:
        if level == 0:
            return Tree(next(worths))
        return Tree(0, tuple(grow(level - 1, worths) for _ in range(width)))

    if len(leaves) != width**height:
        raise ValueError(f"{width**height} leaves wanted, {len(leaves)} given")
    return grow(height, iter(leaves))
