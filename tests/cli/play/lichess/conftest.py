"""What the tests of the provider share."""

from __future__ import annotations

import pytest

from boomslang.cli.play.lichess import provider


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Next attempts come soon."""
    monkeypatch.setattr(provider, "FIRST_WAIT", 0.02)
