"""Network files: a header with the origin of the network, and its integers.

The integers are the fields of a NETWORK, one after the other. In each field the sign is folded into the
lowest bit (0, -1, 1, -2 become 0, 1, 2, 3), and the lowest bytes of all integers come first, then the next
higher ones. Most weights are small, so the compressed file is smaller by a fifth than with plain
little-endian integers. A file of any other shape is refused.

A network that was read here cannot overflow in use: the 16 bits of an accumulator hold the pieces of any
position, threatened or not, the 32 bits of an output the activations of any accumulator. (Those of the threat
counts hold any 16 bits times the 64 squares.)
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import KING, QUEEN
from boomslang.core.board.position import new_record
from boomslang.core.system.checksummed import FileKind
from boomslang.core.system.files import quote_path
from boomslang.eval.network.shape import (
    BUCKETS,
    HIDDEN,
    INPUTS,
    MAX_WEIGHT,
    NETWORK,
    ONE_INPUT,
    ONE_MATERIAL,
    ONE_OUTPUT,
    ONE_THREAT,
    ROW,
    STATES,
    THREATS,
    Network,
)

SHIPPED: Final = Path(__file__).with_name("default.net")
FILE: Final = FileKind(b"BOOMNET1", "network", 1 << 24)
MAX_INPUT: Final = round(MAX_WEIGHT * ONE_INPUT)  # in the first HIDDEN numbers of a row
MAX_THREATENED: Final = 127  # bound in training: it fits into 8 bits
MAX_OUTPUT: Final = 127  # times a clipped activation of ONE_INPUT it fits into 16 bits
# Sum of output weights with one sign: times ONE_INPUT ** 2 it fits into 32 bits.
MAX_SUM: Final = 33_024
MAX_BIAS: Final = 1 << 24  # bias of the output
MAX_INT16: Final = 32_767
MAX_SCALE: Final = 10_000

_SHAPE: Final = {
    "inputs": INPUTS,
    "hidden": HIDDEN,
    "buckets": BUCKETS,
    "row": ROW,
    "threats": THREATS,
    "units": [ONE_INPUT, ONE_MATERIAL, ONE_OUTPUT, ONE_THREAT],
    "integers": "folded",
    "threatened": STATES,
}
# Men of a colour beside the king, at most: see engine.notation.validity. More queens have too many moves.
_QUEENS: Final = 10
_OTHERS: Final = 6
_COLUMNS: Final = 16  # columns of accumulators checked at once


def write(path: Path, network: Network, description: dict[str, Any]) -> None:
    """Write a NETWORK record; `description` is its origin and must be JSON-serialisable.

    Raises ValueError if a sum could overflow, FileError if it cannot be written.
    """
    if reason := why_unsound(network):
        raise ValueError(f"this network cannot be used: {reason}")
    payload = b"".join(fold(field) for field in _fields(network).values())
    FILE.write(path, description | {"shape": _SHAPE, "sha256": sha256_of(network)}, payload)


def sha256_of(network: Network) -> str:
    """The hash of its plain integers, which identifies a network."""
    plain = [field.astype(_little(field)).tobytes() for field in _fields(network).values()]
    return hashlib.sha256(b"".join(plain)).hexdigest()


@cache
def load_shipped() -> Any:
    """The NETWORK record shipped with the engine. Raises ValueError if the installation is broken."""
    return read(SHIPPED)[0]


def read(path: Path) -> tuple[Any, dict[str, Any]]:
    """A NETWORK record, aligned to 64 bytes, and its header.

    Raises ValueError, with one sentence, if it cannot be read, is not a complete network file, has another
    shape or could overflow.
    """
    header, payload = FILE.read(path)
    if header.get("shape") != _SHAPE:
        raise ValueError(f"the network {quote_path(path)} has another shape than this version's")
    network = new_record(NETWORK)
    fields = _fields(network)
    if len(payload) != sum(field.nbytes for field in fields.values()):
        raise ValueError(f"the network {quote_path(path)} has too few or too many numbers")
    place = 0
    for name, field in fields.items():
        data = payload[place : place + field.nbytes]
        network[name] = unfold(data, field.dtype).reshape(field.shape)
        place += field.nbytes
    if reason := why_unsound(network):
        raise ValueError(f"the network {quote_path(path)} cannot be used: {reason}")
    return network, header


def why_unsound(network: Network) -> str | None:
    """The reason why a NETWORK record could overflow; None if it cannot."""
    output = network.output.astype(np.int64).reshape(-1, HIDDEN)  # each side is added up by itself
    if np.abs(output).max() > MAX_OUTPUT:
        return "a weight of its output is too large"
    sums = np.maximum(output, 0).sum(1), np.maximum(-output, 0).sum(1)
    if max(*sums[0], *sums[1]) > MAX_SUM:
        return "the sum of its output could overflow"
    if np.abs(network.output_bias.astype(np.int64)).max() > MAX_BIAS:
        return "a bias of its output is too large"
    if np.abs(network.input[:, :HIDDEN].astype(np.int64)).max() > MAX_INPUT:
        return "a weight of its input is too large"
    if largest_sums(network.input, network.bias, network.threatened).max() > MAX_INT16:
        return "an accumulator could overflow"
    if not 0 < network.scale <= MAX_SCALE:
        return "its scale makes no sense"
    return None


def largest_sums(
    weights: npt.NDArray[np.int16], bias: npt.NDArray[np.int16], threatened: npt.NDArray[np.int8]
) -> npt.NDArray[np.int64]:
    """Bounds of the absolute values in an accumulator, by column, however many threatened pieces are added.

    `weights` is [INPUTS, columns], `bias` [columns], `threatened` [STATES * INPUTS, the first columns]. The
    bound is the sum for the best pieces on the best squares, each in its best state or in none, for either
    colour, and not much larger than what is possible.
    """
    columns = weights.shape[1]
    by_state = threatened.reshape(STATES, INPUTS, -1)
    above = np.zeros(weights.shape, dtype=np.int64)  # what being threatened adds at most
    below = above.copy()
    above[:, : by_state.shape[2]] = np.maximum(by_state.max(0), 0)
    below[:, : by_state.shape[2]] = np.minimum(by_state.min(0), 0)
    bounds = np.zeros(columns, dtype=np.int64)
    for first in range(0, columns, _COLUMNS):
        part = slice(first, min(first + _COLUMNS, columns))
        start = bias[part].astype(np.int64)
        highest = (weights[:, part] + above[:, part]).reshape(2, 6, 64, -1)
        lowest = (weights[:, part] + below[:, part]).reshape(2, 6, 64, -1)
        bounds[part] = np.maximum(_highest(highest) + start, _highest(-lowest) - start)
    return bounds


def _highest(weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The upper bound, by column; `weights` is [colours, kinds, squares, columns]."""
    weights = np.maximum(weights, 0)
    kings = weights[:, KING].max(1)
    piece_sums = np.sort(weights[:, :KING].max(1), axis=1)[:, -_QUEENS:].sum(1)
    others = np.sort(weights[:, :QUEEN].max(1), axis=1)[:, -_OTHERS:].sum(1)
    return np.asarray((kings + piece_sums + others).sum(0))


def fold(field: npt.NDArray[Any]) -> bytes:
    """Signed integers with the sign in the lowest bit, their lowest bytes first."""
    values = field.ravel()
    pairs = (values << 1) ^ (values >> (8 * values.itemsize - 1))
    planes = pairs.astype(_little(field)).view(np.uint8).reshape(-1, values.itemsize).T
    return planes.tobytes()


def unfold(data: bytes, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """The integers of type `kind` that `fold` has written."""
    planes = np.frombuffer(data, np.uint8).reshape(kind.itemsize, -1)
    pairs = planes.T.copy().view(f"<u{kind.itemsize}").ravel()
    return ((pairs >> 1) ^ -(pairs & 1)).astype(kind)


def _fields(network: Network) -> dict[str, npt.NDArray[Any]]:
    return {name: np.asarray(network[name]) for name in NETWORK.names or ()}


def _little(field: npt.NDArray[Any]) -> np.dtype[Any]:
    return field.dtype.newbyteorder("<")
