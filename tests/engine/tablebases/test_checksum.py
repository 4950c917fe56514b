"""Checksums of real tables, and of texts that are cut into several parts."""

from __future__ import annotations

import numpy as np
import pytest

from boomslang.core.jit.jit import load_kernels
from boomslang.engine.tablebases import checksum
from tests.support.syzygy import FOLDERS

pytestmark = pytest.mark.jit_only  # plain Python takes seconds for a file


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    load_kernels()


@pytest.mark.skipif(not FOLDERS, reason="the tables are not here")
def test_real_tables_are_sound() -> None:
    paths = [path for folder in FOLDERS for path in folder.glob("*.rtb?")]
    assert all(checksum.is_sound(np.fromfile(path, np.uint8)) for path in paths)


# Computed once. The program was compared with CityHash 1.0.3 in C for 2,448 texts of 1 to 300 parts and for
# files of up to 503 MB. 24 bytes are too few for a round, and more than 28 parts have the longer hash twice.
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (1, "7fca178c8251447c329bd84f7d687cff"),
        (2, "86467ee6fb98792c8bd91bda5517b1d6"),
        (4, "98f38b9214c07476cf8151742b82f3a9"),
        (5, "16c6f966e2078066dfcc4f7be960f2ca"),
        (9, "c8b8002a2064d9e9047d2191672b4a92"),
        (28, "2caf6e5f80ae774937487be173587400"),
        (29, "d39d0b0343e55eeb6f4e1ecced76b838"),
        (40, "df247af6f43f29b7ba234f9a8eab14ad"),
    ],
)
def test_texts_of_several_parts(parts: int, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checksum, "_CHUNK", 264)
    data = (np.arange(264 * (parts - 1) + 24) * 37 % 251).astype(np.uint8)
    assert checksum.checksum(data).hex() == expected
