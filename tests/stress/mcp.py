"""Asks `boomslang mcp` odd and ordinary things, by the SDK's own client, and checks all that it quotes.

    python -m tests.stress.mcp --requests 500 --positions 60 --games 20 --memory 60

Odd requests, many at once, of which some are cancelled, must be answered or refused with a reason. Each
move in an answer must be legal and spelled as python-chess spells it, its data must fit the schema and agree
with its text, and a reason must stand a search of --factor times the nodes. The games that were analysed are
those of the suites. The server's memory is shown. The exit status is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import chess
import chess.pgn
from mcp import ClientSession

from boomslang.cli.mcp import bounded_searcher
from boomslang.cli.mcp.requests import MEMORY_TOOLS, TOOLS
from boomslang.cli.mcp.results import part
from boomslang.cli.mcp.review import report_of
from boomslang.cli.mcp.search_answers import evaluate_after, mistake
from boomslang.core.system.files import FileError
from boomslang.engine.analysis.win_percent import SEVERE
from boomslang.engine.driver.searcher import load
from boomslang.engine.notation.pgn import games_of_text, read_games
from boomslang.engine.notation.positions import read_line
from tests.stress.reasons import cases
from tests.support.mcp_answers import contradictions, faults_of, mcp_session, quoted_lines
from tests.support.places import SUITES
from tests.support.reason_check import Case, Checker

_TABLES = str(SUITES / "syzygy")
_PATIENCE = 3600.0  # seconds for a search that is repeated here, on a busy machine too
_LETTERS = ("", "a", "E", "ar", "2", "zz", "Defen")
_DATES = ("", "2022", "2014.05", "2019-01-02")
_ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        5,
        1.5,
        10**30,
        "",
        " ",
        "x",
        "e4",
        "O-O",
        "\x00",
        "♔",
        "../../etc/passwd",
    ),
    *(
        "x" * 5000,
        "1. e4 " * 20_000,
        '[Event "' * 3000,
        "{" * 50_000,
        [],
        ["e4"],
        [[]],
        {},
        {"a": 1},
    ),
    *(
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 99 1",
        "KKKKKKKK/8/8/8/8/8/8/kkkkkkkk w - -",
    ),
    *(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        f"{chess.STARTING_FEN} moves e2e4",
        "startpos",
    ),
)
_NAMES = (*TOOLS, *MEMORY_TOOLS, "nothing", "")
_ARGUMENTS = (
    "position",
    "moves",
    "better",
    "worse",
    "pgn",
    "number",
    "nodes",
    "lines",
    "elo",
    "seed",
    "fen",
    "player",
    "kind",
    "by",
    "limit",
)


def requests(source: random.Random, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Tools with arguments of which some are wrong."""
    for _ in range(count):
        arguments = {
            name: source.choice(_ODD) for name in source.sample(_ARGUMENTS, source.randint(0, 4))
        }
        if source.random() < 0.5:
            arguments |= {"nodes": source.choice((1000, 2000, 50_000))}
        yield source.choice(_NAMES), arguments


def memory_of(pid: int) -> int:
    """Megabytes that a process holds."""
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") >> 20


