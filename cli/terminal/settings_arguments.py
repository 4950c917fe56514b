"""Declared settings (`engine.settings`) as arguments of a command."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import MISSING
from pathlib import Path
from typing import Any, Final, TypeVar

from boomslang.core.system.sanitize import shorten
from boomslang.engine.errors import CommandError
from boomslang.engine.settings import FLAG, PATH, Kind, Setting, Settings, declared

Own = TypeVar("Own", bound=Settings)
_MAX_REASON: Final = 200  # characters


def add_settings(
    parser: argparse._ActionsContainer, owner: type[Settings], *names: str, **texts: str
) -> None:
    """Add the settings of a feature, or only those of these names; `texts` are other help by name.

    One that is not given is not in the namespace: its default stands in the declaration alone.
    """
    for name, one in declared(owner).items():
        if names and name not in names:
            continue
        words, default = one.words(name), owner.__dataclass_fields__[name].default
        details: dict[str, Any] = {"default": argparse.SUPPRESS}
        if one.kind is FLAG:
            details["action"] = "store_false" if default else "store_true"
        else:
            details |= {"type": argument(one.kind), "metavar": one.unit}
        if words[0].startswith("-"):
            details |= {"dest": name, "required": default is MISSING}
            details |= {"action": "append"} if one.kind.gather else {}
        elif one.kind.gather:
            details["nargs"] = "+" if default is MISSING else "*"
        help_text = texts.get(name, one.help) + in_brackets(one, default)
        parser.add_argument(*words, help=help_text, **details)


def read_settings(owner: type[Own], arguments: argparse.Namespace, **others: Any) -> Own:
    """The settings that are given, and `others`; raises SettingsError if they do not fit each other."""
    gathered = {
        name: one.kind.gather(value)
        for name, one in declared(owner).items()
        if one.kind.gather and (value := getattr(arguments, name, None))
    }
    return owner.of(vars(arguments) | gathered | others)


def in_brackets(one: Setting, default: Any) -> str:
    """What stands behind the help: the default, or what it stands for."""
    if not one.usual and (default in (None, MISSING, ()) or one.kind is FLAG):
        return ""
    return f" ({one.usual or format_default(default)})"


def format_default(default: Any) -> str:
    """A default for a help text."""
    if isinstance(default, float):
        return f"{default:g}"
    return f"{default:,}" if isinstance(default, int) else str(default)


def argument(kind: Kind) -> Callable[[str], Any]:
    """An argument type; of a path it is `Path`, by which `boomslang completion` tells files."""
    if kind.parse is PATH.parse:
        return Path

    def read_word(text: str) -> Any:
        try:
            return kind.parse(text)
        except CommandError as problem:
            raise argparse.ArgumentTypeError(shorten(str(problem), _MAX_REASON)) from None
        except ValueError:
            noun = kind.word or kind.noun
            raise argparse.ArgumentTypeError(f"'{shorten(text)}' is not {noun}") from None

    return read_word
