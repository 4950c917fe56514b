"""What the engine can do, declared at once, and its options without blanks in their names."""

from __future__ import annotations

from typing import Final

from uci import options, report
from uci.options import Option
from uci.parse import OptionCommand, Refused

RESIGN: Final = Option("Resign Below", "spin", 0, 0, 10_000)  # centipawns lost; 0: never resign
TABLES: Final = "SyzygyPath"

FIRST: Final = "feature done=0"
LAST: Final = "feature done=1"

# For these the protocol has commands of its own, or no use.
_ELSEWHERE: Final = frozenset(
    {
        "Hash",
        "Threads",
        "Ponder",
        "nodestime",
        TABLES,
        "UCI_Chess960",
        "UCI_AnalyseMode",
        "UCI_ShowWDL",
        "UCI_Opponent",
        "UCI_EngineAbout",
    }
)


def declared() -> dict[str, Option]:
    """The options by the names that CECP knows them by."""
    shown = [option for option in options.OPTIONS if option.name not in _ELSEWHERE]
    return {option.name.replace(" ", ""): option for option in (*shown, RESIGN)}


def features() -> list[str]:
    """All lines between the first and the last."""
    tables = ' egt="syzygy"' if has_option(TABLES) else ""
    return [
        f'feature myname="{report.NAME} {report.VERSION}" ping=1 setboard=1 playother=1 usermove=1'
        " san=0 time=1 draw=1 sigint=0",
        "feature reuse=1 analyze=1 colors=0 ics=0 name=1 pause=0 nps=1 debug=1 memory=1 smp=1"
        f' exclude=1{tables} variants="normal,fischerandom"',
        *(f'feature option="{_declare(name, option)}"' for name, option in declared().items()),
    ]


def has_option(name: str) -> bool:
    """True if the engine has an option of that name."""
    return any(option.name == name for option in options.OPTIONS)


def read_option(text: str) -> OptionCommand:
    """`NAME=VALUE`, or a NAME alone for a button; the value is the raw rest. Raises Refused.

    Blanks within the name do not matter.
    """
    name, _, value = text.partition("=")
    wanted = "".join(name.split()).lower()
    for short, option in declared().items():
        if short.lower() == wanted:
            if option.kind == "check":
                value = {"1": "true", "0": "false"}.get(value.strip(), value)
            return OptionCommand(option.name, value.strip())
    raise Refused("unknown option")


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
    return f"{name} -{kind} {option.default}"  # XBoard wants the blank before an empty default too
