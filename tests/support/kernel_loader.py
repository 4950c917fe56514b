"""Something else in the place of the loader of kernels, wherever a module has imported it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from boomslang.core.system.installation import PACKAGES
from tests.support.places import ROOT


@cache
def _modules() -> list[str]:
    """The modules that have the loader by its name."""
    files = [path for package in PACKAGES for path in Path(ROOT, package).rglob("*.py")]
    places = [
        path.relative_to(ROOT).with_suffix("").parts
        for path in files
        if any(
            line.startswith("from boomslang.core.jit.jit import") and "load_kernels" in line
            for line in path.read_text("utf-8").splitlines()
        )
    ]
    return ["boomslang.core.jit.jit", *(".".join(("boomslang", *place)) for place in places)]


def replace_loader(monkeypatch: pytest.MonkeyPatch, loader: Callable[..., None]) -> None:
    """Exchange it, after all of them have been imported: they would keep the other one for ever."""
    for module in [import_module(name) for name in _modules()]:
        monkeypatch.setattr(module, "load_kernels", loader)
