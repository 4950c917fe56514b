"""Loads the model of people's moves that levels play by, or has it compiled, when a level first needs it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boomslang.core.system.files import FileError, open_file
from boomslang.engine.driver.loading import KernelLoader, LateKernels
from boomslang.engine.driver.precompiling import PEOPLE, PERSON
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.errors import CommandError
from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.levels.ladder import DEFAULT

if TYPE_CHECKING:
    from boomslang.engine.people.model import PeopleModel

_WHAT: Final = "the moves of people"


class PeopleLoader:
    """Loads the model of people in general, or of the person whose games the option `Like` names.

    The handicap is given the model, and the rating of the person.
    """

    def __init__(
        self, kernels: KernelLoader, handicap: Handicap, say: Callable[[str], object]
    ) -> None:
        self._kernels, self._handicap, self._say = kernels, handicap, say
        self._general = LateKernels(_WHAT, kernels, PEOPLE, then=self._read_general)
        self._person: LateKernels | None = None
        self._games = self._player = ""

    def set_games(self, path: str) -> str | None:
        """Play like the player of these games, or like people in general; a message if that cannot be."""
        if path:
            try:
                open_file(path, 1 << 62).close()
            except FileError as problem:
                return f"error: {problem}"
        self._games = path
        self._begin()
        return None

    def set_player(self, name: str) -> None:
        """Choose the player of the games."""
        self._player = name
        self._begin()

    def _begin(self) -> None:
        then = partial(self._learn, Path(self._games), self._player)
        self._person = LateKernels(_WHAT, self._kernels, PERSON, then=then) if self._games else None
        self._handicap.play_like(DEFAULT if self._games else None)

    def get_ready(self) -> None:
        """Wait as long as `isready` may, if there is a level."""
        if self._handicap.level and self._kernels.wait(0):
            (self._person or self._general).wait_until_ready()

    def prepare(self, task: SearchTask, white: bool) -> None:
        """Give the handicap its model for a move of White or Black, if it is there in time.

        Until a person's games are learnt, people's in general plays. Where no clock is running it waits for a
        model, or for `stop`.
        """
        handicap = self._handicap
        handicap.complain()
        handicap.model = None
        if not (handicap.level and self._kernels.wait(0) and self._kernels.searcher):
            return
        seconds = task.limits.longest_wait(white)
        until = None if seconds is None else time.monotonic() + seconds
        if self._person and self._await(self._person, task, until):
            handicap.model, rating = self._person.made or (None, None)
            handicap.play_like(rating)
        if not handicap.model and self._await(self._general, task, until):
            handicap.model = self._general.made

    def _await(self, loader: LateKernels, task: SearchTask, until: float | None) -> bool:
        """True if it is there; a running clock does not wait for a compilation."""
        left = None if until is None else max(0.0, until - time.monotonic())
        if not loader.wait(
            left, lambda: task.stopped or (until is not None and not loader.are_near)
        ):
            return False
        if problem := loader.problem:
            loader.problem = ""
            self._say(f"error: no {_WHAT}: {problem}")
        loader.tell_compiled(_WHAT)
        return True

    def _learn(self, games: Path, player: str) -> tuple[PeopleModel | None, int | None]:
        from boomslang.engine.people.person import adapted

        try:
            person, model = adapted(games, player)
        except CommandError as problem:
            self._say(f"error: {problem}; there is nobody to play like")
            return None, None
        self._say(f"levels play {person}")
        return model, person.rating

    def _read_general(self) -> PeopleModel | None:
        from boomslang.engine.people.model import shipped_model

        try:
            return shipped_model()
        except ValueError as problem:
            self._say(f"error: {problem}; levels choose by scores alone")
            return None
