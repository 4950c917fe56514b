"""The static evaluation for display: a table of terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boomslang.eval.wdl import conversion

if TYPE_CHECKING:
    import chess

    from boomslang.eval.classical.trace import Halves, Trace
    from boomslang.eval.network.trace import NetworkTrace

IN_CHECK: Final = "Final evaluation: none (in check)"

_RULE: Final = "-" * 20 + "+".join(["", *["-" * 16] * 3, "-" * 8])
_SHORT_RULE: Final = "-" * 20 + "+" + "-" * 8
_RANK: Final = "  +" + "-------+" * 8


def table(board: chess.Board, trace: Trace | NetworkTrace) -> str:
    """The parts of an evaluation, in pawns, White's view; the last column adds up to the last line.

    Only ASCII, which every terminal and GUI can display.
    """
    # Its import defines kernels, which need not be compiled here.
    from boomslang.eval.network.trace import NetworkTrace

    parts = _evaluation(board, trace) if isinstance(trace, NetworkTrace) else _terms(trace)
    lines = [
        *parts,
        f"A search shows it as {_pawns(conversion.to_cp(trace.score))},"
        " for there +1.00 wins half of the games.",
        "",
        f"Final evaluation       {trace.score / 100:+.2f} (white side)",
    ]
    return "\n".join(lines)


def _terms(trace: Trace) -> list[str]:
    lines = [
        "Term                |      White     |      Black     |      Total     | Score",
        "                    |     MG      EG |     MG      EG |     MG      EG |",
        _RULE,
    ]
    for row in trace.rows:
        if row.score or any(map(any, filter(None, (row.white, row.black, row.total)))):
            cells = "|".join(map(_pair, (row.white, row.black, row.total)))
            lines.append(f"{row.name.capitalize():20}|{cells}|{_pawns(row.score):>7}")
    lines += [
        _RULE,
        f"In pawns. MG counts {trace.phase} parts of 24, EG the rest;",
        "totals and scores are White's view.",
    ]
    return lines


def _evaluation(board: chess.Board, trace: NetworkTrace) -> list[str]:
    lines = [
        "What each piece is worth to the network here, in pawns, to its owner: the",
        "evaluation of this position less that of the same without the piece. Kings stay.",
        "",
        *_diagram(board, trace.places),
        "",
        "Part                | Score",
        _SHORT_RULE,
    ]
    for row in trace.rows:
        if row.score or row.name in ("material", "positional", "threats"):
            lines.append(f"{row.name.capitalize():20}|{_pawns(row.score):>7}")
    lines.append(_SHORT_RULE)
    if not trace.decides:
        lines.append("This ending is evaluated by the classical evaluation, which knows it.")
    lines.append(f"In pawns, White's view. Stage of the game: {trace.stage} of 7.")
    return lines


def _diagram(board: chess.Board, values: dict[int, int]) -> list[str]:
    """The board with the value of each piece, in pawns, below it; `values` are centipawns."""
    lines = [_RANK]
    for rank in range(7, -1, -1):
        squares = range(8 * rank, 8 * rank + 8)
        pieces = (str(board.piece_at(square) or " ") for square in squares)
        numbers = (_pawns(values[square]) if square in values else "" for square in squares)
        lines.append(f"{rank + 1} |{''.join(f'{piece:^7}|' for piece in pieces)}")
        lines.append(f"  |{''.join(f'{number:>6} |' for number in numbers)}")
        lines.append(_RANK)
    lines.append("   " + "".join(f"{file:^8}" for file in "abcdefgh").rstrip())
    return lines


def _pair(halves: Halves | None) -> str:
    if halves is None:
        return f"{'----':>7} {'----':>7} "
    return f"{_pawns(halves[0]):>7} {_pawns(halves[1]):>7} "


def _pawns(centipawns: int) -> str:
    return f"{centipawns / 100:+.2f}" if centipawns else "0.00"
