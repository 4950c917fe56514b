"""`boomslang book`: opening books in the Polyglot format, made from games, shown and checked."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.terminal.arguments import (
    BAD_USAGE,
    Parser,
    UsageError,
    board_of,
    run_command,
    whole_number,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain, say
from boomslang.cli.terminal.progress import progress
from boomslang.engine.core.system.files import FileError, check_writable, open_file, shown

if TYPE_CHECKING:
    import chess

    from boomslang.engine.books.book_builder import Collection
    from boomslang.engine.notation.games import InputGame

OK, FOUND_WRONG = 0, 1
_MOST_TOLD: Final = 1000  # damaged games that are reported one by one
_MOST_SHOWN: Final = 20  # bad entries

_EXAMPLES: Final = """\
examples:
  boomslang book build games.pgn -o book.bin
  boomslang book build *.pgn -o book.bin --min-games 5 --min-score 40 --min-rating 2200 --plies 30
  boomslang book show book.bin --moves e2e4 e7e5
  boomslang book check book.bin

Use it with the options OwnBook and BookFile. A game that cannot be read to its end is named and not used;
the exit status of build is 1 then, or if no move passes the filters.
"""


def _percent(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 100")
    return value


def _parser() -> Parser:
    parser = Parser("boomslang book", "Opening books in the Polyglot format.", _EXAMPLES)
    words = parser.add_subparsers(dest="word", required=True, metavar="build | show | check")
    build = words.add_parser("build", help="make a book from games")
    add = build.add_argument
    many = whole_number(1, 10**6)
    add("games", type=Path, nargs="+", metavar="GAMES.pgn", help="files of games")
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the book to write")
    add("--plies", type=many, default=40, metavar="N", help="of each game (40)")
    add("--min-games", type=many, default=2, metavar="N", help="that a move was played in (2)")
    add(
        "--min-score",
        type=_percent,
        default=0.0,
        metavar="P",
        help="per cent of the points that a move made for its side (0); none at all is never taken",
    )
    rating = whole_number(0, 99_999)
    add("--min-rating", type=rating, default=0, metavar="E", help="of both players (0)")

    show = words.add_parser("show", help="the moves of a book for a position")
    show.add_argument("book", type=Path, metavar="BOOK")
    show.add_argument("--fen", help="the position (the start of a game)")
    show.add_argument("--moves", nargs="+", default=[], metavar="MOVE", help="played from there")

    check = words.add_parser("check", help="look for damage in a book")
    check.add_argument("book", type=Path, metavar="BOOK")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `book`; return the exit status."""
    words = {"build": _build, "show": _show, "check": _check}
    return run_command(_parser(), argv, lambda given: words[given.word](given))


def _build(arguments: argparse.Namespace) -> int:
    from boomslang.engine.books.book_builder import Collection, Filters, write
    from boomslang.engine.notation.text import LARGEST

    check_writable(arguments.output)
    if arguments.output.resolve() in [path.resolve() for path in arguments.games]:
        raise UsageError("the book would replace the games")
    filters = Filters(
        arguments.plies, arguments.min_games, arguments.min_score, arguments.min_rating
    )
    collection = Collection(filters)
    for path in arguments.games:
        open_file(path, LARGEST).close()  # all must be there before the work begins
    left_out = 0
    for path in arguments.games:
        try:
            _read(path, collection)
        except FileError as problem:  # one without games keeps nobody from reading the others
            complain(f"boomslang book: {problem}")
            left_out += 1
    say(
        f"{collection.games} games used, {collection.passed_over} passed over, "
        f"{collection.damaged} damaged"
    )
    if collection.damaged > _MOST_TOLD:
        complain("further damaged games are only counted")
    entries = collection.entries()
    if not entries:
        complain("boomslang book: no move passes the filters; nothing is written")
        return FOUND_WRONG
    write(arguments.output, entries)
    positions = len({key for key, _, _ in entries})
    say(f"{arguments.output}: {len(entries)} moves in {positions} positions")
    return FOUND_WRONG if collection.damaged or left_out else OK


def _read(path: Path, collection: Collection) -> None:
    """Add the games of a file, and show how it goes; raises FileError."""
    from boomslang.engine.notation.games import read_games

    with progress(path.name, None) as advance:

        def heard(entry: InputGame) -> None:
            advance(title=f"{path.name}: {entry.number} games")
            if entry.problems and collection.damaged <= _MOST_TOLD:
                reason = "; ".join(entry.problems)
                complain(f"{path}:{entry.line}: game {entry.number}: {reason}")

        collection.read(read_games(path, main_line=True, skip=collection.is_unwanted), heard)


def _show(arguments: argparse.Namespace) -> int:
    import chess

    from boomslang.engine.books.opening_book import Book

    book = Book(arguments.book)
    board = board_of(arguments.fen or chess.STARTING_FEN)
    for word in arguments.moves:
        try:
            board.push(board.parse_uci(word.lower()))
        except ValueError:
            raise UsageError(f"{shown(word)} cannot be played") from None
    entries = sorted(book.find_all(board, minimum_weight=0), key=lambda entry: -entry.weight)
    bad = book.bad_moves(board)
    if not entries and not bad:
        say("The book has no move for this position.")
        return OK
    total = sum(entry.weight for entry in entries)
    table = Table()
    table.add_column("Move")
    for heading in ("Weight", "Share"):
        table.add_column(heading, justify="right")
    for entry in entries:
        share = f"{100 * entry.weight / total:.1f} %" if total else ""
        table.add_row(_name(board, entry.move), str(entry.weight), share)
    Console().print(table)
    for move in bad:
        say(f"not legal: {move}")
    return FOUND_WRONG if bad else OK


def _check(arguments: argparse.Namespace) -> int:
    import chess

    from boomslang.engine.books.opening_book import Book

    try:
        book = Book(arguments.book)
    except FileError as problem:
        complain(f"boomslang book: {problem}")
        return FOUND_WRONG if arguments.book.is_file() else BAD_USAGE
    reached = book.reachable(chess.Board())
    say(f"{len(book)} entries, {reached.entries} of them in games from the usual start")
    for bad in reached.bad[:_MOST_SHOWN]:
        say(f"not legal: {bad}")
    if len(reached.bad) > _MOST_SHOWN:
        say(f"and {len(reached.bad) - _MOST_SHOWN} more")
    return FOUND_WRONG if reached.bad else OK


def _name(board: chess.Board, move: chess.Move) -> str:
    return f"{board.san(move)} ({move.uci()})"
