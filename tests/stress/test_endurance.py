"""A little of what `make fuzz`, `soak`, `latency`, `page`, `games`, `log` and others do at length."""

from __future__ import annotations

import itertools
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from boomslang.engine.search import deepening
from tests.stress import aarch64, board_latency, bounds, damage, games, latency, log_cost
from tests.stress.bounds_games import KINDS
from tests.stress.fuzz import PROTOCOLS, fuzz
from tests.stress.inputs import CORPUS, Mutator, corpus
from tests.stress.parsers import PARSERS, fuzz_parser
from tests.stress.soak import Soak
from tests.stress.talks import Conversation, FindingError, InProcess, small_tables
from tests.support.browser import find_browser

pytestmark = pytest.mark.jit_only


@pytest.fixture(autouse=True)
def shared_memory_is_spared() -> Iterator[None]:
    with small_tables():
        yield


@pytest.mark.parametrize("name", sorted(path.stem for path in CORPUS.glob("*.txt")))
def test_mutations_repeat_themselves(name: str) -> None:
    one, two = (Mutator(corpus(name), 5) for _ in range(2))
    lines = [one.line() for _ in range(200)]
    assert lines == [two.line() for _ in range(200)]
    assert len(set(lines)) > 100 and not any(b"\n" in line for line in lines)


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.slow
def test_parsers_refuse_and_never_break(name: str) -> None:
    assert fuzz_parser(name, seed=3, count=500) == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_input_does_harm(protocol: str) -> None:
    fuzz(protocol, seed=11, count=200, whole=False, journal=None)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_input_does_harm_through_pipes(protocol: str) -> None:
    fuzz(protocol, seed=12, count=400, whole=True, journal=None)


def test_a_wrong_answer_would_be_found() -> None:
    talk = InProcess("uci")
    chat = Conversation(talk, "uci")
    chat.warm()
    nodes = chat.known_search()
    talk.send(b"setoption name MultiPV value 2\n")
    assert chat.known_search() == nodes
    talk.send(b"position startpos\ngo depth 5\n")
    assert chat.settle()
    talk.front.execute = lambda line, whole=True: True  # type: ignore[method-assign]
    talk.patience = 0.1
    with pytest.raises(FindingError, match="no "):
        chat.settle()


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_soaked_engine_plays_on() -> None:
    soaked = Soak(seed=1)
    before = soaked.sample()
    for _ in range(20):
        soaked.search()
    after = soaked.sample()
    soaked.leave()
    assert (after.threads, after.descriptors) == (before.threads, before.descriptors)


def test_damaged_books_and_networks_are_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "MAX_SECONDS", 60.0)  # how long is a matter of the machine
    patient = damage.Patient()
    try:
        assert damage.damage_books(patient, count=3, seed=1) == []
        assert damage.damage_networks(patient, count=3, seed=1) == []
    finally:
        patient.talk.process.__exit__(None, None, None)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("way", latency.WAYS)
@pytest.mark.parametrize("phase", latency.PHASES)
def test_it_is_gone_soon(phase: str, way: str) -> None:
    _, problem = latency.leave(phase, way)
    assert not problem or problem.startswith("takes")  # how long is a matter of the machine


def test_a_garbled_answer_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    class Garbler:
        """An engine that answers no move."""

    def play(*_: object) -> str:
        return str(chess.Move.from_uci("(none)"))

    monkeypatch.setattr(games, "Side", Garbler)
    monkeypatch.setattr(games, "play", play)
    monkeypatch.setattr(games, "end", lambda sides: ended.extend(sides))
    control, *_ = games.mix_of(["nodes 1"])
    name, finding = games.play_number((7, 1, 0.0, control))
    assert name == "nodes 1" and finding.startswith("game 7: ") and "(none)" in finding
    assert len(ended) == 2 and not games._pair


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nodes 1", "1+0.01"])
def test_a_game_is_played_and_checked(name: str) -> None:
    (control,) = (control for control in games.CONTROLS if control.name == name)
    sides = games.Side(), games.Side()
    try:
        result = games.play(*sides, control, random.Random(4), margin=60_000.0)
    finally:
        games.end(list(sides))
    assert result in ("1-0", "0-1", "1/2-1/2")


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_of_each_kind_is_played(kind: str) -> None:
    seen, findings = bounds.play_number((2, 1, kind))
    assert seen["games"] and not findings


def broken(*_: object, **__: object) -> None:
    raise IndexError("kernel somewhere: index 4")


@pytest.mark.parametrize(("kind", "where"), [("threads", ", thread search 2"), ("mates", "")])
def test_an_index_out_of_bounds_is_a_finding(
    kind: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "search.parallel" if kind == "threads" else "driver.alphabeta"
    monkeypatch.setattr(f"boomslang.engine.{module}.deepen", broken)
    _, findings = bounds.play_number((2, 1, kind))
    assert f"game 2, {kind}{where}: IndexError: kernel somewhere: index 4" in findings


def test_what_the_protocol_says_of_a_broken_search_is_a_finding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, calls = deepening.deepen, itertools.count()
    # The first search is the one that makes the kernels ready.
    monkeypatch.setattr(
        "boomslang.engine.driver.alphabeta.deepen",
        lambda *args: (broken if next(calls) else whole)(*args),
    )
    _, findings = bounds.play_number((2, 1, "protocol"))
    assert len(findings) == 1 and "the search failed: IndexError 'kernel" in findings[0]


def test_games_that_check_nothing_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("boomslang.core.jit.jit.CHECKED", False)
    monkeypatch.setattr(sys, "argv", ["bounds", "--games", "1"])
    with pytest.raises(SystemExit) as ended:
        bounds.main()
    assert ended.value.code == 2 and "BOOMSLANG_BOUNDS=1" in capsys.readouterr().err


@pytest.mark.slow
def test_pages_and_lines_of_the_board_are_timed(capsys: pytest.CaptureFixture[str]) -> None:
    command = find_browser()
    if command is None:
        pytest.skip("there is no Chromium")
    board_latency.measure(command, page_count=1, line_count=10)
    assert re.search(r"^1 pages more: .*\n[1-9]\d+ lines: ", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="Linux counts nanoseconds")
def test_cost_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    log_cost.main(["--pairs", "1", "--nodes", "20000", "--size", "0.1"])
    *pairs, last = capsys.readouterr().out.splitlines()
    assert len(pairs) == 1 and re.match(r"a log of 0\.1 MB costs [+-]\d", last)


def test_another_processor_must_do_the_same() -> None:
    recorded = aarch64.recorded_bench()
    here = {"machine": "x86_64", "Monte Carlo": {"best": "e2e4", "nodes": 3000}}
    there = here | {"machine": "aarch64", "bench": recorded, "perft": [197281, 97862, 674624]}
    assert aarch64.differences(here, there, recorded) == []
    for name in ("machine", "bench", "perft", "Monte Carlo"):
        (problem,) = aarch64.differences(here, there | {name: "other"}, recorded)
        assert problem.startswith(f"{name}: other, and not ")
