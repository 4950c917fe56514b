"""Untrusted PGN read game by game, as games of python-chess, each with a list of its problems.

An unplayable game is returned too, without moves but with its original text, so that it can be copied. It
does not affect other games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import chess
import chess.pgn

from boomslang.core.system.files import FileError, quote_path
from boomslang.core.system.sanitize import number
from boomslang.engine.notation.movetext import UnreadableMoveError, is_sign, quote_word, read
from boomslang.engine.notation.positions import board_of
from boomslang.engine.notation.results import DECIDED, ends_game, standard_result
from boomslang.engine.notation.scanner import GameText, Scanner, TokenKind, excerpt, note
from boomslang.engine.notation.tags import proper_variant
from boomslang.engine.notation.text import file_texts, text_lines

_NUMBER: Final = re.compile(r"\d+")
_DOTS: Final = re.compile(r"\.\s*\.|…")  # behind the number of a black move

_MAX_NAG: Final = 255
_MAX_NESTING: Final = 200  # variations inside variations
UNREAD: Final = "Not read: "  # prefix of the unread rest of a game, in its last comment
_SPELLED: Final = {TokenKind.NAG: "${}", TokenKind.COMMENT: "({})", TokenKind.STOP: ""}
_MAX_RESULT: Final = 3  # words


@dataclass(slots=True)
class InputGame:
    """One game of an input file."""

    number: int  # from 1
    line: int  # its first line, from 1
    game: chess.pgn.Game
    problems: list[str] = field(default_factory=list)  # in words, empty if all is well
    remarks: list[str] = field(default_factory=list)  # on what is odd, though all moves are there
    analysable: bool = True  # False: it has no moves here, only its tags and its text
    text: str = ""  # as it is written
    next_line: int = 0  # the first line of the next game, if it is known to begin with a tag there

    @property
    def messages(self) -> list[str]:
        """The problems and the remarks."""
        return [*self.problems, *self.remarks]


def read_games(path: Path | str, main_line: bool = False) -> Iterator[InputGame]:
    """The games of a PGN file; raises FileError if it has none or cannot be read.

    A game ends before the first word that is not a move. A game of another variant or without a playable
    position is not analysable. With `main_line` variations are left out.
    """
    is_empty = True
    for entry in games_of_scanner(Scanner(file_texts(path)), main_line):
        if entry.number:
            yield entry
        is_empty = False
        if not entry.number:
            raise FileError(f"{quote_path(path)} is not a PGN file")
    if is_empty:
        raise FileError(f"{quote_path(path)} has no game")


def result_of(game: chess.pgn.Game) -> str:
    """The result by the tag or, where that has none, by the last position; `*` without either."""
    tagged, end = game.headers.get("Result", "*"), game.end()
    if tagged in DECIDED or end is game:  # its position may be none
        return tagged
    result = end.board().result()
    return tagged if result == "*" else result


def games_of_text(text: str, main_line: bool = False) -> Iterator[InputGame]:
    """The games of a text, in the same way; may be empty."""
    return (e for e in games_of_scanner(Scanner(text_lines(text)), main_line) if e.number)


def games_of_scanner(scanner: Scanner, main_line: bool) -> Iterator[InputGame]:
    """All games; a text without games yields a single one with the number 0.

    A game is yielded as soon as `scanner.next_tag_line` shows that nothing more can belong to it.
    """
    number = 0
    last: InputGame | None = None  # waits for the text behind it
    outside: GameText | None = None  # the first text that belongs to no game, behind the last one
    for game_text in scanner:
        if not game_text.is_game:
            if game_text.line and not outside:
                outside = game_text
                if last:
                    last.problems.append(_describe_skipped(game_text))
            continue
        if last:
            yield last
            outside = None
        number += 1
        last = game_of(game_text, number, main_line)
        if outside:
            last.problems.append(_describe_skipped(outside))
            outside = None
        if scanner.next_tag_line:
            last.next_line = scanner.next_tag_line
            yield last
            last = None
    if last:
        yield last
    elif outside:
        yield InputGame(0, outside.line, chess.pgn.Game())


def _describe_skipped(game_text: GameText) -> str:
    text = next((line for line in game_text.lines if line.strip()), "")
    return f"line {game_text.line} is of no game: {excerpt(text)}"


def game_of(game_text: GameText, number: int, main_line: bool = False) -> InputGame:
    """The game of a text."""
    game = chess.pgn.Game()
    game.headers.update(game_text.tags)
    entry = InputGame(
        number, game_text.line, game, list(game_text.problems), list(game_text.remarks)
    )
    board, reason = _start(game_text, game.headers)
    if board is None:
        if reason not in entry.problems:
            entry.problems.append(reason)
        entry.analysable = False
        entry.text = game_text.copy()
        return entry
    tagged = game.headers.get("Result", "*")
    game.headers["Result"] = standard_result(tagged) or tagged
    _Reader(game, board, entry, main_line).take(_with_result(game_text.tokens, tagged, board))
    return entry


def _with_result(
    tokens: list[tuple[TokenKind, str]], tagged: str, board: chess.Board
) -> list[tuple[TokenKind, str]]:
    """The tokens of a game that begins on `board`; last words that are its result become one."""
    kinds = [kind for kind, _ in tokens]
    end = len(tokens)
    while end and (kinds[end - 1] is TokenKind.COMMENT or tokens[end - 1][1] == "*"):
        end -= 1
    if kinds.count(TokenKind.OPEN) > kinds.count(TokenKind.CLOSE):
        return tokens
    for start in range(max(end - _MAX_RESULT, 0), end):
        words = " ".join(text for _, text in tokens[start:end])
        if not {TokenKind.WORD, TokenKind.NUMBER}.issuperset(kinds[start:end]):
            continue
        is_alone = TokenKind.WORD not in kinds[:start] and not _is_move(board, words)
        if ends_game(words, tagged, is_alone):
            return [*tokens[:start], (TokenKind.RESULT, words), *tokens[end:]]
    return tokens


def _is_move(board: chess.Board, word: str) -> bool:
    try:
        return bool(read(board, word)[0])
    except UnreadableMoveError:
        return False


def _start(game_text: GameText, headers: chess.pgn.Headers) -> tuple[chess.Board | None, str]:
    """The start position of the game; or None, and the reason."""
    if game_text.unusable:
        return None, game_text.unusable
    return start_board(headers)


def start_board(headers: chess.pgn.Headers) -> tuple[chess.Board | None, str]:
    """The start position that tags say, which are mended in place; or None, and why it cannot be played."""
    for name in ("FEN", "Variant"):
        if not headers.get(name, "?").strip():
            del headers[name]  # an empty tag says nothing
    if not _is_chess(headers):
        return None, f"the variant {headers.get('Variant')} is not supported"
    fen = headers.get("FEN")
    if fen is None:
        if headers.get("SetUp") == "1":
            return None, "the tag SetUp says that there is a position, and there is no FEN"
        return headers.board(), ""
    try:
        if len(fen.split()) < 4:
            raise ValueError(f"not a FEN: {excerpt(fen)}")
        board = board_of(fen, headers.is_chess960())
    except ValueError as problem:
        return None, f"{problem}"
    if board.chess960 and not headers.is_chess960():
        headers["Variant"] = "Chess960"  # other readers need it
    headers["FEN"] = fen.strip() if headers.board() == board else board.fen(shredder=board.chess960)
    return board, ""


def _is_chess(headers: chess.pgn.Headers) -> bool:
    """True for ordinary chess and Chess960, which python-chess then finds under a name that it knows."""
    try:
        is_known = headers.variant() is chess.Board
    except ValueError:
        is_known = False
    if not is_known:
        variant = headers["Variant"]
        proper = proper_variant(variant)
        if proper == variant:
            return False
        headers["Variant"] = proper
    return True


@dataclass(slots=True)
class _Level:
    """The main line, or an open variation."""

    node: chess.pgn.GameNode  # its last move, or the move before its first
    board: chess.Board
    has_moves: bool = False


class _Reader:
    """Plays tokens on a game, in place; faults are added to the problems."""

    def __init__(
        self, game: chess.pgn.Game, board: chess.Board, entry: InputGame, main_line: bool
    ) -> None:
        self._main_line = main_line
        self._game = game
        self._numbers = MoveNumbers(is_free="FEN" in game.headers)
        self._tagged_result = game.headers.get("Result", "*")
        self._levels = [_Level(game, board)]
        self._problems = entry.problems
        self._oddities = entry.remarks
        self._remarks: dict[chess.pgn.GameNode, list[str]] = {}  # comments, by what they follow
        self._first_remarks: list[str] = []  # those before the first move of a variation
        self._skipped = 0  # nesting depth inside skipped variations

    def take(self, tokens: list[tuple[TokenKind, str]]) -> None:
        """Read all tokens of a game; at the first unreadable one it ends, with the rest as a comment."""
        self._play(tokens)
        for node, texts in self._remarks.items():
            node.comment = " ".join(texts)

    def _play(self, tokens: list[tuple[TokenKind, str]]) -> None:
        for place, (kind, text) in enumerate(tokens):
            if self._skipped:
                self._skipped += (kind is TokenKind.OPEN) - (kind is TokenKind.CLOSE)
                if kind is TokenKind.STOP:
                    self._end(text, tokens[place + 1 :])
                    return
                continue
            try:
                self._read_token(kind, text)
            except UnreadableMoveError as problem:
                if len(self._levels) == 1:
                    self._end(str(problem), tokens[place:])
                    return
                note(self._problems, str(problem))
                self._levels.pop()  # the variation ends; its parent line continues
                self._skipped = 1
                self._first_remarks.clear()
            except _StopError as problem:
                self._end(str(problem), tokens[place + (kind is TokenKind.STOP) :])
                return
        if len(self._levels) > 1 or self._skipped:
            self._problems.append("a variation is not closed")

    def _end(self, problem: str, rest: list[tuple[TokenKind, str]]) -> None:
        self._problems.append(problem)
        words = " ".join(_SPELLED.get(kind, "{}").format(text) for kind, text in rest)
        if words := " ".join(words.replace("{", "(").replace("}", ")").split()):
            del self._levels[1:]
            self._read_comment(self._levels[0], f"{UNREAD}{words}")

    def _read_token(self, kind: TokenKind, text: str) -> None:
        level = self._levels[-1]
        match kind:
            case TokenKind.WORD if is_sign(text):
                note(self._oddities, f"unknown sign: {text}")
            case TokenKind.WORD:
                move, nags = read(level.board, text)
                if move is not None:
                    level.node = level.node.add_variation(
                        move, starting_comment=" ".join(self._first_remarks)
                    )
                    level.board.push(move)
                    level.has_moves = True
                    self._first_remarks.clear()
                if nags:
                    level.node.nags.update(nags)
            case TokenKind.NUMBER:
                if level.board.turn and ("..." in text or "…" in text):
                    raise UnreadableMoveError(f"{' '.join(text.split())} where White is to move")
                if len(self._levels) == 1 and (problem := self._numbers.check(text, level.board)):
                    self._problems.append(problem)
            case TokenKind.COMMENT:
                self._read_comment(level, text)
            case TokenKind.NAG:
                code = number(text)
                if code is not None and 0 <= code <= _MAX_NAG:
                    level.node.nags.add(code)
                else:
                    note(
                        self._oddities,
                        f"no such annotation: ${quote_word(text)} (they are $0 to ${_MAX_NAG})",
                    )
            case TokenKind.OPEN:
                self._open(level)
            case TokenKind.CLOSE:
                if len(self._levels) == 1:
                    raise _StopError("a ) without its (")
                self._levels.pop()
                self._first_remarks.clear()
            case TokenKind.RESULT:
                if len(self._levels) == 1:
                    self._end_with(standard_result(text) or text)
            case TokenKind.STOP:
                raise _StopError(text)

    def _end_with(self, result: str) -> None:
        """Handle the result behind the moves; it counts if the tag has none."""
        tagged = self._tagged_result
        if tagged not in DECIDED:
            if self._game.headers.get("Result") not in DECIDED:
                self._game.headers["Result"] = result
        elif result not in ("*", tagged):
            self._problems.append(
                f"the result is {tagged} in the tag and {result} behind the moves"
            )

    def _read_comment(self, level: _Level, text: str) -> None:
        """Collect a comment; they are joined at the end, since a hostile game may have a hundred thousand."""
        if not text:
            return
        if level.has_moves or len(self._levels) == 1:
            self._remarks.setdefault(level.node, []).append(text)
        else:
            self._first_remarks.append(text)

    def _open(self, level: _Level) -> None:
        problem = ""
        if self._main_line:
            self._skipped = 1
            return
        if not level.has_moves:
            problem = "a variation before the first move"
        elif len(self._levels) > _MAX_NESTING:
            problem = f"variations nested deeper than {_MAX_NESTING}"
        if problem:
            note(self._problems, problem)
            self._skipped = 1
            return
        board = level.board.copy(stack=1)
        board.pop()
        self._levels.append(_Level(level.node.parent or self._game, board))


class _StopError(ValueError):
    """The rest of the game cannot be trusted, in any variation."""


class MoveNumbers:
    """Checks the numbers of one line of moves.

    If `is_free`, as in a game that begins with a position, the first may be any. A number for each single
    move instead of each pair is right too, if it is so from the beginning.
    """

    def __init__(self, is_free: bool) -> None:
        self._ahead: int | None = None if is_free else 0  # how far numbers are ahead of the board
        self._first_ply: int | None = None  # ply of the first number
        self._single: int | None = None  # what to add to plies if single moves are counted
        self._is_over = False  # nothing is checked after a fault

    def check(self, text: str, board: chess.Board) -> str:
        """What is wrong with the number before a move, in a few words; empty if nothing is."""
        match = _NUMBER.match(text)
        if self._is_over or not match:
            return ""
        number, expected, ply = int(match[0]), board.fullmove_number, board.ply()
        if self._ahead is None:
            self._ahead = number - expected
        if self._first_ply is None:
            self._first_ply = ply
        expected += self._ahead
        if self._single is not None:
            expected = ply + self._single
        elif (
            not board.turn
            and ply <= self._first_ply + 1
            and number == expected + 1
            and not _DOTS.search(text)
        ):
            expected = number
            self._single = number - ply
        if number == expected:
            return ""
        self._is_over = True  # one remark will do
        return f"move number {number} instead of {expected}: moves may be missing"
