"""Abstract game trees at random."""

from __future__ import annotations

import random

from boomslang.engine.textbook.trees import Tree


def random_tree(source: random.Random, height: int, width: int, worst: int = 9) -> Tree:
    """A ragged tree of at most `height` moves, 1 to `width` children, values up to +-`worst`."""
    worth = source.randint(-worst, worst)
    if height == 0 or source.random() < 0.1:
        return Tree(worth)
    children = source.randint(1, width)
    below = (random_tree(source, height - 1, width, worst) for _ in range(children))
    return Tree(worth, tuple(below))
