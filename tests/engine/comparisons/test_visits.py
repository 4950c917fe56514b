"""The published table of visits, and the jitted counts behind it."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from boomslang.cli.lab.comparisons.visits_command import main
from boomslang.core.jit.jit import load_kernels
from boomslang.engine.comparisons.visits import Algorithm, Leaves, count_visits
from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures, fail_hard, fail_soft
from boomslang.engine.textbook.game import NodeCounter
from boomslang.engine.textbook.negamax import negamax
from boomslang.engine.textbook.published_visits import PUBLISHED, full_tree, least_visits
from boomslang.engine.textbook.trees import Tree, uniform_tree

MISPRINTS = {21, 26}  # heights


@pytest.fixture(autouse=True, scope="module")
def _kernels() -> None:
    load_kernels()


def written_out(height: int, leaves: Leaves) -> Tree:
    """The tree that the kernels have in mind."""
    numbers = list(range(1, 2**height + 1))
    if leaves is Leaves.DESCENDING:
        numbers.reverse()
    sign = 1 if height % 2 == 0 else -1  # from the player at the root to the player at the leaves
    return uniform_tree(height, [sign * number for number in numbers])


@pytest.mark.parametrize("height", range(1, 9))
@pytest.mark.parametrize("leaves", [Leaves.ASCENDING, Leaves.DESCENDING])
def test_kernels_do_what_the_textbook_says(height: int, leaves: Leaves) -> None:
    tree = written_out(height, leaves)
    counter = NodeCounter()
    value = negamax(tree, counter).value
    assert count_visits(Algorithm.NEGAMAX, height, leaves) == (counter.nodes, value)
    for algorithm, search in ((Algorithm.FAIL_HARD, fail_hard), (Algorithm.FAIL_SOFT, fail_soft)):
        plan = AlphaBetaFeatures[Tree]()
        assert search(tree, plan).value == value
        assert count_visits(algorithm, height, leaves) == (plan.counter.nodes, value)


@pytest.mark.parametrize("seed", range(5))
def test_random_leaves(seed: int) -> None:
    results = [count_visits(algorithm, 11, Leaves.RANDOM, seed) for algorithm in Algorithm]
    assert len({value for _, value in results}) == 1
    (everything, _), (hard, _), (soft, _) = results
    assert everything == full_tree(11)
    assert least_visits(11) <= hard == soft < everything
    assert (hard, soft) != count_visits(Algorithm.FAIL_HARD, 11, Leaves.RANDOM, seed + 1)


def test_random_leaves_are_in_random_order() -> None:
    """The mean over hashed leaves is that over shuffled ones, within three standard errors."""
    source = random.Random(1)
    height, number = 9, 100
    shuffled = []
    for _ in range(number):
        leaves = list(range(2**height))
        source.shuffle(leaves)
        plan = AlphaBetaFeatures[Tree]()
        fail_hard(uniform_tree(height, leaves), plan)
        shuffled.append(plan.counter.nodes)
    hashed = [
        count_visits(Algorithm.FAIL_HARD, height, Leaves.RANDOM, seed)[0] for seed in range(number)
    ]
    spread = mean((nodes - mean(shuffled)) ** 2 for nodes in shuffled) ** 0.5
    assert abs(mean(hashed) - mean(shuffled)) < 3 * spread * (2 / number) ** 0.5


@pytest.mark.jit_only
@pytest.mark.parametrize("height", PUBLISHED)
def test_the_published_counts_of_ordered_leaves(height: int) -> None:
    published = PUBLISHED[height]
    for algorithm in (Algorithm.FAIL_HARD, Algorithm.FAIL_SOFT):
        assert count_visits(algorithm, height, Leaves.ASCENDING)[0] == published.ascending
        assert count_visits(algorithm, height, Leaves.DESCENDING)[0] == published.descending


@pytest.mark.parametrize("height", PUBLISHED)
def test_the_published_counts_of_negamax(height: int) -> None:
    assert (full_tree(height) == PUBLISHED[height].negamax) == (height not in MISPRINTS)


@pytest.mark.jit_only
@pytest.mark.parametrize("height", [21, 22])
def test_negamax_visits_everything(height: int) -> None:
    assert count_visits(Algorithm.NEGAMAX, height, Leaves.ASCENDING)[0] == full_tree(height)


def test_unfit_height() -> None:
    with pytest.raises(ValueError, match="height 0 is not between"):
        count_visits(Algorithm.NEGAMAX, 0, Leaves.ASCENDING)


@pytest.mark.jit_only
def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--heights", "21-22", "--seeds", "2"]) == 0
    shown = capsys.readouterr().out
    assert "4 of 4 published counts reproduced" in " ".join(shown.split())
    for number in ("43009", "33792", "67585", "47104", "4294303", "385755"):
        assert number in shown


def test_command_beyond_the_published_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--heights", "3", "--seeds", "1"]) == 0
    assert "0 of 0 published counts" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "argv", [["--heights", "0-3"], ["--heights", "9-3"], ["--heights", "x"], ["--seeds", "0"]]
)
def test_command_refuses(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
