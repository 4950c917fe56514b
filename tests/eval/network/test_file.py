"""Network files: what is written is read; nothing else is, and nothing that could overflow."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boomslang.core.board.position import new_record
from boomslang.engine.learning.training.parameters import SIZE, initial, parts_of
from boomslang.engine.learning.training.quantise import quantise
from boomslang.eval.network import file
from boomslang.eval.network.shape import HIDDEN, INPUTS, NETWORK, ONE_MATERIAL, STATES


@pytest.fixture(scope="module")
def network() -> Any:
    network = quantise(initial(1, 400.0), 400)
    source = np.random.default_rng(1)
    network.threatened[:] = source.integers(-50, 51, network.threatened.shape)
    return network


@pytest.fixture
def path(network: Any, tmp_path: Path) -> Path:
    path = tmp_path / "some.net"
    file.write(path, network, {"seed": 3, "losses": [0.5]})
    return path


def test_what_is_written_is_read(network: Any, path: Path) -> None:
    read, header = file.read(path)
    for name in NETWORK.names or ():
        assert (read[name] == network[name]).all()
    assert header["seed"] == 3 and header["shape"]["inputs"] == INPUTS
    numbers = b"".join(np.asarray(network[name]).tobytes() for name in NETWORK.names or ())
    assert header["sha256"] == hashlib.sha256(numbers).hexdigest() == file.sha256_of(read)
    # Each column of threatened pieces begins a cache line.
    assert np.asarray(read["input"]).ctypes.data % 64 == 0
    assert np.asarray(read["threatened"]).ctypes.data % 64 == 0
    whole = path.read_bytes()
    assert (len(whole) - NETWORK.itemsize) % 64 == 0


@pytest.mark.parametrize("kind", ["i1", "i2", "i4"])
def test_folded_integers_are_unfolded(kind: str) -> None:
    limits = np.iinfo(kind)
    values = np.array([0, -1, 1, -2, 30, -30, limits.min, limits.max], dtype=kind)
    data = file.fold(values)
    assert (file.unfold(data, values.dtype) == values).all()
    assert data[:4] == bytes([0, 1, 2, 3])


def test_nothing_damaged_is_read(path: Path) -> None:
    whole = path.read_bytes()
    source = random.Random(4)
    for number in range(100):
        data = bytearray(whole)
        place = source.randrange(2000 if number % 2 else len(data))
        match number % 5:
            case 0:
                data = data[:place]
            case 1 | 2:
                data[place] ^= 1 << source.randrange(8)
            case 3:
                data[place:place] = source.randbytes(source.randrange(1, 70))
            case 4:
                del data[place : place + source.randrange(1, 600)]
        path.write_bytes(data)
        with pytest.raises(ValueError) as told:
            file.read(path)
        assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "content", [b"", b"BOOMNET1", b"BOOMNET1" + b"\xff" * 500, b"\x7fELF" * 99]
)
def test_other_files_are_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(ValueError):
        file.read(path)


@pytest.mark.parametrize(
    "header",
    [{}, {"shape": {"inputs": 768}}, {"shape": None}, [], 3, None, "[" * 100_000, "{", "\x00"],
)
def test_sealed_nonsense_is_refused(
    path: Path, header: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = header if isinstance(header, str) else json.dumps(header)
    payload = path.read_bytes()[-NETWORK.itemsize :]
    monkeypatch.setattr("boomslang.core.system.checksummed.json.dumps", lambda *_, **__: text)
    file.FILE.write(path, {}, payload)
    monkeypatch.undo()
    with pytest.raises(ValueError):
        file.read(path)


def test_too_few_numbers_are_refused(path: Path) -> None:
    header, payload = file.FILE.read(path)
    for wrong in (payload[:-4], payload + b"1234", b""):
        file.FILE.write(path, header, wrong)
        with pytest.raises(ValueError, match="too few or too many"):
            file.read(path)


def test_another_shape_is_refused(path: Path) -> None:
    header, payload = file.FILE.read(path)
    shape = header["shape"]
    narrow = shape | {"hidden": 256, "row": 272}
    plain = {name: value for name, value in shape.items() if name != "integers"}
    for other in ({"hidden": 128}, narrow, plain):
        file.FILE.write(path, header | {"shape": other}, payload)
        with pytest.raises(ValueError, match="another shape"):
            file.read(path)


def test_what_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", Path("/dev/zero")):
        with pytest.raises(ValueError):
            file.read(path)


# Fields, places in them and values that make a network unsound, after others that do not.
OVERFLOWS: dict[str, list[tuple[str, Any, int]]] = {
    "output": [("output", (3, 1, 5), 128)],
    "sums": [("output", ..., 0), ("output", (7, 1), 64), ("output", (7, 1), 65)],
    "negative sums": [("output", (7, 0), -65)],
    "output bias": [("output_bias", 0, -(1 << 31))],
    "weight": [("input", (700, 0), 506)],
    "states": [
        ("bias", 0, 16_000),
        ("input", (slice(None), 0), 400),
        ("threatened", (slice(INPUTS), 0), 127),
    ],
    "lowest": [("input", (0, HIDDEN - 1), -32768)],
    "bias": [("bias", 0, 32_000)],
    "material": [("input", (slice(4 * 64, 5 * 64), HIDDEN + 2), 3000)],
    "scale": [("scale", ..., 0)],
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_what_could_overflow_is_neither_written_nor_read(path: Path, name: str) -> None:
    network = quantise(initial(2, 400.0), 400)
    header, _ = file.FILE.read(path)
    for field, place, value in OVERFLOWS[name]:
        assert not file.why_unsound(network)
        if place is ...:
            network[field] = value
        else:
            network[field][place] = value
    assert file.why_unsound(network)
    with pytest.raises(ValueError, match="cannot be used"):
        file.write(path, network, {})
    payload = b"".join(file.fold(np.asarray(network[name])) for name in NETWORK.names or ())
    file.FILE.write(path, header, payload)
    with pytest.raises(ValueError, match="cannot be used"):
        file.read(path)


def test_no_position_overflows_an_accumulator(network: Any) -> None:
    """The bound is not less than any sum that chance finds, and queens everywhere come near to it."""
    source = np.random.default_rng(5)
    weights = source.integers(-2000, 2000, (INPUTS, 16)).astype(np.int16)
    bias = source.integers(-2000, 2000, 16).astype(np.int16)
    threatened = source.integers(-127, 128, (STATES * INPUTS, 16)).astype(np.int8)
    bounds = file.largest_sums(weights, bias, threatened)
    by_square = weights.astype(np.int64).reshape(2, 6, 64, 16)
    in_state = threatened.astype(np.int64).reshape(STATES, 2, 6, 64, 16)
    for _ in range(100):
        squares = source.permutation(64)
        total = bias.astype(np.int64)
        for colour in range(2):
            mine = squares[colour * 17 : colour * 17 + 17]
            kinds = [5, *([4] * 10), *source.integers(0, 4, 6)]
            total = total + by_square[colour, kinds, mine].sum(0)
            states, some = source.integers(0, STATES, 17), source.random(17) < 0.7
            total = total + in_state[states, colour, kinds, mine][some].sum(0)
        assert (np.abs(total) <= bounds).all()
    queens = np.zeros((INPUTS, 1), dtype=np.int16)
    queens[4 * 64 : 5 * 64] = 9 * ONE_MATERIAL // 8
    nothing = np.zeros(1, dtype=np.int16)
    threatened = np.zeros((STATES, INPUTS, 1), dtype=np.int8)
    assert file.largest_sums(queens, nothing, threatened)[0] == 10 * 1800
    threatened[3, 4 * 64 : 5 * 64] = -120
    threatened[4, 4 * 64 : 5 * 64] = 100
    assert file.largest_sums(queens, nothing, threatened)[0] == 10 * 1900
    assert file.largest_sums(-queens, nothing, threatened)[0] == 10 * 1920


def test_any_trained_weights_become_a_sound_network() -> None:
    source = np.random.default_rng(6)
    vector = source.normal(0.3, 1e6, SIZE).astype(np.float32)
    assert file.why_unsound(quantise(vector, 400)) is None
    vector = np.full(SIZE, np.inf, dtype=np.float32)
    parts_of(vector).output[::2] = -np.inf
    assert file.why_unsound(quantise(vector, 400)) is None


def test_an_empty_network_is_unsound() -> None:
    assert file.why_unsound(new_record(NETWORK))  # its scale is 0
