"""Accessories that raise cost themselves, and never the search."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from boomslang.engine.books.opening_book import Book
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.engine import Engine
from boomslang.engine.limits import Limits
from boomslang.uci import debug_log
from boomslang.uci.output import Output
from boomslang.uci.protocol_engine import ProtocolEngine
from tests.support.places import SUITES

TABLES = SUITES / "syzygy"
ENDING = "8/8/8/8/8/4k3/8/4K2Q w - - 0 1"


def broken(*arguments: Any, **named: Any) -> Any:
    raise IndexError("tuple index out of range")


@pytest.mark.jit_only
@pytest.mark.skipif(not TABLES.is_dir(), reason="the tables are not here")
@pytest.mark.parametrize(
    ("accessory", "method", "name"),
    [
        (Book, "bad_moves", "the opening book"),
        (Book, "find_all", "the opening book"),
        (Tablebase, "rank", "the use of tablebases"),
        (Tablebase, "_let_probe_inside", "the use of tablebases"),
        (Tablebase, "_refresh", "the use of tablebases"),
    ],
)
def test_the_search_goes_on(
    accessory: type, method: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accessory, method, broken)
    book = tmp_path / "book"
    book.write_bytes(bytes(16))
    said: list[str] = []
    with Engine(said.append, OwnBook=True, BookFile=str(book), SyzygyPath=str(TABLES)) as engine:
        engine.tablebase.wait(60)
        engine.set_position(ENDING)
        for _ in range(2):
            result = engine.go(Limits(nodes=3000))
            assert result.best and result.info and result.info.nodes >= 1000
    assert [line for line in said if line.startswith("error: ")] == [
        f"error: {name} is switched off: IndexError 'tuple index out of range'"
    ]


@pytest.mark.jit_only
def test_a_listener_for_remarks_that_raises(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "boomslang")
    with ProtocolEngine(broken) as engine:
        for _ in range(2):
            engine.set_option("SyzygyPath", "/nowhere")
            assert engine.go(Limits(depth=4)).best
    said = [line.getMessage() for line in caplog.records if "/nowhere" in line.getMessage()]
    assert len(said) == 2
    assert caplog.text.count("the listener for remarks is switched off") == 1


def test_a_debug_log_that_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debug_log, "_lines", broken)
    output = Output(lambda data: written.append(data.decode()), lambda: None)
    written: list[str] = []
    output.log.begin(str(tmp_path / "log"))
    for _ in range(2):
        output.line("readyok")
        assert output.drain(60)
        output.report_log()
    assert output.drain(60)
    assert "".join(written).splitlines() == [
        "readyok",
        "info string error: the debug log is switched off: IndexError 'tuple index out of range'",
        "readyok",
    ]
