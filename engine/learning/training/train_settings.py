"""The settings of `boomslang train`."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boomslang.core.system.threads import usable_processors
from boomslang.engine.settings import FLAG, PATH, Settings, number, setting, several, whole
from boomslang.eval.network.shape import SCALE

if TYPE_CHECKING:
    from boomslang.engine.learning.training.trainer import TrainingSettings

_SHARE: Final = number(0, 1)
_PLIES: Final = 5.0  # default half-life
_WORK: Final = 800_000_000  # positions over all epochs, by default
_MIN_EPOCHS, _MAX_EPOCHS = 10, 60  # by default


@dataclass(frozen=True, kw_only=True)
class TrainSettings(Settings):
    """A training of the network: the data, the start, the target and the steps."""

    # fmt: off
    data: tuple[Path, ...] = setting(
        several(PATH), "game files of boomslang datagen", "DATA", MISSING, flag="data")
    out: Path = setting(PATH, "network file to write", "NET", MISSING, flag="-o --out")
    start: Path | None = setting(PATH, "initial network", "NET", usual="random parameters", flag="--from")
    pretrain: bool = setting(
        FLAG, "training on the classical evaluation of positions near those of the games", default=False)
    distill_share: float | None = setting(
        _SHARE, "the same, with weight X for the evaluation by the network of --from", "X", usual="0")
    half_life: float | None = setting(
        number(0, 1000), "half-life in plies of the weight of later scores of the game in the target; 0: "
        "none of them", "N", usual=f"{_PLIES:g}")
    epochs: int | None = setting(
        whole(1, 10_000), "number of epochs", "N", usual="10 to 60, fewer with more positions")
    batch_size: int = setting(whole(1, 1 << 24), "positions per optimiser step", "N", 16384)
    learning_rate: float = setting(
        number(0, 1, above=True), "highest learning rate, after a short warm-up", "X", 1e-3)
    weight_decay: float = setting(_SHARE, "weight decay", "X", 0.01)
    wdl: float = setting(
        _SHARE, "weight of the game's result in the target, beside the score of the search; not used for "
        "positions before a random move and for sidelines", "X", 0.0)
    wdl_constant: bool = setting(
        FLAG, "constant --wdl instead of a linear increase from 0 in the second half", default=False)
    eval_scale: int = setting(
        whole(1, 10_000), "score in centipawns that corresponds to odds of e : 1; scores averaged by "
        "--half-life always use 220", "CP", SCALE)
    seed: int = setting(whole(0, 1 << 32), "random seed", "S", 1)
    jobs: int | None = setting(whole(1, 64), "number of threads", "N", usual="all processors")
    # fmt: on

    def find_problem(self) -> str:  # noqa: D102
        if self.distill_share is not None and self.start is None:
            return "{distill_share} needs a network: add {start} NET"
        if self.pretrains and self.half_life is not None:
            return "{half_life}: pretraining does not use the scores of the games"
        if self.pretrains and self.wdl:
            return "{wdl}: the positions of pretraining belong to no game, so have no result"
        needy = self.wdl_constant and not self.wdl
        return "{wdl_constant} needs a weight above 0: add {wdl} X" if needy else ""

    @property
    def pretrains(self) -> bool:
        """True if the targets are evaluations, not scores of searches."""
        return self.pretrain or self.distill_share is not None

    @property
    def plies(self) -> float | None:
        """The half-life; None without scores of searches."""
        usual = _PLIES if self.half_life is None else self.half_life
        return None if self.pretrains else usual

    def plan(self, positions: int) -> TrainingSettings:
        """What is done with so many positions."""
        from boomslang.engine.learning.training.trainer import TrainingSettings

        batch_size = min(self.batch_size, positions)
        epochs = self.epochs or min(max(_WORK // positions, _MIN_EPOCHS), _MAX_EPOCHS)
        return TrainingSettings(
            steps=epochs * (positions // batch_size),
            batch_size=batch_size,
            learning_rate=self.learning_rate,
            weight_decay=self.weight_decay,
            eval_scale=self.eval_scale,
            wdl=self.wdl,
            wdl_ramp=not self.wdl_constant,
            seed=self.seed,
            jobs=self.jobs or usable_processors(),
        )
