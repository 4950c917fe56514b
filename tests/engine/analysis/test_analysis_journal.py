"""Journals of an analysis that were torn."""

from __future__ import annotations

from pathlib import Path

import pytest

from boomslang.core.system.files import FileError
from boomslang.core.system.journal import JournalError
from boomslang.engine.analysis import segment
from boomslang.engine.analysis.analysis_journal import add_result, analysis_journal
from boomslang.engine.analysis.segment import Evaluations, Segment
from boomslang.engine.analyst import AnalysedPosition
from boomslang.engine.search_settings import AnalysisSettings
from tests.support.analysed import material_evaluation


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.journal"


FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
START = Segment(AnalysedPosition(FEN, ()), ("e2e4",))
FOUND = tuple(map(material_evaluation, START.boards()))


def filled(path: Path, number: int) -> dict[str, Evaluations]:
    with analysis_journal(path).open() as kept:
        for index in range(number):
            add_result(kept, f"key{index}", FOUND)
        return dict(kept.entries)


def test_a_journal_is_continued(path: Path) -> None:
    filled(path, 3)
    with analysis_journal(path).open() as kept:
        assert dict(kept.entries) == {f"key{index}": FOUND for index in range(3)}
        add_result(kept, "more", FOUND)
    assert len(filled(path, 0)) == 4
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_a_torn_journal_loses_its_last_entry_at_most(path: Path) -> None:
    filled(path, 3)
    content = path.read_bytes()
    starts = [index for index in range(len(content) + 1) if content[:index].endswith(b"\n")]
    near = {start + offset for start in starts for offset in (-2, -1, 0, 1, 40)}
    for length in sorted(near & set(range(len(content)))):
        path.write_bytes(content[:length])
        whole = max(sum(start <= length for start in starts) - 1, 0)
        assert len(filled(path, 0)) == whole
        assert set(filled(path, 3)) == {"key0", "key1", "key2"}
        assert path.read_bytes().startswith(content[: starts[whole]])


def test_an_invalid_end_of_a_journal_is_cut_off(path: Path) -> None:
    for rubbish in (
        b"\x00" * 50 + b"\n",
        b'{"key": 1}\n',
        b"[]\n",
        b'{"key":"a","positions":[]}\n',
        b'{"key":"a","lines":[{"centipawns":0}],"nodes":1}\n',  # of an earlier version
        b'{"key":"a","positions":[{"lines":[],"nodes":1,"first_choice":null}]}\n',
    ):
        path.unlink(missing_ok=True)
        filled(path, 2)
        path.write_bytes(path.read_bytes() + rubbish)
        assert len(filled(path, 0)) == 2


def test_other_files_are_not_overwritten(path: Path) -> None:
    path.write_text("my diary", encoding="utf-8")
    with pytest.raises(JournalError, match="or no journal of this command"):
        filled(path, 1)
    assert path.read_text(encoding="utf-8") == "my diary"


def test_one_writer_only(path: Path) -> None:
    with analysis_journal(path).open(), pytest.raises(FileError, match="another command"):
        filled(path, 1)


def test_a_key_names_all_that_matters() -> None:
    others = [
        Segment(AnalysedPosition(FEN.replace(" 0 1", " 1 1"), ()), ("e2e4",)),
        Segment(AnalysedPosition(FEN, ("g1f3",)), ("e7e5",)),
        Segment(AnalysedPosition(FEN, ()), ("d2d4",)),
        Segment(AnalysedPosition(FEN, ()), ("e2e4",), avoided="d2d4"),
    ]
    settings = [
        AnalysisSettings(nodes=1),
        AnalysisSettings(nodes=2),
        AnalysisSettings(depth=1),
        AnalysisSettings(nodes=1, multipv=2),
    ]
    keys = {START.key(chosen) for chosen in settings}
    keys |= {other.key(settings[0]) for other in others}
    assert len(keys) == 8
    same = Segment(AnalysedPosition(FEN, ()), ("e2e4",))
    assert START.key(settings[0]) == same.key(AnalysisSettings(nodes=1))


def test_a_key_names_the_network_too(request: pytest.FixtureRequest) -> None:
    usual = START.key(AnalysisSettings(nodes=1))
    segment.engine_key.cache_clear()
    request.getfixturevalue("broken_installation")
    assert START.key(AnalysisSettings(nodes=1)) != usual
    segment.engine_key.cache_clear()
