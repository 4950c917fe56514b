# The types of boomslang.py in a clone or an editable install: a module of one file cannot say that it has
# types (PEP 561). A test compares them with the code.
import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import total_ordering
from typing import Any, BinaryIO, Final, NamedTuple, Protocol, SupportsIndex, TypeAlias, overload

import chess
import chess.engine
import chess.pgn
import numpy as np
import numpy.typing as npt

from . import eval as eval  # noqa: A004 - its name
from . import perft as perft

__all__ = [
    "CommandError",
    "Engine",
    "Games",
    "Info",
    "Limits",
    "Result",
    "Score",
    "__version__",
    "analyse_game",
    "command",
    "find",
    "label",
    "people",
    "play_match",
    "popen",
    "popen_async",
    "read_games",
]

__version__: Final[str]

# Classes that only the installed package describes.
_KernelLoader: TypeAlias = Any
_SearchTask: TypeAlias = Any

# What of other classes programs read.
class _Row(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def score(self) -> int: ...  # centipawns, White's view

class _Trace(Protocol):
    @property
    def rows(self) -> Sequence[_Row]: ...
    @property
    def places(self) -> dict[int, int]: ...  # by square, centipawns, its piece's view
    @property
    def score(self) -> int: ...  # centipawns, White's view

_NetworkTrace: TypeAlias = _Trace

class _Option(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def default(self) -> _Value: ...
    @property
    def lowest(self) -> int: ...
    @property
    def highest(self) -> int: ...
    @property
    def choices(self) -> tuple[str, ...]: ...

_Value: TypeAlias = int | bool | str
_Given: TypeAlias = _Value | os.PathLike[str] | SupportsIndex
_Listener: TypeAlias = Callable[[Info], None]

class CommandError(ValueError): ...

@dataclass(frozen=True, slots=True)
class Limits:
    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    mate: int | None = None
    white_time: int | None = None
    black_time: int | None = None
    white_increment: int | None = None
    black_increment: int | None = None
    moves_to_go: int | None = None
    infinite: bool = False
    wait_for_stop: bool = False
    ponder: bool = False
    search_moves: Iterable[str | chess.Move] | None = None
    perft: int | None = None
    analysing: bool = False
    multipv: int | None = None
    threads: int | None = None
    overhead: int | None = None

    def __post_init__(self) -> None: ...
    @property
    def playing(self) -> bool: ...
    def check(self, white: bool) -> None: ...
    def share(self, white: bool, overhead: float = 0.0) -> float | None: ...
    def longest_wait(self, white: bool, part: float = ...) -> float | None: ...

@total_ordering
@dataclass(frozen=True, slots=True)
class Score:
    centipawns: int | None = None
    mate: int | None = None

    def __lt__(self, other: Score) -> bool: ...
    def __neg__(self) -> Score: ...
    def to_chess(self) -> chess.engine.Score: ...
    def __str__(self) -> str: ...

@dataclass(frozen=True, slots=True)
class Info:
    depth: int
    seldepth: int
    multipv: int
    score: Score
    bound: str
    nodes: int
    nps: int
    hashfull: int
    tbhits: int
    time: int
    pv: tuple[chess.Move, ...]
    wdl: tuple[int, int, int] | None = None

    @classmethod
    def of(
        cls,
        score: Score,
        depth: int = 0,
        pv: tuple[chess.Move, ...] = (),
        wdl: tuple[int, int, int] | None = None,
    ) -> Info: ...

@dataclass(frozen=True, slots=True)
class Result:
    best: chess.Move | None
    ponder: chess.Move | None
    lines: tuple[Info, ...] = ()
    timing: str = ""

    @property
    def info(self) -> Info | None: ...
    @classmethod
    def of(cls, lines: Sequence[Info], timing: str = "") -> Result: ...

class Engine:
    def __init__(
        self,
        on_remark: Callable[[str], None] | None = None,
        kernels: _KernelLoader | None = None,
        **options: _Given,
    ) -> None: ...
    def __enter__(self) -> Engine: ...
    def __exit__(self, *problem: object) -> None: ...
    def close(self) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def options(self) -> dict[str, _Option]: ...
    def set_option(self, name: str, value: _Given = "") -> _Option: ...
    def value_of(self, name: str) -> _Value: ...
    def open_tables(self, path: str) -> str | None: ...
    def repeat_position(self) -> None: ...
    def new_game(self) -> None: ...
    def set_position(
        self, position: str | chess.Board | None = None, moves: Iterable[str | chess.Move] = ()
    ) -> None: ...
    @property
    def board(self) -> chess.Board: ...
    def get_ready(self) -> None: ...
    def is_compiled(self) -> bool: ...
    def wait_for_kernels(self) -> None: ...
    def evaluate(self, classical: bool = False) -> _Trace | _NetworkTrace | None: ...
    def go(
        self, limits: Limits | _SearchTask | None = None, on_info: _Listener | None = None
    ) -> Result: ...
    def analyse(self, limits: Limits | None = None, multipv: int | None = None) -> list[Info]: ...
    def stop(self) -> None: ...
    def ponderhit(self) -> None: ...
    def change_seed(self) -> None: ...

class _GameProblem(NamedTuple):
    source: str
    game: int
    line: int
    ply: int
    text: str

@dataclass(eq=False, slots=True)
class Games:
    columns: dict[str, npt.NDArray[Any]]
    offsets: npt.NDArray[np.int64]
    moves: npt.NDArray[np.uint16]
    clocks: npt.NDArray[np.float64]
    evals: npt.NDArray[np.float32]
    nag_plies: npt.NDArray[np.int64]
    nags: npt.NDArray[np.uint8]
    problems: list[_GameProblem]
    starts: npt.NDArray[np.void]
    start_of_game: npt.NDArray[np.int64]

    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> npt.NDArray[Any]: ...
    @property
    def game_of_ply(self) -> npt.NDArray[np.int64]: ...
    @property
    def ply_in_game(self) -> npt.NDArray[np.int64]: ...
    def positions(
        self, plies: npt.ArrayLike | None = None, *, after: bool = False
    ) -> npt.NDArray[np.void]: ...
    def remark(self, game: int) -> str: ...
    def uci(self, game: int) -> list[str]: ...

_Source: TypeAlias = str | os.PathLike[str] | bytes | BinaryIO

def analyse_game(
    game: chess.pgn.Game,
    engine: str | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    multipv: int = 1,
    thresholds: str | Sequence[float] = "lichess",
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
) -> dict[str, Any]: ...
def command() -> list[str]: ...
def find(
    pattern: str, source: Games | _Source | Iterable[_Source], *, every: bool = False
) -> npt.NDArray[np.void]: ...
def label(
    positions: Iterable[str | chess.Board] | Games,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    hash_mb: int | None = None,
    tables: str | os.PathLike[str] | None = None,
    network: str | os.PathLike[str] | None = None,
    classical: bool = False,
    engine: str | None = None,
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> npt.NDArray[np.void]: ...
def people(
    position: str | chess.Board,
    rating: float,
    *,
    speed: str = "blitz",
    time_left: float | None = None,
    search: bool = True,
) -> dict[chess.Move, float]: ...
def play_match(
    *engines: str,
    games: int = 1000,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    clock: tuple[float, float] | None = None,
    options: Sequence[Mapping[str, Any]] = (),
    odds: float | Sequence[float] = 1.0,
    gauntlet: bool = False,
    adjudicated: bool = True,
    openings: str | os.PathLike[str] | None = None,
    seed: int = 1,
    anchors: Mapping[str, float] | None = None,
    jobs: int | None = None,
    python: str | None = None,
    out: str | os.PathLike[str] | None = None,
) -> dict[str, Any]: ...
def popen(**options: chess.engine.ConfigValue) -> chess.engine.SimpleEngine: ...
async def popen_async(
    **options: chess.engine.ConfigValue,
) -> tuple[asyncio.SubprocessTransport, chess.engine.UciProtocol]: ...
@overload
def read_games(source: _Source | Iterable[_Source], *, tags: Iterable[str] = ...) -> Games: ...
@overload
def read_games(
    source: _Source | Iterable[_Source], *, batch: int, tags: Iterable[str] = ...
) -> Iterator[Games]: ...
