"""Every setting of every feature against hostile values, all generated from the declarations."""

from __future__ import annotations

import argparse
import inspect
import os
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

import boomslang
from boomslang.cli.command_line import COMMANDS
from boomslang.cli.terminal.arguments import UsageError
from boomslang.cli.terminal.settings_arguments import add_settings, in_brackets
from boomslang.core.system.journal import Journal, JournalError
from boomslang.engine.errors import CommandError
from boomslang.engine.learning.selfplay.datagen_settings import DatagenSettings
from boomslang.engine.learning.selfplay.selfplay_settings import SpsaPlan
from boomslang.engine.search_settings import AnalysisSettings, WorkSettings
from boomslang.engine.settings import FLAG, Kind, Settings, check_value, declared
from tests.cli.test_untrusted_names import parser_of, parsers
from tests.support.places import ROOT
from tests.support.process import run_python

FINITE = np.float64(0.5)
HOSTILE: tuple[Any, ...] = (
    *("", " ", "no", "\0", "\x1b[2J", "x" * 10_000, "{nodes}", "'", b"x", "nan", "٣"),
    *(None, True, np.bool_(True), 0, -1, 10**400, 1e308, -1e308, float("nan"), float("inf")),
    *(1.5, FINITE, np.int64(-5), np.float32("nan"), 1j, np.array([1, 2]), np.array("x")),
    *((), [], [None], [[]], [10**5000], {}, {1: 2}, {"a": None}, {"a": []}, {"a": float("nan")}),
    *(object(), int, len, iter("x"), (1, 2, 3), ("a", "b"), Path("\0"), Path(), set("x")),
)
WORDS = (
    "",
    " ",
    "nan",
    "-1",
    "1e999",
    "9" * 5000,
    "x",
    "\x1b[2J",
    "=",
    "a=nan",
    ":",
    "+",
    "{",
    "'",
)


@cache
def owners() -> list[type[Settings]]:
    """The settings of all features, which the commands import."""
    for word in COMMANDS:
        parser_of(word)

    def below(owner: type[Settings]) -> Iterator[type[Settings]]:
        for each in owner.__subclasses__():
            yield each
            yield from below(each)

    return sorted(set(below(Settings)), key=lambda owner: owner.__name__)


def needed(owner: type[Settings]) -> dict[str, Any]:
    """Values of the settings that must be given."""
    sound = {
        "engines": (".", "."),
        "games": 2,
        "out": "x",
        "better": "e4",
        "worse": "d4",
        "pgn": "*",
        "data": ["x"],
        "files": ["x"],
        "changes": ["iir_depth=7", "quiescence=0"],
    }
    return {name: sound[name] for name in declared(owner) if name in sound}


def settings() -> list[tuple[type[Settings], str, Kind]]:
    return [(owner, name, one.kind) for owner in owners() for name, one in declared(owner).items()]


@pytest.mark.parametrize("hostile", HOSTILE, ids=map(str, range(len(HOSTILE))))
def test_a_value_fits_or_is_refused_in_one_line(hostile: Any) -> None:
    for owner, name, kind in settings():
        try:
            made = owner(**needed(owner) | {name: hostile})
        except (TypeError, CommandError) as problem:
            said = getattr(problem, "told", "") or str(problem)
            assert name in str(problem) and len(said) < 1000 and said.isprintable(), (owner, said)
            again = pickle.loads(pickle.dumps(problem))  # noqa: S301 - as from another process
            assert (str(again), vars(again)) == (str(problem), vars(problem))
        else:
            value = getattr(made, name)
            assert value is None or kind.check(value) == value, (owner, name, value)


@pytest.mark.parametrize("least", [-3, 1, 10**6])
def test_bounds_are_those_of_the_schema(least: int) -> None:
    for _, name, kind in settings():
        low, high = kind.schema.get("minimum"), kind.schema.get("maximum")
        if low is None or high is None:
            continue
        is_even = kind.noun.startswith("an even")
        for sound in (low, high, np.int64(low) if low == int(low) else low):
            value = check_value(name, kind, sound)
            assert value == sound and type(value) in (int, float)
        for wrong in (low - 1 - is_even, high + 1 + is_even):
            with pytest.raises(CommandError, match=f"{name} is a"):
                check_value(name, kind, wrong)
        for wrong_type in (True, np.bool_(True), str(low), None, [low]):
            with pytest.raises(TypeError, match=f"{name} is a"):
                check_value(name, kind, wrong_type)


def test_a_flag_is_nothing_that_merely_counts_as_one() -> None:
    for _, name, kind in settings():
        if kind is FLAG:
            assert check_value(name, kind, np.bool_(False)) is False
            wrong: Any
            for wrong in ("no", "", None, 0, 1, []):
                with pytest.raises(TypeError, match=f"{name} is True or False"):
                    check_value(name, kind, wrong)


@pytest.mark.parametrize("word", sorted(COMMANDS))
def test_words_of_the_command_line_fit_or_are_refused(word: str) -> None:
    for _, parser in parsers(parser_of(word)):
        for action in parser._actions:
            if action.type is None:
                continue
            for text in WORDS:
                try:
                    parser._get_value(action, text)
                except (argparse.ArgumentError, UsageError) as problem:
                    said = str(problem)
                    assert len(said.splitlines()) < 3, (word, text)
                    assert len(said) < 500 or getattr(action.type, "__name__", "") != "read_word", (
                        word,
                        said,
                    )


