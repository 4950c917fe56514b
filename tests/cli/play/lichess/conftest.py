"""What the tests of the provider share."""

from __future__ import annotations

from functools import partial

import pytest

from boomslang.cli.play.lichess import provider
from boomslang.cli.play.lichess.backoff import Backoff


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Next attempts come soon."""
    monkeypatch.setattr(provider, "Backoff", partial(Backoff, first=0.02, longest=0.1))
