"""Binary files with a checksum: a file that is not exactly as written is rejected.

A file consists of a magic, the SHA-256 of everything that follows, the length of the header (u4), and the
header: JSON, padded so that the payload behind it begins at a multiple of 64 bytes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boomslang.core.system.files import is_file, open_file, quote_path, read_file, write_whole

_DIGEST: Final = 32
_LENGTH: Final = 4
_PADDING: Final = 64
_MAX_HEADER: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of file: its magic, its name in messages, and its maximum size in bytes."""

    magic: bytes
    name: str
    largest: int

    @property
    def _start(self) -> int:
        return len(self.magic) + _DIGEST + _LENGTH

    def write(self, path: Path, header: Mapping[str, Any], payload: bytes) -> None:
        """Write a file, whole or not at all; raises FileError, or ValueError for a huge header."""
        text = json.dumps(header, sort_keys=True).encode()
        text += b" " * (-(self._start + len(text)) % _PADDING)
        if len(text) > _MAX_HEADER:
            raise ValueError(f"the header of the {self.name} is too long")
        rest = len(text).to_bytes(_LENGTH, "little") + text + payload
        write_whole(path, self.magic + hashlib.sha256(rest).digest() + rest)

    def check_overwritable(self, path: Path) -> None:
        """Raise ValueError if another kind of file is there, which would be lost."""
        if is_file(path):
            with open_file(path, sys.maxsize) as file:
                start = file.read(len(self.magic))
            if start and start != self.magic:
                raise ValueError(
                    f"{quote_path(path)} is no {self.name}; choose another file to write"
                )

    def read(self, path: Path) -> tuple[dict[str, Any], bytes]:
        """Header and payload; raises ValueError, with one sentence, for any other file."""
        data = read_file(path, self.largest)
        if len(data) < self._start or not data.startswith(self.magic):
            raise ValueError(f"{quote_path(path)} is not a {self.name} of Boomslang")
        with_checksum = len(self.magic) + _DIGEST
        digest, length = data[len(self.magic) : with_checksum], data[with_checksum : self._start]
        end = self._start + int.from_bytes(length, "little")
        try:
            sound = hashlib.sha256(memoryview(data)[with_checksum:]).digest() == digest
            long = end - self._start > _MAX_HEADER
            header = json.loads(data[self._start : end]) if sound and not long else None
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict):
            raise ValueError(f"the {self.name} {quote_path(path)} is damaged")
        return header, data[end:]
