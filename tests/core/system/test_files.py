from __future__ import annotations

import errno
import os
import sys
import threading
from pathlib import Path

import pytest

from boomslang.core.system import shutdown
from boomslang.core.system.files import (
    FileError,
    check_writable,
    open_file,
    quote_path,
    read_file,
    read_text,
    whole_file,
    whole_text,
    write_whole,
)
from tests.support.process import TIMEOUT

posix = pytest.mark.skipif(sys.platform == "win32", reason="no such files")


def test_a_good_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "good"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\n\nfour")
    assert read_text(path, 100) == "one\r\ntwo\n\nfour"
    assert read_file(path, 17) == path.read_bytes()


def test_a_file_is_there_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for content in ("text ♞", b"\x00bytes"):
        write_whole(path, content)
        wanted = content if isinstance(content, bytes) else content.encode("utf-8")
        assert path.read_bytes() == wanted
    with pytest.raises(RuntimeError), whole_text(path) as file:
        file.write("half of it")
        file.flush()
        assert path.read_bytes() == wanted
        raise RuntimeError
    assert path.read_bytes() == wanted
    with whole_text(path) as file:
        file.write("one\ntwo \ud800")
    assert path.read_bytes() == b"one\ntwo \\ud800"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("refusals", [3, 1000])
def test_a_result_survives_a_file_that_is_held(
    refusals: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where another program may have the older file open."""
    path, replace = tmp_path / "result.txt", Path.replace
    path.write_text("older")
    left = refusals

    def refuse(part: Path, place: Path) -> Path:
        nonlocal left
        left -= 1
        if left >= 0:
            raise PermissionError(13, "Access is denied")
        return replace(part, place)

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    if refusals == 3:
        write_whole(path, "newer")
        assert path.read_text() == "newer"
        assert [entry.name for entry in tmp_path.iterdir()] == ["result.txt"]
        return
    with pytest.raises(FileError) as problem:
        write_whole(path, "newer")
    assert path.read_text() == "older"
    (part,) = tmp_path.glob("*.part")
    assert part.read_text() == "newer"
    assert str(problem.value).startswith(
        f"cannot write '{path}': access is denied; the result is in "
    )
    assert quote_path(part) in str(problem.value)
    monkeypatch.undo()
    write_whole(path, "newest")
    assert (path.read_text(), part.read_text()) == ("newest", "newer")


def test_a_finished_file_that_is_gone_is_not_promised(tmp_path: Path) -> None:
    path = tmp_path / "result.txt"
    path.write_text("older")
    with pytest.raises(FileError) as problem, whole_file(path) as file:
        file.write(b"newer")
        (part,) = tmp_path.glob(".*.part")
        part.unlink()  # as a second Ctrl-C does, from another thread
    assert "the result is in" not in str(problem.value)
    assert path.read_text() == "older"


@pytest.mark.parametrize("moment", ["before", "after"])
def test_the_end_of_the_process_removes_no_file_that_is_promised(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second Ctrl-C ends the process from another thread, before or after the message is made."""
    path, quote = tmp_path / "result.txt", quote_path

    def end() -> None:
        while shutdown._acts:
            shutdown._acts.popitem()[1]()

    def refuse(part: Path, place: Path) -> None:
        if moment == "before":
            end()
        raise OSError(errno.EPERM, "no")

    def quote_and_end(name: Path | str) -> str:
        end()
        return quote(name)

    monkeypatch.setattr(shutdown, "_acts", {})
    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.setattr("boomslang.core.system.files.quote_path", quote_and_end)
    with pytest.raises(FileError, match="no") as problem:
        write_whole(path, "newer")
    kept = [part for part in tmp_path.iterdir() if quote(part) in str(problem.value)]
    assert len(kept) == len([*tmp_path.iterdir()]) == (moment == "after")
    assert ("the result is in" in str(problem.value)) == bool(kept)


@posix
def test_links_and_devices_stay_what_they_are(tmp_path: Path) -> None:
    path, link, pipe = tmp_path / "out", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(path)
    write_whole(link, "through the link")
    assert link.is_symlink() and path.read_text() == "through the link"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "through the pipe")
    reader.join(TIMEOUT)
    assert heard == ["through the pipe"] and pipe.is_fifo()
    said, ours = os.pipe()  # a name for it that leads nowhere, as /dev/stdout has in a pipeline
    nameless = Path(f"/dev/fd/{ours}")
    check_writable(nameless)
    write_whole(nameless, "to nobody in particular")
    os.close(ours)
    with os.fdopen(said) as end:
        assert end.read() == "to nobody in particular"


@posix
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".", "it is a folder"),
        ("nowhere/x", "there is no folder"),
        ("good/x", "there is no folder"),
        ("x" * 300, "file name too long"),
        ("circle", "too many levels"),
    ],
)
def test_files_that_cannot_be_written(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "good").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    path = tmp_path / name
    with pytest.raises(FileError, match=f"^cannot write '.*': {reason}"):
        check_writable(path)
    with pytest.raises(FileError, match=r"^cannot write '"):
        write_whole(path, "x")
    check_writable(tmp_path / "good")
    check_writable(tmp_path / "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["circle", "good"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_raises_an_error() -> None:
    with pytest.raises(FileError, match=r"^cannot write '/dev/full': no space left on device"):
        write_whole(Path("/dev/full"), "x")


BAD = {
    "missing": ("nowhere", "no such file"),
    "a folder": (".", "is a folder"),
    "too large": ("large", "is larger than 10 bytes"),
    "a name too long": ("x" * 5000, "cannot read"),
    "a NUL in the name": ("x\0y", "no such name"),
    "a pipe": ("pipe", "not a regular file"),
    "an endless device": ("/dev/zero", "not a regular file"),
    "a loop of links": ("loop", "cannot read"),
}


@posix
@pytest.mark.parametrize("name", BAD)
def test_other_files_are_refused_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "large").write_bytes(b"x" * 11)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    file, words = BAD[name]
    with pytest.raises(FileError, match=words) as problem:
        open_file(tmp_path / file, 10)
    assert str(problem.value).isprintable() and len(str(problem.value)) < 250


@pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="the administrator may read everything",
)
def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(mode=0)
    with pytest.raises(FileError, match="permission denied"):
        open_file(path, 10)


def test_a_name_cannot_forge_a_line(tmp_path: Path) -> None:
    with pytest.raises(FileError) as problem:
        open_file(tmp_path / "x\nbestmove e2e4\x1b[2J", 10)
    assert str(problem.value).isprintable()
