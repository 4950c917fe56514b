"""The features of the engine, and its options by names without blanks."""

from __future__ import annotations

from typing import Final

from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.errors import CommandError
from boomslang.engine.options import CECP, Option, options_of
from boomslang.uci.parse import OptionCommand

RESIGN: Final = "Resign Below"
TABLES: Final = "SyzygyPath"


def list_options() -> dict[str, Option]:
    """The options by their CECP names."""
    return {option.name.replace(" ", ""): option for option in options_of(CECP)}


def features() -> list[str]:
    """All lines but `done=1`."""
    return [
        "feature done=0",
        f'feature myname="{NAME} {VERSION}" ping=1 setboard=1 playother=1 usermove=1'
        " san=0 time=1 draw=1 sigint=0",
        "feature reuse=1 analyze=1 colors=0 ics=0 name=1 pause=0 nps=1 debug=1 memory=1 smp=1"
        ' exclude=1 egt="syzygy" variants="normal,fischerandom"',
        *(f'feature option="{_declare(name, option)}"' for name, option in list_options().items()),
    ]


def read_option(text: str) -> OptionCommand:
    """`NAME=VALUE`, or only NAME for a button; the value is the raw rest. Raises CommandError.

    Blanks in the name are ignored.
    """
    name, _, value = text.partition("=")
    wanted_name = "".join(name.split()).lower()
    for short, option in list_options().items():
        if short.lower() == wanted_name:
            if option.kind == "check":
                value = {"1": "true", "0": "false"}.get(value.strip(), value)
            return OptionCommand(option.name, value.strip())
    raise CommandError("unknown option")


def _declare(name: str, option: Option) -> str:
    if option.kind == "button":
        return f"{name} -button"
    if option.kind == "check":
        return f"{name} -check {int(bool(option.default))}"
    if option.kind == "spin":
        return f"{name} -spin {option.default} {option.lowest} {option.highest}"
    if option.kind == "combo":
        choices = (f"*{c}" if c == option.default else c for c in option.choices)
        return f"{name} -combo {' /// '.join(choices)}"
    kind = "file" if name.endswith("File") else "path" if name.endswith("Path") else "string"
    return f"{name} -{kind} {option.default}"  # XBoard needs the blank before an empty default
