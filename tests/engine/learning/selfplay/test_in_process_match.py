"""Games between two sets of numbers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from boomslang.core.jit.instructions import KERNELS_TELL_THREAD_TIME
from boomslang.engine.learning.selfplay.in_process_match import (
    MatchWorkspace,
    MatchWorkspaces,
    ParameterValues,
    are_alike,
    read_weights,
)
from boomslang.eval.network.file import SHIPPED, read
from tests.support.networks import random_network
from tests.support.places import ROOT

WEIGHTS = ROOT / "eval" / "classical" / "weights.py"
BLIND = ParameterValues({"quiescence": 0, "late_move_base": 1, "futility_base": 20})


@pytest.mark.jit_only
def test_the_same_numbers_are_even(kernels: None) -> None:
    arena = MatchWorkspace(nodes=300, seed=1)
    for number in range(4):
        first, second = arena.play_pair(ParameterValues(), ParameterValues(), number)
        assert first == -second  # the same game twice, with colours reversed


@pytest.mark.jit_only
def test_results_depend_on_openings_not_on_workers(kernels: None) -> None:
    with MatchWorkspaces(300, 7, 1) as arenas:
        alone = list(arenas.play(BLIND, ParameterValues(), range(6)))
    with MatchWorkspaces(300, 7, 3) as arenas:
        assert list(arenas.play(BLIND, ParameterValues(), range(6))) == alone
    with MatchWorkspaces(300, 8, 3) as arenas:
        assert list(arenas.play(BLIND, ParameterValues(), range(6))) != alone


@pytest.mark.jit_only
def test_weights_of_a_file_are_used(kernels: None, tmp_path: Path) -> None:
    text = WEIGHTS.read_text("utf-8")
    path = tmp_path / "worse.py"
    path.write_text(text + "\nPIECE_SQUARE = PIECE_SQUARE // 8\n", "utf-8")
    present = ParameterValues(classical=True)
    worse = ParameterValues(classical=True, weights=read_weights(path))
    same = ParameterValues(classical=True, weights=read_weights(WEIGHTS))
    assert are_alike(same, present) and not are_alike(worse, present)
    arena = MatchWorkspace(nodes=300, seed=1)
    pairs = range(4)
    assert all(sum(arena.play_pair(same, present, pair)) == 0 for pair in pairs)
    assert sum(sum(arena.play_pair(worse, present, pair)) for pair in pairs) < -3


@pytest.mark.jit_only
def test_the_network_of_a_file_is_used(kernels: None) -> None:
    same, worse = (
        ParameterValues(network=read(SHIPPED)[0]),
        ParameterValues(network=random_network(1)),
    )
    assert are_alike(same, ParameterValues()) and not are_alike(worse, ParameterValues())
    arena = MatchWorkspace(nodes=300, seed=1)
    pairs = range(4)
    assert all(sum(arena.play_pair(same, ParameterValues(), pair)) == 0 for pair in pairs)
    assert sum(sum(arena.play_pair(worse, ParameterValues(), pair)) for pair in pairs) < -3


def test_what_does_not_judge_makes_no_difference(kernels: None) -> None:
    one, other = random_network(1), random_network(2)
    assert not are_alike(ParameterValues(network=one), ParameterValues(network=other))
    assert are_alike(
        ParameterValues(network=one, classical=True), ParameterValues(network=other, classical=True)
    )
    assert not are_alike(ParameterValues(), ParameterValues(classical=True))


@pytest.mark.parametrize("text", ["", "TERMS = {}", "raise SystemError", "what is this"])
def test_files_that_are_no_weights(kernels: None, tmp_path: Path, text: str) -> None:
    path = tmp_path / "weights.py"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match="does not hold weights"):
        read_weights(path)


@pytest.mark.jit_only
@pytest.mark.skipif(not KERNELS_TELL_THREAD_TIME, reason="no clock for a thread on this system")
def test_unneeded_games_are_stopped(kernels: None) -> None:
    one, other = ParameterValues({"futility_base": 120}), ParameterValues()
    with MatchWorkspaces(200, 1, 2, movetime=3_600_000) as arenas:  # each game would take days
        arenas.play(one, other, range(8))
        while not all(a._one.search.nodes or a._other.search.nodes for a in arenas._arenas):
            time.sleep(0.01)
    assert arenas._free.qsize() == 2
