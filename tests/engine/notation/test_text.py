"""Bytes become the same lines, whatever their encoding, their line ends and their control characters."""

from __future__ import annotations

import io
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.notation import text as text_module
from boomslang.engine.notation.pgn import read_games
from boomslang.engine.notation.text import (
    Text,
    decode,
    file_lines,
    lines_of_bytes,
    text_blocks,
    text_lines,
)

TEXT = '[White "Müller, Žižek"]\n[Event "Ö"]\n\n1. e4 e5 {très bon} *\n'
MARKED = ("utf-8-sig", "utf-16", "utf-32")
PLAIN = ("utf-8", "utf-16-le", "utf-16-be")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", [*MARKED, *PLAIN])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(TEXT.replace("\n", end).encode(encoding))
    assert list(file_lines(path)) == TEXT.split("\n")[:-1]
    (entry,) = read_games(path)
    assert entry.game.headers["White"] == "Müller, Žižek" and not entry.problems


def test_lines_that_are_not_utf_8_are_of_the_older_code_page(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes('[White "Müller"]\n'.encode("cp1252") + TEXT.encode())
    assert list(file_lines(path)) == ['[White "Müller"]', *TEXT.split("\n")[:-1]]
    assert decode(b"\x81\xfc") == "\ufffdü"  # 0x81 is nothing there


def test_other_encodings_inside_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(TEXT.encode() + "e4 ".encode("utf-16-le") * 999)
    assert next(read_games(path)).game.headers["White"] == "Müller, Žižek"


def test_control_characters_become_blanks() -> None:
    line = "a\0b\x1b[2Jc\td\x85e\u2028f\x7fg"
    assert decode(line.encode()) == "a b [2Jc d e f g"
    assert list(text_lines(f"{line}\r\n\ufeffx")) == ["a b [2Jc d e f g", " x"]


def test_long_lines_come_in_parts_cut_at_blanks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_module, "MAX_LINE", 10)
    data = b"abc def ghi\n\n \n[b\n" + b"x" * 25 + b"\nshort"
    texts = list(Text(text_blocks(io.BytesIO(data))).lines())
    assert [text for _, text in texts] == [
        *("abc def ", "\rghi", "\n", "[b", "x" * 10, "\r" + "x" * 10, "\r" + "x" * 5, "short")
    ]
    assert [place for place, _ in texts] == [0, 8, 12, 15, 18, 28, 38, 44]
    assert "".join(lines_of_bytes(data)) == data.decode().replace(" \n", "").replace("\n", "")
    path = tmp_path / "lines"
    path.write_bytes(data)
    assert list(file_lines(path)) == ["abc def ", "", "", "[b", "x" * 10, "short"]


class Trickle(io.BytesIO):
    """A file that gives a few bytes at a time."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(3)


@given(st.lists(st.sampled_from([b"a", b" ", b"\r", b"\n", b"\r\n", b"\xc3\xbc", b"xyz"])))
def test_where_a_file_is_cut_into_blocks_does_not_matter(parts: list[bytes]) -> None:
    data = b"".join(parts)
    lines = [text for _, text in Text(text_blocks(Trickle(data))).lines()]
    whole = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    decoded = [decode(line).strip() for line in (whole if whole[-1] else whole[:-1])]
    assert [line.strip() for line in lines_of_bytes(data)] == decoded
    assert lines == [text for _, text in Text(text_blocks(io.BytesIO(data))).lines()]


def test_strangers_send_nothing_invisible() -> None:
    """Python's own tables say what the format and control characters are."""
    odd = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cf", "Cc", "Zl", "Zp")
    ]
    for letter in odd:
        line = f"a{letter}b"
        assert decode(line.encode()) in ("ab", "a b")
        assert "".join(text_lines(line)) in ("ab", "a b")
    ordinary = "Ђоковић, Nguyễn 李 é e\u0301 \u00a0x"
    assert decode(ordinary.encode()) == ordinary
