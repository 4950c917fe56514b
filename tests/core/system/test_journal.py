"""The journal of a run: what is added is kept, and nothing can be added where it would not be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from boomslang.core.system.files import FileError
from boomslang.core.system.journal import Journal

HEADER = {"run": 1}


def journal(path: Path | None) -> Journal[int]:
    def entry_of(line: Any, number: int) -> int:
        return int(line["n"])

    return Journal(path, HEADER, entry_of)


@pytest.mark.parametrize("name", ["kept", None])
def test_nothing_is_added_outside_of_the_block(name: str | None, tmp_path: Path) -> None:
    path = name and tmp_path / name
    kept = journal(path or None)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"the journal is not open: .*open\(\)"):
            kept.add({"n": 9}, 9)
        with kept.open() as again:
            again.add({"n": 1}, 1)
    assert kept.entries == [1, 1]
    if path:
        assert path.read_text() == '{"run": 1}\n' + 2 * '{"n": 1, "crc32": "aa0fd113"}\n'
        with journal(path).open() as other:
            assert other.entries == [1, 1] and list(other.contents()) == [{"n": 1}, {"n": 1}]


def test_a_block_that_fails_closes_the_journal(tmp_path: Path) -> None:
    kept = journal(tmp_path / "kept")
    with pytest.raises(KeyError), kept.open():
        kept.add({"n": 1}, 1)
        raise KeyError
    with pytest.raises(RuntimeError, match="not open"):
        kept.add({"n": 2}, 2)
    assert (tmp_path / "kept").read_text().count("\n") == 2


def test_a_flipped_bit_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    with journal(path).open() as kept:
        kept.add({"n": 10}, 10)
        kept.add({"n": 20}, 20)
    whole = path.read_text()
    path.write_text(whole.replace(" 20", " 30"))
    with pytest.raises(FileError, match="line 3 is damaged"):
        journal(path).check()
    path.write_text(whole.partition(', "crc')[0] + "}\n")  # written by hand
    with journal(path).open() as kept:
        assert kept.entries == [10]


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_full_disk_is_named_with_its_file(tmp_path: Path) -> None:
    """Where the space ends at any byte of a line: the half line is cut off when there is space again."""
    import resource

    before, path = resource.getrlimit(resource.RLIMIT_FSIZE), tmp_path / "kept"
    for space in (5, 30, 60):
        path.unlink(missing_ok=True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (space, before[1]))
        try:
            with (
                pytest.raises(FileError, match=f"^cannot write '{path}': "),
                journal(path).open() as kept,
            ):
                for number in range(9):
                    kept.add({"n": number}, number)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        with journal(path).open() as kept:
            assert len(kept.entries) == (space == 60)
            kept.add({"n": 7}, 7)
