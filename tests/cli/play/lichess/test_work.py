"""Work from the server becomes one valid search, or is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import chess
import pytest

from boomslang.cli.play.lichess.provider_settings import ProviderSettings
from boomslang.cli.play.lichess.work import WorkError, WorkRequest, read_work, work_id
from boomslang.engine.limits import Limits
from tests.support.lichess_server import START, work

BOUNDS = ProviderSettings(threads=4, hash_mb=128, seconds=60, depth=30, lines=3)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def read(**fields: Any) -> WorkRequest:
    return read_work({"id": "x", "work": work(**fields)}, BOUNDS)


def test_a_usual_request() -> None:
    request = read(
        sessionId="abc", threads=2, hash=64, multiPv=2, movetime=5000, moves=["e2e4", "g8f6"]
    )
    assert (request.session, request.threads, request.hash_mb) == ("abc", 2, 64)
    assert request.limits == Limits(movetime=5000, depth=30, multipv=2)
    board = request.board
    assert board.chess960 and board.root().fen() == chess.STARTING_FEN
    assert [move.uci() for move in board.move_stack] == ["e2e4", "g8f6"]


@pytest.mark.parametrize(
    ("fields", "limits"),
    [
        ({"depth": 12}, Limits(movetime=60000, depth=12)),
        ({"depth": 245}, Limits(movetime=60000, depth=30)),
        ({"nodes": 1000}, Limits(movetime=60000, depth=30, nodes=1000)),
        ({"nodes": 10**30}, Limits(movetime=60000, depth=30, nodes=10**18)),
        ({"movetime": 86_400_000}, Limits(movetime=60000, depth=30)),
        ({"movetime": 250.0}, Limits(movetime=250, depth=30)),
        ({"movetime": None, "depth": 9}, Limits(movetime=60000, depth=9)),
        ({"infinite": True, "depth": None, "movetime": None}, Limits(movetime=60000, depth=30)),
        ({"movetime": 100, "depth": 5, "nodes": 7}, Limits(movetime=100, depth=5, nodes=7)),
    ],
)
def test_limits_are_clipped(fields: dict[str, Any], limits: Limits) -> None:
    assert read(**fields).limits == replace(limits, multipv=1)


def test_options_are_clipped_and_have_defaults() -> None:
    request = read(threads=64, hash=10**9, multiPv=5)
    assert (request.threads, request.hash_mb, request.limits.multipv) == (4, 128, 3)
    bare = read_work({"work": {}}, BOUNDS)
    assert (bare.threads, bare.hash_mb, bare.limits.multipv) == (1, 16, 1)
    assert bare.board == chess.Board(chess960=True) and not bare.board.move_stack
    small = ProviderSettings(hash_mb=8, threads=1)
    assert read_work({"work": {}}, small).hash_mb == 8


def test_unknown_fields_are_ignored() -> None:
    assert read(news={"x": [1]}, searchMoves=["a2a3"]) == read()


@pytest.mark.parametrize(
    "variant", ["chess", "standard", "chess960", "fromPosition", "From Position", "Chess960"]
)
def test_variants(variant: str) -> None:
    assert read(variant=variant).board.fen().startswith("rnbqkbnr/")


@pytest.mark.parametrize(
    "variant", ["atomic", "3check", "crazyhouse", "", "x\x1b[31m", 7, None, ["chess"]]
)
def test_other_variants_are_refused(variant: object) -> None:
    data = work()
    data["variant"] = variant
    with pytest.raises(WorkError, match="variant"):
        read_work({"work": data}, BOUNDS)


def test_castling_in_both_notations() -> None:
    assert read(initialFen=KIWIPETE, moves=["e1g1"]).board.peek().uci() == "e1h1"
    assert read(initialFen=KIWIPETE, moves=["e1h1"]).board.peek().uci() == "e1h1"
    chess960 = chess.Board.from_chess960_pos(0).fen()
    assert (
        read(variant="chess960", initialFen=chess960)
        .describe()
        .startswith(f"{chess960.split()[0]} w HFhf - 0 1; ")
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"initialFen": "hello"},
        {"initialFen": "8/8/8/8/8/8/8/8 w - - 0 1"},
        {"initialFen": 7},
        {"initialFen": "x" * 10_000},
        {"initialFen": f"{START}\nsetoption name EvalFile value /etc/passwd"},
        {"moves": ["e2e5"]},
        {"moves": ["e2e4", "e2e4"]},
        {"moves": ["e2e4\nquit"]},
        {"moves": "e2e4"},
        {"moves": [1]},
        {"moves": ["g1f3", "g8f6", "f3g1", "f6g8"] * 1000},
        {"threads": 0},
        {"threads": "4"},
        {"threads": True},
        {"hash": -1},
        {"multiPv": 1.5},
        {"movetime": 0},
        {"depth": -3},
        {"nodes": float("nan")},
        {"nodes": float("inf")},
        {"sessionId": ["x"]},
    ],
    ids=lambda fields: str(fields)[:40],
)
def test_what_cannot_be_searched_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(WorkError):
        read(**fields)


@pytest.mark.parametrize("data", [{}, {"work": None}, {"work": [1]}, {"work": "e2e4"}])
def test_what_is_no_work(data: dict[str, Any]) -> None:
    with pytest.raises(WorkError):
        read_work(data, BOUNDS)


@pytest.mark.parametrize("name", ["", "../../api/token", "a b", "x" * 200, None, 7, "a\n", "ä"])
def test_ids_that_are_none(name: object) -> None:
    with pytest.raises(WorkError, match="no valid id"):
        work_id({"id": name})


def test_castling_and_odd_texts_become_one_position() -> None:
    request = read(initialFen=f"  {KIWIPETE}\t", moves=["E1G1"], sessionId="\n\x1b")
    assert request.board.peek().uci() == "e1h1"
