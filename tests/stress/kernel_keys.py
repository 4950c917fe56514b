"""Mutations of the engine's sources: no kernel may keep its key where its code changes.

    python -m tests.stress.kernel_keys [--mutations 300] [--begin 0] [--seed 1]

Each mutation changes one number, comparison, operator or type anywhere in the modules behind some kernels,
or only what is no code. In a process of its own the keys are compared with those of the sources as they are.
Of the kernels that have kept theirs, some are compiled, and LLVM's code is compared. The progress is printed
every ten seconds, and `--begin 120` goes on after 120 mutations of a run that was broken off.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import importlib.machinery
import json
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from tests.support.machine_code import without_running_names

KERNELS: Final = (
    "boomslang.core.board.attacks.fill_tables",
    "boomslang.core.board.chess960.set_up",
    "boomslang.core.board.draws.is_dead",
    "boomslang.core.board.makemove.make_move",
    "boomslang.core.board.movegen.generate_noisy",
    "boomslang.core.board.see.see_at_least",
    "boomslang.core.board.zobrist.refresh_keys",
    "boomslang.engine.learning.data.shuffle.exchange",
)
COMPILED: Final = 2  # kernels with the same key, compiled after each mutation
INTERVAL: Final = 10.0  # seconds between two lines of progress
OTHERWISE: Final[dict[type, type]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
TYPES: Final = {"u1": "i1", "i1": "u1", "u2": "i2", "i2": "u4", "i4": "i8", "u8": "i8", "i8": "u8"}


class Edited(importlib.machinery.SourceFileLoader):
    """Loads another code in place of a module's own."""

    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        """The other code."""
        return self.code


def mutate(tree: ast.Module, number: int) -> str:
    """Change one place of a module; says what has been done."""
    if number < 0:  # nothing that is code
        ast.increment_lineno(tree, 5)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
                node.body[0] = ast.copy_location(
                    ast.Expr(ast.copy_location(ast.Constant("Another docstring."), node.body[0])),
                    node.body[0],
                )
        return "lines and docstrings"
    node = places(tree)[number]
    before = ast.unparse(node)
    if isinstance(node, ast.Constant):
        value: Any = node.value
        node.value = TYPES[value] if isinstance(value, str) else value + 1
    elif isinstance(node, ast.Compare):
        node.ops[0] = OTHERWISE[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp):
        node.op = OTHERWISE[type(node.op)]()
    return f"{before} -> {ast.unparse(node)}"


def places(tree: ast.Module) -> list[ast.AST]:
    """The nodes that can be changed."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            is_type = isinstance(node.value, str) and node.value in TYPES
            if type(node.value) is int or is_type:
                found.append(node)
        elif (isinstance(node, ast.Compare) and type(node.ops[0]) in OTHERWISE) or (
            isinstance(node, ast.BinOp) and type(node.op) in OTHERWISE
        ):
            found.append(node)
    return found


class Finder:
    """Finds one module with another code."""

    def __init__(self, name: str, code: CodeType) -> None:
        self.name, self.code = name, code

    def find_spec(self, name: str, path: Sequence[str], _: ModuleType | None = None) -> Any:
        """The place of the module, with the other loader."""
        if name != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        assert spec and spec.origin
        spec.loader = Edited(name, spec.origin)
        spec.loader.code = self.code
        return spec


def in_a_copy(act: Callable[[], Any]) -> Any:
    """What a function returns in a copy of this process; None if it fails there."""
    reading, writing = os.pipe()
    if child := os.fork():
        os.close(writing)
        with open(reading) as answer:  # noqa: PTH123
            text = answer.read()
        os.waitpid(child, 0)
        return json.loads(text) if text else None
    try:
        os.close(reading)
        with open(writing, "w") as answer:  # noqa: PTH123
            json.dump(act(), answer)
    except BaseException:
        if os.environ.get("VERBOSE"):
            traceback.print_exc()
    finally:
        os._exit(0)


def keys() -> dict[str, str]:
    """The keys of the kernels."""
    for name in KERNELS:
        importlib.import_module(name.rpartition(".")[0])
    from boomslang.core.jit import jit

    return {f.name: jit._keys().key_of(f.dispatcher) for f in jit._signed if f.name in KERNELS}


def code_of(names: Sequence[str]) -> dict[str, str]:
    """LLVM's code of some kernels."""
    from boomslang.core.jit import jit

    found = {}
    for function in jit._signed:
        if function.name in names:
            jit.compile_kernel(function.name)
            (signature,) = function.dispatcher.signatures
            found[function.name] = without_running_names(
                function.dispatcher.inspect_llvm(signature)
            )
    return found


def original() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Keys and code of the sources as they are, and the files behind them."""
    found = keys()
    files = {
        name: module.__file__
        for name, module in sorted(sys.modules.items())
        if name.startswith(("boomslang.core.", "boomslang.engine.", "boomslang.eval."))
        and module.__file__
    }
    return found, code_of(KERNELS), files


def look_at(
    finder: Finder, order: Sequence[str], before: dict[str, str]
) -> tuple[int, dict[str, str], dict[str, str]]:
    """How many keys are others with one module edited, and the code of some with the same and another key."""
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    after = keys()
    same = [kernel for kernel in order if after[kernel] == before[kernel]]
    changed = [kernel for kernel in order if after[kernel] != before[kernel]]
    return len(changed), code_of(same[:COMPILED]), code_of(changed[:1])


def main() -> int:
    """Try mutations; returns 1 if a key is equal for different code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutations", type=int, default=300)
    parser.add_argument("--begin", type=int, default=0, help="mutations that are left out")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    os.environ["BOOMSLANG_CACHE_DIR"] = os.devnull  # nothing comes from the cache
    import numba

    numba.njit("i8(i8)")(lambda number: number)
    found, code, files = in_a_copy(original)
    trees = {name: ast.parse(Path(file).read_text("utf-8")) for name, file in files.items()}
    choices = [(name, n) for name, tree in trees.items() for n in range(-1, len(places(tree)))]
    random.Random(given.seed).shuffle(choices)
    counts: Counter[str] = Counter()
    shown_at = time.monotonic()
    for place, (name, number) in enumerate(choices[: given.mutations]):
        if place < given.begin:
            continue
        if time.monotonic() > shown_at + INTERVAL:
            shown_at = time.monotonic()
            print(f"{place} of {given.mutations}, stale: {counts['stale']}", flush=True)
        chance = random.Random(f"{given.seed} {place}")
        tree = ast.parse(Path(files[name]).read_text("utf-8"))
        said = f"{name.removeprefix('boomslang.')}: {mutate(tree, number)}"
        order = chance.sample(KERNELS, len(KERNELS))
        finder = Finder(name, compile(tree, files[name], "exec"))
        look = functools.partial(look_at, finder, order, found)
        if (answer := in_a_copy(look)) is None:
            counts["impossible"] += 1
            continue
        changed, same, other = answer
        stale = [kernel for kernel, text in same.items() if text != code[kernel]]
        counts["mutations"] += 1
        counts["keys compared"] += len(found)
        counts["keys changed"] += changed
        counts["kernels with the same key compiled"] += len(same)
        counts["stale"] += len(stale)
        counts["kernels with another key compiled"] += len(other)
        counts["of them with the same code"] += sum(
            other[kernel] == code[kernel] for kernel in other
        )
        if stale or (number < 0 and changed):
            print(f"{said}: STALE {stale}, {changed} changed", flush=True)
    print(*(f"{name}: {number}" for name, number in counts.items()), sep="\n")
    return 1 if counts["stale"] or not counts["mutations"] else 0


if __name__ == "__main__":
    sys.exit(main())
