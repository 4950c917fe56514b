"""The tour of the textbook's search runs without Numba, in the Python of a browser too."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.documents import shown_outputs
from tests.support.places import ROOT

PYODIDE = ROOT / "build" / "pyodide" / "package"
PROGRAMS = [shown for shown in shown_outputs() if shown.page == "tour.md"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """What the page unpacks, made as for the site."""
    command: list[str | Path] = [sys.executable, ROOT / ".ci" / "tour_site.py", tmp_path]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "Pyodide is missing" in said
    return tmp_path / "textbook.zip"


def test_its_archive_is_enough(archive: Path) -> None:
    programs = "\n".join(shown.code for shown in PROGRAMS)
    blocked = "import sys\nsys.modules.update(numba=None, numpy=None)\n"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"{blocked}sys.path.insert(0, {str(archive)!r})\n{programs}",
        ],
        capture_output=True,
        text=True,
    )
    assert done.stderr == "" and done.stdout == "".join(shown.output for shown in PROGRAMS)
    assert len(PROGRAMS) == 4


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("node") and (PYODIDE / "pyodide.mjs").is_file()),
    reason="needs node, and Pyodide by `make build/pyodide/package`",
)
def test_it_runs_in_the_python_of_a_browser(archive: Path) -> None:
    done = subprocess.run(
        ["node", ROOT / "tests" / "tour.mjs", PYODIDE, archive],
        input=json.dumps([shown.code for shown in PROGRAMS]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [shown.output for shown in PROGRAMS]
