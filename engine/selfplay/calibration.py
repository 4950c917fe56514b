"""Games of a level of limited strength against an opponent whose rating is known."""

from __future__ import annotations

import math
import random
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import chess
import chess.engine

from engine.adviser import Adviser
from engine.jobs.rival import Rival
from engine.levels.ladder import Level
from engine.limits import Info, Limits
from engine.player import Player, load

_OPENING_PLIES: Final = (6, 7, 8)
_OPENING_NODES: Final = 3000  # for a look at whether an opening is fair
_FAIR: Final = 80  # centipawns
_LONGEST: Final = 400  # plies; then the game is a draw
_WON: Final = 1000  # centipawns on which both sides agree
_WON_PLIES: Final = 8  # for so long
_START_WITHIN: Final = 60.0  # seconds for the opponent to start


@dataclass(frozen=True, slots=True)
class Opponent:
    """How the opponent is started and how long it thinks; it must know UCI_LimitStrength."""

    command: str
    nodes: int | None  # positions for a move
    movetime: int | None  # milliseconds for a move


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game; two games with numbers 2n and 2n + 1 have the same opening and other colours."""

    level: Level
    rating: int  # of the opponent, its UCI_Elo
    number: int
    seed: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Games of a level against an opponent of known rating."""

    won: int
    drawn: int
    lost: int

    @property
    def difference(self) -> float:
        """How much better the level is than its opponent, Elo."""
        return _elo(self._share)

    @property
    def error(self) -> float:
        """Half of the interval in which the difference lies with 95 %, Elo.

        Half a win and half a loss are added, or a few games of one kind would look certain.
        """
        won, lost = self.won + 0.5, self.lost + 0.5
        games = won + self.drawn + lost
        share = (won + self.drawn / 2) / games
        squares = won * (1 - share) ** 2 + self.drawn * (0.5 - share) ** 2 + lost * share**2
        slope = 400 / math.log(10) / (share * (1 - share))
        return 1.96 * math.sqrt(squares) / games * slope

    @property
    def _share(self) -> float:
        return (self.won + self.drawn / 2) / (self.won + self.drawn + self.lost)


def maker(opponent: Opponent) -> Callable[[Pairing], float]:
    """For `engine.jobs.run`: what plays one game and gives the points of the level, 0, 0.5 or 1."""
    load()
    player = Player()
    return lambda pairing: play(player, opponent, pairing)


def play(player: Player, opponent: Opponent, pairing: Pairing) -> float:
    """Play one game; returns the points of the level.

    Raises `chess.engine.EngineError`, or OSError if the opponent cannot be started.
    """
    player.new_game()
    board = _opening(player, random.Random(f"{pairing.seed} {pairing.number // 2}"))  # noqa: S311
    player.new_game()
    adviser = Adviser()
    adviser.configure("Random Seed", 1 + pairing.seed * 1_000_003 + pairing.number)
    adviser.handicap.force(pairing.level)
    ours = chess.WHITE if pairing.number % 2 == 0 else chess.BLACK
    limit = chess.engine.Limit(
        nodes=opponent.nodes, time=opponent.movetime and opponent.movetime / 1000
    )
    agreed = _Agreement()
    command = shlex.split(opponent.command)
    with chess.engine.SimpleEngine.popen(Rival, command, timeout=_START_WITHIN) as engine:
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": pairing.rating})
        while not (outcome := board.outcome(claim_draw=True)) and board.ply() < _LONGEST:
            if board.turn == ours:
                player.arm()
                result = adviser.search(player, board, Limits(movetime=60_000), _ignore)
                if result.best is None or result.info is None:
                    raise RuntimeError("no move was found")
                score = result.info.score
                mate = 0 if score.mate is None else math.copysign(2 * _WON, score.mate)
                agreed.note(board.turn, mate or score.centipawns or 0)
                board.push(result.best)
            else:
                answer = engine.play(board, limit, info=chess.engine.INFO_SCORE)
                if answer.move is None:
                    break
                told = answer.info.get("score")
                worth = told.relative.score(mate_score=2 * _WON) if told else None
                agreed.note(board.turn, worth or 0)
                board.push(answer.move)
            if (winner := agreed.winner) is not None:
                return float(winner == ours)
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == ours)


class _Agreement:
    """Whether both sides have agreed for long enough on who wins."""

    def __init__(self) -> None:
        self._plies = 0  # that White has been winning, negative: Black

    def note(self, turn: chess.Color, score: float) -> None:
        """The side to move thinks so of its position, centipawns."""
        white = score if turn == chess.WHITE else -score
        if white >= _WON:
            self._plies = max(self._plies, 0) + 1
        elif white <= -_WON:
            self._plies = min(self._plies, 0) - 1
        else:
            self._plies = 0

    @property
    def winner(self) -> chess.Color | None:
        """The side to give the game to, if any."""
        return self._plies > 0 if abs(self._plies) >= _WON_PLIES else None


def _opening(player: Player, dice: random.Random) -> chess.Board:
    """A position after a few random moves in which neither side is much better."""
    while True:
        board = chess.Board()
        for _ in range(dice.choice(_OPENING_PLIES)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(dice.choice(moves))
        if not any(board.legal_moves):
            continue
        player.arm()
        found = player.search(board, Limits(nodes=_OPENING_NODES), _ignore).info
        if found and found.score.mate is None and abs(found.score.centipawns or 0) <= _FAIR:
            return board


def _ignore(info: Info) -> None:
    pass


def _elo(share: float) -> float:
    """The difference in Elo that scores `share` of the points."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(share / (1 - share))
