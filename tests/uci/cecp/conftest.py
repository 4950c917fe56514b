"""One engine process for all tests of CECP that leave it alive."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import pytest

from tests.support.process import CecpProcess

AFTER_E4 = chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")


@pytest.fixture(scope="package")
def shared() -> Iterator[CecpProcess]:
    with CecpProcess() as engine:
        engine.warm()
        yield engine
        engine.send("quit")
        assert engine.wait() == 0
        assert engine.errors() == ""


@pytest.fixture
def engine(shared: CecpProcess) -> Iterator[CecpProcess]:
    """The same, in a new game; afterwards nothing may be left over, and it still plays."""
    assert shared.ask("exit", "new", "easy", "nopost", "level 40 5 0") == []
    yield shared
    shared.ask("exit", "force", "easy", "nopost")
    assert shared.ask("new", "level 40 5 0") == []
    assert shared.move("sd 2", "usermove e2e4") in {move.uci() for move in AFTER_E4.legal_moves}