class Talk:
    """One server, and what is found wrong with it."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session
        self._tools = TOOLS | MEMORY_TOOLS
        self.counts: Counter[str] = Counter()

    def blame(self, problem: str) -> None:
        """Print and count a fault."""
        self.counts["faults"] += 1
        print(f"FAULT {problem[:500]}", flush=True)

    async def ask(self, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        """The text of an answer, and whether it is a refusal."""
        answer = await self._session.call_tool(name, arguments)
        text = "".join(getattr(part, "text", "") for part in answer.content)
        self.counts["refusals" if answer.is_error else "answers"] += 1
        if len(text.strip()) < 10 or "a fault of Boomslang" in text:
            self.blame(f"{name} {str(arguments)[:200]}: {text}")
        if not answer.is_error:
            schema = part(self._tools[name].fields).schema
            for fault in contradictions(schema, text, answer.structured_content):
                self.blame(f"{name} {str(arguments)[:200]}: {fault} in: {text}")
        return text, bool(answer.is_error)

    async def odd(self, source: random.Random, count: int) -> None:
        """Odd requests, eight at once; every tenth is cancelled."""

        async def one(name: str, arguments: dict[str, Any], seconds: float) -> None:
            try:
                await asyncio.wait_for(self.ask(name, arguments), seconds)
            except TimeoutError:
                self.counts["cancelled"] += 1
            except Exception as problem:
                self.blame(f"{name} {str(arguments)[:200]}: {problem!r}")

        wanted = requests(source, count)
        while batch := list(islice(wanted, 8)):
            seconds = [0.05 if source.random() < 0.1 else 300.0 for _ in batch]
            await asyncio.gather(
                *(one(*request, limit) for request, limit in zip(batch, seconds, strict=True))
            )

    async def position(self, board: chess.Board, worse: chess.Move, nodes: int) -> str:
        """Ask everything about a position; returns how its best move is compared with another one."""
        fen = {"position": board.fen(shredder=board.chess960)}
        for name, arguments in (
            ("position", fen),
            ("analyse", fen | {"nodes": nodes}),
            ("play", fen | {"elo": 1500}),
            ("endgame", fen),
        ):
            text, _ = await self.ask(name, arguments)
            self.check(text, [board], f"{name} {fen}")
            if name == "analyse":
                best = board.parse_san(quoted_lines(text)[0].split()[1])
        pair = {"better": board.san(best), "worse": worse.uci()}
        if best == worse:
            return ""
        text, _ = await self.ask("compare_moves", fen | pair | {"nodes": nodes})
        after = board.copy()
        after.push(worse)
        self.check(text, [board, after], f"compare_moves {fen} {pair}")
        return text

    async def remember(self, source: random.Random, count: int) -> None:
        """Questions about the games of the suites."""
        tools = [(name, MEMORY_TOOLS[name]) for name in MEMORY_TOOLS]
        for _ in range(count):
            name, request = source.choice(tools)
            fields = request.schema()["properties"]
            arguments = {
                field: source.choice(
                    fields[field].get("enum", _DATES if field == "since" else _LETTERS)
                )
                for field in fields
                if field != "limit" and source.random() < 0.5
            }
            _, is_error = await self.ask(name, arguments | {"limit": source.randint(1, 30)})
            if is_error:
                self.blame(f"{name} {arguments} is refused")

    def check(self, text: str, boards: Sequence[chess.Board], place: str) -> None:
        """Blame moves that are illegal."""
        self.counts["quoted lines"] += len(quoted_lines(text))
        for fault in faults_of(text, boards):
            self.blame(f"{place}: {fault} in: {text}")

    def prove(self, text: str, case: Case, checker: Checker) -> None:
        """Blame a reason that was not given, or that a longer search does not find."""
        self.counts["reasons"] += 1
        if case.reason.text not in text:
            self.blame(f"{case.reason.text!r} is not in: {text}")
        if objection := checker.why_false(case):
            self.blame(f"{case.board.fen()} {case.reason.text} [{objection}]")


def some_boards(count: int) -> list[chess.Board]:
    """Positions of the suites, far from each other."""
    files = sorted(
        path
        for name in ("tactics", "strategic", "endgame")
        for path in (SUITES / name).glob("*.epd")
    )
    lines = [line for path in files for line in path.read_text("utf-8").splitlines() if line]
    step = max(1, len(lines) // count)
    boards = [read_line(line)[0] for line in lines[::step]]
    return [board for board in boards if not board.is_game_over()][:count]


def some_games(count: int) -> list[str]:
    """Games of the suites, their main lines alone."""
    exporter = chess.pgn.StringExporter(variations=False, comments=False)
    games: list[str] = []
    for path in sorted((SUITES / "pgn").glob("*.pgn")):
        with suppress(FileError):  # some are there to be refused
            for entry in islice(read_games(path), 3):
                if entry.analysable and entry.game.end().ply() > 9:
                    games.append(str(entry.game.accept(exporter)))
    return games[:count]


async def talk(arguments: argparse.Namespace) -> Counter[str]:
    """Everything, with one server; returns what was counted."""
    source = random.Random(arguments.seed)
    async with mcp_session("--tables", _TABLES, "--games", str(SUITES / "pgn")) as session:
        await session.initialize()
        found = Talk(session)
        (server,) = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        await found.odd(source, arguments.requests // 5)
        before = memory_of(int(server))
        await found.odd(source, arguments.requests - arguments.requests // 5)
        found.counts["MB after a fifth of the odd requests"] = before
        found.counts["MB after all of them"] = memory_of(int(server))
        await found.remember(source, arguments.memory)
        load()
        bounded_searcher.MAX_SECONDS = _PATIENCE  # type: ignore[misc]
        searcher = bounded_searcher.BoundedSearcher(_TABLES)
        checker = Checker(arguments.factor * arguments.nodes, tables=_TABLES)
        for board in some_boards(arguments.positions):
            worse = source.choice(list(board.legal_moves))
            text = await found.position(board, worse, arguments.nodes)
            if "Reason" in text:
                searcher.begin()
                best = board.parse_san(next(line for line in quoted_lines(text)).split()[1])
                moves = best, worse
                after = [evaluate_after(searcher, board, move, arguments.nodes) for move in moves]
                bad = mistake(searcher, board, moves, after, arguments.nodes)
                if bad and bad.reason:
                    found.prove(text, Case(board, bad), checker)
                else:
                    found.blame(f"no such reason is found again: {text}")
        for game in some_games(arguments.games):
            text, is_error = await found.ask("review_game", {"pgn": game, "nodes": arguments.nodes})
            if is_error:
                found.blame(text)
                continue
            entry = next(games_of_text(game, main_line=True))
            found.check(text, boards_of(entry.game), entry.game.headers.get("White", "?"))
            searcher.begin()
            report, _ = report_of(searcher, entry, arguments.nodes)
            for case in cases(report):
                if case.move.judgement in SEVERE:  # the others are only counted
                    found.prove(text, case, checker)
        found.counts["MB at the end"] = memory_of(int(server))
    return found.counts


def boards_of(game: chess.pgn.Game) -> list[chess.Board]:
    """All positions of a game."""
    return [game.board(), *(node.board() for node in game.mainline())]


def main() -> int:
    """Print what was found, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--requests", type=int, default=500, metavar="N", help="odd requests (500)")
    add("--positions", type=int, default=60, metavar="N", help="positions of the suites (60)")
    add("--games", type=int, default=20, metavar="N", help="games of the suites (20)")
    add("--memory", type=int, default=60, metavar="N", help="questions about analysed games (60)")
    add("--nodes", type=int, default=20_000, metavar="N", help="nodes per search (20,000)")
    add("--factor", type=int, default=4, metavar="N", help="times the nodes of the checks (4)")
    add("--seed", type=int, default=1, metavar="N", help="of the random choices (1)")
    counts = asyncio.run(talk(parser.parse_args()))
    for name, number in counts.items():
        print(f"{number:7,}  {name}")
    return 1 if counts["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
