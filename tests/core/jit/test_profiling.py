"""The build that measures itself plays the same, and its shares add up."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys

import pytest

from boomslang.core.jit.profiling import PARTS
from tests.support.places import ROOT


def test_the_parts_are_there() -> None:
    for name in PARTS:
        module, _, function = name.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function)), name


@pytest.mark.slow
@pytest.mark.jit_only
def test_the_command() -> None:
    def said(*words: str) -> str:
        words = (sys.executable, "-P", "-m", "cli", *words)
        surroundings = os.environ | {"PYTHONPATH": str(ROOT)}
        return subprocess.run(
            words, env=surroundings, capture_output=True, text=True, check=True
        ).stdout

    out = said("profile", "6")
    shares = [float(share) for share in re.findall(r"(\d+\.\d)%", out)]
    assert len(shares) == len(set(PARTS.values())) + 1
    assert abs(sum(shares) - 100.0) < 1.0
    assert sum(share > 0.0 for share in shares) > len(shares) // 2  # the least may be too small
    (nodes,) = re.findall(r"^([\d,]+) nodes", out, re.MULTILINE)
    (bench,) = re.findall(r"Nodes searched *: (\d+)", said("bench", "6"))
    assert nodes.replace(",", "") == bench
