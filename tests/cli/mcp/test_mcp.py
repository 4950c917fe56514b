"""`boomslang mcp`: its tools, called by the SDK's own client, and its end, seen through pipes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chess
import pytest

from boomslang.cli.mcp import bounded_searcher, command, reading
from boomslang.engine.driver.searcher import load
from boomslang.engine.limits import Limits
from tests.support.mcp_answers import contradictions, faults_of, mcp_session
from tests.support.places import ROOT, SUITES
from tests.support.process import TIMEOUT, UciProcess

pytest.importorskip("mcp")
pytestmark = pytest.mark.jit_only

TABLES = SUITES / "syzygy"
SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"
PGN = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0'
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
# By name: the tool, its arguments, and what the answer holds.
GOOD: dict[str, tuple[str, dict[str, Any], str]] = {
    "start": ("analyse", {"nodes": 3000, "lines": 2}, "White to move.\nLine 1: 1. "),
    "game": ("analyse", {"position": "1. e4 e5 2. Nf3 Nc6", "moves": "f1b5", "nodes": 3000}, "Ruy"),
    "pgn": ("position", {"position": PGN}, "checkmate, White wins"),
    "list": ("position", {"moves": ["e2e4", "c5"]}, "Sicilian Defense"),
    "facts": ("position", {"position": SCHOLAR}, "White threatens to win the pawn on f7"),
    "check": ("position", {"moves": "e4 e5 Qh5 Nc6 Qxf7"}, "in check from the queen on f7"),
    "why": (
        "compare_moves",
        {"position": SCHOLAR, "better": "g6", "worse": "g8f6", "nodes": 20_000},
        "against 3... Nf6: Allows mate in 1: 4. Qxf7#.",
    ),
    "why not": (
        "compare_moves",
        {"position": SCHOLAR, "better": "Nf6", "worse": "g6", "nodes": 20_000},
        "3... Nf6 is not better: 3... g6 is",
    ),
    "people": (
        "analyse",
        {"position": SCHOLAR, "rating": 1200, "nodes": 3000},
        "% of such players",
    ),
    "people's two": (
        "compare_moves",
        {"position": SCHOLAR, "better": "g6", "worse": "Nf6", "nodes": 3000, "rating": 2000},
        "rated 2000 on Lichess",
    ),
    "equal": ("compare_moves", {"better": "e4", "worse": "d4", "nodes": 20_000}, "equally good"),
    "review": ("review_game", {"pgn": PGN, "nodes": 5000}, "Blunder. Allows mate in 1: 4. Qxf7#."),
    "untitled": (
        "review_game",
        {"pgn": "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#", "nodes": 3000},
        "White - Black 1-0\n",
    ),
    "effort": ("review_game", {"pgn": PGN, "nodes": 3000}, "Searched with 3,000 nodes a position"),
    "level": ("play", {"moves": "e4", "elo": 800, "seed": 3}, "Black plays 1... "),
    "full": ("play", {"position": SCHOLAR, "nodes": 5000}, "at full strength"),
    "drawn": ("analyse", {"moves": "Nf3 Nf6 Ng1 Ng8 " * 2, "nodes": 2000}, "occurred three times"),
    "drawn by one": (
        "compare_moves",
        {"moves": "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", "better": "Ng8", "worse": "d5", "nodes": 2000},
        "4... Ng8: +0.00 (level; White's chances 50 %) The position has occurred three times",
    ),
    "of UCI": ("review_game", {"pgn": "startpos moves e2e4 c7c5", "nodes": 2000}, "Sicilian"),
    "from a FEN": (
        "review_game",
        {"pgn": f"FEN: {SCHOLAR}\nBlack to move.\nmoves g8f6 h5f7", "nodes": 2000},
        "White - Black 1-0",
    ),
    "glyphs": ("position", {"position": "1. e4 $1 e5 $6 2. Nf3"}, "King's Knight"),
    "960": (
        "position",
        {"position": "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w DGdg - 0 1", "moves": "c3"},
        "FEN: bqnrkbrn/",
    ),
}
BAD: dict[str, tuple[str, dict[str, Any], str]] = {
    "illegal": ("analyse", {"position": "1. e4 e5 2. Nf3", "moves": "Nf3"}, "Nf6"),
    "castling": ("analyse", {"moves": "O-O"}, "Of the 20 legal moves the nearest are"),
    "broken game": ("analyse", {"position": f"{PGN[:24]}1. e4 e5 2. Ke3 *"}, "Ke2"),
    "two games": ("analyse", {"position": f"{PGN}\n\n{PGN}"}, "several games"),
    "null move": ("position", {"position": '[Event "x"]\n\n1. e4 -- *'}, "null move"),
    "no king": ("position", {"position": "8/8/8/8/8/8/8/4K3 w - - 0 1"}, "Black has no king"),
    "over": ("analyse", {"position": MATED}, "checkmate"),
    "over for a level": ("play", {"position": MATED, "elo": 900}, "checkmate"),
    "no tables": ("endgame", {"position": "8/8/8/8/8/3KP3/8/4k3 w - - 0 1"}, "--tables"),
    "no game": ("review_game", {"pgn": "hello"}, "no game"),
    "no second game": ("review_game", {"pgn": PGN, "number": 2}, "no game 2"),
    "same": ("compare_moves", {"better": "e4", "worse": "e2e4"}, "the same"),
    "unknown tool": ("analyze", {}, "no tool 'analyze'"),
    "unknown argument": ("analyse", {"fen": MATED}, "no argument 'fen'"),
    "misspelt argument": ("analyse", {"node": 5}, "did you mean nodes?"),
    "type": ("analyse", {"lines": "many"}, "lines is "),
    "bounds": ("analyse", {"nodes": 10**12}, "nodes is "),
    "rating out of bounds": ("analyse", {"rating": 2700}, "rating is "),
    "level out of bounds": ("play", {"elo": 5}, "elo is "),
    "list": ("analyse", {"position": ["e4"]}, "position is "),
    "huge": ("analyse", {"position": "x" * 400_000}, "position is "),
    "case": ("analyse", {"moves": "1. e4 e5 2. Nf3 Nf3"}, "illegal move: 2... Nf3."),
    "tags among moves": ("analyse", {"moves": PGN}, "no list of moves"),
    "a null move among moves": ("analyse", {"moves": "e2e4 0000 d2d4"}, "null move"),
    "unclosed": ("analyse", {"moves": "1. e4 (1. d4"}, "not closed"),
    "two moves for one": ("compare_moves", {"better": "e4 e5", "worse": "d4"}, "e5"),
    "a file": ("position", {"position": "/etc/passwd"}, "not a move"),
    "a file as a game": ("review_game", {"pgn": "/etc/passwd"}, "no game"),
}


async def _talk() -> dict[str, Any]:
    async with mcp_session() as session:
        greeting = await session.initialize()
        found: dict[str, Any] = {"greeting": greeting, "tools": (await session.list_tools()).tools}
        calls = [*GOOD.values(), *BAD.values()]
        found["answers"] = await asyncio.gather(
            *(session.call_tool(name, arguments) for name, arguments, _ in calls)
        )
        level = GOOD["level"]
        found["again"] = await session.call_tool(level[0], level[1])
    return found


@pytest.fixture(scope="module")
def talk() -> dict[str, Any]:
    """All of it, asked at once of one server."""
    return asyncio.run(asyncio.wait_for(_talk(), 4 * TIMEOUT))


def text_of(answer: Any) -> str:
    (content,) = answer.content
    assert isinstance(content.text, str)
    return content.text


def test_it_introduces_itself_and_its_tools(talk: dict[str, Any]) -> None:
    assert talk["greeting"].server_info.name == "boomslang"
    names = ["analyse", "compare_moves", "review_game", "endgame", "position", "play"]
    assert [tool.name for tool in talk["tools"]] == names
    for tool in talk["tools"]:
        assert tool.output_schema["additionalProperties"] is False
        assert tool.description and tool.input_schema["additionalProperties"] is False
        assert all(field["description"] for field in tool.input_schema["properties"].values())


@pytest.mark.parametrize("name", GOOD)
def test_answers_hold_what_was_asked_and_legal_moves_only(name: str, talk: dict[str, Any]) -> None:
    answer = talk["answers"][list(GOOD).index(name)]
    text = text_of(answer)
    assert not answer.is_error and GOOD[name][2] in text, text
    assert len(text) < 2500
    boards = [chess.Board(SCHOLAR), chess.Board()]
    for line in (
        "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
        "e4 c5",
        "e4 e5 Nf3 Nc6 Bb5",
        "e4 e5 Qh5 Nc6 Qxf7",
        "Nf3 Nf6 Ng1 Ng8 " * 2,
    ):
        board = chess.Board()
        for move in line.split():
            board.push_san(move)
            boards.append(board.copy())
    if name == "960":
        boards = [
            chess.Board("bqnrkbrn/pppppppp/8/8/8/2P5/PP1PPPPP/BQNRKBRN b DGdg - 0 1", chess960=True)
        ]
    assert faults_of(text, boards) == []
    schema = next(tool.output_schema for tool in talk["tools"] if tool.name == GOOD[name][0])
    assert contradictions(schema, text, answer.structured_content) == []
    changed = text.replace("0", "8").replace("#", "x").replace("A", "B")
    assert changed == text or contradictions(schema, changed, answer.structured_content)


@pytest.mark.parametrize("name", BAD)
def test_refusals_say_why(name: str, talk: dict[str, Any]) -> None:
    answer = talk["answers"][len(GOOD) + list(BAD).index(name)]
    text = text_of(answer)
    assert answer.is_error and BAD[name][2] in text, text
    assert answer.structured_content is None
    assert len(text) < 600 and "root:" not in text


def test_a_level_plays_the_same_with_the_same_seed(talk: dict[str, Any]) -> None:
    assert text_of(talk["again"]) == text_of(talk["answers"][list(GOOD).index("level")])


def request(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


@contextmanager
def serving(*arguments: str) -> Iterator[UciProcess]:
    with UciProcess("mcp", *arguments) as process:
        process.send(request(0, "initialize", **HELLO))
        process.until('.*"id":0')
        process.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        yield process


@pytest.fixture(scope="module")
def server() -> Iterator[UciProcess]:
    """One for the next tests; after the last of them it has ended."""
    with serving("--searches", "1") as process:
        yield process


def call(process: UciProcess, number: int, name: str, **arguments: Any) -> None:
    process.send(
        request(
            number, "tools/call", name=name, arguments=arguments, _meta={"progressToken": number}
        )
    )


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")
def test_it_greets_before_it_loads_what_compiles(server: UciProcess) -> None:
    mapped = Path(f"/proc/{server.process.pid}/maps").read_text()
    assert "pydantic" in mapped and "llvmlite" not in mapped and "numpy" not in mapped


def test_what_is_no_message_is_survived(server: UciProcess) -> None:
    server.send("nonsense", "", "{}", "[1]", "[" * 100_000, '{"id":1.5,"method":"ping"}')
    server.send('{"jsonrpc":"2.0","id":3,"method":"nothing"}')
    errors = [json.loads(line) for line in server.until('.*"id":3')[:-1]]
    assert [(error["id"], error["error"]["code"]) for error in errors] == [
        (None, -32700),
        *[(None, -32600)] * 2,
        (None, -32700),
        (None, -32600),
    ]
    assert all("not a message of the protocol: " in error["error"]["message"] for error in errors)
    server.send(request(9, "tools/call", name="position", arguments={"position": "\ud800"}))
    assert "Invalid JSON: " in server.until('.*"id":9')[-1]  # by the number of the request
    server.send(request(10, "tools/call", name="play").replace("10", f'10, "x": {"1" * 5000}'))
    assert "not a message of the protocol: " in server.until('.*"id":10')[-1]
    for number, field in enumerate(('"params":[1]', '"method":7', '"method":{"id":2}'), 20):
        server.send(f'{{"jsonrpc":"2.0","id":{number},"method":"ping",{field}}}')
        assert f'"id":{number}' in server.until('.*"id":')[-1]
    for bad in ("1.5", "null", '{"a":1}', "[1]", "true"):
        server.send(f'{{"jsonrpc":"2.0","id":{bad},"method":"tools/list"}}')
        assert (
            '"id":null' in (answer := server.until('.*"id":')[-1]) and "a request needs" in answer
        )
    call(server, 4, "position")
    assert "20 legal moves" in server.until('.*"id":4')[-1]


def test_a_cancelled_search_reports_its_progress_and_makes_room(server: UciProcess) -> None:
    call(server, 7, "analyse", nodes=5_000_000, lines=8)
    server.until('.*"method":"notifications/progress".*"progressToken":7')
    server.send(
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"no"}}'
    )
    call(server, 8, "analyse", nodes=1000)
    seen = server.until('.*"id":8')
    assert "Depth" in seen[-1]
    assert not any('"id":7' in line and '"Depth' in line for line in seen)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in server.lines)


def test_it_ends_with_its_client_in_the_middle_of_a_search(server: UciProcess) -> None:
    call(server, 1, "analyse", nodes=5_000_000, lines=8)
    server.until('.*"method":"notifications/progress"')
    server.close_input()
    assert server.wait() == 0


def test_a_request_is_cancelled_before_its_searcher_has_begun() -> None:
    load()
    searcher = bounded_searcher.BoundedSearcher("")
    is_over = threading.Event()
    searcher.begin(is_over.is_set)
    searcher.analyse(chess.Board(), Limits(depth=1))
    is_over.set()
    searcher.stop()
    searcher.begin(is_over.is_set)
    with pytest.raises(reading.RefusalError, match="cancelled"):
        searcher.analyse(chess.Board(), Limits(depth=100))
    searcher.begin()
    assert searcher.analyse(chess.Board(), Limits(depth=2))


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_the_middle_of_a_search(number: int) -> None:
    with serving() as process:
        call(process, 1, "analyse", nodes=5_000_000, lines=8)
        process.until('.*"method":"notifications/progress"')
        process.process.send_signal(number)
        assert process.wait() == 128 + number and "Traceback" not in process.errors()


@pytest.mark.skipif(os.name == "nt", reason="needs poll")
def test_it_ends_when_nobody_reads_its_answers() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "cli", "mcp"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(request(0, "initialize", **HELLO).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(TIMEOUT) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_what_cannot_be_written_ends_it_with_a_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli", "mcp"],
            cwd=ROOT,
            input="nonsense\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "cannot write the output" in done.stderr


@pytest.mark.skipif(not TABLES.is_dir(), reason=f"needs {TABLES}")
def test_tables_know_the_result_and_what_keeps_it() -> None:
    with serving("--tables", str(TABLES)) as process:
        call(process, 1, "endgame", position="8/8/8/8/8/3KP3/8/4k3 w - - 0 1")
        answer = process.until('.*"id":1')[-1]
        assert "Result: " in answer and "Moves that keep it" in answer
        call(process, 2, "endgame")
        assert "32 pieces are on the board" in process.until('.*"id":2')[-1]


def test_without_the_package_one_sentence_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert command.main([]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and "pip install" in err
