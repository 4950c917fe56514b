"""Writing tuned weights into `eval/classical/weights.py`; order and comments are kept.

Only literals are replaced: `NAME: Final = (...)` keeps its place, its shape and its comments.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.engine.learning.training.classical_features import FEATURES, PIECE_SQUARES
from boomslang.engine.learning.training.texel import Weights
from boomslang.eval.classical import weights
from boomslang.eval.classical.terms import DANGERS, NAMES

_WIDTH: Final = 100
_UNFORMATTED: Final = b"  # fmt: skip"  # else the formatter gives every number a line
_SQUARES: Final = 32  # numbers of a piece-square table, written as 8 rows
_PIECES: Final = ("PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING")
_PHASES: Final = ("MIDDLEGAME", "ENDGAME")


def read_present_weights() -> Weights:
    """The current weights of the evaluation."""
    linear = np.zeros((FEATURES, 2))
    for column, phase in enumerate(_PHASES):
        material = getattr(weights, f"MATERIAL_{phase}")
        for piece, name in enumerate(_PIECES):
            ranks = np.array(getattr(weights, f"{name}_{phase}")).reshape(8, 4)[::-1]
            first = piece * _SQUARES
            linear[first : first + _SQUARES, column] = material[piece] + ranks.ravel()
        for name, offset, size in NAMES:
            first = PIECE_SQUARES + offset
            pair: Any = weights.TERMS[name]
            linear[first : first + size, column] = pair[column]
    return Weights(linear, np.array([float(weights.DANGERS[name]) for name in DANGERS]))


def literals(tuned: Weights) -> dict[str, Any]:
    """The values of the names in `eval.classical.weights`, integers."""
    whole = np.rint(tuned.linear[PIECE_SQUARES:]).astype(int)
    terms: dict[str, Any] = {}
    for name, offset, size in NAMES:
        some = whole[offset : offset + size]
        pair = (some[:, 0].tolist(), some[:, 1].tolist())
        terms[name] = (pair[0][0], pair[1][0]) if size == 1 else (tuple(pair[0]), tuple(pair[1]))
    dangers = np.rint(tuned.danger).astype(int).tolist()
    return _piece_square_literals(tuned.linear[:PIECE_SQUARES]) | {
        "TERMS": terms,
        "DANGERS": dict(zip(DANGERS, dangers, strict=True)),
    }


def _piece_square_literals(linear: npt.NDArray[np.float64]) -> dict[str, Any]:
    """Material and piece-square tables from float64[192, 2] of values by feature (`classical_features`).

    The material is the mean of a table, so that the table holds only the values of the squares. Kings have no
    material, and pawns are never on the first or last rank.
    """
    literals: dict[str, Any] = {}
    for column, phase in enumerate(_PHASES):
        material = []
        for piece, name in enumerate(_PIECES):
            ranks = linear[piece * _SQUARES : (piece + 1) * _SQUARES, column].reshape(8, 4)
            usable = ranks[1:7] if name == "PAWN" else ranks
            worth = 0 if name == "KING" else round(float(usable.mean()))
            places = np.rint(ranks - worth).astype(int)
            if name == "PAWN":
                places[[0, 7]] = 0
            material.append(worth)
            literals[f"{name}_{phase}"] = tuple(places[::-1].ravel().tolist())
        literals[f"MATERIAL_{phase}"] = tuple(material)
    return literals


def as_docstring(text: str) -> str:
    """A literal of the text in triple quotes, ending with a newline; the text may hold anything."""
    constant = ast.Constant(text.rstrip("\n") + "\n")
    return ast.unparse(ast.Module([ast.Expr(constant)], []))


def rewrite(source: str, literals: Mapping[str, Any], docstring: str) -> str:
    """The module `source` with another docstring and other values of these names.

    Raises ValueError if a name is missing there, or has a value of another shape.
    """
    tree = ast.parse(source)
    changes: list[tuple[ast.expr, str]] = []
    wanted_literals = dict(literals)
    first = tree.body[0]
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
        raise ValueError("no docstring")
    changes.append((first.value, as_docstring(docstring)))
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            name = node.target.id
            if name in wanted_literals:
                value = wanted_literals.pop(name)
                if isinstance(value, tuple) and len(ast.literal_eval(node.value)) != len(value):
                    raise ValueError(f"{name} has another length")
                changes.append((node.value, _write(value)))
    if wanted_literals:
        raise ValueError(f"not in the file of weights: {', '.join(sorted(wanted_literals))}")
    lines = source.encode().splitlines(keepends=True)
    starts = np.concatenate([[0], np.cumsum([len(line) for line in lines])])
    data = source.encode()
    for place, text in sorted(changes, key=lambda change: -change[0].lineno):
        begin = int(starts[place.lineno - 1]) + place.col_offset
        end = int(starts[(place.end_lineno or 0) - 1]) + (place.end_col_offset or 0)
        if text.startswith("{") and not data[end:].startswith(_UNFORMATTED):
            text += _UNFORMATTED.decode()
        data = data[:begin] + text.encode() + data[end:]
    return data.decode()


def _write(value: Any) -> str:
    """A readable literal."""
    if isinstance(value, dict):
        return "{\n" + "".join(_entry(name, part) for name, part in value.items()) + "}"
    if isinstance(value, tuple) and len(value) == _SQUARES:
        rows = [value[first : first + 4] for first in range(0, _SQUARES, 4)]
        lines = ["   " + "".join(f" {number:4}," for number in row) for row in rows]
        return "(\n" + "\n".join(lines) + "\n)"
    return repr(value)


def _entry(name: str, value: Any) -> str:
    """One line of a dictionary; two for a pair of many numbers."""
    text = f'    "{name}": {value!r},\n'
    if len(text) <= _WIDTH:
        return text
    lines = []
    for part in value:
        lines += textwrap.wrap(
            f"{part!r},", _WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 9
        )
    return f'    "{name}": (\n' + "\n".join(lines) + "\n    ),\n"
