"""What the tools are asked: every argument against hostile values, from the declarations."""

from __future__ import annotations

import contextlib

import pytest

pytest.importorskip("mcp")

from boomslang.cli.mcp.reading import RefusalError
from boomslang.cli.mcp.requests import MEMORY_TOOLS, TOOLS
from boomslang.engine.settings import declared
from tests.engine.test_settings import HOSTILE, needed

ALL = TOOLS | MEMORY_TOOLS


@pytest.mark.parametrize("tool", ALL)
def test_a_language_model_is_told_what_it_may_say(tool: str) -> None:
    request = ALL[tool]
    schema = request.schema()
    assert {*schema["properties"]} == {*declared(request)} >= {*schema["required"]}
    for name in declared(request):
        for hostile in HOSTILE:
            with contextlib.suppress(RefusalError):
                made = request.read(needed(request) | {name: hostile})
                assert type(getattr(made, name)) in (str, int, tuple, type(None)), (name, hostile)
    for unknown in ("", "nodez", "\x1b[2J", "x" * 500):
        with pytest.raises(RefusalError, match="no argument") as refusal:
            request.read(needed(request) | {unknown: 1})
        assert len(str(refusal.value)) < 300 and str(refusal.value).isprintable()
    loose = {"nodes": "5000"} if "nodes" in declared(request) else {}
    assert request.read(needed(request) | loose)
