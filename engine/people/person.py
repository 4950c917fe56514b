"""The model of people's moves, adapted to one person by his games, as far as these tell of him.

The network that ships learns on from his moves, some epochs at a small rate. The last of his games are kept
apart: they say how far its numbers may go the way that they have learnt, and whether they go at all. Without
a gain there that chance does not explain, the model stays the general one. What was learnt is kept in the
user's folder, by the content of the file: numbers of the network, and nothing of the games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.jit.jit import load_kernels
from boomslang.core.system.checksummed import FileKind
from boomslang.core.system.files import FileError, quote_path, sha256_of, user_file
from boomslang.engine.errors import CommandError
from boomslang.engine.games.reader import PgnReader
from boomslang.engine.limits import ignore
from boomslang.engine.notation.players import choose_player, find_most_frequent
from boomslang.engine.notation.text import MAX_BYTES
from boomslang.engine.people import file
from boomslang.engine.people.model import PeopleModel, chances_of
from boomslang.engine.people.network import SIZE
from boomslang.engine.people.samples import Describer, PeopleGame, from_columns, is_usual
from boomslang.engine.people.trainer import PeoplePlan, PeopleTrainer

MIN_GAMES: Final = 20
MAX_GAMES: Final = 3000  # the last ones
_MAX_KEPT: Final = 50  # games that are kept apart
_KEPT_SHARE: Final = 8  # no more than one in so many
_SHARES: Final = (0.25, 0.5, 0.75, 1.0)  # of what was learnt
_PLAN: Final = PeoplePlan(batch_size=128, learning_rate=3e-4, weight_decay=0.0, jobs=2)
_POSITIONS: Final = 40_000  # that are learnt from, with repetitions, within these bounds:
_EPOCHS: Final = (3, 8)
_BATCH: Final = 10_000  # games read at once
_UNKNOWN: Final = 1500  # rating that is taken where there is none
_LEVELS: Final = (600, 3000)  # ratings that can be played
_LATE: Final = 100  # games that tell it
# What ratings of Chess.com lack of those of Lichess, for the same player.
_CHESSCOM: Final = ((1600, 2400), (250, 100))
_LEAST: Final = 1e-9  # a chance
_FILE: Final = FileKind(b"BOOMLIKE", "model of a person", 1 << 25)
_FOLDER: Final = "like"
_MAX_FILES: Final = 8
_GENERAL: Final = "moves are those of people in general"

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Person:
    """What was learnt of a person; nats are means of -log(chance of the move played) over the moves kept."""

    name: str
    games: int
    rating: int  # on Lichess's scale
    is_rated: bool  # by his games
    kept: int = 0  # games that were not learnt from
    moves: int = 0  # his in these
    before: float = 0.0  # nats, by the general model
    after: float = 0.0  # by the adapted one
    share: float = 0.0  # of what was learnt; 0: the model is the general one

    def __str__(self) -> str:
        """One sentence."""
        rated = f"rated {self.rating}" if self.is_rated else f"taken to be rated {self.rating}"
        who = f"like {quote_path(self.name)}, {rated}"
        if not self.kept:
            return f"{who}: {self.games} games are too few to learn from, it takes {MIN_GAMES}; {_GENERAL}"
        told = (
            f"in {self.kept} of {self.games} games, kept apart, a move has {self.before:.3f} nats"
        )
        if not self.share:
            return f"{who}: nothing was learnt that holds ({told}); {_GENERAL}"
        ratio = float(np.exp(self.before - self.after))
        more = (
            f"{100 * ratio - 100:.0f} % likelier" if ratio < 2 else f"{ratio:.0f} times as likely"
        )
        return f"{who}: {told} by people in general, {self.after:.3f} like him: {more}"


class PersonGames:
    """The games of one person in a file, in the order of their dates, described."""

    def __init__(self, path: Path, player: str = "") -> None:
        """`player` may be empty where one name alone stands in most of the games.

        Raises CommandError for a file or a player that cannot be used.
        """
        load_kernels()
        name, games, rating, is_rated = _read(path, player)
        words, self._samples = Describer().describe(games)
        self._words = np.append(words, np.zeros(1 << 11, np.uint16))
        begins = np.diff(self._samples.ply.astype(int), prepend=1 << 15) <= 0
        self._game = np.cumsum(begins) - 1
        self.games = int(begins.sum())
        self._shipped = file.read(file.SHIPPED)[0]
        self._person = Person(name, self.games, rating, is_rated)

    def _nats(self, parameters: Any, samples: Any) -> Doubles:
        every = chances_of(parameters, self._words, samples)
        played = [chances[sample.played] for chances, sample in zip(every, samples, strict=True)]
        return np.asarray(-np.log(np.maximum(played, _LEAST)))

    def adapt(self, most: int = MAX_GAMES) -> tuple[Person, Any]:
        """What the last `most` games before those kept apart tell, and the parameters of the network."""
        person = self._person
        if self.games < MIN_GAMES:
            return person, self._shipped
        kept = min(self.games // _KEPT_SHARE, _MAX_KEPT)
        end = self.games - kept
        tested = self._samples[self._game >= end]
        before = self._nats(self._shipped, tested)
        person = replace(person, kept=kept, moves=len(tested), before=float(before.mean()))
        learnt = self._samples[(self._game < end) & (self._game >= end - most)]
        change = self._learn(learnt) - self._shipped
        found = [self._nats(self._shipped + np.float32(s) * change, tested) for s in _SHARES]
        best = int(np.argmin([nats.mean() for nats in found]))
        gain = before - found[best]
        if gain.mean() <= gain.std() / len(gain) ** 0.5:  # as much may be chance
            return replace(person, after=person.before), self._shipped
        share = _SHARES[best]
        person = replace(person, after=float(found[best].mean()), share=share)
        return person, self._shipped + np.float32(share) * change

    def _learn(self, samples: Any) -> Any:
        """The parameters after all of the training."""
        samples = np.ascontiguousarray(samples).view(np.recarray)
        epochs = int(np.clip(round(_POSITIONS / len(samples)), *_EPOCHS))
        each = -(-len(samples) // _PLAN.batch_size)
        dice = np.random.default_rng(_PLAN.seed)
        with PeopleTrainer(self._shipped.copy(), _PLAN, epochs * each) as trainer:
            for _ in range(epochs):
                for part in np.array_split(dice.permutation(len(samples)), each):
                    trainer.learn(self._words, samples, part, 0)
            return trainer.parameters


def _read(path: Path, player: str) -> tuple[str, list[PeopleGame], int, bool]:
    """The name of the player, the last of his games, his rating of late, and if they tell it.

    The moves of the other sides are left out.
    """
    try:
        batches = list(PgnReader(path).batches(_BATCH))
    except FileError as problem:
        raise CommandError(str(problem)) from None
    sides = [(batch["white"], batch["black"]) for batch in batches]
    names = [
        " ".join(each.split())
        for pair in sides
        for both in zip(*pair, strict=True)
        for each in both
    ]
    name = _choose(player, names)
    own = np.array([each.casefold() == name.casefold() for each in names]).reshape(-1, 2)
    games, days = list[PeopleGame](), []
    for batch in batches:
        mine, own = own[: len(batch)], own[len(batch) :]
        is_other = np.array(["chess.com" in site.lower() for site in batch["site"]])
        for side, is_his in zip(("white_elo", "black_elo"), mine.T, strict=True):
            rating = batch[side].astype(int)
            rating += ((rating > 0) & is_other) * np.interp(rating, *_CHESSCOM).astype(int)
            batch.columns[side] = np.where(is_his, np.where(rating > 0, rating, -1), 0)
        games += from_columns(batch)
        days.append(batch["date"][is_usual(batch)])
    order = np.argsort(np.concatenate(days), kind="stable").tolist()
    games = [games[number] for number in order if any(games[number].ratings)]
    if not games:
        what = f"no game of {quote_path(name)} from the usual start position"
        raise CommandError(f"{quote_path(path)} has {what}")
    games = games[-MAX_GAMES - _MAX_KEPT :]
    known = [rating for game in games for rating in game.ratings if rating > 0]
    late = int(np.clip(np.median(known[-_LATE:]), *_LEVELS)) if known else _UNKNOWN
    for number, game in enumerate(games):
        white, black = (late if each < 0 else each for each in game.ratings)
        games[number] = game._replace(ratings=(white, black))
    return name, games, late, bool(known)


def _choose(wanted: str, names: Sequence[str]) -> str:
    """The name of the person; raises CommandError."""
    name = choose_player(wanted or None, names, (), ignore)
    often = find_most_frequent(names)
    if not wanted and (len(often) > 1 or 4 * names.count(name) <= len(names)):
        several = list(dict.fromkeys(each for each in [*often, *names] if each.strip("?")))
        told = ", ".join(map(quote_path, several[:4])) + ", ..." * (len(several) > 4)
        raise CommandError(f"the games are of {len(several)} players ({told}); name one of them")
    return name


def adapted(path: Path, player: str = "") -> tuple[Person, PeopleModel]:
    """A person by his games, and the model adapted to him, which is learnt once and kept.

    Raises CommandError for a file or a player that cannot be used, ValueError for a broken installation.
    """
    shipped, combination, _ = file.read(file.SHIPPED)
    try:
        content = sha256_of(path, MAX_BYTES), sha256_of(file.SHIPPED, file.FILE.largest)
    except FileError as problem:
        raise CommandError(str(problem)) from None
    key = hashlib.sha256(repr((content, player, _PLAN, _POSITIONS)).encode()).hexdigest()
    kept = user_file(_FOLDER) / f"{key}.net"
    with suppress(ValueError, TypeError, OSError):  # there is none, or it is damaged
        header, payload = _FILE.read(kept)
        person = Person(**header)
        change = np.frombuffer(payload, "<f2", SIZE).astype(np.float32)
        kept.touch()
        return person, PeopleModel(shipped + change, combination)
    person, parameters = PersonGames(path, player).adapt()
    with suppress(ValueError, OSError):  # without a place for it it is learnt again
        kept.parent.mkdir(parents=True, exist_ok=True)
        _FILE.write(kept, asdict(person), (parameters - shipped).astype("<f2").tobytes())
        for old in sorted(kept.parent.glob("*.net"), key=_last_use)[:-_MAX_FILES]:
            old.unlink()
    return person, PeopleModel(parameters, combination)


def _last_use(path: Path) -> float:
    return path.stat().st_mtime
