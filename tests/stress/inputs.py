"""Inputs that nobody should send: lines of a corpus, changed by chance, the same for the same seed."""

from __future__ import annotations

import codecs
import random
from typing import Final

from tests.support.places import ROOT

CORPUS: Final = ROOT / "tests" / "corpus"

_NUMBERS: Final = [
    *b"0 -1 1 2 99 256 32768 2147483648 -2147483649 18446744073709551616 1e9 0x10".split(),
    *b"1.5 nan + - 1_000 \xd9\xa3 007 true".split(),
    b"9" * 400,
]
_PIECES: Final = [
    *b'\0 \t \r \x1b[2J \xe2\x99\x94 %n / 8 9 K k P q - = ; " ( \xff , \x1c'.split(b" "),
    *(b" ", b"\xe2\x80\xa8"),
]
_MAX_CHANGES: Final = 4


def corpus(name: str) -> list[bytes]:
    """The inputs of a file in `tests/corpus`: one a line, written as in a Python bytes literal."""
    lines = (CORPUS / f"{name}.txt").read_text("ascii").splitlines()
    return [codecs.escape_decode(line)[0] for line in lines if line and not line.startswith("# ")]


class Mutator:
    """Makes new inputs from known ones."""

    def __init__(self, seeds: list[bytes], seed: int) -> None:
        self._seeds = seeds
        self.random = random.Random(seed)

    def line(self) -> bytes:
        """One input without a line feed."""
        return self.data().replace(b"\n", b" ")

    def data(self) -> bytes:
        """One input; a quarter of them are as the corpus has them."""
        data = self.random.choice(self._seeds)
        for _ in range(self.random.randrange(_MAX_CHANGES)):
            data = self._change(data)
        return data

    def _change(self, data: bytes) -> bytes:
        source = self.random
        words = data.split(b" ")
        word = source.randrange(len(words))
        at = source.randrange(len(data) + 1)
        other = source.choice(self._seeds)
        match source.randrange(12):
            case 0:
                words[word] = source.choice(_NUMBERS)
            case 1:
                del words[word]
            case 2:
                words.insert(word, source.choice(other.split(b" ")))
            case 3:
                words[word] *= source.choice([2, 9, 300])
            case 4:
                source.shuffle(words)
            case 5:
                words[word] = words[word].swapcase()
            case 6:
                return data[:at]
            case 7:
                return data[:at] + bytes([source.randrange(256)]) + data[at + 1 :]
            case 8:
                return data[:at] + other[source.randrange(len(other) + 1) :]
            case 9:
                return data[:at] + source.choice(_PIECES) + data[at:]
            case 10:
                end = source.randrange(at, len(data) + 1)
                return data[:at] + data[at:end] * 2 + data[end:]
            case _:
                return data[:at] + data[at + 1 :]
        return b" ".join(words)
