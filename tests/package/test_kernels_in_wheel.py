"""The wheel of a platform, which carries compiled kernels; `make wheels` builds and tries it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.engine.driver.test_bench import NODES
from tests.support.installed import GIVEN, Installed, by_uv_pip, needs_wheel, wheel

pytestmark = [
    *needs_wheel,
    pytest.mark.skipif("none-any" in GIVEN, reason="needs the wheel that `make wheels` builds"),
]

MAX_MEGABYTES = 12.0


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return by_uv_pip(tmp_path_factory.mktemp("carried"), wheel())


def carried(installed: Installed) -> Path:
    """The folder of its kernels."""
    found = "import boomslang.core.jit.shipped as s; print(s.FOLDER)"
    return Path(installed.program("folder.py", found).strip())


def compiled(installed: Installed) -> list[str]:
    """What had to be compiled."""
    files = Path(installed.environment["BOOMSLANG_CACHE_DIR"]).rglob("*.kernel")
    return sorted(path.name.partition("-")[0] for path in files)


def test_its_size() -> None:
    assert wheel().stat().st_size < MAX_MEGABYTES * 1e6


def test_a_first_start_compiles_nothing(installed: Installed) -> None:
    printed = installed.run(installed.engine, "bench")
    assert re.search(rf"Nodes searched +: {NODES}\b", printed)
    assert "kernels of the wheel: used" in installed.run(installed.engine, "doctor")
    assert compiled(installed) == []


def test_a_damaged_kernel_is_compiled_instead(installed: Installed) -> None:
    name = "core.board.makemove.make_move"
    for path in carried(installed).rglob(f"{name}-*"):
        path.write_bytes(path.read_bytes()[:-9] + b"different")
    assert "8902" in installed.run(installed.engine, "perft", "3")
    assert compiled(installed) == [name]


def test_kernels_for_another_numba_are_named(installed: Installed) -> None:
    path = carried(installed) / "versions.json"
    known = path.read_text()
    path.write_text(json.dumps(json.loads(known) | {"numba": "99.0"}))
    try:
        printed = installed.run(installed.engine, "doctor")
    finally:
        path.write_text(known)
    assert re.search(r"kernels of the wheel: not used, they are for numba 99\.0, here", printed)
