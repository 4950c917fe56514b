"""The options EvalFile and Evaluation: who judges, and what is no network."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Limits
from boomslang.eval.classical.trace import Trace
from boomslang.eval.network.file import SHIPPED, write
from boomslang.eval.network.trace import NetworkTrace
from tests.support.networks import random_network
from tests.support.searchers import alpha_beta, set_option

pytestmark = pytest.mark.usefixtures("kernels", "shared_tables")

BOARD = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
DEPTH = 1 if DISABLED else 5


@pytest.fixture
def player() -> Searcher:
    return Searcher(hash_mb=1)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A sound network unlike the one that ships."""
    path = tmp_path / "other.net"
    write(path, random_network(7), {})
    return path


def look(player: Searcher, **options: str) -> tuple[int, int | None, str]:
    """Nodes, score and move of a search with an empty memory."""
    for name, value in options.items():
        set_option(player, name, value)
    player.new_game()
    player.clear_stop()
    result = player.search(BOARD, Limits(depth=DEPTH), lambda info: None)
    assert result.info is not None
    return result.info.nodes, result.info.score.centipawns, str(result.best)


def refused(player: Searcher, path: Path | str) -> str:
    """What is said of a file that is no network."""
    message = player.set_network(str(path))
    assert message is not None and "\n" not in message
    assert message.startswith("error: no other network: ") and message.endswith(" stays")
    return message


def test_the_evaluation_can_be_chosen(player: Searcher) -> None:
    usual = look(player)
    classical = look(player, Evaluation="classical")
    assert classical != usual
    assert look(Searcher(hash_mb=1), Evaluation="classical") == classical
    assert look(player, Evaluation="network") == usual


def test_the_network_of_a_file_judges(player: Searcher, other: Path) -> None:
    usual = look(player)
    assert player.set_network(str(other)) == f"network '{other}'"
    strange = look(player)
    assert strange != usual
    assert look(player, EvalFile="") == usual
    assert look(player, EvalFile=str(SHIPPED)) == usual
    fresh = Searcher(hash_mb=1)
    assert look(fresh, EvalFile=str(other)) == strange


def test_the_order_of_the_options_does_not_matter(player: Searcher, other: Path) -> None:
    classical = look(Searcher(hash_mb=1), Evaluation="classical")
    player.set_evaluation("classical")
    message = player.set_network(str(other))
    assert message == f"network '{other}'; the classical evaluation is used"
    assert look(player) == classical
    assert look(player, Evaluation="network") == look(Searcher(hash_mb=1), EvalFile=str(other))


def test_home_is_understood(player: Searcher, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(other.parent))
    assert player.set_network("~/other.net") == "network '~/other.net'"
    assert look(player) == look(Searcher(hash_mb=1), EvalFile=str(other))
    refused(player, "~nobody-of-that-name/other.net")


@pytest.mark.parametrize("name", ["EvalFile", "Evaluation"])
def test_a_change_begins_afresh(player: Searcher, other: Path, name: str) -> None:
    value = {"EvalFile": str(other), "Evaluation": "classical"}[name]
    look(player)
    assert alpha_beta(player).table.any()
    player._search.history[0, 0] = 1
    set_option(player, name, value)
    assert not alpha_beta(player).table.any() and not player._search.history.any()
    look(player)
    player._search.history[0, 0] = 1
    set_option(player, name, value)  # the same again
    assert alpha_beta(player).table.any() and player._search.history[0, 0] == 1


@pytest.mark.jit_only
def test_helpers_judge_by_the_same(other: Path) -> None:
    """Also where they have met the position before, under another network."""

    def helped(player: Searcher) -> list[int]:
        player.new_game()
        player.clear_stop()
        player._set_root(BOARD, Limits())
        alpha_beta(player).helpers.start(player._search, alpha_beta(player).table, 5)
        for thread in alpha_beta(player).helpers._threads:
            thread.join()
        line = alpha_beta(player).helpers.stop()
        assert line is not None
        return [line.score, line.nodes, *line.moves]

    answers = {}
    player = Searcher(hash_mb=1)
    alpha_beta(player).helpers.resize(1)
    for name, value in (("EvalFile", str(other)), ("EvalFile", ""), ("Evaluation", "classical")):
        set_option(player, name, value)
        fresh = Searcher(hash_mb=1)
        set_option(fresh, name, value)
        alpha_beta(fresh).helpers.resize(1)
        answers[name, value] = helped(player)
        assert answers[name, value] == helped(fresh)
    assert len(set(map(str, answers.values()))) == 3


@pytest.mark.jit_only
def test_monte_carlo_tree_search_judges_by_the_same(player: Searcher, other: Path) -> None:
    player.set_algorithm("mcts")
    usual = look(player)
    answers = {usual, look(player, Evaluation="classical")}
    answers.add(look(player, Evaluation="network", EvalFile=str(other)))
    assert len(answers) == 3
    assert look(player, EvalFile="") == usual


def test_what_is_explained_is_what_judges(player: Searcher, other: Path) -> None:
    usual = player.explain(BOARD)
    assert isinstance(usual, NetworkTrace)
    assert isinstance(player.explain(BOARD, classical=True), Trace)
    player.set_network(str(other))
    strange = player.explain(BOARD)
    assert isinstance(strange, NetworkTrace) and strange != usual
    player.set_evaluation("classical")
    assert player.explain(BOARD) == player.explain(BOARD, classical=True)
    assert player.explain(chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")) is None


def test_numbers_that_no_training_leads_to(player: Searcher) -> None:
    """Scores overflow on the way: it searches on."""
    for number in range(1 if DISABLED else 6):
        source, network = np.random.default_rng(number), random_network(number)
        for name in ("input", "output", "bias"):
            field = network[name]
            field[:] = source.integers(-(1 << 15), 1 << 15, field.shape)
        network.threatened[:] = source.integers(-128, 128, network.threatened.shape)
        for name in ("output_bias", "scale"):
            values = source.integers(-(1 << 31), 1 << 31, np.shape(network[name]))
            network[name] = values
        bridge.set_network(player._search, network)
        _, score, best = look(player)
        assert score is not None and abs(score) < 32000
        assert BOARD.is_legal(chess.Move.from_uci(best))


def test_a_broken_installation_plays_on(
    broken_installation: Path, player: Searcher, other: Path
) -> None:
    assert player.remark.startswith("error: the network ") and "cut.net" in player.remark
    assert player.remark.endswith("the classical evaluation is used")
    classical = look(player)
    assert isinstance(player.explain(BOARD), Trace)
    message = player.set_evaluation("network")
    assert message is not None and message.startswith("error: there is no network")
    assert "the classical evaluation stays" in refused(player, "")
    assert look(player) == classical
    assert player.set_network(str(other)) == f"network '{other}'"
    assert look(player) != classical
    assert look(player, Evaluation="classical") == classical
    assert look(player, Evaluation="network") != classical


def test_a_sound_installation_says_nothing(player: Searcher) -> None:
    assert player.remark == ""
