"""What is raised for a request that cannot be fulfilled, and what becomes of accessories that fail."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from boomslang.core.system.sanitize import quote

MAX_LOSSES: Final = 4  # after this many dead workers an item counts as faulty


class CommandError(ValueError):
    """An option, a position or a command that cannot be used; the message says why."""


@contextmanager
def reporting_refusal(say: Callable[[str], object]) -> Iterator[None]:
    """Run a block for which nobody waits: if it raises CommandError, `say` why."""
    try:
        yield
    except CommandError as problem:
        say(f"error: {problem}")


@contextmanager
def sparing(name: str, off: Callable[[], object], say: Callable[[str], object]) -> Iterator[None]:
    """Run a block that can be done without: if it raises, call `off` and `say` that it is switched off."""
    try:
        yield
    except Exception as problem:
        off()
        reason = getattr(problem, "strerror", None) or (
            f"{type(problem).__name__} {quote(str(problem))}"
        )
        say(f"error: {name} is switched off: {reason}")


def check_listener(listener: object, name: str, arguments: str = "one argument") -> None:
    """Raise TypeError for one that cannot be called."""
    if listener is not None and not callable(listener):
        raise TypeError(f"{name} is a function of {arguments}, not {type(listener).__name__}")


class JobsError(Exception):
    """Work that cannot be done: there are no workers, or all of them die. One line for the user."""


@contextmanager
def refuse_errors(*kinds: type[Exception], about: str = "") -> Iterator[None]:
    """Turns exceptions of these kinds into CommandErrors, with `about` in front of the message."""
    from boomslang.core.system.files import FileError

    try:
        yield
    except (CommandError, FileError, BrokenPipeError):
        raise
    except kinds as problem:
        raise CommandError(f"{about}{in_words(problem)}") from None


def in_words(problem: BaseException) -> str:
    """The message of an exception for users: without errno, and never empty."""
    if isinstance(problem, OSError) and problem.strerror:
        from boomslang.core.system.files import quote_path

        about = f"{quote_path(os.fsdecode(problem.filename))}: " if problem.filename else ""
        return f"{about}{problem.strerror.lower()}"
    return str(problem) or type(problem).__name__


def first_of(problem: BaseException) -> BaseException:
    """An exception of a group, without the groups around it."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem
