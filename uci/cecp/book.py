"""`bk`: what the opening book has for the position on the board."""

from __future__ import annotations

from collections.abc import Mapping

import chess

from engine.books.opening_book import Book
from engine.system.files import FileProblem
from uci.options import Value, find


def book_moves(values: Mapping[str, Value], board: chess.Board) -> list[tuple[chess.Move, int]]:
    """Each move with its per cent of the weights, the heaviest first; none if no book is in use.

    `values` are the options that were set. The file is looked at again: people ask rarely.
    """

    def value(name: str) -> Value:
        return values.get(name, find(name).default)

    path = str(value("BookFile"))
    if not (path and value("OwnBook") and board.fullmove_number <= int(value("Book Depth"))):
        return []
    try:
        book = Book(path)
    except FileProblem:
        return []  # it was complained about when it was set
    with book:
        entries = sorted(book.find_all(board), key=lambda entry: -entry.weight)
    total = max(1, sum(entry.weight for entry in entries))
    return [(entry.move, round(100 * entry.weight / total)) for entry in entries]
