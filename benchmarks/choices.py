"""What the moves that a search chooses cost: what a change is worth at hundreds of thousands of nodes.

    python -m benchmarks.choices games.pgn FOLDER choose . --nodes 300_000
    python -m benchmarks.choices games.pgn FOLDER choose stockfish --nodes 150_000
    python -m benchmarks.choices games.pgn FOLDER choose . --rounds 4 --changes iir_depth=6 null_move_base=3
    python -m benchmarks.choices games.pgn FOLDER judge
    python -m benchmarks.choices games.pgn FOLDER report

A game takes as many nodes as a hundred choices, and tells less. The positions are five in a row of one side,
between plies 16 and 80, where the scores in the PGN (`[%eval]`) are within two pawns; a search keeps its
memory along a row, as in play. `judge` asks Stockfish for the win chances after each move that anybody has
chosen, and in `report` a choice loses what the best of them has more. With changes of parameters each row is
searched twice a round, once with a random half of the changes and once with the others; a regression finds
the effect of each (a factorial design, after Fisher). Everything is kept in FOLDER, and the same commands
continue.

A judge flatters the searches that evaluate as it does: it tells how much each gets better with more nodes,
not which is the better. `judge --engine .` in a copy of FOLDER is judgement by this version.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import re
import shlex
import statistics
import sys
import zlib
from collections import ChainMap
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine
import chess.pgn
import numpy as np

from boomslang.core.system.installation import ENTRY_POINT
from boomslang.core.system.journal import Journal
from boomslang.engine.analysis.win_percent import win_chance
from boomslang.engine.driver import searcher
from boomslang.engine.limits import Limits

_OURS: Final = "."
_PLIES: Final = range(16, 81)
_ROW: Final = 5
_UNDECIDED: Final = 200  # centipawns
_JUDGE: Final = {"Hash": 64, "Threads": 1}

Row = list[chess.Board]
# Move, depth and nodes for each position of a row, with these parameters.
Chooser = Callable[[Row, dict[str, int]], list[list[Any]]]


def draw(seed: int, pair: int, changes: int) -> tuple[int, ...]:
    """The random assignment for a pair of searches: 1 or -1 for each change."""
    source = random.Random(f"{seed} {pair}")
    return tuple(source.choice((-1, 1)) for _ in range(changes))


def read_rows(path: Path) -> list[Row]:
    """Positions in a row from games, in turn with White and with Black to move."""
    rows = list[Row]()
    with path.open() as file:
        while game := chess.pgn.read_game(file):
            row = Row()
            for node in game.mainline():
                if node.ply() - 1 not in _PLIES or node.turn() == (len(rows) % 2 == 0):
                    continue
                score = node.eval()
                if not score or abs(score.white().score(mate_score=9999)) > _UNDECIDED:
                    row = Row()
                    continue
                row.append(node.parent.board())
                if len(row) == _ROW:
                    rows.append(row)
                    row = Row()
    return rows


def journal(path: Path, rows: list[Row], **header: Any) -> Journal[Any]:
    path.parent.mkdir(parents=True, exist_ok=True)
    positions = zlib.crc32(repr([board.fen() for row in rows for board in row]).encode())
    header |= {"positions": positions}
    return Journal(path, header, lambda line, number: line, "name another folder")


def our_choices(nodes: int, hash_mb: int) -> Chooser:
    searcher.load()
    player = searcher.Searcher(hash_mb)

    def choose(row: Row, changes: dict[str, int]) -> list[list[Any]]:
        player.set_exact(False)  # the parameters of play, in an empty memory
        player.set_parameters(changes)
        found = [player.analyse(board, Limits(nodes=nodes), is_new_game=False)[0] for board in row]
        return [[line.pv[0].uci(), line.depth, line.nodes] for line in found]

    return choose


@contextmanager
def other_engine(command: str, **options: Any) -> Iterator[chess.engine.SimpleEngine]:
    ours = [sys.executable, "-P", ENTRY_POINT]
    words = ours if command == _OURS else shlex.split(command)
    env = {"BOOMSLANG_READY_WITHIN": "600"} | os.environ  # no pure Python plays meanwhile
    with chess.engine.SimpleEngine.popen_uci(words, timeout=600, env=env) as engine:
        engine.configure(options)
        yield engine


def choices_of(engine: chess.engine.SimpleEngine, nodes: int) -> Chooser:
    def choose(row: Row, changes: dict[str, int]) -> list[list[Any]]:
        found = [
            engine.analyse(board, chess.engine.Limit(nodes=nodes), game=id(row)) for board in row
        ]
        return [[info["pv"][0].uci(), info["depth"], info["nodes"]] for info in found]

    return choose


def choose(rows: list[Row], folder: Path, options: argparse.Namespace) -> None:
    """Let a search choose in each row, or twice a round with one or the other half of the changes."""
    name = "ours" if options.engine == _OURS else Path(options.engine).name
    changed = [
        {name: int(value) for name, value in re.findall(r"(\w+)=(-?\d+)", text)}
        for text in options.changes
    ]
    kind = "screened" if changed else "plain"
    seed = f"-seed{options.seed}" if options.seed > 1 else ""
    path = folder / f"{kind}-{name}-{options.nodes}-{options.hash}{seed}.jsonl"
    rounds = options.rounds if changed else 1
    header = {"name": name, "nodes": options.nodes, "hash": options.hash}
    record = journal(path, rows, changes=options.changes, **header)
    rows = rows[: options.rows]
    with ExitStack() as stack:
        stack.enter_context(record.open())
        if options.engine == _OURS:
            chosen = our_choices(options.nodes, options.hash)
        else:
            opened = other_engine(options.engine, Hash=options.hash, Threads=1)
            chosen = choices_of(stack.enter_context(opened), options.nodes)
        for lot in range(len(record.entries), rounds * len(rows)):
            number = lot % len(rows)
            signs = draw(options.seed, lot, len(changed))
            halves = []
            for sign in (1, -1) if changed else (1,):
                half = [change for change, s in zip(changed, signs, strict=True) if s == sign]
                halves.append(chosen(rows[number], dict(ChainMap(*half))))
            line = {"row": number, "signs": signs, "choices": halves}
            record.add(line, line)
            print(f"\r{path.stem}: {lot + 1} of {rounds * len(rows)}", end="", flush=True)
    print()


def read_choices(folder: Path) -> dict[str, tuple[dict[str, Any], list[Any]]]:
    """The header and the lines of each journal of choices, by its name."""
    found = {}
    for path in sorted(folder.glob("*-*.jsonl")):
        header, *lines = map(json.loads, path.read_text().splitlines())
        found[path.stem] = header, lines
    return found


def moves_chosen(folder: Path) -> dict[tuple[int, int], set[str]]:
    """By row and place in it all moves that were chosen there."""
    chosen: dict[tuple[int, int], set[str]] = {}
    for _, lines in read_choices(folder).values():
        for line in lines:
            for half in line["choices"]:
                for place, (move, *_) in enumerate(half):
                    chosen.setdefault((line["row"], place), set()).add(move)
    return chosen


def judge(rows: list[Row], folder: Path, options: argparse.Namespace) -> None:
    """The win chances after each move that was chosen in a position where not all agree."""
    header = {"judge": options.engine, "nodes": options.nodes, **_JUDGE}
    record = journal(folder / "judged.jsonl", rows, **header)
    with record.open(), other_engine(options.engine, **_JUDGE) as engine:
        judged = {tuple(line["of"]) for line in record.entries}
        for (number, place), moves in sorted(moves_chosen(folder).items()):
            for move in sorted(moves) if len(moves) > 1 else ():
                if (number, place, move) in judged:
                    continue
                info = engine.analyse(
                    rows[number][place],
                    chess.engine.Limit(nodes=options.nodes),
                    game=(number, place),
                    root_moves=[chess.Move.from_uci(move)],
                )
                chance = win_chance(info["score"].relative)
                line = {"of": [number, place, move], "chance": round(chance, 2)}
                record.add(line, line)
            print(f"\rrow {number}: {len(record.entries)} judged", end="", flush=True)
    print()


def report(rows: list[Row], folder: Path, options: argparse.Namespace) -> None:
    """Print the mean loss of each journal of choices, and the effect of each change."""
    chances: dict[tuple[int, int], dict[str, float]] = {}
    for line in map(json.loads, (folder / "judged.jsonl").read_text().splitlines()[1:]):
        number, place, move = line["of"]
        chances.setdefault((number, place), {})[move] = line["chance"]

    losses_of = {}
    for of, moves in moves_chosen(folder).items():
        known = chances.get(of, {}) if len(moves) > 1 else dict.fromkeys(moves, 0.0)
        if moves <= known.keys():
            losses_of[of] = {move: max(known.values()) - known[move] for move in moves}

    def loss(number: int, place: int, move: str) -> float:
        """Per cent of win chances; NaN where a judgement is missing."""
        return losses_of.get((number, place), {}).get(move, math.nan)

    plain = {}
    screened: dict[str, tuple[list[Any], list[Any]]] = {}  # signs and losses, by the changes
    for name, (header, lines) in read_choices(folder).items():
        losses = [
            [
                [loss(line["row"], place, move[0]) for place, move in enumerate(half)]
                for half in line["choices"]
            ]
            for line in lines
        ]
        if header["changes"]:
            title = f"{header['name']}, {header['nodes']:,} nodes: {' '.join(header['changes'])}"
            signs, lost = screened.setdefault(title, ([], []))
            signs += [line["signs"] for line in lines]
            lost += losses
            continue
        plain[name] = {
            (line["row"], place): (lost, move, depth)
            for line, (row,) in zip(lines, losses, strict=True)
            for place, (lost, (move, depth, _)) in enumerate(
                zip(row, line["choices"][0], strict=True)
            )
        }
    for title, (signs, lost) in screened.items():
        _show_effects(title, signs, lost)
    _show_plain(plain)


def _show_effects(title: str, signs: list[Any], losses: list[Any]) -> None:
    """How much less each change loses, per cent of win chances a move, with two standard errors."""
    title, changes = title.split(": ")[0], title.split(": ")[1].split()
    gains = np.array([statistics.fmean(other) - statistics.fmean(one) for one, other in losses])
    known = np.isfinite(gains)
    design, gains = np.array(signs, dtype=float)[known], gains[known]
    print(f"\n{title}: {len(gains)} rows twice; mean loss {np.nanmean(np.array(losses)):.2f}")
    if len(gains) <= len(changes):
        return
    found, _, _, _ = np.linalg.lstsq(design, gains)
    variance = np.sum((gains - design @ found) ** 2) / (len(gains) - len(changes))
    errors = 2 * np.sqrt(variance * np.diag(np.linalg.inv(design.T @ design)))
    for gain, error, change in sorted(zip(found, errors, changes, strict=True), reverse=True):
        print(f"{gain:+6.2f} ± {error:.2f}  {change}")


def _mean(values: list[float]) -> str:
    """The mean of what is known, with two standard errors."""
    known = [value for value in values if math.isfinite(value)]
    if len(known) < 2:
        return "?"
    error = 2 * statistics.stdev(known) / math.sqrt(len(known))
    return f"{statistics.fmean(known):+.2f} ± {error:.2f} ({len(known)})"


def _show_plain(plain: dict[str, dict[tuple[int, int], Any]]) -> None:
    """The loss of each search, and how often two of them choose the same move."""
    for name, found in plain.items():
        depth = statistics.fmean(depth for _, _, depth in found.values())
        print(f"\n{name}: depth {depth:.1f}, loss {_mean([lost for lost, _, _ in found.values()])}")
        for other, theirs in plain.items():
            both = found.keys() & theirs.keys()
            if other == name or not both:
                continue
            same = statistics.fmean(found[of][1] == theirs[of][1] for of in both)
            gain = _mean([theirs[of][0] - found[of][0] for of in both])
            print(f"  less than {other}: {gain}, the same move in {same:.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description="what the moves that a search chooses cost")
    parser.add_argument("games", type=Path, help="PGN file with evaluations")
    parser.add_argument("folder", type=Path, help="folder of the journals")
    commands = parser.add_subparsers(dest="command", required=True)
    chosen = commands.add_parser("choose")
    chosen.add_argument("engine", help=". for this version, or the command of a UCI engine")
    chosen.add_argument("--nodes", type=int, default=150_000)
    chosen.add_argument("--hash", type=int, default=16, help="MB")
    chosen.add_argument("--rounds", type=int, default=4)
    chosen.add_argument("--seed", type=int, default=1, help="of the halves, for another journal")
    chosen.add_argument("--rows", type=int, help="of positions, from the first on (all)")
    chosen.add_argument("--changes", nargs="+", default=[], metavar="NAME=VALUE[,...]")
    chosen.set_defaults(run=choose)
    judged = commands.add_parser("judge")
    judged.add_argument("--engine", default="stockfish", help=". or a command")
    judged.add_argument("--nodes", type=int, default=500_000)
    judged.set_defaults(run=judge)
    commands.add_parser("report").set_defaults(run=report)
    options = parser.parse_args()
    options.run(read_rows(options.games), options.folder, options)


if __name__ == "__main__":
    main()
