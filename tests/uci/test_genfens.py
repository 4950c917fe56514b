"""`genfens`: openings for OpenBench, as it asks for them and long before the kernels are ready."""

from __future__ import annotations

import subprocess
from pathlib import Path

import chess
import pytest

from boomslang.engine.errors import CommandError
from boomslang.uci import parse
from boomslang.uci.genfens import openings
from boomslang.uci.parse import GenfensCommand
from tests.support.process import COMMAND

SEED = 2**64 - 1


def fens(count: int, seed: int = 1, book: str = "") -> list[str]:
    return list(openings(GenfensCommand(count, seed, book)))


def balance(board: chess.Board) -> int:
    values = (0, 1, 3, 3, 5, 9, 0)
    pieces = board.piece_map().values()
    return sum(values[piece.piece_type] * (1 if piece.color else -1) for piece in pieces)


@pytest.mark.parametrize("program", [[], ["setoption name Hash value 8"]])
def test_as_openbench_calls_it(program: list[str], tmp_path: Path) -> None:
    """With an empty cache, where kernels would take far longer than the 15 seconds that it waits."""
    cache = tmp_path / "cache"
    words = [*program, f"genfens 5 seed {SEED} book None ", "quit"]
    run = subprocess.run(
        [*COMMAND, *words], env={"BOOMSLANG_CACHE_DIR": str(cache)}, capture_output=True, text=True
    )
    prefix = "info string genfens "
    told = [line.removeprefix(prefix) for line in run.stdout.splitlines()]
    assert run.stdout.count(prefix) == 5 and told == fens(5, SEED)
    assert (run.returncode, run.stderr) == (0, "") and not cache.exists()


def test_openings_can_be_played_and_are_no_two_alike() -> None:
    found = fens(60)
    boards = [chess.Board(fen) for fen in found]
    assert len(set(found)) == 60
    assert all(board.is_valid() and not board.is_game_over() for board in boards)
    assert {board.ply() for board in boards} == {8, 9}
    assert all(len(fen.split()) == 6 for fen in found)
    assert sum(abs(balance(board)) <= 2 for board in boards) > 50  # the rest: something hangs


def test_the_seed_decides() -> None:
    assert fens(3) == fens(5)[:3] == fens(3)
    assert not set(fens(5)) & set(fens(5, SEED)) and not set(fens(5, SEED)) & set(fens(5, SEED - 1))


def test_a_book_is_where_they_begin(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    endings = [f"4k3/{8 - n}p{n - 1}/8/8/8/8/{8 - n}P{n - 1}/4K3".replace("0", "") for n in (1, 8)]
    lines = ["# a remark", "", "nonsense", "8/8/8/8/8/8/8/K1k5 w - - 0 1"]  # a draw
    lines += [f'{fen} w - - hmvc 0; fmvn 30; id "x";' for fen in endings]
    book.write_text("\n".join(lines))
    boards = [chess.Board(fen) for fen in fens(12, book=str(book))]
    assert all(board.fullmove_number < 10 and len(board.piece_map()) <= 4 for board in boards)
    assert {chess.square_file(square) for board in boards for square in board.pieces(1, True)} == {
        0, 7,
    }  # fmt: skip


def test_chess960_stays_chess960(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\n")
    assert any("HF" in fen for fen in fens(20, book=str(book)))


def test_a_book_of_millions_of_lines_is_not_read(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    with book.open("wb") as file:
        file.write(f"{chess.STARTING_FEN}\n".encode())
        file.truncate(1 << 33)  # a hole
    with pytest.raises(CommandError, match="no position in FEN or EPD"):
        fens(1, book=str(book))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "no such file"),
        ("", "no position in FEN or EPD"),
        ('[Event "PGN"]\n\n1. e4 e5 *\n', "no position in FEN or EPD"),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n", "no position in FEN or EPD"),  # mate
    ],
)
def test_books_that_are_none(content: str | None, told: str, tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    if content is not None:
        book.write_text(content)
    with pytest.raises(CommandError, match=told):
        fens(1, book=str(book))
    with pytest.raises(CommandError, match="is a folder"):
        fens(1, book=str(tmp_path))


@pytest.mark.parametrize(
    "words",
    ["", "5", "5 seed 1", "5 book None seed 1", "x seed 1 book None", "0 seed 1 book None",
     "5 seed x book None", "5 seed -1 book None", f"5 seed {10**20} book None"],
)  # fmt: skip
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(CommandError, match="genfens"):
        parse.genfens(words.split())


def test_words_behind_the_book_are_named() -> None:
    said = subprocess.run(
        [*COMMAND, "genfens 1 seed 7 book none deep 3"], capture_output=True, text=True
    ).stdout.splitlines()
    assert said[0] == "info string genfens: unknown words are passed over: 'deep 3'"
    assert len(said) == 2 and said[1].endswith(fens(1, 7)[0])
