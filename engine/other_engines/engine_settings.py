"""The settings that name another engine: its command, its options, the interpreter of an agent."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from boomslang.core.system.files import quote_path
from boomslang.core.system.sanitize import printable
from boomslang.engine.errors import CommandError
from boomslang.engine.other_engines.programs import split_command, why_not_startable
from boomslang.engine.settings import TEXT, Kind, Settings, SettingsError, need, setting

if TYPE_CHECKING:  # they import python-chess
    from boomslang.engine.other_engines.engine_connection import EngineCommand
    from boomslang.engine.other_engines.engine_runner import KnownEngine


def _check_command(value: Any) -> str:
    try:
        words = split_command(TEXT.check(value))
    except ValueError as problem:
        raise CommandError(str(problem)) from None
    need(words != [])
    return str(value)


def _check_option(value: Any) -> str:
    need(isinstance(value, str | os.PathLike | Real), TypeError)
    return str(value).lower() if isinstance(value, bool) else str(value)


def mapping(each: Kind, word: str) -> Kind:
    """Names, each with a value of one kind; on the command line NAME=VALUE, which may be repeated."""

    def check(value: Any) -> dict[str, Any]:
        need(isinstance(value, Mapping), TypeError)
        return {TEXT.check(name): each.check(one) for name, one in value.items()}

    def parse(text: str) -> tuple[str, Any]:
        name, equals, value = text.partition("=")
        need(equals != "" and name.strip() != "")
        return name.strip(), each.parse(value.strip())

    schema = {"type": "object", "additionalProperties": each.schema}
    return Kind(f"a mapping of names, each to {each.noun}", schema, check, parse, word, dict)


_OPTION: Final = Kind("a value", {"type": ["string", "number", "boolean"]}, _check_option, str)
OPTIONS: Final = mapping(_OPTION, "NAME=VALUE")
COMMAND: Final = Kind("the command of an engine", TEXT.schema, _check_command, _check_command)


def startable_command(owner: type[Settings], name: str, text: str | None) -> list[str]:
    """The words of a command, none of None; raises SettingsError if the program cannot be started."""
    words = split_command(text or "")
    if words and (reason := why_not_startable(words[0])):
        problem = f": cannot start {quote_path(words[0])}: {reason}"
        raise SettingsError(owner, f"{{{name}}}", problem)
    return words


@dataclass(frozen=True, kw_only=True)
class EngineSettings(Settings):
    """Another engine, and the options to set."""

    engine: str | None = setting(COMMAND, "command of a UCI or CECP engine", "CMD")
    options: Mapping[str, str] | None = setting(
        OPTIONS, "option of that engine; may be repeated", "NAME=VALUE", flag="--option"
    )

    def find_problem(self) -> str:  # noqa: D102
        return "{options} needs {engine}" if self.options and self.engine is None else ""

    def command(self) -> EngineCommand | None:
        """The engine that is named, if one is; raises SettingsError if it cannot be started."""
        from boomslang.engine.other_engines.engine_connection import EngineCommand

        if self.engine is None:
            return None
        words = startable_command(type(self), "engine", self.engine)
        return EngineCommand(tuple(words), self.options or {})

    def probe(self) -> KnownEngine | None:
        """The engine that is named, if one is, after a start; raises EngineProcessError too."""
        from boomslang.engine.other_engines.engine_runner import probe_engine

        if (command := self.command()) is None:
            return None
        engine = probe_engine(command)
        return engine._replace(name=printable(engine.name).replace('"', "'"))


@dataclass(frozen=True, kw_only=True)
class PlayerSettings(EngineSettings):
    """An engine, or the folder of an agent, see `agents`."""

    python: str | None = setting(
        COMMAND, "Python interpreter of the agents", "CMD", usual="that of this command"
    )

    def find_problem(self) -> str:  # noqa: D102
        needy = self.python is not None and self.engine is None
        return "{python} needs {engine}" if needy else super().find_problem()

    def command(self) -> EngineCommand | None:  # noqa: D102
        from boomslang.engine.other_engines.agents import agent_command
        from boomslang.engine.other_engines.engine_connection import EngineCommand

        python = startable_command(type(self), "python", self.python)
        try:
            agent = agent_command(self.engine or "", python)
        except ValueError as problem:
            raise SettingsError(type(self), "{engine}", f": {problem}") from None
        if agent:
            return EngineCommand(agent, self.options or {}, is_agent=True)
        if python:
            needed = "{python} needs an agent, which is a folder with the file agent.py"
            raise SettingsError(type(self), needed)
        return super().command()
