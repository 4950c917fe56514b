"""The journal of a run: what is added is kept, and nothing can be added where it would not be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boomslang.core.system.journal import Journal

HEADER = {"run": 1}


def journal(path: Path | None) -> Journal[int]:
    def entry_of(line: Any, number: int) -> int:
        return int(line)

    return Journal(path, HEADER, entry_of, lambda kept: "another run")


@pytest.mark.parametrize("name", ["kept", None])
def test_nothing_is_added_outside_of_the_block(name: str | None, tmp_path: Path) -> None:
    path = name and tmp_path / name
    kept = journal(path or None)
    for _ in range(2):
        for act in (lambda: kept.add(9, 9), kept.clear):
            with pytest.raises(RuntimeError, match=r"the journal is not open: .*open\(\)"):
                act()
        with kept.open() as again:
            again.add(1, 1)
    assert kept.entries == [1, 1]
    if path:
        assert path.read_text() == '{"run": 1}\n1\n1\n'
        with journal(path).open() as other:
            assert other.entries == [1, 1]


def test_a_block_that_fails_closes_the_journal(tmp_path: Path) -> None:
    kept = journal(tmp_path / "kept")
    with pytest.raises(KeyError), kept.open():
        kept.add(1, 1)
        raise KeyError
    with pytest.raises(RuntimeError, match="not open"):
        kept.add(2, 2)
    assert (tmp_path / "kept").read_text() == '{"run": 1}\n1\n'
