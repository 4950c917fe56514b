"""Opening books: made from games, read by python-chess, played, and refused when damaged."""

from __future__ import annotations

import os
import random
import struct
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot
import pytest

from boomslang.cli.lab.books import command
from boomslang.cli.terminal.arguments import BAD_USAGE
from boomslang.core.jit.jit import load_kernels
from boomslang.core.system.files import FileError
from boomslang.engine.books.book_builder import Collection, raw_move, write
from boomslang.engine.books.book_settings import BookSettings
from boomslang.engine.books.opening_book import Book, OpeningBook
from boomslang.engine.games.reader import PgnReader
from tests.support.uci_conversation import Conversation

GAMES = """\
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2450"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 (3. Bb5 a6) 3... Bc5 4. O-O Nf6 1-0

[Result "0-1"]
[WhiteElo "2500"]
[BlackElo "1900"]

1. e4 c5 2. Nf3 0-1

[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nf6 1/2-1/2

[Result "1-0"]

1. d4 d5 2. Ke4 1-0

[Variant "Atomic"]
[Result "1-0"]

1. Nf3 f6 1-0
"""


def collected(text: str, filters: BookSettings) -> Collection:
    collection = Collection(filters)
    load_kernels()
    for games in PgnReader(text.encode()).batches():
        collection.read(games)
    return collection


def book_of(path: Path, *entries: tuple[chess.Board, str, int]) -> Path:
    """A book with these moves; they need not be legal."""
    packed = []
    for board, name, weight in entries:
        move = chess.Move.from_uci(name)
        raw = move.from_square << 6 | move.to_square
        packed.append((chess.polyglot.zobrist_hash(board), raw, weight))
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry, 0) for entry in sorted(packed)))
    return path


def at(moves: str) -> chess.Board:
    board = chess.Board()
    for name in moves.split():
        board.push_san(name)
    return board


def entries_at(book: chess.polyglot.MemoryMappedReader, board: chess.Board) -> dict[str, int]:
    return {entry.move.uci(): entry.weight for entry in book.find_all(board)}


