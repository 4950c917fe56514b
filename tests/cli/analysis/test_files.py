"""Files of an analysis: PGN of strangers, and journals that were torn."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.analysis import journal, position
from cli.analysis.position import Evaluation, Position, Settings
from cli.analysis.reading import LONGEST_GAME, InputGame, read_games
from engine.system.files import FileProblem
from tests.support.analysed import ANNOTATED, material_evaluation


def read(path: Path, content: str | bytes) -> list[InputGame]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_games(path))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.pgn"


def test_lines_and_numbers(path: Path) -> None:
    games = read(path, "\n\n" + ANNOTATED + "\n" + ANNOTATED)
    assert [(entry.number, entry.line) for entry in games] == [(1, 3), (2, 13)]
    assert all(entry.analysable and not entry.problems for entry in games)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_encodings(path: Path, encoding: str) -> None:
    (entry,) = read(path, '[White "Müller"]\n\n1. e4 *\n'.encode(encoding))
    assert entry.game.headers["White"] == "Müller"


def test_line_ends(path: Path) -> None:
    (entry,) = read(path, ANNOTATED.replace("\n", "\r\n"))
    assert entry.game.end().ply() == 7


@pytest.mark.parametrize(
    "content", ["", "\n\n", "hello, world\n", b"\x7fELF\x00\x01\xff", "{" * 99]
)
def test_what_is_no_pgn(path: Path, content: str | bytes) -> None:
    with pytest.raises(FileProblem, match=r"games\.pgn"):
        read(path, content)


def test_an_illegal_move_ends_a_game(path: Path) -> None:
    first, second = read(path, "1. e4 e5 2. Ke3 Nf6 *\n\n1. d4 *\n")
    assert first.game.end().ply() == 2 and first.analysable
    assert "Ke3" in first.problems[0]
    assert not second.problems


@pytest.mark.parametrize(
    "moves", ["1. e4 e5 2. c6) 2. c4 dxc4 *", "1. d4 d5 (1... Nf6 2. Qd8 g6) 2. c4 dxc4 *"]
)
def test_what_follows_an_illegal_move_is_left_out(path: Path, moves: str) -> None:
    (entry,) = read(path, f"{moves}\n")
    assert len(entry.problems) == 1
    assert entry.game.end().ply() == 2 and str(entry.game)


def test_only_regular_files_are_read() -> None:
    with pytest.raises(FileProblem, match="not a regular file"):
        list(read_games(Path("/dev/zero")))


@pytest.mark.parametrize(
    ("headers", "problem"),
    [
        ('[Variant "Atomic"]', "Atomic"),
        ('[Variant "Calvinball"]', "Calvinball"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', "no king"),
        ('[FEN "nonsense"]', "nonsense"),
        ('[FEN "4k3/8/8/8/8/8/8/QQQQKQQQ b - - 0 99999999999"]', ""),
    ],
)
def test_games_that_cannot_be_played(path: Path, headers: str, problem: str) -> None:
    first, second = read(path, f"{headers}\n\n1. e4 *\n\n1. d4 *\n")
    assert problem in " ".join(first.problems)
    assert second.analysable and not second.problems


def test_a_game_without_end(path: Path) -> None:
    with pytest.raises(FileProblem, match=r"games\.pgn':1: a game of more than"):
        read(path, "1. e4 { " + "long " * (LONGEST_GAME // 5) + "} e5 *\n")


def test_deep_variations_are_left_out(path: Path) -> None:
    (entry,) = read(path, "1. e4 " + "( 1. d4 " * 1000 + ")" * 1000 + " 1... e5 *\n")
    assert [str(problem) for problem in entry.problems] == ["variations nested deeper than 200"]
    assert [move.uci() for move in entry.game.mainline_moves()] == ["e2e4", "e7e5"]


# The journal

START = Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ())
FOUND = material_evaluation(START)


def filled(path: Path, number: int) -> dict[str, Evaluation]:
    with journal.opened(path) as kept:
        for index in range(number):
            kept.add(f"key{index}", FOUND)
        return dict(kept.results)


def test_a_journal_is_continued(path: Path) -> None:
    filled(path, 3)
    with journal.opened(path) as kept:
        assert kept.results == {f"key{index}": FOUND for index in range(3)}
        kept.add("more", FOUND)
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


def test_rubbish_in_a_journal_is_cut_off(path: Path) -> None:
    for rubbish in (
        b"\x00" * 50 + b"\n",
        b'{"key": 1}\n',
        b"[]\n",
        b'{"key":"a","lines":[],"nodes":1}\n',
    ):
        path.unlink(missing_ok=True)
        filled(path, 2)
        path.write_bytes(path.read_bytes() + rubbish)
        assert len(filled(path, 0)) == 2


def test_other_files_are_not_overwritten(path: Path) -> None:
    path.write_text("my diary", encoding="utf-8")
    with pytest.raises(journal.NotAJournal):
        filled(path, 1)
    assert path.read_text(encoding="utf-8") == "my diary"


def test_one_writer_only(path: Path) -> None:
    with journal.opened(path), pytest.raises(FileProblem, match="another command"):
        filled(path, 1)


def test_a_key_names_all_that_matters() -> None:
    other = Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1 1", ())
    moved = Position(START.fen, ("g1f3",))
    settings = [
        Settings(nodes=1),
        Settings(nodes=2),
        Settings(depth=1),
        Settings(nodes=1, multipv=2),
    ]
    keys = {START.key(chosen) for chosen in settings}
    keys |= {other.key(settings[0]), moved.key(settings[0])}
    assert len(keys) == 6
    assert START.key(settings[0]) == Position(START.fen, ()).key(Settings(nodes=1))


def test_a_key_names_the_network_too(request: pytest.FixtureRequest) -> None:
    usual = START.key(Settings(nodes=1))
    position._engine.cache_clear()
    request.getfixturevalue("broken_installation")
    assert START.key(Settings(nodes=1)) != usual
    position._engine.cache_clear()
