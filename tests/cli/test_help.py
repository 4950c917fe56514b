"""Help fits into the terminal, and its examples can be copied at every width."""

from __future__ import annotations

import re
import shlex

import pytest

from boomslang.cli.command_line import COMMANDS
from tests.cli.test_untrusted_names import parser_of, parsers
from tests.support.strangers import said

WIDTHS = (66, 80, 120)
# Those with words of their own explain each.
HELPS = [
    [],
    *([word, *below] for word in sorted(COMMANDS) for below, _ in parsers(parser_of(word))),
]


def examples(text: str) -> list[list[str]]:
    """The words of every command below `examples:`, as a shell reads them."""
    lines = text.partition("examples:\n")[2].split("\n")
    return [shlex.split(line) for line in lines if line.startswith("  boomslang")]


def prose(text: str) -> list[str]:
    """The lines of options and of paragraphs; examples and lists stand as they are."""
    head, _, end = text.partition("\n\noptions:\n")
    options, _, rest = end.partition("\n\n")
    return [*options.split("\n"), *re.findall(r"^[^ \n].*", f"{head}\n\n{rest}", re.M)]


@pytest.mark.parametrize("words", HELPS, ids=" ".join)
def test_help_fits(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {}
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        status, out, err = said([*words, "--help"], monkeypatch, "utf-8")
        assert (status, err) == (0, "")
        assert max(map(len, prose(out))) <= width, width
        assert not re.search(r"[ \t]$", out, re.M) and "\n\n\n" not in out
        shown[width] = examples(out)
    assert all(found == shown[120] for found in shown.values())
    assert shown[120] or len(words) != 1 or words[0] in ("warmup", "where")
