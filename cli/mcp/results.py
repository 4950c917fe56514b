"""What the tools answer: words for the language model, and the same figures as data, declared field by field.

A field is a kind, as of a setting, and its help; one whose name ends with a question mark may be missing.
Scores and chances are White's, on the scale that `words.SCALE` describes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from boomslang.engine.settings import TEXT, Kind, need, number, several, whole

Fields: TypeAlias = Mapping[str, tuple[Kind, str]]
Data: TypeAlias = dict[str, Any]

SCHEME: Final = "boomslang://games/"  # how the addresses of the user's games begin


@dataclass(frozen=True)
class Answer:
    """The words of an answer, and its figures; None is what is missing."""

    text: str
    data: Data


def one_of(*words: str) -> Kind:
    """One of some words."""

    def check(value: Any) -> str:
        need(TEXT.check(value) in words)
        return str(value)

    return Kind(f"one of {', '.join(words)}", {"type": "string", "enum": [*words]}, check, check)


def part(fields: Fields) -> Kind:
    """An object with these fields and no others."""
    kinds = {name.rstrip("?"): kind for name, (kind, _) in fields.items()}
    required = [name for name in fields if not name.endswith("?")]
    schema = {
        "type": "object",
        "properties": {
            name.rstrip("?"): {**kind.schema, "description": text}
            for name, (kind, text) in fields.items()
        },
        "required": required,
        "additionalProperties": False,
    }

    def check(data: Any) -> Data:
        need(all(data.get(name) is not None for name in required))
        return {name: kinds[name].check(value) for name, value in data.items() if value is not None}

    return Kind("an object", schema, check, check)


_COUNT: Final = whole(0, 1 << 62)
_INTEGER: Final = whole(-(1 << 62), 1 << 62)
_PERCENT: Final = whole(0, 100)
_SHARE: Final = number(0, 100)
_TEXTS: Final = several(TEXT)
_SIDE: Final = one_of("White", "Black")
_DISTANCE: Final = (_COUNT, "plies to the next capture, pawn move or mate")
_EFFORT: Final = {
    "depth?": (_COUNT, "plies that were searched; 0 where the rules or a table decide"),
    "nodes?": (_COUNT, "positions that were searched"),
}
_MOVE: Final = {"san": (TEXT, "the move"), "uci": (TEXT, "the same in UCI")}
_COUNTS: Final = dict.fromkeys(("inaccuracies", "mistakes", "blunders"), (_COUNT, "number"))
POSITION: Final = {
    "fen": (TEXT, "the position"),
    "turn": (_SIDE, "side to move"),
    "over?": (TEXT, "why the game is over"),
    "claims": (_TEXTS, "draws that can be claimed"),
    "opening?": (TEXT, "name and code of the opening"),
}
SCORE: Final = {
    "cp?": (_INTEGER, "centipawns, White's"),
    "mate?": (_INTEGER, "moves to mate, positive if White mates"),
    "white_chance?": (_PERCENT, "White's chances, per cent; a mate has none"),
    **_EFFORT,
}
LINE: Final = {
    **{"san": (_TEXTS, "its moves"), "uci": (_TEXTS, "the same in UCI"), **SCORE},
    "people?": (_SHARE, "per cent of players with the rating that play its first move"),
}
_RATING: Final = (_COUNT, "of the players whose moves are told")
ANALYSIS: Final = POSITION | {
    "rating?": _RATING,
    "lines": (several(part(LINE)), "the best first"),
}
COMPARISON: Final = POSITION | {
    "rating?": _RATING,
    "better": (part(LINE), "the line of the first move"),
    "worse": (part(LINE), "the line of the other move"),
    "verdict": (one_of("better", "equal", "worse"), "what the first move is"),
    "points?": (_PERCENT, "percentage points of chances between them"),
    "reason?": (TEXT, "why it is better, proved by searches"),
}
PLAYER: Final = {
    "name": (TEXT, "as in the game"),
    "moves": (_COUNT, "that were judged"),
    "accuracy?": (_SHARE, "per cent; none without a move"),
    "average_centipawn_loss?": (number(0, 100_000), "per move"),
    **_COUNTS,
    "missed_mates": (_COUNT, "number"),
}
PEERS: Final = {
    "rating": (_INTEGER, "of the mover, or near it"),
    "find": (_SHARE, "per cent of players with that rating that play the best move"),
    "play": (_SHARE, "per cent of them that play the move of the game"),
}
MISTAKE: Final = {
    "game?": (TEXT, "address of its game"),
    "player?": (TEXT, "who played it"),
    "fen": (TEXT, "the position before it"),
    "move": (TEXT, "the move with its number"),
    "uci": (TEXT, "the move in UCI"),
    "judgement": (one_of("inaccuracy", "mistake", "blunder"), "how bad"),
    "kind": (TEXT, "what it did"),
    "phase?": (TEXT, "phase of the game"),
    "before": (part(SCORE), "with best play instead"),
    "after": (part(SCORE), "after it"),
    "best": (TEXT, "the better line with numbers"),
    "best_uci": (_TEXTS, "the better line in UCI"),
    "reason?": (TEXT, "why it is bad, proved by searches"),
    "remark": (TEXT, "the judgement in words"),
    "peers?": (part(PEERS), "what players like the mover do"),
}
_PLAYERS: Final = {"white": (part(PLAYER), "White"), "black": (part(PLAYER), "Black")}
_GAME: Final = {**_PLAYERS, "result": (TEXT, "of the game"), "opening?": (TEXT, "name and code")}
REVIEW: Final = _GAME | {
    "nodes": (_COUNT, "positions searched for each move, more in doubt"),
    "moves": (several(part(MISTAKE)), "mistakes and blunders, the worst ones if there are many"),
    "untold": (_COUNT, "more mistakes and blunders"),
    "remarks": (_TEXTS, "about the text of the game"),
}
ENDGAME: Final = POSITION | {
    "winner?": (_SIDE, "who wins; none: it is a draw"),
    "result": (TEXT, "in words"),
    "plies?": _DISTANCE,
    "keeping": (
        several(part({**_MOVE, "plies?": _DISTANCE})),
        "moves that keep it, the best first",
    ),
    "keeping_count": (_COUNT, "number of them, of which some may be left out"),
    "legal_count": (_COUNT, "number of legal moves"),
}
FACTS: Final = POSITION | {
    "checkers": (_TEXTS, "squares of the pieces that give check"),
    "legal_moves": (_TEXTS, "in SAN"),
    "white_ahead": (_INTEGER, "White's material less Black's, in pawns"),
    "hanging": (_TEXTS, "squares on which captures win material"),
    "castling?": (TEXT, "castling rights"),
}
PLAY: Final = {
    **POSITION,  # after the move
    **_MOVE,
    "elo?": (_COUNT, "the level that plays; none: full strength"),
    "seed?": (_INTEGER, "with which the level plays the same again"),
    **_EFFORT,
}
GAME: Final = _GAME | {
    "game": (TEXT, "its address, as a resource and for the prompt"),
    "date": (TEXT, "YYYY.MM.DD, ? where it is not known"),
    "pgn?": (TEXT, "its moves, if no other game was found"),
}
GROUP: Final = {
    "name": (TEXT, "of the group"),
    "games": (_COUNT, "number of games"),
    "points?": (number(0, 1e9), "of the named player, in games with a result"),
    "accuracy?": (_SHARE, "per cent, the mean of the games"),
    **_COUNTS,
}
MEMORY: Final = {
    "searched": (_COUNT, "games in the folder"),
    "found": (_COUNT, "what fits the question; fewer may be told"),
    "games?": (several(part(GAME)), "the newest first"),
    "judged?": (several(part(MISTAKE)), "the worst first"),
    "groups?": (several(part(GROUP)), "the largest first"),
    "problems": (_TEXTS, "files that were left out"),
}
