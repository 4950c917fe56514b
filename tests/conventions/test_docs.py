"""What the documents show must exist: command words, their options, options of the engine, files."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from boomslang.cli.command_line import _COMMANDS, _WITHOUT_OWN_HELP, USAGE
from boomslang.engine.options import OPTIONS
from tests.support.places import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
COMMAND = re.compile(
    r"(?:^|[`|]\s*|\$ )(?:\./|\.venv\\Scripts\\|/path/to/)?boomslang ([^`|]+)", re.M
)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def shown_commands() -> list[tuple[str, str]]:
    """Page and arguments of every command line of ours in code."""
    found = []
    for page in PAGES:
        if page.name == "CHANGELOG.md":
            continue  # it speaks of the past
        text = page.read_text("utf-8").replace("\\\n", " ")
        blocks = re.findall(r"```(?:sh|bat|console)?\n(.*?)```", text, re.S)
        spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))
        for code in [*(line for block in blocks for line in block.splitlines()), *spans]:
            if match := COMMAND.match(code.strip()):
                found.append((page.name, match[1].split(" #")[0].strip()))
    return found


@cache
def help_of(word: str) -> str:
    """What `boomslang WORD --help` prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        import_module(_COMMANDS[word]).main(["--help"])
    return out.getvalue()


@pytest.mark.parametrize(("page", "line"), shown_commands())
def test_commands_exist(page: str, line: str) -> None:
    words = shlex.split(line)
    if not words:
        return
    word = words[0].split()[0]  # several lines of UCI come in quotes
    if word in _COMMANDS:
        known = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", help_of(word)))
        for option in (part.split("=")[0] for part in words[1:] if part.startswith("--")):
            assert option in known, f"{page}: {line}"
    else:
        assert word in _WITHOUT_OWN_HELP | {"help", "d", "go", "flip", "position", "version"}, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_all_commands_are_documented() -> None:
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    listed = {word for words, _ in USAGE for word in words.split()}
    for word in [*_COMMANDS, *_WITHOUT_OWN_HELP]:
        assert re.search(rf"`boomslang {word}[ `]", text), word
        assert word in listed, word


def test_all_options_are_documented_with_their_defaults() -> None:
    text = (ROOT / "docs" / "options.md").read_text("utf-8")
    for option in OPTIONS:
        row = re.search(
            rf"^\| `{re.escape(option.name)}` \| ([^|]*) \| ([^|]*) \| (.*) \|$", text, re.M
        )
        assert row, option.name
        kind, default = row[1].strip(), row[2].strip()
        assert kind == option.kind, option.name
        if option.kind in ("spin", "check", "combo"):
            assert default == str(option.default).lower(), option.name
        for low, high in re.findall(r"from (\d+) to (\d+)", row[3]):
            assert (int(low), int(high)) == (option.lowest, option.highest), option.name
