"""The terms of the evaluation and their weights, which stand in two files."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pytest

from boomslang.eval.classical import terms, weights


@pytest.mark.parametrize(
    ("table", "names", "weighted"),
    [
        ("TERM_SIZES", [name for name, _ in terms.TERM_SIZES], weights.TERMS),
        ("DANGERS", terms.DANGERS, weights.DANGERS),
    ],
)
def test_each_term_has_its_weights(
    table: str, names: Collection[str], weighted: Collection[str]
) -> None:
    missing, left = set(names) - set(weighted), set(weighted) - set(names)
    assert not missing, f"eval/classical/weights.py has no weights of {missing}"
    assert not left, f"{table} of eval/classical/terms.py does not name {left}, which have weights"


@pytest.mark.parametrize(("name", "size"), terms.TERM_SIZES)
def test_a_term_has_one_weight_or_as_many_as_its_size(name: str, size: int) -> None:
    halves: Any = weights.TERMS[name]
    said = f"{name}: a middlegame and an endgame weight, each one number or {size} of them"
    assert len(halves) == 2 and {np.size(half) for half in halves} <= {1, size}, said
