"""`boomslang-stubs`, from which type checkers know the package in a clone: it says what the code says."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import boomslang
from tests.support.documents import programs
from tests.support.places import ROOT

STUB = ROOT / "boomslang-stubs" / "__init__.pyi"
CLASSES = ("Engine", "Games", "Info", "Limits", "Result", "Score", "CommandError")
FUNCTIONS = (
    *("analyse_game", "command", "find", "label", "people", "play_match"),
    *("popen", "popen_async", "read_games"),
)


class _Plain(ast.NodeTransformer):
    """Drops what a stub writes differently: private names of types, and defaults that are names."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(node.id.removeprefix("_"))

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        node.defaults = [
            ast.Constant(...) if isinstance(default, ast.Name) else default
            for default in node.defaults
        ]
        return self.generic_visit(node)


def plain(node: ast.AST) -> str:
    return ast.unparse(_Plain().visit(node))


def is_public(name: str) -> bool:
    return not name.startswith("_") or name.startswith("__")


def members(node: ast.ClassDef) -> Iterator[str]:
    """The head of a class, its fields, and the signatures of its public methods."""
    yield plain(ast.ClassDef(node.name, node.bases, [], [ast.Pass()], node.decorator_list))
    for child in node.body:
        if isinstance(child, ast.AnnAssign):
            yield plain(child)
        elif isinstance(child, ast.FunctionDef) and is_public(child.name):
            yield signature(child)


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    node.body = [ast.Pass()]
    return plain(node)


def declared(path: Path, name: str) -> list[str]:
    """What a file says of a public class or function."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return list(members(node))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            return [signature(node)]
    raise LookupError(f"{name} is not in {path}")


def test_every_public_name_is_compared() -> None:
    assert {*CLASSES, *FUNCTIONS, "__version__"} == set(boomslang.__all__)


@pytest.mark.parametrize("name", [*CLASSES, *FUNCTIONS])
def test_the_stub_says_what_the_code_says(name: str) -> None:
    module = import_module(getattr(boomslang, name).__module__)
    assert module.__file__
    assert declared(STUB, name) == declared(Path(module.__file__), name)


@pytest.mark.parametrize("name", ["perft.divide.divide", "eval.wdl.conversion.to_cp"])
def test_functions_of_packages_that_documents_name(name: str) -> None:
    *module, function = name.split(".")
    stub, code = STUB.parent.joinpath(*module), ROOT.joinpath(*module)
    assert declared(stub.with_suffix(".pyi"), function) == declared(
        code.with_suffix(".py"), function
    )


def test_the_stub_exports_what_the_package_exports() -> None:
    exported = [
        ast.literal_eval(node.value)
        for path in (STUB, ROOT / "boomslang.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    assert len(exported) == 2 and exported[0] == exported[1]


@pytest.mark.parametrize(
    "checker",
    [
        ("mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache/documents"),
        ("pyright", "--pythonpath", sys.executable),
    ],
    ids=["mypy", "pyright"],
)
@pytest.mark.slow
def test_the_programs_of_the_documents_have_no_wrong_types(
    checker: tuple[str | Path, ...], tmp_path: Path
) -> None:
    if not find_spec(str(checker[0])):
        pytest.skip(f"needs {checker[0]}")
    shown = programs()
    assert {page for page, _ in shown} >= {"README.md", "python.md"}
    for number, (page, code) in enumerate(shown):
        if "boomslang.engine" in code:
            continue  # what lies inside is described by the installed package
        (tmp_path / f"program_{number}.py").write_text(f"# {page}\n{code}", "utf-8")
    inside = "import boomslang, chess\ncount: int = boomslang.perft.divide.divide(chess.Board(), 2)[0][1]\n"
    inside += "from boomslang.eval.wdl.conversion import to_cp\ncentipawns: int = to_cp(count)\n"
    (tmp_path / "inside.py").write_text(inside, "utf-8")
    (tmp_path / "boomslang").symlink_to(STUB.parent)
    done = subprocess.run(
        [sys.executable, "-m", *checker, "."],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": "."},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
