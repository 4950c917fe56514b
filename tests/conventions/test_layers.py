"""The house rules of the code, held by machine."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from boomslang.core.system.identity import VERSION
from boomslang.core.system.installation import PACKAGES
from tests.support.places import ROOT

SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
ALL_CODE = [*SOURCES, ROOT / "boomslang.py", *sorted((ROOT / "tests").rglob("*.py"))]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """The syntax tree of a file, which several tests look at."""
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


@pytest.fixture(scope="module", autouse=True)
def forgotten_trees() -> Iterator[None]:
    yield
    nodes_of.cache_clear()


def jitted() -> Iterator[tuple[str, ast.FunctionDef, ast.expr]]:
    """Each function that `core.jit.jit` decorates, with its place and its decorator."""
    for path, node in ((source, node) for source in SOURCES for node in nodes_of(source)):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                target = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(target, ast.Name) and target.id in ("jit", "kernel"):
                    yield f"{name_of(path)}: {node.name}", node, decorator


def test_no_modules_import_each_other() -> None:
    """Also for types alone and in functions, which the contracts do not see."""
    modules = {
        "boomslang." + name_of(path)[: -len(".py")].replace("/", "."): path for path in SOURCES
    }
    wanted = {
        name: {
            module
            for found in imports(path)
            for module in (found, found.rpartition(".")[0])
            if module in modules
        }
        for name, path in modules.items()
    }
    TopologicalSorter(wanted).prepare()  # raises CycleError, which names them
    assert "boomslang.engine.limits" in wanted["boomslang.engine.engine"]


def test_recursive_kernels_state_their_signature() -> None:
    # A cached function that infers its own recursive type crashes the second start, Numba #6061.
    recursive = 0
    for place, function, decorator in jitted():
        calls = {
            node.func.id
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        if function.name in calls:
            assert isinstance(decorator, ast.Call), f"{place} needs @jit(signature)"
            recursive += 1
    assert recursive


def test_jitted_functions_raise_nothing() -> None:
    # Their callers do not look, see `core.jit.instructions.call_code`.
    raising = (ast.Raise, ast.Assert)
    for place, function, _ in jitted():
        assert not any(isinstance(node, raising) for node in ast.walk(function)), place


def test_jitted_functions_have_a_docstring() -> None:
    assert [place for place, function, _ in jitted() if not ast.get_docstring(function)] == []


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports; what is taken from one counts as a module below it."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    ("doors", "behind"),
    [
        (
            (
                *("core/jit/code_files.py", "core/jit/instructions.py", "core/jit/jit.py"),
                *("core/jit/kernel_keys.py", "core/jit/linking.py", "core/jit/pipelines.py"),
                "core/jit/simd.py",
            ),
            ("numba", "llvmlite"),
        ),
        (
            ("cli/terminal/progress.py",),
            ("boomslang.core.jit.jit.load_kernels",),
        ),  # none compiles without a word
    ],
)
def test_what_has_its_doors(doors: tuple[str, ...], behind: tuple[str, ...]) -> None:
    comers = {
        name_of(path)
        for path in SOURCES
        if name_of(path).startswith("cli/") or not doors[0].startswith("cli/")
        for module in imports(path)
        if f"{module}.".startswith(tuple(f"{name}." for name in behind))
    }
    assert comers == set(doors)


def public_classes() -> Iterator[tuple[str, str]]:
    """Name and file of every class, also of a nested one, whose name has no underscore in front."""
    for path in SOURCES:
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, name_of(path)


def test_no_public_class_name_stands_twice() -> None:
    places: dict[str, list[str]] = {}
    for name, path in public_classes():
        places.setdefault(name, []).append(path)
    assert len(places) > 200
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


# What takes text of strangers for chess, and who may call it beside the door, `engine/notation/`.
FORBIDDEN = (
    *("read_game", "read_headers", "skip_game", "GameBuilder", "HeadersBuilder", "BaseVisitor"),
    *("from_epd", "set_epd", "find_variant", "push_san"),
)
TEXT_READERS: dict[str, set[str]] = {
    **{name: set() for name in FORBIDDEN},
    "parse_san": {"engine/user_game.py", "uci/cecp/game.py"},  # a move that was typed or sent
}


def test_external_text_has_one_reader() -> None:
    found = names_in_files()
    for name, readers in TEXT_READERS.items():
        assert {file for file, names in found.items() if name in names} == readers, name


def names_in_files() -> dict[str, set[str]]:
    """The names, attributes and functions of each file outside of engine/notation."""
    found = {}
    for path in SOURCES:
        if ROOT / "engine" / "notation" not in path.parents:
            nodes = nodes_of(path)
            found[name_of(path)] = (
                {node.id for node in nodes if isinstance(node, ast.Name)}
                | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
                | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
            )
    return found


def test_files_stay_readable() -> None:
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in ALL_CODE}
    assert len(lengths) > 500
    assert {name: length for name, length in lengths.items() if length > 500} == {}


def test_packages_import_nothing() -> None:
    # `engine` stands both above and below `eval`: an import here would close a circle.
    packages = [path for path in SOURCES if path.name == "__init__.py"]
    assert len(packages) > 30
    for package in packages:
        body = ast.parse(package.read_text("utf-8")).body
        assert len(body) == 1, name_of(package)
        assert isinstance(body[0], ast.Expr), name_of(package)
        assert isinstance(body[0].value, ast.Constant), name_of(package)


def test_the_version_has_one_source() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in settings["project"] and "version" in settings["project"]["dynamic"]
    source = settings["tool"]["hatch"]["version"]
    found = re.findall(source["pattern"], (ROOT / source["path"]).read_text("utf-8"))
    assert found == [VERSION]


def test_everything_is_below_one_name() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    placed = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {name: f"boomslang/{name}" for name in PACKAGES}.items() <= placed.items()
    assert placed["engine/py.typed"] == "boomslang/py.typed"
    assert {place.split("/")[0] for place in placed.values()} == {"boomslang"}
