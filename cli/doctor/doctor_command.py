"""`boomslang doctor`: checks of the installation, with remedies."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from rich.text import Text

from boomslang.cli.doctor import file_checks, machine_checks
from boomslang.cli.doctor.machine_checks import BAD, NOTE, OK, Finding
from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import say
from boomslang.core.system.sanitize import printable

_HEALTHY, _ILL = 0, 1
_DESCRIPTION: Final = """\
Check Python, the packages, the processor, the network, the compiled kernels and the launcher, and on
request endgame tables. Failed checks are marked BAD, possible improvements note; the line
below gives the remedy.
"""
_EXAMPLES: Final = """\
examples:
  boomslang doctor
  boomslang doctor --syzygy /srv/syzygy

The exit status is 1 if a check failed. `boomslang book check` checks an opening book.
"""
_COLOURS: Final = {OK: "green", NOTE: "yellow", BAD: "red"}


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang doctor", _DESCRIPTION, _EXAMPLES)
    parser.option(
        "--syzygy FOLDERS",
        Path,
        "folders of Syzygy tablebases to check, separated by semicolons (none)",
    )
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    checks: list[Callable[[], Iterator[Finding]]] = [
        machine_checks.python,
        machine_checks.packages,
        machine_checks.processor,
        machine_checks.network,
        machine_checks.kernels,
        file_checks.launcher,
    ]
    if arguments.syzygy:
        checks.append(partial(file_checks.tables, arguments.syzygy))
    bad, console = 0, Console(soft_wrap=True)
    for check in checks:
        for finding in _carefully(check):
            bad += finding.verdict == BAD
            _print(console, finding)
    say(f"{bad} problem{'' if bad == 1 else 's'} found." if bad else "No problems found.")
    return _ILL if bad else _HEALTHY


def _carefully(check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    try:
        yield from check()
    except Exception as problem:
        name = getattr(check, "__name__", "a file")
        reason = str(problem).partition("\n")[0]
        yield Finding(
            BAD, f"{name}: {type(problem).__name__}: {reason}", "fix the problems above first"
        )


def _print(console: Console, finding: Finding) -> None:
    verdict = Text(finding.verdict, _COLOURS[finding.verdict])
    console.print(Text.assemble(verdict, f"{'':{6 - len(verdict)}}", printable(finding.text)))
    if finding.remedy:
        console.print(f"      -> {finding.remedy}")
