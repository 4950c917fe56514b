"""The notebooks run from the first cell to the last, and are kept without what they print and draw."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
# A folder that keeps the pictures, for somebody to look at; a test has one of its own.
KEPT = os.environ.get("BOOMSLANG_PICTURES")


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == "code"]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; returns what its last expression is."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - our own
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_it_is_kept_without_output(path: Path) -> None:
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells(path))


@pytest.mark.jit_only
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_it_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    pictures = Path(KEPT) if KEPT else tmp_path
    names: dict[str, Any] = {"__name__": "__main__"}
    drawn = 0
    for number, cell in enumerate(cells(path)):
        shown = run("".join(cell["source"]), names)
        if plt.get_fignums():
            plt.savefig(pictures / f"{path.stem}-{number}.png")
            plt.close("all")
            drawn += 1
        elif hasattr(shown, "_repr_svg_"):
            svg = shown._repr_svg_()
            assert svg.rstrip().endswith("</svg>")
            (pictures / f"{path.stem}-{number}.svg").write_text(svg, "utf-8")
            drawn += 1
    assert drawn == 8
    # The counts that the text tells of.
    assert names["counts"] == {"minimax": 13, "alpha-beta": 11, "ordering": 9}
    minimax, bare, ordered = (names["savings"][name] for name in names["savings"])
    assert minimax[1] > bare[1] > ordered[1] and bare[2] > ordered[2]
    assert names["blind"][0].line != names["seeing"][0].line
    assert max(each.value for each in names["blind"]) > names["seeing"][0].value
    assert sum(names["each"][:-1]) < names["each"][-1]
    assert names["visited"] == [21, 421, 9323] and names["different"] == [21, 421, 5783]
    assert names["best"] in ("d3", "O-O") and "depth" in capsys.readouterr().out
