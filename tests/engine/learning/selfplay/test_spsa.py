"""The tuner: its arithmetic on a function whose best point is known, and a few games of chess."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from boomslang.cli.lab.selfplay.tune_command import main
from boomslang.engine.learning.selfplay.selfplay_settings import SpsaPlan
from boomslang.engine.learning.selfplay.spsa import Spsa, Values, load, save, tune
from boomslang.engine.search.params import BY_NAME, TABLE

NAMES = ("aspiration_delta", "reverse_futility_margin", "history_limit")


def hill(values: Values) -> float:
    """Highest four steps above the default of every number."""
    steps = ((values[name] - BY_NAME[name].default) / BY_NAME[name].step for name in NAMES)
    return -sum((step - 4) ** 2 for step in steps)


def climb(plan: SpsaPlan) -> Spsa:
    spsa = Spsa(plan)
    source = random.Random(plan.seed)
    for _ in range(plan.iterations):
        one, other = spsa.proposal()
        games = 2 * plan.pairs
        chance = 0.5 + max(min(0.01 * (hill(one) - hill(other)), 0.5), -0.5)
        spsa.learn(sum(1 if source.random() < chance else -1 for _ in range(games)))
    return spsa


def test_steps_lead_up_the_hill() -> None:
    spsa = climb(SpsaPlan(NAMES, iterations=1500, pairs=4))
    for name in NAMES:
        param = BY_NAME[name]
        moved = (spsa.state.values[name] - param.default) / param.step
        assert 2.5 < moved < 5.5, (name, moved)
        assert abs(spsa.result()[name] - spsa.state.values[name]) <= 0.5


def test_numbers_stay_within_bounds() -> None:
    spsa = Spsa(SpsaPlan(NAMES, iterations=10, rate=10.0))
    for _ in range(10):
        for values in (*spsa.proposal(), spsa.result()):
            assert all(BY_NAME[name].low <= values[name] <= BY_NAME[name].high for name in NAMES)
        spsa.learn(100)


def test_switches_are_not_tuned() -> None:
    assert {param.name for param in TABLE} - set(SpsaPlan().names) == {
        "one_reply_extension",
        "quiescence",
    }
    with pytest.raises(ValueError, match="no number to tune is called 'quiescence'"):
        SpsaPlan(("quiescence",))


@pytest.mark.jit_only
def test_games_are_repeatable_and_resumable(kernels: None, tmp_path: Path) -> None:
    plan = SpsaPlan(NAMES, iterations=3, pairs=2, nodes=200)
    alone, together = Spsa(plan), Spsa(plan)
    games = list(tune(alone, workers=1))
    assert [len(results) for results in games] == [4, 4, 4]
    assert list(tune(together, workers=2)) == games
    assert alone.state == together.state
    assert sum(alone.state.games) == 12

    first = Spsa(plan)
    for _ in tune(first, workers=1):
        break
    save(tmp_path / "state.json", first)
    again = load(tmp_path / "state.json")
    assert again.plan == plan and again.state.iteration == 1
    assert list(tune(again, workers=1)) == games[1:]
    assert again.state == alone.state


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"plan": {}, "state": {}}',
        '{"plan": 1}',
        '{"plan": {"names": ["of another version"]}, "state": {"values": {"of another version": 4}}}',
        '{"plan": {"names": ["iir_depth"]}, "state": {"values": {"iir_depth": NaN}}}',
        '{"plan": {"names": ["iir_depth"]}, "state": {"values": {"iir_depth": 4}, "iteration": -5}}',
        '{"plan": {"names": ["iir_depth"]}, "state": {"values": {"iir_depth": 4}, "games": []}}',
    ],
)
def test_a_bad_state_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "state.json"
    path.write_text(text, encoding="utf-8")
    assert main(["--state", str(path)]) == 2
    assert str(path) in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.jit_only
def test_command(kernels: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "state.json"
    settings = ["--parameters", "futility_base", "--iterations", "2", "--pairs", "1"]
    settings += ["--nodes", "200", "--rate", "5", "--workers", "1", "--state", str(path)]
    assert main(settings) == 0
    state = json.loads(path.read_text(encoding="utf-8"))["state"]
    assert state["iteration"] == 2 and sum(state["games"]) == 4
    assert "futility_base" in capsys.readouterr().out
    assert main(["--state", str(path)]) == 0  # there is nothing left to do
    assert "After 2 of 2 iterations" in capsys.readouterr().out
    assert main(["--state", str(path), "--nodes", "300"]) == 2
    assert "the state has nodes 200; leave out --nodes" in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv", [["--parameters", "magic"], ["--parameters", ","], ["--rate", "0"], ["--pairs", "x"]]
)
def test_bad_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
