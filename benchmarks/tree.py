"""What the search does at which depth: reductions, extensions, cuts, the table, quiescence, the root.

    python -m benchmarks.tree --nodes 20_000 300_000
    python -m benchmarks.tree --nodes 300_000 --hash 256

The counters are no part of the engine: its two recursive functions are compiled anew from their sources with
a line more behind each of those in `COUNTED`, which takes half a minute the first time. The trees are the
same. In the tables `extended` and `shorter` are plies for each table move, doubles counted twice.
"""

from __future__ import annotations

import argparse
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType
from typing import Any, Final

import chess
import numpy as np

from boomslang.core.jit.jit import record_type
from boomslang.engine.limits import Limits
from boomslang.engine.search import state

_PACKAGE: Final = "boomslang.engine.search."
_DEPTHS: Final = 64
_BANDS: Final = ((1, 2), (3, 4), (5, 7), (8, 10), (11, 14), (15, _DEPTHS - 1))

# By module, the line behind which, and the counters with what is added to each, at the node's depth.
COUNTED: Final = {
    "negamax": {
        "bound = bound_within(data, I(position.halfmoves))": {
            "probed": "I(1)",
            "found": "I(bound != BOUND_NONE)",
            "with a move": "I(move_of(data) != ZERO)",
        },
        "if trusted and not pv_node and excluded == ZERO and is_cutoff(bound, tt_score, alpha, beta):": {
            "cut by the table": "I(1)"
        },
        "if is_reverse_futile(search, depth, improving, estimate, beta):": {
            "cut by reverse futility": "I(1)"
        },
        "enter_null(search, table, ply)": {"null moves": "I(1)"},
        "score = beta if is_decisive(score) else score": {"cut by a null move": "I(1)"},
        "store_node(search, table, ply, move, score, evaluation, reduced + I(1), BOUND_LOWER)": {
            "cut by ProbCut": "I(1)"
        },
        "half = (depth - I(1)) // I(2)": {"singular tests": "I(1)"},
        "decisive = is_decisive(score) or is_decisive(beta)": {"cut by several moves": "I(1)"},
        "quiet_limit = late_move_count(search, depth, improving)": {
            "expanded": "I(1)",
        },
        "new_depth += extension": {
            "table moves": "I(1)",
            "extended": "max(extension, I(0))",
            "doubly": "I(extension > I(1))",
            "shortened": "max(-extension, I(0))",
        },
        "new_depth += params.one_reply_extension": {"only replies": "I(1)"},
        "if depth >= params.reduction_depth and (searched > ONE or not pv_node):": {
            "by number": "reduction"
        },
        "reduction -= history_reduction(search, quiet, history)": {
            "by histories": "-history_reduction(search, quiet, history)"
        },
        "target = min(max(new_depth - reduction // PLY, I(1)), new_depth)": {
            "late moves": "I(1)",
            "plies reduced": "new_depth - target",
        },
        "if target < new_depth and score > alpha:": {"searched again": "I(1)"},
        "update_histories(search, ply, number, move, depth)": {
            "failed high": "I(1)",
            "by the first move": "I(searched == ONE)",
        },
    },
    "quiescence": {
        "search.selective_depth = max(search.selective_depth, ply)": {"in quiescence": "I(1)"},
        "if beta == alpha + I(1) and is_cutoff(bound, tt_score, alpha, beta):": {
            "quiescence cut by the table": "I(1)"
        },
    },
}
_COUNTERS: Final = [
    name for lines in COUNTED.values() for counts in lines.values() for name in counts
]


class _Counting(SourceFileLoader):
    """Loads a module with its counters."""

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_source(fullname) or ""
        return compile(with_counters(fullname.removeprefix(_PACKAGE), source), self.path, "exec")


class _Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name.removeprefix(_PACKAGE) not in COUNTED:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec and spec.origin:
            spec.loader = _Counting(name, spec.origin)
        return spec


def with_counters(module: str, source: str) -> str:
    """The source with its counters; raises ValueError if a line is missing behind which one belongs."""
    at = f"U(min(max(depth, I(0)), I({_DEPTHS - 1})))" if module == "negamax" else "U(0)"
    wanted, lines, waiting = dict(COUNTED[module]), list[str](), list[str]()
    for line in filter(str.strip, source.splitlines()):
        indentation = line[: len(line) - len(line.lstrip())]
        lines += [*(indentation + count for count in waiting), line]
        waiting = [
            f"search.counters[U({_COUNTERS.index(name)}), {at}] += {value}"
            for name, value in wanted.pop(line.strip(), {}).items()
        ]
    if wanted:
        raise ValueError(f"{module} no longer has the line: {', '.join(wanted)}")
    return "\n".join(lines)


