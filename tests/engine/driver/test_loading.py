"""Waiting for the kernels: how long, for what, and what is said meanwhile."""

from __future__ import annotations

import itertools
import math
import threading
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boomslang.engine.driver.loading import KernelLoader, LateKernels, LoadingProgress
from boomslang.engine.engine import Engine
from tests.support.uci_conversation import Puppet

VARIABLE = "BOOMSLANG_READY_WITHIN"


def waiting(gate: threading.Event, say: object = None) -> KernelLoader:
    """Kernels that come when the gate opens."""

    def build(progress: LoadingProgress) -> tuple[Any, str]:
        assert gate.wait(60)
        return Puppet(), ""

    return KernelLoader(lambda line: None, build)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [(None, 7.0), ("", 7.0), (" ", 7.0), ("600", 600.0), ("0", 0.0), ("-1", 0.0), ("1e3", 1000.0),
     ("-inf", 0.0), ("inf", 86_400.0), ("1e300", 86_400.0), ("Infinity", 86_400.0)],
)  # fmt: skip
def test_the_environment_sets_the_wait_of_isready(
    said: str | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if said is not None:
        monkeypatch.setenv(VARIABLE, said)
    told: list[str] = []
    kernels = KernelLoader(told.append)
    first, later = kernels.remaining_wait(), kernels.remaining_wait()
    assert later <= first == pytest.approx(seconds)
    assert told == []


@pytest.mark.parametrize("said", ["soon", "nan", "7s", "1,5", "٣x", "--1"])
def test_an_invalid_number_is_reported_once(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, said)
    told: list[str] = []
    kernels = KernelLoader(told.append)
    assert kernels.remaining_wait() == pytest.approx(7.0)
    kernels.remaining_wait()
    assert len(told) == 1 and told[0].startswith(f"error: {VARIABLE} is a number of seconds")
    assert told[0].isascii()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
       | st.floats().map(str) | st.integers().map(str))  # fmt: skip
def test_any_value_of_the_variable_gives_a_finite_wait(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, said)
    gate = threading.Event()
    gate.set()
    kernels = waiting(gate)
    assert 0 <= kernels.remaining_wait() <= threading.TIMEOUT_MAX and math.isfinite(
        kernels.remaining_wait()
    )
    kernels.wait_until_ready()


@pytest.mark.parametrize("is_child", [False, True])
def test_hurry_ends_the_wait(is_child: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "inf")
    gate = threading.Event()
    parent = kernels = waiting(gate)
    if is_child:
        kernels = KernelLoader(print, lambda progress: (None, str(gate.wait(60))), parent=parent)
    threading.Timer(0.1, parent.stop_waiting).start()
    started = time.monotonic()
    assert not kernels.wait_until_ready() and time.monotonic() - started < 30
    assert kernels.remaining_wait() == 0
    gate.set()
    assert kernels.wait(30) and kernels.wait_until_ready()


@pytest.mark.parametrize("loading", [False, True])
def test_what_is_said_while_it_takes_long(loading: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(progress: LoadingProgress) -> tuple[Any, str]:
        for done in range(4):
            progress(done, 8, loading=loading)
        return Puppet(), ""

    clock = itertools.count(0.0, 1.5)
    monkeypatch.setattr("boomslang.engine.driver.loading.time.monotonic", lambda: next(clock))
    told: list[str] = []
    kernels = KernelLoader(told.append, build)
    kernels.start()
    assert kernels.wait(30)
    assert told and all(line.startswith("getting ready, ") for line in told)
    assert all(("loading" in line) == loading for line in told)
    assert all(("first start" in line) != loading for line in told)
    assert kernels.are_near == loading


def test_the_beginning_and_the_end_of_compiling_are_told_and_little_between() -> None:
    def build(progress: LoadingProgress) -> tuple[Any, str]:
        for done in range(8):
            progress(done, 8)
        progress(8, 8, loading=True)
        return Puppet(), ""

    told: list[str] = []
    kernels = KernelLoader(told.append, build)
    assert kernels.wait(30)
    assert len(told) < 8 and told[0].endswith(": 0 of 8 kernels")
    told.clear()
    kernels.tell_compiled()
    kernels.tell_compiled()
    assert told == ["getting ready, done: full strength from now on"]


def test_nothing_is_told_of_kernels_that_are_in_the_cache() -> None:
    def build(progress: LoadingProgress) -> tuple[Any, str]:
        progress(0, 8, loading=True)
        return Puppet(), ""

    told: list[str] = []
    kernels = KernelLoader(told.append, build)
    assert kernels.wait(30)
    kernels.tell_compiled()
    assert told == []


def test_without_a_clock_an_algorithm_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()

    def build(self: LateKernels, progress: LoadingProgress) -> tuple[None, str]:
        progress(25, 28)
        threading.Timer(0.1, compiled.set).start()
        assert compiled.wait(30)
        return None, ""

    monkeypatch.setattr(LateKernels, "_build_more", build)
    puppet: Any = Puppet()
    kernels = KernelLoader(lambda text: None, lambda progress: (puppet, ""), has_clock=False)
    with Engine(lambda text: None, kernels, Search_Algorithm="mcts") as engine:
        engine.wait_for_kernels()
        assert compiled.is_set() and "set_algorithm mcts" in puppet.calls
