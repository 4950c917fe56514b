"""Where blocks of memory begin, and two ways in which Python sees the search's record."""

from __future__ import annotations

import gc
import re

import numpy as np
import pytest

from boomslang.core.board.position import POSITION, new_record
from boomslang.core.jit.memory import new_memory
from boomslang.engine.search.state import SEARCH, fields_of
from tests.support.places import ROOT


@pytest.mark.parametrize(
    ("size", "unit"),
    [(1, 64), (192, 64), ((1 << 18) - 1, 64), (1 << 18, 2 << 20), (5_000_000, 2 << 20)],
)
def test_memory_is_empty_and_begins_a_cache_line_or_a_huge_page(size: int, unit: int) -> None:
    blocks = [new_memory(size) for _ in range(3)]
    assert [block.size for block in blocks] == [size] * 3
    assert not any(block.any() for block in blocks)
    assert all(block.ctypes.data % unit == 0 for block in blocks)


def test_a_record_knows_its_memory() -> None:
    position = new_record(POSITION)
    position.board[:] = range(64)
    position.side = 1
    assert bytes(position.data) == position.tobytes()
    position.data[0] = 7
    assert int(position.by_type[0]) & 255 == 7


def test_a_part_of_a_record_knows_its_memory_too() -> None:
    search = new_record(SEARCH)
    search.position[3].key = 99
    assert np.frombuffer(search.position[3].data, POSITION)[0]["key"] == 99


def test_records_and_fields_are_the_same_memory() -> None:
    search = new_record(SEARCH)
    fields = fields_of(search)
    search.nodes, search.params.iir_depth = 17, 5
    search.position[2].key, search.pv[1][3] = 2**64 - 1, 4095
    assert (fields.nodes, fields.params.iir_depth) == (17, 5)
    assert (fields.position[2].key, fields.pv[1][3]) == (2**64 - 1, 4095)
    fields.deadline, fields.root_move[2] = -3, 77
    assert (int(search.deadline), int(search.root_move[2])) == (-3, 77)
    assert "record" not in (SEARCH.names or ())  # which the structure has besides


def test_fields_keep_their_memory() -> None:
    fields = fields_of(new_record(SEARCH))
    fields.stop = 7
    del fields.record
    gc.collect()
    others = [new_memory(SEARCH.itemsize) for _ in range(4)]
    for block in others:
        block.fill(255)
    assert fields.stop == 7


def test_fields_of_a_copy_are_refused() -> None:
    with pytest.raises(TypeError):
        fields_of(new_record(SEARCH).copy())


def test_what_is_asked_for_is_there() -> None:
    """A wrong name would be a new attribute of the structure, and no kernel would see it."""
    asked = {
        name
        for path in (ROOT / "engine").rglob("*.py")
        for name in re.findall(r"\bfields\.(\w+)", path.read_text(encoding="utf-8"))
        if path.parent.name == "search" or path.name in ("player.py", "root.py")
    }
    assert "root_best" in asked
    assert asked <= {*(SEARCH.names or ()), "record"}
