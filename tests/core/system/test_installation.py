"""The hash by which results of one version of the engine are told from those of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from boomslang.core.system import installation
from boomslang.core.system.installation import fingerprint


def test_it_changes_with_sources_and_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "FOLDER", str(tmp_path))
    found = {fingerprint("one"), fingerprint("another")}
    (tmp_path / "eval").mkdir()
    source = tmp_path / "eval" / "weights.py"
    for text in ("PAWN = 100\n", "PAWN = 101\n"):
        source.write_text(text)
        found.add(fingerprint("one"))
        assert fingerprint("one") in found
    source.rename(source.with_name("values.py"))
    last = fingerprint("one")
    assert len(found | {last}) == 5
    copy = tmp_path / "textbook"  # a name that is left out within the engine
    source.with_name("values.py").parent.rename(tmp_path / "moved")
    copy.mkdir()
    (tmp_path / "moved").rename(copy / "eval")
    monkeypatch.setattr(installation, "FOLDER", str(copy))
    assert fingerprint("one") == last, "wherever they lie"
