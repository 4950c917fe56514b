"""Settings of features, each declared once: help, unit, bounds and default stand in one field.

    @dataclass(frozen=True, kw_only=True)
    class LabelSettings(Settings):
        nodes: int | None = setting(whole(), "nodes per position", "N")

From it come the checks of what a program gives (TypeError for wrong types, CommandError for wrong values),
the arguments of a command (`cli.terminal.settings_arguments`), the header of a journal, a JSON schema and the
tables of the documents. Standard library only: commands declare theirs before NumPy and Numba are imported.
"""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from boomslang.core.system.sanitize import harmless
from boomslang.engine.errors import CommandError

MAX_COUNT: Final = 1_000_000_000  # nodes, games, milliseconds


@dataclass(frozen=True, slots=True)
class Kind:
    """The values of a setting: `noun` says them in a message, `schema` as JSON Schema.

    `check` returns a value in one form; it raises CommandError with the reason, or any other TypeError or
    ValueError. `parse` does the same with a word of the command line, which `word` says if it is something
    else; for an option that may be repeated `gather` makes a value of them.
    """

    noun: str
    schema: Mapping[str, Any]
    check: Callable[[Any], Any]
    parse: Callable[[str], Any]
    word: str = ""
    gather: Callable[[Any], Any] | None = None


def need(fits: bool, error: type[Exception] = ValueError) -> None:
    """Raise the error of a value that does not fit."""
    if not fits:
        raise error


def whole(least: int = 1, most: int = MAX_COUNT, *, even: bool = False) -> Kind:
    """Whole numbers, NumPy's too, but no bool; with `even` only those."""

    def check(value: Any) -> int:
        need(not isinstance(value, bool), TypeError)
        integer = operator.index(value)
        need(least <= integer <= most and not (even and integer % 2))
        return integer

    noun = f"{'an even' if even else 'a whole'} number from {least:,} to {most:,}"
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Kind(noun, schema, check, lambda text: check(int(text.replace("_", ""))))


def number(least: float, most: float, *, above: bool = False) -> Kind:
    """Finite numbers, NumPy's too, but no bool; with `above` not `least` itself."""

    def check(value: Any) -> float:
        need(isinstance(value, Real) and not isinstance(value, bool), TypeError)
        as_float = float(value)
        need(least <= as_float <= most and not (above and as_float == least))
        return as_float

    bounds = f"above {least:g}, at most {most:g}" if above else f"from {least:g} to {most:g}"
    schema = {"type": "number", "exclusiveMinimum" if above else "minimum": least, "maximum": most}
    return Kind(f"a number {bounds}", schema, check, lambda text: check(float(text)))


def _check_flag(value: Any) -> bool:
    need(type(value).__name__ in ("bool", "bool_"), TypeError)  # NumPy's name before version 2
    return bool(value)


def _check_text(value: Any) -> str:
    need(isinstance(value, str), TypeError)
    return str(value)


def _check_path(value: Any) -> Path:
    path = _check_text(os.fspath(value))
    need(path != "" and "\0" not in path)
    return Path(path)


FLAG: Final = Kind("True or False", {"type": "boolean"}, _check_flag, lambda text: True)
TEXT: Final = Kind("text", {"type": "string"}, _check_text, _check_text)
PATH: Final = Kind("a path", {"type": "string"}, _check_path, _check_path)


def several(each: Kind) -> Kind:
    """A sequence of values of one kind; on the command line the option is repeated."""

    def check(value: Any) -> tuple[Any, ...]:
        need(isinstance(value, Sequence) and not isinstance(value, str | bytes), TypeError)
        return tuple(map(each.check, value))

    schema = {"type": "array", "items": each.schema}
    return Kind(f"a sequence, each {each.noun}", schema, check, each.parse, each.noun, tuple)


@dataclass(frozen=True, slots=True)
class Setting:
    """What is declared of a field.

    `unit` names its value on the command line, `flag` the option if it is not called as the field, without
    dashes for an argument by position. `usual` says what a default stands for that is no value. Settings with
    the same `instead` exclude each other. What is not `kept` changes no result: journals do not mention it.
    """

    kind: Kind
    help: str
    unit: str = ""
    usual: str = ""
    flag: str = ""
    instead: str = ""
    kept: bool = True

    def words(self, name: str) -> list[str]:
        """The option of a field of this name, the long form last."""
        return self.flag.split() or [f"--{name.replace('_', '-')}"]


def setting(kind: Kind, text: str, unit: str = "", default: Any = None, **others: Any) -> Any:
    """A field, with its help; a default None admits None; MISSING is for one that must be given."""
    return field(default=default, metadata={"setting": Setting(kind, text, unit, **others)})


class SettingsError(CommandError):
    """Settings that do not fit each other, their names in braces; `told` names the options instead."""

    def __init__(self, owner: type[Settings], template: str, detail: str = "") -> None:
        own = declared(owner)
        super().__init__(template.format(**{name: name for name in own}) + detail)
        self.told = template.format(**{n: one.words(n)[-1] for n, one in own.items()}) + detail
        self._given = owner, template, detail

    def __reduce__(self) -> Any:
        """Made anew in the process that it comes back to."""
        return SettingsError, self._given


class Settings:
    """The base of the settings of each feature, frozen dataclasses that check what they are given."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self) -> None:
        given: dict[str, list[str]] = {}
        for name, one in declared(type(self)).items():
            value, default = getattr(self, name), self.__dataclass_fields__[name].default
            if value is not None or default is not None:
                object.__setattr__(self, name, check_value(name, one.kind, value))
            if one.instead and getattr(self, name) != default:
                given.setdefault(one.instead, []).append(f"{{{name}}}")
        both = next((" and ".join(names) for names in given.values() if len(names) > 1), "")
        if problem := f"{both} exclude each other" if both else self.find_problem():
            raise SettingsError(type(self), problem)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Those values that are settings of this feature."""
        return cls(**{name: values[name] for name in declared(cls) if name in values})

    def find_problem(self) -> str:
        """Why the settings do not fit each other, their names in braces; empty if they do."""
        return ""

    def header(self) -> dict[str, Any]:
        """What a result depends on, for the header of a journal, or its keys."""
        own = declared(type(self))
        kept = {n: v for n, v in asdict(self).items() if n not in own or own[n].kept}
        return dict(json.loads(json.dumps(kept, default=os.fspath)))


def declared(owner: type[Settings]) -> dict[str, Setting]:
    """The settings of a feature by name, in order; fields that it finds out itself are none."""
    return {f.name: f.metadata["setting"] for f in fields(owner) if "setting" in f.metadata}


def check_value(name: str, kind: Kind, value: Any) -> Any:
    """The value in its one form; raises TypeError or CommandError, which call it `name`."""
    try:
        return kind.check(value)
    except CommandError as problem:  # of a kind that says more
        raise CommandError(f"{name}: {problem}") from None
    except (TypeError, ValueError, OverflowError) as problem:
        try:
            shown_value = harmless(repr(value))
        except ValueError:
            shown_value = "so great a number"  # more digits than Python spells
        error = TypeError if isinstance(problem, TypeError) else CommandError
        raise error(f"{name} is {kind.noun}, not {shown_value}") from None
