"""What the documents show must exist: command words, their options, options of the engine, files."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from boomslang.cli.command_line import _WITHOUT_OWN_HELP, COMMANDS, USAGE
from boomslang.engine.options import OPTIONS
from tests.support.documents import PAGES, run_programs, shown_outputs
from tests.support.places import ROOT

COMMAND = re.compile(
    r"(?:^|[`|]\s*|\$ )(?:\./|\.venv\\Scripts\\|/path/to/)?boomslang ([^`|]+)", re.M
)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
MAX_ROW = 200  # characters; longer text is a paragraph


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
        import_module(COMMANDS[word]).main(["--help"])
    return out.getvalue()


def test_commands_exist() -> None:
    shown = shown_commands()
    assert len(shown) > 100
    unknown = [f"{page}: {line}" for page, line in shown if not exists(line)]
    assert unknown == []


def exists(line: str) -> bool:
    """True if the program has this command and its options."""
    words = shlex.split(line)
    word = words[0].split()[0] if words else "--log"  # several lines of UCI come in quotes
    if word == "--log":
        return True
    if word in COMMANDS:
        known = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", help_of(word)))
        return all(part.split("=")[0] in known for part in words[1:] if part.startswith("--"))
    return word in _WITHOUT_OWN_HELP | {"help", "d", "go", "flip", "position", "version"}


def test_links_lead_somewhere() -> None:
    links = [(page, target) for page in PAGES for target in LINK.findall(page.read_text("utf-8"))]
    assert len(links) > 50
    assert [f"{page}: {to}" for page, to in links if not (page.parent / to).exists()] == []


def test_rows_of_tables_are_short() -> None:
    rows = [
        f"{page.name}: {line}"
        for page in PAGES
        for line in page.read_text("utf-8").splitlines()
        if line.startswith("|") and len(line) > MAX_ROW
    ]
    assert rows == []


def test_tables_have_a_head() -> None:
    """Rows behind an empty line are a table of their own, and without a head they are shown as text."""
    headless = [
        f"{page.name}: {row}"
        for page in PAGES
        for row in re.findall(r"(?<=\n\n)(\|.*)\n(?!\|[ :|-]+\|)", page.read_text("utf-8"))
    ]
    assert headless == []


def test_the_list_of_layers_is_that_of_the_contract() -> None:
    text = (ROOT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
    block = text.partition("## Layers")[2].partition("\n    ")[2].partition("\n\n")[0]
    listed = [
        set(re.findall(r"\b(?:cli|uci|perft|(?:engine|eval|core)\.\w+)\b", line))
        for line in block.splitlines()
    ]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "layers")
    assert listed == [set(layer.replace("boomslang.", "").split(" | ")) for layer in layers]


def test_programs_are_shown_with_their_output() -> None:
    assert {shown.page for shown in shown_outputs()} >= {"README.md", "python.md"}


@pytest.mark.jit_only
def test_shown_output_is_that_of_the_program(tmp_path: Path) -> None:
    shown = shown_outputs()
    assert run_programs((each.code for each in shown), tmp_path) == [each.output for each in shown]


def test_all_commands_are_documented() -> None:
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    listed = {word for rows in USAGE.values() for words, *_ in rows for word in words.split()}
    for word in [*COMMANDS, *_WITHOUT_OWN_HELP]:
        assert re.search(rf"`boomslang {word}[ `]", text), word
        assert word in listed, word


def test_all_options_of_an_analysis_are_documented() -> None:
    text = (ROOT / "docs" / "analysis.md").read_text("utf-8")
    options = set(re.findall(r"--[a-z][\w-]*", help_of("analyse"))) - {"--help"}
    assert [option for option in sorted(options) if f"`{option}" not in text] == []


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
