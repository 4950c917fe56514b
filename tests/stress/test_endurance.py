"""A little of what `make fuzz`, `damage` and `bounds` do at length."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.stress import bounds, damage
from tests.stress.bounds_games import KINDS
from tests.stress.fuzz import PROTOCOLS, fuzz
from tests.stress.parsers import PARSERS, fuzz_parser
from tests.stress.talks import small_tables

pytestmark = pytest.mark.jit_only


@pytest.fixture(autouse=True)
def shared_memory_is_spared() -> Iterator[None]:
    with small_tables():
        yield


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.slow
def test_parsers_refuse_and_never_break(name: str) -> None:
    assert fuzz_parser(name, seed=3, count=500) == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_input_does_harm(protocol: str) -> None:
    fuzz(protocol, seed=11, count=200, whole=False, journal=None)


def test_damaged_books_and_networks_are_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "MAX_SECONDS", 60.0)  # how long is a matter of the machine
    patient = damage.Patient()
    try:
        assert damage.damage_books(patient, count=3, seed=1) == []
        assert damage.damage_networks(patient, count=3, seed=1) == []
    finally:
        patient.talk.process.__exit__(None, None, None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_of_each_kind_is_played(kind: str) -> None:
    seen, findings = bounds.play_number((2, 1, kind))
    assert seen["games"] and not findings
