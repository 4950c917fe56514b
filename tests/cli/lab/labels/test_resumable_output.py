"""The unfinished file of `boomslang label`, when its writer ends between any two of its steps."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from boomslang.cli.lab.labels.resumable_output import LabelProgress, open_output

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
def test_the_notes_of_older_versions_are_gone_on_with(rows: str, tmp_path: Path) -> None:
    done = LabelProgress(items=7, digest="d", size=5, good=6, bad=1)
    (tmp_path / "rows.csv.part").write_text(rows)
    notes = tmp_path / "rows.csv.part.json"
    told = {"version": 1, "settings": SETTINGS, "done": asdict(done)}
    notes.write_text(json.dumps(told) + "\n")
    path = tmp_path / "rows.csv"
    with open_output(path, SETTINGS) as store:
        assert store.done == done
        store.add("more\n", 8, "e", 1, 0)
    with open_output(path, SETTINGS) as store:
        assert store.done == LabelProgress(items=8, digest="e", size=10, good=7, bad=1)
        store.is_complete = True
    assert path.read_text() == "kept\nmore\n" and list(tmp_path.iterdir()) == [path]
