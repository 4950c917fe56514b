"""The unfinished file of `boomslang label`, when its writer ends between any two of its steps."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from zlib import crc32

import pytest

from boomslang.cli.lab.labels.resumable_output import LabelProgress, open_output
from boomslang.core.system.files import FileError

SETTINGS = {"nodes": 5}


class Killed(BaseException):
    """Nothing after this is done."""


@pytest.mark.parametrize("step", ["open", "save"])
@pytest.mark.parametrize("items", [0, 3])
def test_it_goes_on_wherever_it_was_ended(
    step: str, items: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.csv"
    with open_output(path, SETTINGS) as store:
        store.add("head\n", items, "", items, 0)

    def end(*arguments: object, **options: object) -> None:
        raise Killed

    with pytest.raises(Killed), monkeypatch.context() as patch:
        if step == "open":
            original = Path.open

            def open_and_end(place: Path, *arguments: object) -> object:
                if place.name.endswith(".part"):
                    original(place, *arguments).close()  # type: ignore[call-overload]
                    raise Killed
                return original(place, *arguments)  # type: ignore[call-overload]

            patch.setattr(Path, "open", open_and_end)
        else:
            patch.setattr("boomslang.cli.lab.labels.resumable_output.ResumableOutput.save", end)
        with open_output(path, SETTINGS) as store:
            store.add("row\n", items + 1, "", items + 1, 0)
    with open_output(path, SETTINGS) as store:
        assert store.done.items == items
        assert (store.done.size > 0) == (items > 0)


@pytest.mark.parametrize("rows", ["kept\n", "kept\nhalf a r"])
def test_rows_that_the_notes_do_not_know_are_written_again(rows: str, tmp_path: Path) -> None:
    path, done = tmp_path / "rows.csv", LabelProgress(7, "d", 5, crc32(b"kept\n"), 6, 1)
    with open_output(path, SETTINGS) as store:
        store.add("kept\n", 7, "d", 6, 1)
    (tmp_path / "rows.csv.part").write_text(rows)
    with open_output(path, SETTINGS) as store:
        assert store.done == done
        store.add("more\n", 8, "e", 1, 0)
        store.is_complete = True
    assert path.read_text() == "kept\nmore\n" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("place", [0, 3, 8])
def test_a_flipped_bit_in_a_row_is_noticed(place: int, tmp_path: Path) -> None:
    path, part = tmp_path / "rows.csv", tmp_path / "rows.csv.part"
    for number, row in enumerate(("first\n", "second\n")):
        with open_output(path, SETTINGS) as store:
            store.add(row, number + 1, "d", 1, 0)
    rows = bytearray(part.read_bytes())
    rows[place] ^= 1
    part.write_bytes(rows)
    with pytest.raises(FileError, match="damaged; delete it"):
        open_output(path, SETTINGS).__enter__()
    assert part.read_bytes() == rows


def test_notes_of_another_form_are_refused(tmp_path: Path) -> None:
    part, notes = tmp_path / "rows.csv.part", tmp_path / "rows.csv.part.json"
    part.write_text("kept\n")
    done = asdict(LabelProgress(items=7, digest="d", size=5))
    notes.write_text(json.dumps({"version": 2, "settings": SETTINGS, "done": done}) + "\n")
    with pytest.raises(FileError, match="damaged, or no journal of this command; delete it"):
        open_output(tmp_path / "rows.csv", SETTINGS).__enter__()
    assert part.read_text() == "kept\n"
