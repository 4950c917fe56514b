"""Help is never wider than the terminal, and its examples can be copied at every width."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest

from boomslang.cli.command_line import COMMANDS
from boomslang.cli.terminal.help_text import fill, two_columns
from tests.cli.test_untrusted_names import parser_of, parsers
from tests.support.strangers import said

WIDTHS = (20, 40, 53, 66, 80, 97, 120)
# Those with words of their own explain each.
HELPS = [
    [],
    *([word, *below] for word in sorted(COMMANDS) for below, _ in parsers(parser_of(word))),
]


def examples(text: str) -> list[list[str]]:
    """The words of every command below `examples:`, as a shell reads them."""
    lines = text.partition("examples:\n")[2].replace("\\\n", "").split("\n")
    return [shlex.split(line) for line in lines if line.startswith("  boomslang")]


@pytest.mark.parametrize("words", HELPS, ids=" ".join)
def test_help_fits(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {}
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        status, out, err = said([*words, "--help"], monkeypatch, "utf-8")
        assert (status, err) == (0, "")
        assert max(map(len, out.split("\n"))) <= max(width, 24), width
        assert not re.search(r"[ \t]$", out, re.M) and "\n\n\n" not in out
        shown[width] = examples(out)
    assert all(found == shown[120] for found in shown.values())
    assert shown[120] or len(words) != 1 or words[0] in ("profile", "warmup", "where")


def test_a_command_in_pieces_is_the_same_to_a_shell() -> None:
    line = '  boomslang eval --fen "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -" --svg b'
    for width in range(24, 100):
        pieces = list(fill(line, width))
        assert max(map(len, pieces)) <= width
        code = "\n".join(pieces).replace("boomslang", "printf '%s\\n'", 1)
        run = subprocess.run(["sh", "-c", code], capture_output=True, text=True)
        assert run.stdout.split("\n")[:-1] == shlex.split(line)[1:]


def test_two_columns_stand_below_each_other_where_there_is_no_room() -> None:
    rows = [("word ...", "what it does, at some length"), ("another-word THAT [IS [LONG]]", "this")]
    assert list(two_columns(rows, 80, 2)) == [
        f"  {'word ...':32}what it does, at some length",
        f"  {'another-word THAT [IS [LONG]]':32}this",
    ]
    assert list(two_columns(rows, 30, 2)) == [
        "  word ...",
        "      what it does, at some",
        "      length",
        "  another-word THAT [IS",
        "    [LONG]]",
        "      this",
    ]
