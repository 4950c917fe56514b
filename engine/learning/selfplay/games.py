"""Games of the engine against itself, one kernel call each.

`play_game` makes training data: one search plays both sides. `play_two` is for comparisons: two searches,
which may differ in parameters and evaluation, play from a given opening.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import BLACK, ONE, ZERO, I, U
from boomslang.core.board.draws import FIFTY_MOVES, is_dead, is_repetition
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import MOVE_LIST, POSITION
from boomslang.core.board.see import see_at_least
from boomslang.core.board.splitmix import next_bits
from boomslang.core.board.zobrist import refresh_keys
from boomslang.core.jit.jit import jit, kernel, record_type, u64, void
from boomslang.engine.learning.data.game_encoding import (
    FIT,
    MAX_BOTH,
    MAX_SIDELINE,
    RANDOM_MOVES,
    is_fit,
    mark_of,
    write_move,
    write_score,
)
from boomslang.engine.learning.selfplay.fixed_search import UNTIMED, think, white_view
from boomslang.engine.learning.selfplay.sideline import GameState, evaluate_sideline
from boomslang.engine.search.history import age_history_in_kernel
from boomslang.engine.search.state import SearchState, search_t
from boomslang.engine.search.transposition import TranspositionTable

MAX_PLIES: Final = 512  # plies; a longer game is a draw

RANDOM_PLIES = U(8)  # or one more
FAIR = I(300)  # centipawns: openings with a larger advantage are rejected

WON = I(1000)  # centipawns
WON_PLIES = I(4)  # in a row: the game is won
EVEN = I(8)
EVEN_PLIES = I(10)
EVEN_FROM = I(80)  # ply from which on an even game is adjudicated as drawn

_FIRST_FIT = I(FIT.first_ply)

GAME: Final = np.dtype(
    [
        ("random", "u8"),  # state of the random generator
        ("depth", "i8"),  # maximum search depth, plies
        ("nodes", "i8"),  # per move
        ("time", "i8"),  # per move of `play_two`: nanoseconds of processor time instead, or UNTIMED
        ("plies", "i8"),  # length of the game
        ("stopped", "i8"),  # 1: abort the game, its result is not needed
        ("result", "i8"),  # 0 Black won, 1 draw, 2 White won
        ("count", "i8"),  # positions usable for training
        ("won", "i8"),  # consecutive plies with a winning score for White, negative: Black
        ("even", "i8"),  # consecutive plies with an even score
        ("random_plies", "i8"),  # at the beginning of the game
        ("random_moves", "u8"),  # 2**32 times the probability of a random move
        ("moves", "i8"),  # number of encoded moves; the last may not have been played
        ("length", "i8"),  # bytes of the encoding
        ("score", "i8"),  # the last encoded one, White's view
        ("mark", "i8"),  # mark of its end, see engine.learning.data.game_encoding
        ("body", "u1", (MAX_BOTH * (MAX_PLIES + 1),)),  # the encoding
        ("sidelines", "u8"),  # 2**32 times the probability of a sideline
        ("way", "u8", (MAX_SIDELINE,)),  # moves of the sideline, as indices in move lists
        ("fork", POSITION),  # its start position
        ("list", MOVE_LIST),  # workspace to look up a move
        ("start", POSITION),
        ("opening", POSITION),  # start position of `play_two`
        ("opening_plies", "i8"),
    ],
    align=True,
)

game_t: Any = record_type(GAME)

_UNDECIDED = I(-1)
_DRAWN = I(1)


@jit
def _advance(search: SearchState, move: np.uint64) -> None:
    """Play a move at the root, in place; keys of positions that can be repeated stay in `keys`."""
    position = search.position[ZERO]
    make_move(search.rules, position, move)
    search.root_index = I(0) if U(position.halfmoves) == ZERO else search.root_index + I(1)
    search.keys[U(search.root_index)] = position.key


@jit
def _open(search: SearchState, game: GameState) -> np.int64:
    """Set up a random opening, in place; returns its length in plies."""
    plies = I(RANDOM_PLIES + (next_bits(game) & ONE))
    played = I(0)
    while played < plies:
        if played == 0:
            search.position[ZERO] = game.start
            search.root_index = I(0)
            search.keys[ZERO] = search.position[ZERO].key
            game.length = I(0)
        moves = search.moves[ZERO]
        generate(search.rules, search.position[ZERO], moves)
        if moves.count == ZERO:
            played = I(0)
            continue
        move = U(moves.move[(next_bits(game) >> U(32)) % moves.count])
        game.length = write_move(game.body, game.length, moves, move)
        _advance(search, move)
        played += I(1)
    return played


@jit
def _result(search: SearchState, ply: np.int64) -> np.int64:
    """Result of the game by the rules, or _UNDECIDED; generates the legal moves, in place."""
    position = search.position[ZERO]
    moves = search.moves[ZERO]
    generate(search.rules, position, moves)
    if moves.count == ZERO:
        if position.checkers == ZERO:
            return _DRAWN
        return I(2) if U(position.side) == BLACK else I(0)
    halfmoves = I(position.halfmoves)
    since_null = I(position.since_null)
    repeated = is_repetition(search.keys, search.root_index, I(0), halfmoves, since_null)
    if U(position.halfmoves) >= FIFTY_MOVES or is_dead(position) or repeated or ply >= MAX_PLIES:
        return _DRAWN
    return _UNDECIDED


@jit
def _choose(search: SearchState, game: GameState, ply: np.int64) -> np.uint64:
    """The move to play: the best, or at random another move that loses no material (SEE >= 0).

    Good play avoids most positions that a search has to evaluate; random moves reach some of them.
    """
    best = U(search.root_move[ZERO])
    if (
        game.random_moves == ZERO
        or ply < _FIRST_FIT
        or next_bits(game) >> U(32) >= game.random_moves
    ):
        return best
    move = U(search.root_move[(next_bits(game) >> U(32)) % U(search.root_count)])
    return move if see_at_least(search.rules, search.position[ZERO], move, I(0)) else best


@jit
def _record(
    search: SearchState, game: GameState, ply: np.int64, score: np.int64, played: np.uint64
) -> None:
    """Encode the best move, its score (White's view) and the played move, in place."""
    position = search.position[ZERO]
    move = U(search.root_move[ZERO])
    generate(search.rules, position, game.list)
    if played != move:
        game.body[U(game.length)] = RANDOM_MOVES
        game.length += I(1)
    game.length = write_move(game.body, game.length, game.list, move)
    game.length = write_score(game.body, game.length, score - game.score)
    if played != move:
        game.length = write_move(game.body, game.length, game.list, played)
    game.score = score
    game.mark = I(mark_of(position, move))
    game.moves = ply + I(1)
    if is_fit(position, move, ply, score):
        game.count += I(1)


@jit
def _adjudicate(game: GameState, ply: np.int64, white: np.int64) -> np.int64:
    """The result if the scores, `white` being the last, decide the game; else _UNDECIDED."""
    if white > WON:
        game.won = max(game.won, I(0)) + I(1)
    elif white < -WON:
        game.won = min(game.won, I(0)) - I(1)
    else:
        game.won = I(0)
    game.even = game.even + I(1) if abs(white) < EVEN and ply >= EVEN_FROM else I(0)
    if abs(game.won) >= WON_PLIES:
        return I(2) if game.won > 0 else I(0)
    return _DRAWN if game.even >= EVEN_PLIES else _UNDECIDED


@jit
def _begin(search: SearchState, table: TranspositionTable, game: GameState) -> np.int64:
    """Set up a balanced opening, in place; returns its length in plies.

    It has been searched: the best move is the first, and `root_score` is its score.
    """
    game.won = I(0)
    game.even = I(0)
    while True:
        ply = _open(search, game)
        if (
            _result(search, ply) == _UNDECIDED
            and abs(think(search, table, game.depth, game.nodes, UNTIMED)) <= FAIR
        ):
            return ply


@kernel(void(search_t, u64[::1], game_t))
def play_game(search: SearchState, table: TranspositionTable, game: GameState) -> None:
    """Play one game from `game.start`, in place: its result, and its moves and scores in `body`.

    `search` and `table` must have been cleared; the game then depends on `game.start`, `game.random`,
    `game.depth`, `game.nodes`, `game.random_moves`, `game.sidelines` and on the evaluation of `search` alone.
    """
    game.count = I(0)
    game.result = _UNDECIDED
    game.score = I(0)
    ply = _begin(search, table, game)
    game.random_plies = ply
    white = white_view(search, search.root_score)
    while True:
        move = _choose(search, game, ply)
        _record(search, game, ply, white, move)
        game.result = _adjudicate(game, ply, white)
        if game.result != _UNDECIDED:
            break
        if ply >= _FIRST_FIT:
            evaluate_sideline(search, table, game, ply)
        _advance(search, move)
        ply += I(1)
        game.result = _result(search, ply)
        if game.result != _UNDECIDED:
            break
        white = white_view(search, think(search, table, game.depth, game.nodes, UNTIMED))
    game.plies = ply


@kernel(void(search_t, u64[::1], game_t))
def find_opening(search: SearchState, table: TranspositionTable, game: GameState) -> None:
    """Set `opening` and `opening_plies` of a game, in place, by the generator `random`."""
    game.opening_plies = _begin(search, table, game)
    game.opening = search.position[ZERO]


@jit
def _set_up_opening(search: SearchState, game: GameState) -> None:
    """Set up the opening for one player, which may have its own piece-square values, in place."""
    search.position[ZERO] = game.opening
    refresh_keys(search.rules, search.position[ZERO])
    search.root_index = I(0)
    search.keys[ZERO] = search.position[ZERO].key


@jit
def _turn(
    player: SearchState,
    table: TranspositionTable,
    opponent: SearchState,
    game: GameState,
    ply: np.int64,
) -> None:
    """Make a move of `player`, in place on both boards, unless its score ends the game."""
    age_history_in_kernel(player)
    score = think(player, table, game.depth, game.nodes, game.time)
    game.result = _adjudicate(game, ply, white_view(player, score))
    if game.result == _UNDECIDED:
        move = U(player.root_move[ZERO])
        _advance(player, move)
        _advance(opponent, move)
        game.result = _result(opponent, ply + I(1))


@kernel(void(search_t, u64[::1], search_t, u64[::1], game_t))
def play_two(
    white: SearchState,
    white_table: TranspositionTable,
    black: SearchState,
    black_table: TranspositionTable,
    game: GameState,
) -> None:
    """Play two searches against each other from `game.opening`; sets `result` and `plies`, in place.

    Both searches and their tables must have been cleared. Without a `time` the game then depends only on the
    opening, on `nodes` and on the parameters and evaluations of the two searches. Consecutive plies are
    scored by the players in turn, so both agree about an adjudicated result.
    """
    game.won = I(0)
    game.even = I(0)
    game.result = _UNDECIDED
    _set_up_opening(white, game)
    _set_up_opening(black, game)
    _result(white, I(0))  # generates the moves of the side to move
    _result(black, I(0))
    ply = I(game.opening_plies)
    while game.result == _UNDECIDED and not game.stopped:
        if U(white.position[ZERO].side) == BLACK:
            _turn(black, black_table, white, game, ply)
        else:
            _turn(white, white_table, black, game, ply)
        ply += I(1)
    game.plies = ply
