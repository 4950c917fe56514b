"""The static evaluation for people: a table of terms, and a picture of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from eval.chances import wdl

if TYPE_CHECKING:
    import chess

    from eval.classical.trace import Halves, Trace

IN_CHECK: Final = "Final evaluation: none (in check)"

_GREYS: Final = {"square light": "#f0f0f0", "square dark": "#d4d4d4"}
_GOOD, _BAD = (46, 160, 67), (208, 68, 55)  # red, green, blue
_FULL_COLOUR: Final = 60  # centipawns at which a square has its colour in full
_RULE: Final = "-" * 20 + "+".join(["", *["-" * 17] * 3, "-" * 8])


def table(trace: Trace) -> str:
    """All terms that count something, in pawns; the last column adds up to the last line.

    Only ASCII, so that every terminal and GUI can show it.
    """
    lines = [
        "Term                |      White      |      Black      |      Total      | Score",
        "                    |     MG      EG  |     MG      EG  |     MG      EG  |",
        _RULE,
    ]
    for row in trace.rows:
        if row.score or any(map(any, filter(None, (row.white, row.black, row.total)))):
            cells = "|".join(map(_pair, (row.white, row.black, row.total)))
            lines.append(f"{row.name.capitalize():20}|{cells}|{_pawns(row.score):>7}")
    lines += [
        _RULE,
        f"In pawns. MG counts {trace.phase} parts of 24, EG the rest; totals and scores are White's view.",
        f"A search shows it as {_pawns(wdl.shown(trace.score))}, for there +1.00 wins half of the games.",
        "",
        f"Final evaluation: {_pawns(trace.score)} (white side)",
    ]
    return "\n".join(lines)


def _pair(halves: Halves | None) -> str:
    if halves is None:
        return f"{'----':>7} {'----':>7}  "
    return f"{_pawns(halves[0]):>7} {_pawns(halves[1]):>7}  "


def _pawns(centipawns: int) -> str:
    return f"{centipawns / 100:+.2f}" if centipawns else "0.00"


def picture(board: chess.Board, trace: Trace) -> str:
    """An SVG image of the board: each square tells what its piece gets for standing there.

    Green is good for the piece's owner, red is bad; the numbers are centipawns.
    """
    import chess.svg

    fill = {square: _colour(value) for square, value in trace.places.items() if value}
    drawing = chess.svg.board(board, fill=fill, size=480, colors=_GREYS)
    labels = "".join(_label(square, value) for square, value in trace.places.items())
    return drawing.removesuffix("</svg>") + labels + "</svg>\n"


def _colour(value: int) -> str:
    """Green or red, the more opaque the more it is."""
    opacity = min(abs(value) / _FULL_COLOUR, 1.0) * 0.75 + 0.1
    return "#{:02x}{:02x}{:02x}{:02x}".format(*(_GOOD if value > 0 else _BAD), round(opacity * 255))


def _label(square: int, value: int) -> str:
    """The number in the corner of a square; chess.svg draws squares of 45 after a margin of 15."""
    x, y = 15 + 45 * (square % 8) + 2, 15 + 45 * (7 - square // 8) + 9
    style = (
        'font-size="9" font-weight="bold" font-family="sans-serif" fill="#111" '
        'stroke="#fff" stroke-width="2" paint-order="stroke"'
    )
    return f'<text x="{x}" y="{y}" {style}>{value:+d}</text>'
