"""`boomslang book`: builds, shows and checks Polyglot opening books."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.arguments import (
    BAD_USAGE,
    Parser,
    board_of,
    check_outputs,
    with_arguments,
)
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.output import complain, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import FileError, is_file, open_file
from boomslang.engine.books.book_settings import BookSettings
from boomslang.engine.errors import refuse_errors

if TYPE_CHECKING:
    from boomslang.engine.books.book_builder import Collection

OK, FOUND_WRONG = 0, 1
_BATCH: Final = 500  # games
_MAX_TOLD: Final = 1000  # damaged games reported one by one
_MAX_SHOWN: Final = 20  # illegal entries

_EXAMPLES: Final = """\
examples:
  boomslang book build games.pgn -o book.bin
  boomslang book build *.pgn -o book.bin --min-games 5 --min-score 40 --min-rating 2200 --plies 30
  boomslang book show book.bin --moves e2e4 e7e5
  boomslang book check book.bin

The engine uses a book with the UCI options OwnBook and BookFile. Games with errors are reported and not used;
the exit status of build is then 1, as it is if no move passes the filters.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang book", "Opening books in the Polyglot format.", _EXAMPLES)
    words = parser.add_subparsers(dest="word", required=True, metavar="build | show | check")
    build = words.add_parser("build", help="book from games")
    build.option("games GAMES.pgn", Path, "PGN files of games", nargs="+")
    build.option("-o --out FILE", Path, "book file to write", required=True)
    add_settings(build, BookSettings)

    show = words.add_parser("show", help="book moves of a position")
    show.option("book BOOK", Path, "Polyglot book file")
    show.add_argument("--fen", help="position, in quotes (the start position)")
    show.option("--moves MOVE", str, "moves played from the position", default=[], nargs="+")

    check = words.add_parser("check", help="validity of all entries of a book")
    check.option("book BOOK", Path, "Polyglot book file")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    words = {"build": _build, "show": _show, "check": _check}
    return words[arguments.word](arguments)


def _build(arguments: argparse.Namespace) -> int:
    from boomslang.engine.books.book_builder import Collection, write
    from boomslang.engine.notation.text import MAX_BYTES

    check_outputs(arguments.out, sources=arguments.games)
    collection = Collection(read_settings(BookSettings, arguments))
    for path in arguments.games:
        open_file(path, MAX_BYTES).close()  # reports missing files before the work begins
    left_out = 0
    for path in arguments.games:
        try:
            _read(path, collection)
        except FileError as problem:  # the other files are still read
            complain(f"boomslang book: {problem}")
            left_out += 1
    say(
        f"{collection.games} games used, {collection.passed_over} filtered out, "
        f"{collection.damaged} damaged"
    )
    if collection.damaged > _MAX_TOLD:
        complain("further damaged games are only counted")
    entries = collection.entries()
    if not entries:
        complain("boomslang book: no move passes the filters; no book written")
        return FOUND_WRONG
    write(arguments.out, entries)
    positions = len({key for key, _, _ in entries})
    say(f"{arguments.out}: {len(entries)} moves in {positions} positions")
    return FOUND_WRONG if collection.damaged or left_out else OK


def _read(path: Path, collection: Collection) -> None:
    from boomslang.engine.games.reader import PgnReader

    load_kernels()
    with progress(path.name, None) as advance:
        for games in PgnReader(path).batches(_BATCH):
            told = _MAX_TOLD - collection.damaged
            for index in collection.read(games)[: max(told, 0)]:
                complain(f"{path}:{games['line'][index]}: {games.remark(index)}")
            advance(title=f"{path.name}: {games['game'][-1]} games")


def _show(arguments: argparse.Namespace) -> int:
    import chess

    from boomslang.engine.books.opening_book import Book
    from boomslang.engine.notation.movetext import move_of

    book = Book(arguments.book)
    board = board_of(arguments.fen or chess.STARTING_FEN)
    for word in arguments.moves:
        try:
            played = board.parse_uci(word.lower())
        except ValueError:
            with refuse_errors(ValueError, about="--moves: "):
                played = move_of(board, word)
        board.push(played)
    entries = sorted(book.find_all(board, minimum_weight=0), key=lambda entry: -entry.weight)
    bad = book.bad_moves(board)
    if not entries and not bad:
        say("The book has no move for this position.")
        return OK
    total = sum(entry.weight for entry in entries)
    table = figure_table("Move", "Weight", "Share")
    for entry in entries:
        share = f"{100 * entry.weight / total:.1f} %" if total else ""
        name = f"{board.san(entry.move)} ({entry.move.uci()})"
        table.add_row(name, str(entry.weight), share)
    Console().print(table)
    for move in bad:
        say(f"illegal move: {move}")
    return FOUND_WRONG if bad else OK


def _check(arguments: argparse.Namespace) -> int:
    import chess

    from boomslang.engine.books.opening_book import Book

    try:
        book = Book(arguments.book)
    except FileError as problem:
        complain(f"boomslang book: {problem}")
        return FOUND_WRONG if is_file(arguments.book) else BAD_USAGE
    reached = book.reachable(chess.Board())
    say(f"{len(book)} entries, {reached.entries} of them reachable from the start position")
    for bad in reached.bad[:_MAX_SHOWN]:
        say(f"illegal move: {bad}")
    if len(reached.bad) > _MAX_SHOWN:
        say(f"and {len(reached.bad) - _MAX_SHOWN} more")
    return FOUND_WRONG if reached.bad else OK
