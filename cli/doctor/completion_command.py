"""`boomslang completion`: a script that completes commands, options and files in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from boomslang.cli.terminal.arguments import Parser, UsageError, pip_install, with_arguments
from boomslang.cli.terminal.output import say

_DESCRIPTION: Final = """\
Print a script that completes the commands, options and files of boomslang in a shell. This
needs the package shtab: pip install shtab
"""
_EXAMPLES: Final = """\
examples:
  boomslang completion bash > ~/.local/share/bash-completion/completions/boomslang
  boomslang completion zsh > ~/.zfunc/_boomslang
  boomslang completion fish > ~/.config/fish/completions/boomslang.fish

For zsh, ~/.zfunc must be in fpath before compinit in ~/.zshrc: fpath=(~/.zfunc $fpath)
"""
_LOG_HELP: Final = "file for both directions of the protocol"
_SHELLS: Final = ("bash", "zsh", "fish")


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang completion", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=" | ".join(_SHELLS))
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError:
        raise UsageError(
            f"completion needs the package shtab; install it with: {pip_install('shtab')}"
        ) from None
    root = _all_commands()
    for action in _actions(root):
        if action.type is Path:
            vars(action)["complete"] = shtab.FILE
        if isinstance(action.choices, dict) and not isinstance(action, argparse._SubParsersAction):
            action.choices = list(action.choices)  # shtab takes every dict for subcommands
    say(*shtab.complete(root, arguments.shell).rstrip("\n").split("\n"))
    return 0


def _all_commands() -> argparse.ArgumentParser:
    """One parser of all commands, whose help texts are those of `boomslang help`."""
    from boomslang.cli.command_line import _WITHOUT_OWN_HELP, COMMANDS, USAGE

    summaries = {row[0].split()[0]: row[1] for rows in USAGE.values() for row in rows}
    root = argparse.ArgumentParser("boomslang", description="A chess engine.")
    root.add_argument("--version", action="version", help="version of the engine")
    root.add_argument("--log", type=Path, help=_LOG_HELP)
    words = root.add_subparsers(dest="command")
    for word in sorted({*COMMANDS, *_WITHOUT_OWN_HELP}):
        parser = words.add_parser(word, help=summaries.get(word, ""))
        if word in COMMANDS:
            # A parser that exists already: argparse itself can only make new ones.
            words.choices[word] = import_module(COMMANDS[word]).new_parser()
        elif word == "xboard":
            parser.add_argument("--log", type=Path, help=_LOG_HELP)
    return root


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _actions(below)
