"""The tour of the textbook's search runs without Numba, in the Python of a browser too."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.browser import Browser, find_browser
from tests.support.documents import shown_outputs
from tests.support.places import ROOT

PYODIDE = ROOT / "build" / "pyodide" / "package"
BROWSER = find_browser()
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


@pytest.mark.slow
@pytest.mark.skipif(
    not (BROWSER and importlib.util.find_spec("mkdocs") and (PYODIDE / "pyodide.mjs").is_file()),
    reason="needs Chromium, MkDocs, and Pyodide by `make build/pyodide/package`",
)
def test_its_page_runs_the_programs(tmp_path: Path) -> None:
    site = tmp_path / "site"
    words: list[str | Path] = [
        "build",
        "--quiet",
        "--config-file",
        "docs/mkdocs.yml",
        "--site-dir",
        site,
    ]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([sys.executable, "-m", "mkdocs", *words], check=True, cwd=ROOT, env=quiet)
    subprocess.run([sys.executable, ROOT / ".ci" / "tour_site.py", site, PYODIDE], check=True)
    assert BROWSER
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(site))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with server, Browser(BROWSER) as browser:
        address = f"http://127.0.0.1:{server.server_port}/"
        browser.own = (address,)
        browser.visit(f"{address}tour/", 1200, 900)
        for number, shown in enumerate(PROGRAMS):
            button = f"document.querySelectorAll('pre + button')[{number}]"
            browser.run(f"{button}.click()")
            browser.wait_for(f"!{button}.disabled", 300)
            assert browser.run(f"{button}.nextElementSibling.textContent") == shown.output.rstrip()
        browser.run("document.querySelector('[data-bs-theme-value=dark]').click()")
        assert browser.run("document.documentElement.dataset.bsTheme") == "dark"
        assert not any("exception" in complaint for complaint in browser.complaints)
        server.shutdown()
