"""The pages of the documentation, and the programs that they show with their output."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.places import ROOT
from tests.support.process import run_python

PAGES: Final = sorted(
    path
    for folder in (".", ".github", "docs", "docs/measurements")
    for path in (ROOT / folder).glob("*.md")
)
# A program with its output: in comments at its end, or in a block of text after it.
_COMMENTED: Final = re.compile(r"```python\n((?:(?!```).)*?)\n\n((?:# [^\n]*\n)+)```", re.S)
_FOLLOWED: Final = re.compile(r"```python\n((?:(?!```).)*?)```\n+prints\n+```text\n(.*?)```", re.S)


class ShownProgram(NamedTuple):
    """A Python program of a page, and the output that the page shows."""

    page: str
    code: str
    output: str


def programs() -> list[tuple[str, str]]:
    """Every Python program that uses the library, with its page."""
    return [
        (page.name, code)
        for page in PAGES
        for code in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.S)
        if "boomslang" in code
    ]


def shown_outputs() -> list[ShownProgram]:
    """Every Python program that is shown with its output."""
    found = []
    for page in PAGES:
        text = page.read_text("utf-8")
        for code, comments in _COMMENTED.findall(text):
            found.append(ShownProgram(page.name, code, re.sub(r"^# ", "", comments, flags=re.M)))
        found += [ShownProgram(page.name, *match) for match in _FOLLOWED.findall(text)]
    return found


def run_programs(codes: Iterable[str], folder: Path) -> list[str]:
    """What each program prints, in one process: each has its own names, but finds what is imported."""
    end = "end of a program\n"
    (folder / "programs.py").write_text(
        f"if __name__ == '__main__':\n    for code in {[*codes]!r}:\n"
        f"        exec(code, {{'__name__': '__main__'}})\n        print({end!r}, end='')\n"
    )
    done = run_python("programs.py", folder=folder)
    said = [line for line in done.stderr.splitlines() if not line.startswith("getting ready, ")]
    assert (done.returncode, said) == (0, [])
    *printed, rest = done.stdout.split(end)
    assert rest == ""
    return printed