def count_everything() -> None:
    """Give the search its counters; called before any other module of it is imported."""
    fields: Any = state.SEARCH.fields
    kinds = [(name, *fields[name][:1]) for name in state.SEARCH.names or ()]
    counters = ("counters", "i8", (len(_COUNTERS), _DEPTHS))
    state.SEARCH = np.dtype([*kinds, counters], align=True)  # type: ignore[misc]
    state.search_t = record_type(state.SEARCH)
    sys.meta_path.insert(0, _Finder())


class Windows:
    """Counts the searches of the root and how many fell out of their window."""

    def __init__(self, search: Any) -> None:
        self._search = search
        self.searches = self.low = self.high = 0

    def __call__(self, *arguments: Any) -> Any:
        score, (alpha, beta) = self._search(*arguments), arguments[4:6]
        if not arguments[0].stop:
            self.searches += 1
            self.low += score <= alpha
            self.high += score >= beta
        return score


def report(counts: Any, nodes: int, windows: Windows, depth: float, positions: int) -> None:
    """Print the counts of the searches, the whole and by remaining depth."""
    at = dict(zip(_COUNTERS, counts, strict=True))
    quiescent, probed = at["in quiescence"].sum(), at["probed"].sum()

    def share(name: str, of: str, band: slice = slice(None)) -> float:
        return float(at[name][band].sum() / max(at[of][band].sum(), 1))

    print(f"mean depth {depth:.1f}, nodes in quiescence {quiescent / nodes:.1%}", end=", ")
    print(f"there cut by the table {share('quiescence cut by the table', 'in quiescence'):.1%}")
    again = windows.searches / positions
    print(f"searches of the root {again:.1f}: low {windows.low}, high {windows.high} in all")
    print(f"plies of extension for each hundred nodes {100 * at['extended'].sum() / nodes:.2f}")
    columns = {
        "nodes": lambda band: at["probed"][band].sum() / probed,
        "table": lambda band: share("found", "probed", band),
        "move": lambda band: share("with a move", "probed", band),
        "TT cut": lambda band: share("cut by the table", "probed", band),
        "RFP": lambda band: share("cut by reverse futility", "probed", band),
        "null": lambda band: share("cut by a null move", "probed", band),
        "of tried": lambda band: share("cut by a null move", "null moves", band),
        "ProbCut": lambda band: share("cut by ProbCut", "probed", band),
        "multi": lambda band: share("cut by several moves", "singular tests", band),
        "tested": lambda band: share("singular tests", "table moves", band),
        "doubly": lambda band: share("doubly", "table moves", band),
        "extended": lambda band: share("extended", "table moves", band),
        "shorter": lambda band: share("shortened", "table moves", band),
        "high": lambda band: share("failed high", "expanded", band),
        "first": lambda band: share("by the first move", "failed high", band),
        "again": lambda band: share("searched again", "late moves", band),
    }
    last = ("late", "reduced", "number", "history")
    print("depth ", *(f"{name:>8}" for name in (*columns, *last)))
    for low, high in _BANDS:
        band = slice(low, high + 1)
        cells = [f"{column(band):8.1%}" for column in columns.values()]
        pairs = (
            ("late moves", "expanded", 1),
            ("plies reduced", "late moves", 1),
            ("by number", "late moves", 100),
            ("by histories", "late moves", 100),
        )
        cells += [f"{share(name, of, band) / unit:8.2f}" for name, of, unit in pairs]
        print(f"{low:2}-{high:<3}", *cells)


def main() -> None:
    parser = argparse.ArgumentParser(description="what the search does at which depth")
    parser.add_argument("--nodes", type=int, nargs="+", default=[20_000, 300_000])
    parser.add_argument("--hash", type=int, nargs="+", default=[16], help="MB")
    options = parser.parse_args()
    count_everything()
    from boomslang.engine.driver import bench, searcher
    from boomslang.engine.search import deepening

    searcher.load()
    usual = vars(deepening)["negamax"]
    for nodes in options.nodes:
        for hash_mb in options.hash:
            player = searcher.Searcher(hash_mb)
            record: Any = player._search
            windows = Windows(usual)
            vars(deepening)["negamax"] = windows
            found = [
                player.analyse(chess.Board(fen), Limits(nodes=nodes))[0] for fen in bench.POSITIONS
            ]
            depth = float(np.mean([info.depth for info in found]))
            print(f"\n{nodes:,} nodes, {hash_mb} MB, {len(found)} positions")
            report(record.counters, sum(i.nodes for i in found), windows, depth, len(found))


if __name__ == "__main__":
    main()
