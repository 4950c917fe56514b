"""The measures of the search in `benchmarks`."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import choices, tree
from tests.support.places import ROOT


@pytest.mark.parametrize("module", ["negamax", "quiescence"])
def test_each_counter_has_its_line(module: str) -> None:
    source = (ROOT / f"engine/search/{module}.py").read_text("utf-8")
    counted = tree.with_counters(module, source)
    compile(counted, module, "exec")
    added = [line for line in counted.splitlines() if "search.counters" in line]
    assert len(added) == sum(map(len, tree.COUNTED[module].values()))
    wanted = next(iter(tree.COUNTED[module]))
    with pytest.raises(ValueError, match="no longer has the line"):
        tree.with_counters(module, source.replace(wanted, "pass"))


def test_what_choices_lose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two changes the first finds the better of two moves, 10 % of win chances, and the second nothing."""
    lots = [(a, b) for a in (1, -1) for b in (1, -1)] * 3
    better, worse = [["e2e4", 9, 100]], [["a2a3", 9, 100]]

    def write(name: str, header: object, lines: Sequence[object]) -> None:
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in (header, *lines)))

    screened = [
        {"row": row, "signs": lot, "choices": [better, worse][:: lot[0]]}
        for row, lot in enumerate(lots)
    ]
    plain = [{"row": row, "signs": [], "choices": [worse]} for row in range(len(lots))]
    judged = [
        {"of": [row, 0, move], "chance": chance}
        for row in range(len(lots) - 1)
        for move, chance in (("e2e4", 60.0), ("a2a3", 50.0))
    ]
    write(
        "screened-ours.jsonl", {"name": "ours", "nodes": 1000, "changes": ["a=1", "b=2"]}, screened
    )
    write("plain-ours.jsonl", {"changes": []}, plain)
    write("judged.jsonl", {}, judged)
    choices.report([], tmp_path, Namespace())
    lines = capsys.readouterr().out.splitlines()
    assert "ours, 1,000 nodes: 11 rows twice; mean loss 5.00" in lines  # one is not judged yet
    assert next(line for line in lines if line.endswith("a=1")).startswith("+10.00")
    assert next(line for line in lines if line.endswith("b=2")).lstrip("+- ").startswith("0.00")
    assert "plain-ours: depth 9.0, loss +10.00 ± 0.00 (11)" in lines
