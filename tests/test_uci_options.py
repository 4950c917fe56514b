from __future__ import annotations

import re

import pytest

from uci import options
from uci.parse import Refused

# Words that a GUI would take for the end of the name.
RESERVED = {"name", "type", "default", "min", "max", "var", "value"}


@pytest.mark.parametrize("option", options.OPTIONS, ids=lambda option: option.name)
def test_declarations_have_the_form_that_guis_read(option: options.Option) -> None:
    assert not RESERVED & set(option.name.lower().split())
    forms = {
        "spin": r"option name [\w ]+ type spin default (\d+) min (\d+) max (\d+)",
        "check": r"option name [\w ]+ type check default (true|false)",
        "button": r"option name [\w ]+ type button",
    }
    match = re.fullmatch(forms[option.kind], option.declaration())
    assert match
    if option.kind == "spin":
        default, lowest, highest = map(int, match.groups())
        assert lowest <= default <= highest


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("Hash", "32", 32),
        ("hash", "0", 1),
        ("HASH", "-5", 1),
        ("Hash", "9" * 21, 131072),
        ("Threads", "4", 4),
        ("Move Overhead", "9999", 5000),
        ("Ponder", "TRUE", True),
        ("UCI_Chess960", "false", False),
        ("Clear Hash", "", True),
    ],
)
def test_values_are_read_and_clamped(name: str, text: str, value: options.Value) -> None:
    assert options.find(name).read(text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [("Hash", "abc"), ("Hash", ""), ("Hash", "1.5"), ("Ponder", "1")],
)
def test_values_without_sense_are_refused(name: str, text: str) -> None:
    with pytest.raises(Refused):
        options.find(name).read(text)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(Refused, match="unknown option"):
        options.find("SyzygyPath ")


def test_bots_find_the_room_they_ask_for() -> None:
    # lichess-bot and python-chess give up when a number is above the declared bound.
    assert options.find("Hash").highest >= 512
    assert options.find("Threads").highest >= 4
