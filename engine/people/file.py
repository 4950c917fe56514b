"""Files of the model of people's moves: a header with its origin, and its numbers.

Of the network's parameters each row has a factor (float32) and integers: of 8 bits in the large parts, of 16
in the small ones. Behind them are the weights of the combination with a search, as float64.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.system.checksummed import FileKind
from boomslang.core.system.files import quote_path
from boomslang.engine.people.network import PARTS, SIZE, STARTS

SHIPPED: Final = Path(__file__).with_name("people.net")
FILE: Final = FileKind(b"BOOMPEO1", "model of people's moves", 1 << 23)
COMBINED: Final = (20, 3)  # weights of `model.columns_of`, by powers of the rating
_LARGE: Final = 1 << 16  # numbers of a part
_SHAPE: Final = {
    "parts": {name: list(shape) for name, shape in PARTS.items()},
    "combined": list(COMBINED),
}


def write(
    path: Path,
    parameters: npt.NDArray[np.float32],
    combination: npt.NDArray[np.float64],
    description: dict[str, Any],
) -> None:
    """Write a model; `description` is its origin and must be JSON-serialisable. Raises FileError."""
    payload = []
    for name, (rows, columns) in PARTS.items():
        table = parameters[STARTS[name] :][: rows * columns].reshape(rows, columns)
        kind = _kind(name)
        factors = np.abs(table).max(1) / np.iinfo(kind).max
        factors = np.where(factors == 0, 1, factors).astype("<f4")
        payload += [factors.tobytes(), np.rint(table / factors[:, None]).astype(kind).tobytes()]
    payload.append(combination.astype("<f8").tobytes())
    FILE.write(path, description | {"shape": _SHAPE}, b"".join(payload))


def read(path: Path) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64], dict[str, Any]]:
    """Parameters, combination and header. Raises ValueError, with one sentence, for any other file."""
    header, payload = FILE.read(path)
    if header.get("shape") != _SHAPE:
        raise ValueError(f"the model {quote_path(path)} has another shape than this version's")
    parameters = np.zeros(SIZE, np.float32)
    place = 0
    try:
        for name, (rows, columns) in PARTS.items():
            factors = np.frombuffer(payload, "<f4", rows, place)
            place += factors.nbytes
            table = np.frombuffer(payload, _kind(name), rows * columns, place)
            place += table.nbytes
            values = table.reshape(rows, columns) * factors[:, None]
            parameters[STARTS[name] :][: values.size] = values.ravel()
        combination = np.frombuffer(payload, "<f8", COMBINED[0] * COMBINED[1], place)
        place += combination.nbytes
    except ValueError:
        place = -1
    if place != len(payload):
        raise ValueError(f"the model {quote_path(path)} has too few or too many numbers")
    if not np.isfinite(parameters).all() or not np.isfinite(combination).all():
        raise ValueError(f"the model {quote_path(path)} has numbers that are none")
    return parameters, combination.reshape(COMBINED), header


def _kind(name: str) -> np.dtype[Any]:
    rows, columns = PARTS[name]
    return np.dtype("i1" if rows * columns > _LARGE else "<i2")
