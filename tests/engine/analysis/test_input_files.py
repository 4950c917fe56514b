"""The files of an analysis: folders stand for their games."""

from __future__ import annotations

from pathlib import Path

import pytest

from boomslang.cli.command_line import run
from boomslang.core.system.files import FileError
from boomslang.engine.analysis.input_files import game_files, usual_stem


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "club.2026"
    (folder / "more.pgn").mkdir(parents=True)
    for name in ("b.pgn", "A.PGN", "notes.txt"):
        (folder / name).write_text("1. e4 *\n")
    return Path("club.2026")


def test_a_folder_stands_for_its_games(club: Path) -> None:
    assert game_files([club, Path("other.txt")]) == [
        club / "A.PGN",
        club / "b.pgn",
        Path("other.txt"),
    ]


def test_earlier_results_are_no_games(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(club)
    here = [Path()]
    stem = usual_stem(here)
    Path(f"{stem}.pgn").write_text("1. e4 *\n")
    assert game_files(here, stem) == [Path("A.PGN"), Path("b.pgn")]
    stem.with_name("week.pgn").write_text("1. e4 *\n")
    assert game_files(here, Path("week")) == [Path("A.PGN"), Path("b.pgn")]


def test_results_beside_their_source_are_no_games(club: Path) -> None:
    for name in ("A-analysed", "club.2026-analysed", "b-and-1-more-analysed", "moved-analysed"):
        (club / f"{name}.pgn").write_text("1. e4 *\n")
    assert game_files([club]) == [club / "A.PGN", club / "b.pgn", club / "moved-analysed.pgn"]
    assert game_files([club / "A-analysed.pgn"]) == [club / "A-analysed.pgn"]


def test_where_nothing_else_lies_a_copy_is_read(tmp_path: Path) -> None:
    copy = tmp_path / f"{tmp_path.name}-analysed.pgn"
    copy.write_text("1. e4 *\n")
    assert game_files([tmp_path]) == [copy]


def test_a_folder_without_games(club: Path) -> None:
    with pytest.raises(FileError, match=r"'club.2026/more.pgn' has no file with the ending \.pgn"):
        game_files([club / "more.pgn"])


def test_names_of_the_results(club: Path) -> None:
    assert usual_stem([club]) == Path("club.2026-analysed")
    assert usual_stem([Path("games.pgn")]) == Path("games-analysed")
    assert usual_stem([club, Path("games.pgn")]) == Path("club.2026-and-1-more-analysed")


@pytest.mark.parametrize(
    "bad", [b"Prose.", b"", b"{[A", None], ids=["prose", "empty", "open", "loop"]
)
@pytest.mark.parametrize(
    "command",
    ["analyse {} --depth 1 --jobs 1 --formats json -o result", "summary {}", "exercises add {}"],
)
@pytest.mark.jit_only
def test_a_bad_file_is_left_out_of_a_folder(
    command: str, bad: bytes | None, club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = (
        '[White "A"]\n[Black "B"]\n\n1. e4 {[%eval 0.2]} e5 {[%eval 0.2]} '
        "2. Qh5 {[%eval -0.2]} g6?? {[%eval 3.9] Blunder. Nc6 was best.} (2... Nc6) *\n"
    )
    for name in ("b.pgn", "A.PGN"):
        (club / name).write_text(good)
    if bad is None:
        (club / "bad.pgn").symlink_to("bad.pgn")
    else:
        (club / "bad.pgn").write_bytes(bad)
    words = command.format(club).split()
    if words[0] == "exercises":
        words += ["--file", "exercises.json", "--player", "B"]
    assert run(words) == 1
    said = capsys.readouterr()
    left_out = [line for line in said.err.splitlines() if line.startswith("left out: ")]
    assert len(left_out) == 1 and "bad.pgn'" in left_out[0]
    assert "B" in said.out
    assert run([word.replace(str(club), str(club / "bad.pgn")) for word in words]) == 2
