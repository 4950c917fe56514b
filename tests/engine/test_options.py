from __future__ import annotations

import re
from typing import Any

import chess
import pytest

from boomslang.engine import options
from boomslang.engine.driver.loading import KernelLoader
from boomslang.engine.engine import Engine
from boomslang.engine.errors import CommandError
from boomslang.engine.search import params
from boomslang.uci.formatting import option_line
from tests.support.places import ROOT
from tests.support.process import run_python
from tests.support.uci_conversation import Puppet

# Words that a GUI would take for the end of the name.
RESERVED = {"name", "type", "default", "min", "max", "var", "value"}


@pytest.mark.parametrize("option", options.OPTIONS, ids=lambda option: option.name)
def test_declarations_have_the_form_that_guis_read(option: options.Option) -> None:
    reserved = RESERVED & set(option.name.lower().split())
    assert not reserved, f"a GUI takes {reserved} for the end of the name {option.name!r}"
    forms = {
        "spin": r"option name [\w ]+ type spin default (-?\d+) min (-?\d+) max (-?\d+)",
        "check": r"option name [\w ]+ type check default (true|false)",
        "button": r"option name [\w ]+ type button",
        "string": r"option name [\w ]+ type string default (<empty>|\w.*)",
        "combo": r"option name [\w ]+ type combo default (\w+)((?: var \w+)+)",
    }
    match = re.fullmatch(forms[option.kind], option_line(option))
    assert match
    if option.kind == "spin":
        default, lowest, highest = map(int, match.groups())
        assert lowest <= default <= highest
    if option.kind == "combo":
        assert f" var {match[1]}" in match[2]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("Hash", "32", 32),
        ("HASH", "-5", 1),
        ("Hash", "9" * 21, 131072),
        ("Threads", "4", 4),
        ("Move Overhead", "9999", 5000),
        ("Ponder", "TRUE", True),
        ("UCI_Chess960", "false", False),
        ("Clear Hash", "", True),
        ("Search Algorithm", "MCTS", "mcts"),
        ("UCI_Opponent", "none none computer  Two  Blanks", "none none computer  Two  Blanks"),
        ("UCI_Opponent", "<empty>", ""),
    ],
)
def test_values_are_read_and_clamped(name: str, text: str, value: options.Value) -> None:
    assert options.find(name).read(text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Hash", "abc"),
        ("Hash", ""),
        ("Hash", "1.5"),
        ("Ponder", "1"),
        ("Search Algorithm", ""),
        ("UCI_EngineAbout", "mine"),
    ],
)
def test_values_without_sense_are_refused(name: str, text: str) -> None:
    with pytest.raises(CommandError):
        options.find(name).read(text)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(CommandError, match="unknown option"):
        options.find("SyzygyPath ")


def test_bots_find_the_room_they_ask_for() -> None:
    # lichess-bot and python-chess give up when a number is above the declared bound.
    assert options.find("Hash").highest >= 512
    assert options.find("Threads").highest >= 4


@pytest.mark.parametrize(
    "option", [option for option in options.OPTIONS if not (option.setter or option.search_setter)]
)
def test_an_option_without_a_setter_is_read_elsewhere(option: options.Option) -> None:
    files = [path for part in ("engine", "uci", "cli") for path in (ROOT / part).rglob("*.py")]
    said = f"{option.name} has no setter in engine/options.py, and no other file reads it"
    declares = ("Ponder", "UCI_EngineAbout")  # nothing is done with their values
    assert option.name in declares or any(
        path.name != "options.py" and f'"{option.name}"' in path.read_text() for path in files
    ), said


@pytest.mark.parametrize("option", options.OPTIONS, ids=lambda option: option.name)
def test_an_option_can_be_set(option: options.Option) -> None:
    puppet: Any = Puppet()
    said: list[str] = []
    kernels = KernelLoader(said.append, lambda progress: (puppet, ""), is_own_process=False)
    with Engine(said.append, kernels) as engine:
        engine.wait_for_kernels()
        engine.set_option(option.name, option.default)
        assert said in ([], ["2 threads will do"])
        asked = [call for call in puppet.calls if call == "clear" or call.startswith("set_")]
        assert len(asked) == (option.search_setter is not None)


def test_numbers_of_the_search_are_hidden() -> None:
    assert not [option for option in options.OPTIONS if option.name in params.BY_NAME]


def test_numbers_of_the_search_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(options.ENVIRONMENT, "1")
    exact, *spins = options.search_parameters()
    assert option_line(exact) == "option name Exact type check default false"
    assert [option.name for option in spins] == [param.name for param in params.TABLE]
    depth = next(option for option in spins if option.name == "futility_depth")
    assert option_line(depth).startswith("option name futility_depth type spin default ")
    assert depth.read("-7") == -1
    assert depth.read("3") == 3


def test_the_table_of_the_search_is_plain_python() -> None:
    # A GUI waits for the answer to `uci`, which must not wait for NumPy.
    program = "import sys, boomslang.engine.options; print('numpy' in sys.modules, end=' ')"
    program = program.replace("boomslang.engine.options", "boomslang.engine.options as o", 1)
    program += "; print(len(o.OPTIONS) > len(list(o.search_parameters())) > 30)"
    done = run_python("-c", program, variables={options.ENVIRONMENT: "1"})
    assert done.stdout == "False True\n", done.stderr


@pytest.mark.jit_only
def test_the_player_takes_the_numbers(kernels: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from boomslang.engine.driver.searcher import Searcher
    from boomslang.engine.limits import Limits

    monkeypatch.setenv(options.ENVIRONMENT, "1")
    setters = {option.name: option.search_setter for option in options.search_parameters()}
    board = chess.Board()

    def nodes(**values: options.Value) -> int:
        player = Searcher(hash_mb=1)
        for name, value in values.items():
            setter = setters[name]
            assert setter and setter(player, value) is None
        result = player.search(board, Limits(depth=6), lambda info: None)
        assert result.info
        return result.info.nodes

    assert nodes() == nodes(
        **{option.name: option.default for option in options.search_parameters()}
    )
    assert nodes() != nodes(reduction_base=160, reduction_divisor=140)
    assert nodes() < nodes(Exact=True)
