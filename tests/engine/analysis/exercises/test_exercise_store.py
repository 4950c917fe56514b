"""The file of exercises: whole after any interruption, one writer at a time."""

from __future__ import annotations

import datetime
import json
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from boomslang.core.system.files import FileError, sole_writer
from boomslang.engine.analysis.exercises import exercise_store
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.analysis.exercises.session import ExerciseSession
from tests.support.exercises import en_passant, mate_in_one

TODAY = datetime.date(2026, 2, 27)


def test_a_new_file(tmp_path: Path) -> None:
    file = ExerciseFile(tmp_path / "new" / "exercises.json")
    assert file.read() == []
    assert file.add([mate_in_one(), en_passant(), mate_in_one()]) == 2
    assert file.read() == [mate_in_one(), en_passant()]
    assert {path.name for path in file.path.parent.iterdir()} == {
        "exercises.json",
        "exercises.json.lock",  # kept: removing it would let two others in
    }


def test_what_was_answered_stays_when_games_are_added_again(tmp_path: Path) -> None:
    file = ExerciseFile(tmp_path / "exercises.json")
    file.add([mate_in_one()])
    file.update(mate_in_one().name, lambda kept: kept.record_answer(False, TODAY))
    assert file.add([mate_in_one(), en_passant()]) == 1
    first, second = file.read()
    assert first.wrong == 1 and first.due == datetime.date(2026, 2, 28)
    assert second == en_passant()
    file.update("unknown", lambda kept: kept.record_answer(True, TODAY))
    assert file.read() == [first, second]


@pytest.mark.parametrize(
    "content", ["", "[]", '{"format": 9}', "{" * 9999, '{"format": 1, "exercises": [{}]}']
)
def test_other_files_are_left_alone(content: str, tmp_path: Path) -> None:
    file = ExerciseFile(tmp_path / "exercises.json")
    file.path.write_text(content)
    with pytest.raises(FileError, match="is not a file of exercises, or damaged"):
        file.add([mate_in_one()])
    assert file.path.read_text() == content


def test_the_damaged_entry_is_named(tmp_path: Path) -> None:
    file = ExerciseFile(tmp_path / "exercises.json")
    file.add([mate_in_one(), en_passant()])
    data = json.loads(file.path.read_text())
    data["exercises"][1]["step"] = -6
    file.path.write_text(json.dumps(data))
    with pytest.raises(FileError, match=r"exercises\.json' is .* damaged: exercise 2, 'step -6: "):
        file.read()


def test_what_every_second_player_finds_comes_first(tmp_path: Path) -> None:
    file = ExerciseFile(tmp_path / "exercises.json")
    easy, other = replace(mate_in_one(), found=0.95), en_passant()
    file.add([easy, other])
    assert ExerciseSession(file).next() == other
    file.add([replace(easy, found=0.4), other])
    assert (first := ExerciseSession(file).next()) and first.found == 0.4
    file.path.write_text(file.path.read_text().replace("0.4", "40"))
    with pytest.raises(FileError, match=r"exercise 1, 'found "):
        file.read()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    file = ExerciseFile(tmp_path / "exercises.json")
    file.add([mate_in_one()])
    with sole_writer(file.path), pytest.raises(FileError, match="another command is writing"):
        file.add([en_passant()])
    assert file.read() == [mate_in_one()]


def test_two_that_write_at_once_both_succeed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(exercise_store, "_WRITE_TIMEOUT", 60.0)  # a busy machine writes slowly
    file = ExerciseFile(tmp_path / "exercises.json")
    file.add([mate_in_one()])
    name = mate_in_one().name

    def answer() -> None:
        for _ in range(10):
            file.update(name, lambda kept: kept.record_answer(False, TODAY))

    threads = [threading.Thread(target=answer) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert file.read()[0].wrong == 20


def test_an_error_in_a_change_changes_nothing(tmp_path: Path) -> None:
    file = ExerciseFile(tmp_path / "exercises.json")
    file.add([mate_in_one()])
    before = file.path.read_bytes()
    with pytest.raises(ZeroDivisionError):
        file.update(mate_in_one().name, lambda kept: kept.record_answer(bool(1 // 0), TODAY))
    assert file.path.read_bytes() == before


def test_the_users_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("other systems have other folders")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert ExerciseFile().path == tmp_path / "boomslang" / "exercises.json"
