"""The network's judgement in parts: they add up to what the search sees, in the table and on the board."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import chess
import pytest

from boomslang.cli.analysis.eval_command import main
from boomslang.core.board.constants import I
from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from boomslang.engine.search.evaluation import evaluate
from boomslang.eval.network.trace import NetworkTrace, trace
from boomslang.uci import evaluation_table
from tests.support.networks import random_network, reference
from tests.support.oracle import fixed_positions, random_game, random_placement

pytestmark = pytest.mark.usefixtures("kernels", "shared_tables")

# Without pawns, king and pawn against king, near the fifty-move rule.
KNOWN_ENDINGS = (
    "8/8/3k4/3n1b2/8/8/8/3K4 b - - 30 1",
    "8/2k5/8/1P6/3K4/8/8/8 b - - 12 1",
    "8/8/8/4k3/8/8/4K3/8 w - - 0 1",
)


@pytest.fixture(scope="module")
def network() -> Any:
    return random_network(3)


@pytest.fixture(scope="module")
def search(network: Any, kernels: None) -> Any:
    search = bridge.new_search()
    bridge.set_network(search, network)
    return search


def explained(search: Any, network: Any, board: chess.Board) -> NetworkTrace:
    """The parts, and the position as it was."""
    position = search.position[0]
    bridge.set_castling(search.rules, board)
    bridge.to_position(search.rules, board, position)
    before = position.tobytes()
    parts = trace(network, search.rules, position, int(evaluate(search, I(0))))
    assert position.tobytes() == before
    return parts


def boards() -> Iterator[chess.Board]:
    """All sorts, without checks as the command has them."""
    rng = random.Random(5)
    yield from fixed_positions()
    yield from (chess.Board(fen) for fen in KNOWN_ENDINGS)
    for seed in range(6):
        yield from islice(random_game(seed, 100, seed % 3 == 0), 20, None, 10)
        yield random_placement(rng)


def pieces_of(board: chess.Board) -> dict[int, int]:
    """By square, as in POSITION.board."""
    return {
        square: (0 if piece.color else 6) + piece.piece_type - 1
        for square, piece in board.piece_map().items()
    }


def test_the_parts_add_up(search: Any, network: Any) -> None:
    for board in islice(boards(), 3 if DISABLED else None):
        parts = explained(search, network, board)
        sign = 1 if board.turn else -1
        assert sign * parts.score == int(evaluate(search, I(0)))
        assert sum(row.score for row in parts.rows) == parts.score, board.fen()
        assert [row.name for row in parts.rows[:3]] == ["material", "positional", "threats"]
        whole = sign * sum(row.score for row in parts.rows[:3])
        assert whole == reference(network, pieces_of(board), int(not board.turn))
        faded = whole * (256 - min(board.halfmove_clock, 100)) // 256
        assert not parts.decides or sign * parts.score == faded
        assert parts.decides == (bool(board.pawns) and chess.popcount(board.occupied) > 3)
        assert parts.stage == (chess.popcount(board.occupied) - 1) // 4


def test_what_a_piece_is_worth(search: Any, network: Any) -> None:
    """The same position without it is worth so much less to its owner, even if it is illegal."""
    for board in islice(boards(), 1 if DISABLED else 20):
        parts = explained(search, network, board)
        pieces = pieces_of(board)
        side = int(not board.turn)
        whole = reference(network, pieces, side)
        assert set(parts.places) == {s for s, piece in pieces.items() if piece % 6 != 5}
        for square, worth in parts.places.items():
            rest = {s: piece for s, piece in pieces.items() if s != square}
            own = 1 if pieces[square] // 6 == side else -1
            assert worth == own * (whole - reference(network, rest, side)), board.fen()


def test_both_colours_are_explained_alike(search: Any, network: Any) -> None:
    for board in islice(boards(), 1 if DISABLED else None):
        parts = explained(search, network, board)
        mirrored = explained(search, network, board.mirror())
        assert [-row.score for row in mirrored.rows] == [row.score for row in parts.rows]
        places = {chess.square_mirror(square): worth for square, worth in mirrored.places.items()}
        assert places == parts.places


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "4k3/p7/8/8/8/8/P2Q4/4K3 b - - 60 90"])
def test_the_table_adds_up(search: Any, network: Any, fen: str) -> None:
    board = chess.Board(fen)
    parts = explained(search, network, board)
    text = evaluation_table.table(board, parts)
    assert text.isascii()
    found = re.findall(r"^[A-Z][\w -]+\| +([+-]?\d+\.\d\d)$", text, re.MULTILINE)
    last = re.search(r"\n\nFinal evaluation       ([+-]\d+\.\d\d) \(white side\)$", text)
    assert last
    assert round(sum(map(float, found)), 2) == float(last[1])
    assert ("Fifty-move" in text) == (board.halfmove_clock > 0 and parts.rows[-1].score != 0)


def test_the_diagram(search: Any, network: Any) -> None:
    board = chess.Board("4k3/p7/8/8/8/8/P2Q4/4K3 b - - 0 90")
    parts = explained(search, network, board)
    lines = evaluation_table.table(board, parts).splitlines()
    start = lines.index("  " + "+-------" * 8 + "+")
    queen, below = lines[start + 19 : start + 21]
    assert queen.split("|")[1:9] == [
        "   P   ", *["       "] * 2, "   Q   ", *["       "] * 4
    ]  # fmt: skip
    values = [cell.strip() for cell in below.split("|")[1:9]]
    assert values[0] == f"{parts.places[chess.A2] / 100:+.2f}"
    assert values[3] == f"{parts.places[chess.D2] / 100:+.2f}"
    assert set(values[1:3] + values[4:]) == {""}
    assert {len(line) for line in lines[start : start + 25]} == {67}


@pytest.mark.parametrize("fen", KNOWN_ENDINGS)
def test_known_endings_are_said_to_be_known(search: Any, network: Any, fen: str) -> None:
    board = chess.Board(fen)
    parts = explained(search, network, board)
    assert not parts.decides and parts.rows[-1].name == "endgame knowledge"
    assert "evaluated by the classical evaluation" in evaluation_table.table(board, parts)


@pytest.mark.jit_only
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert "worth to the network" in printed
    assert re.search(r"^Final evaluation       \S+ \(white side\)$", printed, re.MULTILINE)
