"""The settings of a match, as `boomslang match` and `boomslang.play_match` take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boomslang.engine.errors import CommandError
from boomslang.engine.other_engines.engine_settings import (
    COMMAND,
    OPTIONS,
    mapping,
    startable_command,
)
from boomslang.engine.search_settings import MAX_DEPTH
from boomslang.engine.settings import (
    FLAG,
    PATH,
    Kind,
    Settings,
    SettingsError,
    need,
    number,
    setting,
    several,
    whole,
)

if TYPE_CHECKING:
    from boomslang.engine.match.pairs import MatchPlan

_USUAL_CLOCK: Final = (8.0, 0.08)  # seconds
_BASE, _INCREMENT = number(0, 86_400, above=True), number(0, 3600)
_DIVISOR, _ELO = number(0.001, 1000), number(-10_000, 10_000)


def _check_clock(value: Any) -> tuple[float, float]:
    need(isinstance(value, Sequence) and not isinstance(value, str), TypeError)
    base, increment = value
    return _BASE.check(base), _INCREMENT.check(increment)


def _parse_clock(text: str) -> tuple[float, float]:
    base, increment = text.split("+")
    return _BASE.parse(base), _INCREMENT.parse(increment)


def _of_engines(each: Kind, *, for_all: bool) -> Kind:
    """A value for each engine, on the command line N:VALUE; or one `for_all` but the first."""
    every = several(each)

    def check(value: Any) -> Any:
        is_one = for_all and not isinstance(value, list | tuple)
        return each.check(value) if is_one else every.check(value)

    def parse(text: str) -> tuple[int | None, Any]:
        engine, colon, rest = text.partition(":")
        if for_all and not colon:
            return None, each.parse(text)
        return whole().parse(engine) - 1, each.parse(rest)

    noun = f"{each.noun}, or {every.noun}" if for_all else every.noun
    word = f"X or N:X, X {each.noun}" if for_all else f"N:{each.word}"
    return Kind(noun, {}, check, parse, word, list)


CLOCK: Final = Kind(
    "a base time above 0 and an increment in seconds",
    {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    _check_clock,
    _parse_clock,
    "BASE+INCREMENT in seconds, like 8+0.08",
)
_ENGINES: Final = 'engines: ".", @REVISION, a command, or the folder of an agent'
_LIMIT: Final = "limit"


@dataclass(frozen=True, kw_only=True)
class MatchSettings(Settings):
    """A match of two engines, or a tournament of more."""

    # fmt: off
    engines: tuple[str, ...] = setting(several(COMMAND), _ENGINES, "ENGINE", MISSING, flag="engines")
    gauntlet: bool = setting(FLAG, "only the first engine plays against the others", default=False)
    options: tuple[Mapping[str, str], ...] = setting(
        _of_engines(OPTIONS, for_all=False), "option of engine number N; may be repeated", "N:NAME=VALUE", (),
        flag="--option")
    python: str | None = setting(
        COMMAND, "Python interpreter of the agents", "CMD", usual="that of this command")
    clock: tuple[float, float] | None = setting(
        CLOCK, "time per side and increment per move, in seconds", "BASE+INC", usual="8+0.08", instead=_LIMIT)
    nodes: int | None = setting(whole(), "nodes per move instead of a clock", "N", instead=_LIMIT)
    depth: int | None = setting(
        whole(1, MAX_DEPTH), "search depth in plies instead of a clock", "N", instead=_LIMIT)
    movetime: int | None = setting(
        whole(1, 3_600_000), "milliseconds per move instead of a clock", "MS", instead=_LIMIT)
    odds: float | tuple[float, ...] = setting(
        _of_engines(_DIVISOR, for_all=True),
        "divisor of the limit of engine number N, or of all but the first; may be repeated", "[N:]X", 1.0)
    games: int = setting(whole(2, even=True), "maximum number of games, an even one", "N", 1000)
    openings: Path | None = setting(PATH, "openings in EPD, FEN or PGN", "FILE", usual="random balanced ones")
    seed: int = setting(whole(0, 1 << 32), "random seed of the openings", "S", 1)
    adjudicated: bool = setting(
        FLAG, "games played to their end by the rules", default=True, flag="--no-adjudication")
    anchors: Mapping[str, float] | None = setting(
        mapping(_ELO, "NAME=ELO"), "fixed rating of an engine; may be repeated", "NAME=ELO", usual="mean 0",
        flag="--anchor")
    out: Path | None = setting(
        PATH, "journal of the games, to resume from", "FILE", flag="-o --out", kept=False)
    # fmt: on

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.clock, self.nodes, self.depth, self.movetime) == (None,) * 4:
            object.__setattr__(self, "clock", _USUAL_CLOCK)

    def find_problem(self) -> str:  # noqa: D102
        count = len(self.engines)
        if count < 2:
            return "a match needs two engines or more"
        if len(self.options) > count:
            return "{options} has more mappings than there are engines"
        if isinstance(self.odds, tuple) and len(self.odds) != count:
            return "{odds} has one number for each engine"
        if self.depth and set(self.own_odds) != {1.0}:
            return "{odds}: a depth is not divided; use {nodes}, {movetime} or {clock}"
        if (limit := self.nodes or self.movetime) and limit < max(self.own_odds):
            return (
                "{odds}: an engine would get less than one node or millisecond; use a smaller value"
            )
        return ""

    @property
    def own_odds(self) -> tuple[float, ...]:
        """The divisor of each engine's limit."""
        if isinstance(self.odds, tuple):
            return self.odds
        return (1.0, *[self.odds] * (len(self.engines) - 1))

    def plan(self, report: Callable[[str], None]) -> MatchPlan:
        """What is to be played; `report` gets the openings that are left out.

        Raises CommandError if an engine is not there, FileError for a file of openings.
        """
        from boomslang.engine.match.engine_spec import parse_engine
        from boomslang.engine.match.match_game import TimeControl
        from boomslang.engine.match.opening import read
        from boomslang.engine.match.pairs import MatchPlan

        python = startable_command(type(self), "python", self.python)
        specs = []
        for place, text in enumerate(self.engines):
            options = dict(self.options[place]) if place < len(self.options) else {}
            try:
                specs.append(parse_engine(text, options, python))
            except ValueError as problem:
                raise CommandError(f"{text}: {problem}") from None
        if python and not any(spec.is_agent for spec in specs):
            needed = "{python} needs an agent, which is a folder with the file agent.py"
            raise SettingsError(type(self), needed)
        seconds = self.movetime / 1000 if self.movetime else None
        return MatchPlan(
            tuple(specs),
            TimeControl(self.nodes, self.depth, seconds, self.clock),
            self.seed,
            tuple(read(self.openings, report)) if self.openings else (),
            self.own_odds,
            self.gauntlet and len(specs) > 2,
            self.adjudicated,
        )
