"""`boomslang where`: the path or command of the engine, to paste into a GUI."""

from __future__ import annotations

import argparse

from boomslang.cli.terminal.arguments import Parser, shell_quote, with_arguments
from boomslang.cli.terminal.output import say
from boomslang.core.system.launcher import command

_DESCRIPTION = (
    "Print the path of the engine, to paste into a GUI, and the folder of the kernel cache."
)


def new_parser() -> Parser:
    """The arguments of the command."""
    return Parser("boomslang where", _DESCRIPTION)


@with_arguments(new_parser)
def main(_: argparse.Namespace) -> int:
    from boomslang.core.jit import jit

    cache = jit.kernel_cache()
    words = command()
    say(f"engine: {words[0] if len(words) == 1 else shell_quote(words)}")
    say(f"kernels: {cache.folder or cache.remark}")
    return 0
