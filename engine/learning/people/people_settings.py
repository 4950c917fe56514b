"""The settings of `boomslang people`."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from pathlib import Path

from boomslang.core.system.threads import usable_processors
from boomslang.engine.settings import FLAG, PATH, Settings, number, setting, several, whole


@dataclass(frozen=True, kw_only=True)
class PeopleGamesSettings(Settings):
    """Files of games of people."""

    # fmt: off
    files: tuple[Path, ...] = setting(
        several(PATH), "games: PGN with ratings of Lichess (also .gz, .bz2, .zst), or lines of JSON "
        "(.jsonl, .jsonl.xz)", "GAMES", MISSING, flag="files")
    games: int = setting(whole(), "number of games of each file, the first ones", "N", 1_000_000)
    jobs: int | None = setting(whole(1, 64), "number of threads", "N", usual="all processors")
    # fmt: on

    @property
    def threads(self) -> int:
        """How many there are to be."""
        return self.jobs or usable_processors()


@dataclass(frozen=True, kw_only=True)
class PeopleTrainSettings(PeopleGamesSettings):
    """A training of the model of people's moves."""

    # fmt: off
    out: Path = setting(PATH, "model to write", "NET", MISSING, flag="-o --out")
    epochs: int = setting(whole(1, 1000), "number of epochs", "N", 2)
    batch_size: int = setting(whole(1, 1 << 20), "positions per optimiser step", "N", 4096)
    learning_rate: float = setting(
        number(0, 1, above=True), "highest learning rate, after a short warm-up", "X", 2e-3)
    seed: int = setting(whole(0, 1 << 32), "random seed", "S", 1)
    searches: int = setting(
        whole(0, 1_000_000), "positions of games not learnt from that are searched, so that the model also "
        "weighs what a search finds; 0: it never does", "N", 3000)
    # fmt: on


@dataclass(frozen=True, kw_only=True)
class PeopleEvaluateSettings(PeopleGamesSettings):
    """How well a model tells what people play, in games that it has not learnt from."""

    # fmt: off
    net: Path | None = setting(PATH, "model", "NET", usual="the one that is shipped")
    every: bool = setting(
        FLAG,
        "all games of the files, not only those that training holds out", default=False)
    positions: int = setting(whole(1, 10_000_000), "number of positions", "N", 20_000)
    searches: int = setting(whole(0, 1_000_000), "how many of them are searched too", "N", 0)
    seed: int = setting(whole(0, 1 << 32), "random seed, by which they are drawn", "S", 1)
    # fmt: on
