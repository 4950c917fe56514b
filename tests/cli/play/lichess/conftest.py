"""What the tests of the provider share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boomslang.cli.play.lichess import provider
from tests.support.lichess_server import MockLichess


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Next attempts come soon."""
    monkeypatch.setattr(provider, "FIRST_WAIT", 0.02)


@pytest.fixture
def server() -> Iterator[MockLichess]:
    """A server of Lichess that does as it is told."""
    with MockLichess() as started:
        yield started