def test_games_are_counted_for_the_side_that_moved(tmp_path: Path) -> None:
    collection = collected(GAMES, BookSettings(min_games=1))
    assert (collection.games, collection.passed_over, collection.damaged) == (3, 0, 2)
    write(tmp_path / "book.bin", collection.entries())
    with chess.polyglot.open_reader(tmp_path / "book.bin") as book:
        assert entries_at(book, chess.Board()) == {"e2e4": 3}  # a win, a draw, a loss
        assert entries_at(book, at("e4")) == {"c7c5": 2, "e7e5": 1}
        assert entries_at(book, at("e4 e5 Nf3 Nc6")) == {"f1c4": 2}  # no variations
        assert entries_at(book, at("e4 e5 Nf3 Nc6 Bc4 Bc5")) == {"e1g1": 2}
        assert entries_at(book, at("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O")) == {}  # lost: no points


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        (BookSettings(min_games=2), {"e2e4": 3}),
        (BookSettings(min_games=4), {}),
        (BookSettings(min_games=1, min_score=50), {"e2e4": 3}),
        (BookSettings(min_games=1, min_score=51), {}),
        (BookSettings(min_games=1, min_rating=2400), {"e2e4": 2}),
    ],
)
def test_filters(filters: BookSettings, left: dict[str, int], tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    write(path, collected(GAMES, filters).entries())
    with chess.polyglot.open_reader(path) as book:
        assert entries_at(book, chess.Board()) == left


def test_plies_bound_the_book() -> None:
    entries = collected(GAMES, BookSettings(min_games=1, plies=1)).entries()
    assert {key for key, _, _ in entries} == {chess.polyglot.zobrist_hash(chess.Board())}


def test_heavy_moves_are_scaled_to_sixteen_bits() -> None:
    collection = collected(GAMES, BookSettings(min_games=1))
    for records in collection.moves.values():
        for record in records.values():
            record.points *= 50_000
    weights = [weight for _, _, weight in collection.entries()]
    assert max(weights) == 65535 and min(weights) >= 1


def test_a_move_is_spelled_as_polyglot_does() -> None:
    castling = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert raw_move(castling, chess.Move.from_uci("e1g1")) == chess.E1 << 6 | chess.H1
    assert raw_move(castling, chess.Move.from_uci("e1c1")) == chess.E1 << 6 | chess.A1
    promotion = chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert raw_move(promotion, chess.Move.from_uci("a7a8q")) == 4 << 12 | chess.A7 << 6 | chess.A8


def test_python_chess_reads_every_move_of_own_games(tmp_path: Path) -> None:
    source = random.Random(4)
    text, played = [], Counter[tuple[str, str]]()
    for result, points in [("1-0", (2, 0)), ("0-1", (0, 2)), ("1/2-1/2", (1, 1))] * 6:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 60:
            move = source.choice(list(board.legal_moves))
            if points[board.ply() % 2]:
                played[board.epd(en_passant="legal"), move.uci()] += points[board.ply() % 2]
            board.push(move)
        game = chess.pgn.Game.from_board(board)
        game.headers["Result"] = result
        text.append(f"{game}\n\n")
    path = tmp_path / "book.bin"
    write(path, collected("".join(text), BookSettings(min_games=1, plies=60)).entries())
    with chess.polyglot.open_reader(path) as book:
        assert len(book) == len(played)
        for (epd, name), weight in played.items():
            assert entries_at(book, chess.Board(f"{epd} 0 1"))[name] == weight


def test_the_engine_plays_from_its_book(tmp_path: Path) -> None:
    path = tmp_path / "a book.bin"
    write(path, collected(GAMES, BookSettings(min_games=1)).entries())
    talk = Conversation()
    assert talk.ask(f"setoption name BookFile value {path}") == [
        f"info string opening book '{path}': 7 entries"
    ]
    talk.send("go depth 1")
    assert "book" not in talk.until("bestmove")[0]  # nobody wants it yet
    talk.ask("setoption name OwnBook value true", "setoption name Best Book Move value true")
    talk.send("position startpos moves e2e4", "go movetime 10")
    told = talk.until("bestmove")
    assert told[0] == "info string book move c7c5, weight 2 of 3"
    assert told[-2].startswith("info depth 1 ") and " score cp 0 " in told[-2]
    assert told[-2].endswith(" pv c7c5") and told[-1] == "bestmove c7c5"
    talk.send("position startpos", "go movetime 10")
    assert talk.until("bestmove")[-1] == "bestmove e2e4 ponder c7c5"
    assert not talk.puppet.asked[1:]

    talk.send("go depth 1 searchmoves a2a3")
    assert "book" not in talk.until("bestmove")[0]
    talk.send("go infinite", "stop")
    assert "book" not in talk.until("bestmove")[0]
    talk.send("go mate 3 depth 1")
    assert "book" not in talk.until("bestmove")[0]
    talk.ask("setoption name UCI_AnalyseMode value true")
    talk.send("go depth 1")
    assert "book" not in talk.until("bestmove")[0]
    talk.ask("setoption name UCI_AnalyseMode value false", "setoption name Book Depth value 1")
    talk.send("position startpos moves e2e4 e7e5", "go depth 1")
    assert "book" not in talk.until("bestmove")[0]


def test_weights_and_the_seed_decide(tmp_path: Path) -> None:
    board = chess.Board()
    path = book_of(
        tmp_path / "b",
        (board, "e2e4", 6),
        (board, "d2d4", 3),
        (board, "c2c4", 1),
        (board, "a2a3", 0),
    )
    book = OpeningBook()
    book.use(True)
    book.open(str(path))
    chosen = [book.move(board, str(game)) for game in range(1000)]
    counts = Counter(move.best.uci() for move in chosen if move)
    assert counts.keys() == {"e2e4", "d2d4", "c2c4"}
    assert 520 < counts["e2e4"] < 680 and 50 < counts["c2c4"] < 160
    assert chosen[:50] == [book.move(board, str(game)) for game in range(50)]
    book.best_only(True)
    assert {str(book.move(board, str(game))) for game in range(20)} == {
        str(book.move(board, "the same"))
    }
    assert book.move(at("h4"), "0") is None


def test_an_illegal_entry_is_named_and_not_played(tmp_path: Path) -> None:
    board = chess.Board()
    path = book_of(tmp_path / "book", (board, "e2e5", 900), (board, "0000", 9), (board, "g1f3", 1))
    talk = Conversation()
    talk.ask(f"setoption name BookFile value {path}", "setoption name OwnBook value true")
    talk.send("go depth 1")
    told = talk.until("bestmove")
    assert told[0].startswith("info string error: the opening book is damaged: ")
    assert told[-1] == "bestmove g1f3"
    talk.send("go depth 1")
    assert "damaged" not in " ".join(talk.until("bestmove"))  # once is enough
    assert command.main(["check", str(path)]) == command.FOUND_WRONG
    assert command.main(["show", str(path)]) == command.FOUND_WRONG


@pytest.mark.parametrize("origin", [chess.A7, chess.H1, chess.B6])
def test_any_sixteen_bits_are_a_legal_move_or_a_bad_one(origin: int, tmp_path: Path) -> None:
    board = chess.Board("1n5k/P7/1r6/8/8/8/8/4K2R w K - 0 1")
    legal = {raw_move(board, move) for move in board.legal_moves}
    key = chess.polyglot.zobrist_hash(board)
    path = tmp_path / "book"
    for code in range(16):
        moves = [code << 12 | origin << 6 | target for target in range(64)]
        path.write_bytes(b"".join(struct.pack(">QHHI", key, raw, raw & 1, 0) for raw in moves))
        wrong = [raw for raw in moves if raw not in legal]
        assert len(Book(path).bad_moves(board)) == len(wrong)
        book = OpeningBook()
        book.use(True)
        book.open(str(path))
        assert (book.complaint(board) is None) == (not wrong)
        for best_only in (True, False):
            book.best_only(best_only)
            found = book.move(board, "seed")
            assert found is None or raw_move(board, found.best) in legal.intersection(moves)


@pytest.mark.parametrize("best_only", [True, False])
def test_no_book_move_repeats_a_position_the_third_time(best_only: bool, tmp_path: Path) -> None:
    board = at("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")
    path = book_of(tmp_path / "book", (board, "f6g8", 9), (board, "e7e5", 1))
    book = OpeningBook()
    book.use(True)
    book.best_only(best_only)
    book.open(str(path))
    chosen = [book.move(board, str(seed)) for seed in range(20)]
    assert {move.best.uci() for move in chosen if move} == {"e7e5"}
    assert {(move.weight, move.total) for move in chosen if move} == {(1, 1)}
    book.open(str(book_of(path, (board, "f6g8", 9))))
    assert book.move(board, "0") is None
    assert board == at("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")


def damaged(path: Path) -> dict[str, Path]:
    """Files that are no books, by what is wrong with them."""
    order = path / "order"
    order.write_bytes(struct.pack(">QHHI", 9, 1, 1, 0) + struct.pack(">QHHI", 8, 1, 1, 0))
    flood = path / "flood"
    flood.write_bytes(struct.pack(">QHHI", 9, 1, 1, 0) * 1000)
    half = path / "half"
    half.write_bytes(bytes(24))
    empty = path / "empty"
    empty.touch()
    large = path / "large"
    with large.open("wb") as file:
        file.truncate(1 << 40)
    names = {"missing": path / "nowhere", "order": order, "half": half, "empty": empty}
    names |= {"folder": path, "large": large, "flood": flood}
    if hasattr(os, "mkfifo"):
        os.mkfifo(path / "pipe")
        names["pipe"] = path / "pipe"
    if Path("/dev/zero").exists():
        names["device"] = Path("/dev/zero")
    return names


def test_what_is_no_book_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk = Conversation()
    talk.ask("setoption name OwnBook value true")
    for kind, path in damaged(tmp_path).items():
        told = talk.ask(f"setoption name BookFile value {path}")
        assert len(told) == 1 and told[0].startswith("info string error: no opening book: "), kind
        talk.send("go depth 1")
        assert talk.until("bestmove")[-1] != "bestmove (none)"
        with pytest.raises(FileError):
            Book(path)
        assert command.main(["show", str(path)]) == BAD_USAGE
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert talk.ask("setoption name BookFile value <empty>") == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "nowhere.pgn", "-o", "book.bin"],
        ["build", "games.pgn", "-o", "nowhere/book.bin"],
        ["build", "games.pgn", "-o", "games.pgn"],
        ["build", "games.pgn", "-o", "book.bin", "--min-score", "101"],
        ["show", "book.bin", "--fen", "8/8/8 w"],
        [],
    ],
)
def test_bad_arguments(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(GAMES, "ascii")
    book_of(tmp_path / "book.bin", (chess.Board(), "e2e4", 1))
    assert command.main(arguments) == BAD_USAGE
    assert (tmp_path / "games.pgn").read_text("ascii") == GAMES


def test_nothing_is_written_where_nothing_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, book = tmp_path / "games.pgn", tmp_path / "book.bin"
    games.write_text(GAMES, "ascii")
    assert command.main(["build", str(games), "-o", str(book), "--min-games", "9"]) == 1
    assert not book.exists() and "no book written" in capsys.readouterr().err
    assert command.main(["build", str(games), "-o", str(book)]) == 1  # two games are damaged
    said = capsys.readouterr().err.splitlines()
    assert said == [
        f"{games}:17: game 4: illegal move: 2. Ke4",
        f"{games}:21: game 5: the variant Atomic is not supported",
    ]
    games.write_text(GAMES[: GAMES.index('[Result "1-0"]\n\n1. d4')], "ascii")
    assert command.main(["build", str(games), "-o", str(book)]) == 0
    for move in ("e2e4", "E2E4", "e4"):
        assert command.main(["show", str(book), "--moves", move]) == 0
        assert "e5 (e7e5)" in capsys.readouterr().out
    assert command.main(["show", str(book), "--moves", "e4", "Ke2"]) == 2
    assert "--moves: illegal move: 1... Ke2" in capsys.readouterr().err
