from __future__ import annotations

import pytest

from boomslang.cli.lab.comparisons.visits_command import main
from boomslang.engine.comparisons.visits import PUBLISHED, count_visits
from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures, fail_hard
from boomslang.engine.textbook.trees import Tree, uniform_tree


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("height", range(1, 9))
def test_the_kernel_does_what_the_textbook_says(height: int) -> None:
    for order, step in (("ascending", 1), ("descending", -1)):
        numbers = list(range(1, 2**height + 1))[::step]
        plan = AlphaBetaFeatures[Tree]()
        value = fail_hard(uniform_tree(height, [(-1) ** height * x for x in numbers]), plan).value
        assert count_visits(height, order) == (plan.counter.nodes, value)
    assert len({count_visits(height + 8, "random", seed) for seed in range(9)}) > 5


@pytest.mark.jit_only
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "12 of 12 published counts" in shown
    assert all(str(count) in shown for row in PUBLISHED.values() for count in row[:3])
