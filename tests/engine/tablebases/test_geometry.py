"""The numbering of squares: every position of a material has a number of its own, up to symmetry."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb

import chess
import pytest

from boomslang.engine.tablebases.geometry import (
    THREE_PIECES,
    TWO_KINGS,
    geometry,
    key_of,
    leading_pawns,
    pawn_number,
    pieces_of,
)

KING, QUEEN, PAWN = 5, 4, 0


def images(squares: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The same squares on the board mirrored and turned in all eight ways."""
    found = set()
    for turned in (squares, tuple(square >> 3 | (square & 7) << 3 for square in squares)):
        for change in (0, 7, 56, 63):
            found.add(tuple(square ^ change for square in turned))
    return found


def test_pairs_of_kings_are_counted_once() -> None:
    pairs = {
        frozenset(images((first, second)))
        for first, second in permutations(chess.SQUARES, 2)
        if chess.square_distance(first, second) > 1
    }
    assert len(pairs) == TWO_KINGS
    numbers = geometry().kings
    assert sorted(set(numbers.ravel().tolist())) == list(range(TWO_KINGS))


def test_three_pieces_are_counted_once() -> None:
    counted = 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + 4 * 7 * 6
    assert counted == THREE_PIECES
    # The first in the triangle a1-d1-d4, and what is on the diagonal is not above it.
    corner = [s for s in chess.SQUARES if chess.square_rank(s) <= chess.square_file(s) < 4]
    triples = {
        min(images((first, *others)))
        for first in corner
        for others in permutations({*chess.SQUARES} - {first}, 2)
    }
    assert len(triples) == THREE_PIECES


def test_pawns_are_counted_from_the_leading_one() -> None:
    numbers = [pawn_number(square) for square in range(8, 56)]
    assert sorted(numbers) == list(range(48))
    assert [pawn_number(chess.parse_square(name)) for name in ("a2", "h2", "a3", "e7")] == [
        47,
        46,
        45,
        0,
    ]
    for pawns in range(1, 6):
        # Each set of pawns or its mirror image is led by a pawn on one of the files a to d.
        total = sum(leading_pawns(pawns, file) for file in range(4))
        led = (
            [max(number, default=0) % 2 == 1 for number in combinations(range(48), pawns)]
            if pawns < 4
            else None
        )
        assert led is None or total == sum(led)
        assert total <= comb(48, pawns)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("KQvK", ([KING, QUEEN], [KING])),
        ("KPvKP", ([KING, PAWN], [KING, PAWN])),
        ("KQQPPvKP", ([KING, QUEEN, QUEEN, PAWN, PAWN], [KING, PAWN])),
        ("KvK", None),
        ("KPQvK", None),
        ("KQQQQQvKQ", None),
        ("KQvK.rtbw", None),
        ("kqvk", None),
        ("", None),
    ],
)
def test_names(name: str, pieces: tuple[list[int], list[int]] | None) -> None:
    assert pieces_of(name) == pieces


def test_materials_have_different_keys() -> None:
    names = ["KQvK", "KvKQ", "KQQvK", "KQvKQ", "KPvK", "KRPvKR", "KRvKRP"]
    keys = set()
    for name in names:
        white, black = name.split("v")
        letters = "PNBRQK"
        keys.add(key_of([letters.index(x) for x in white], [letters.index(x) for x in black]))
    assert len(keys) == len(names)
