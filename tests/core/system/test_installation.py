"""The hash by which results of one version of the engine are told from those of another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boomslang.core.system import installation
from boomslang.core.system.installation import fingerprint, sources_of


@pytest.mark.parametrize(
    "module", ["cli.dispatch", "engine.analysis.segment", "engine.labels.labeller"]
)
def test_all_that_a_module_loads_is_among_its_sources(module: str) -> None:
    asked = f"import sys, boomslang.{module}; print(*sys.modules)"
    command = [sys.executable, "-c", asked]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    names = {name.removeprefix("boomslang.") for name in loaded if name.startswith("boomslang.")}
    packages = {name.rpartition(".")[0] for name in names} | {module.partition(".")[0]}
    found = sources_of(module).keys()
    assert names - packages <= found
    # In functions too, where a search imports what only some games need.
    assert {"engine.driver.mcts", "engine.tablebases.probe", "eval.network.forward"} <= found
    assert not any(name.startswith(("cli.lab", "engine.learning")) for name in found)
    assert "engine.analysis.report_page" not in found


def test_it_changes_with_sources_and_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "FOLDER", str(tmp_path))
    (tmp_path / "shop").mkdir()
    sources = {
        "shop/score.py": "from boomslang.shop import (\n    weights,\n)\n",
        "shop/weights.py": "PAWN = 100\n",
        "shop/page.py": "from boomslang.shop.score import PAWN\n",
    }
    for name, text in sources.items():
        (tmp_path / name).write_text(text)
    found = {fingerprint("shop.score"), fingerprint("shop.score", "another network")}
    (tmp_path / "shop/page.py").write_text("")
    assert fingerprint("shop.score") in found, "it does not import the page"
    (tmp_path / "shop/weights.py").write_text("PAWN = 101\n")
    found.add(fingerprint("shop.score"))
    (tmp_path / "shop/weights.py").rename(tmp_path / "shop/values.py")
    (tmp_path / "shop/score.py").write_text(sources["shop/score.py"].replace("weights", "values"))
    last = fingerprint("shop.score")
    assert len(found | {last}) == 4
    copy = tmp_path / "elsewhere"
    (tmp_path / "shop").rename(copy)
    (copy / "shop").mkdir()
    for path in copy.glob("*.py"):
        path.rename(copy / "shop" / path.name)
    monkeypatch.setattr(installation, "FOLDER", str(copy))
    assert fingerprint("shop.score") == last, "wherever they lie"