def test_an_option_that_is_not_given_leaves_the_default_to_the_declaration() -> None:
    for owner in owners():
        if owner.__module__.startswith("tests"):
            continue
        parser = argparse.ArgumentParser()
        add_settings(parser, owner)
        assert {action.default for action in parser._actions} == {argparse.SUPPRESS}, owner


FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "label": ([chess.STARTING_FEN],),
    "analyse_game": (chess.pgn.Game(),),
    "play_match": (".", "."),
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_takes_what_is_declared_with_the_same_defaults(function: str) -> None:
    known = {name for owner in owners() for name in declared(owner)}
    parameters = inspect.signature(getattr(boomslang, function)).parameters
    for name, parameter in parameters.items():
        if parameter.kind is not parameter.KEYWORD_ONLY or name not in known:
            continue
        defaults = [
            owner.__dataclass_fields__[name].default
            for owner in owners()
            if name in declared(owner)
        ]
        assert parameter.default in defaults, name
        with pytest.raises(TypeError, match=f"^{name} is "):
            getattr(boomslang, function)(*FUNCTIONS[function], **{name: object()})
    with pytest.raises(TypeError, match="unexpected keyword"):
        getattr(boomslang, function)(*FUNCTIONS[function], nodez=5)
    assert parameters["jobs"].default is None


def test_a_header_tells_settings_apart_and_nothing_else() -> None:
    other = {bool: lambda v: not v, int: lambda v: v + 2, float: lambda v: v / 2 or 0.5}
    for owner in owners():
        made = owner(**needed(owner))
        for name, one in declared(owner).items():
            value = getattr(made, name)
            if type(value) not in other:
                continue
            try:
                changed = owner(**needed(owner) | {name: other[type(value)](value)})
            except CommandError:
                continue  # does not fit the others
            assert (changed.header() != made.header()) == one.kept, (owner, name)
            assert one.kept or name not in made.header()


def test_a_journal_of_other_settings_is_refused_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    made = AnalysisSettings(nodes=5)
    with Journal(path, made.header(), lambda entry, number: entry).open() as journal:
        journal.add({"one": 1}, {"one": 1})
    before = path.read_bytes()
    for name, value in (("nodes", 6), ("multipv", 2), ("hash_mb", 1), ("threads", 3), ("depth", 4)):
        header = AnalysisSettings.of({"nodes": 5, name: value}).header()
        other = Journal(path, header, lambda entry, number: entry)
        with pytest.raises(JournalError, match=f"another run, which differs in {name} .*; name"):
            other.check()
        assert path.read_bytes() == before
    Journal(path, made.header(), lambda entry, number: entry).check()


def test_journals_and_files_keep_the_names_that_they_have() -> None:
    of_search = (
        "nodes depth movetime multipv thresholds threads hash_mb tables engine engine_name by_wdl"
    )
    assert {*AnalysisSettings().header()} == {*of_search.split()}
    of_games = "seed nodes engine chess960 random_moves sidelines evaluation depth"
    assert {*DatagenSettings().header()} == {*of_games.split()}
    assert DatagenSettings(depth=3).header()["nodes"] == 20_000
    assert {*SpsaPlan().header()} == {*["names", "iterations", "pairs", "nodes", "rate", "seed"]}


COUNT = WorkSettings.count  # other tests have one process


def test_all_processors_work_unless_somebody_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boomslang.core.system.threads.usable_processors", lambda: 8)
    assert (COUNT(WorkSettings()), COUNT(WorkSettings(), threads=3)) == (8, 2)
    assert (COUNT(WorkSettings(jobs=5), threads=3), COUNT(WorkSettings(), threads=9)) == (5, 1)


def test_no_declaration_is_read_before_a_protocol_answers() -> None:
    done = run_python("-X", "importtime", "-P", ROOT / "cli/__main__.py", given="uci\nquit\n")
    assert "uciok" in done.stdout and "boomslang.engine.options" in done.stderr
    assert "settings" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="line ends")
def test_the_page_of_settings_is_generated() -> None:
    """`python -m tests.engine.test_settings` writes it anew."""
    assert PAGE.read_text("utf-8") == page()


PAGE = ROOT / "docs" / "settings.md"
HEAD = """\
# Settings

What commands take, and the functions of the same name in Python, written from the one declaration of both;
some commands have a few options more. The default stands in brackets. Other values are refused, in Python by
CommandError, and other types by TypeError.
"""


def rows_of(word: str) -> Iterator[str]:
    """The rows of the declared settings of a command: option, name in Python, meaning, default and bounds."""
    used: dict[type[Settings], None] = {}
    with pytest.MonkeyPatch.context() as patch:
        spy = "boomslang.cli.terminal.settings_arguments.declared"
        patch.setattr(spy, lambda owner: used.setdefault(owner) or declared(owner))
        below = [parser for _, parser in parsers(parser_of(word))]
    given = {action.dest for parser in below for action in parser._actions}
    for owner in used:
        for name, one in declared(owner).items():
            default = owner.__dataclass_fields__[name].default
            usage = " ".join([one.words(name)[-1], one.unit]).rstrip()
            low, high = (one.kind.schema.get(end) for end in ("minimum", "maximum"))
            bounds = f"{low or 0:,} to {high:,}" if high else ""
            meaning = one.help + in_brackets(one, default)
            if name in given:
                yield f"| `{usage}` | `{name}` | {meaning} | {bounds} |\n"


def page() -> str:
    parts = [HEAD]
    for word in sorted(COMMANDS):
        if rows := list(rows_of(word)):
            head = "| option | in Python | meaning, default | bounds |\n|---|---|---|---|\n"
            parts += [f"\n## boomslang {word}\n\n{head}", *rows]
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
