"""Whose folders are used for code that we run. Other users are made up by root, who can give files away."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from boomslang.core.jit import cache
from boomslang.core.system.permissions import own_folder
from tests.support.process import run_python

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")

_STRANGER = 54321  # a user and a group that nobody has
needs_root = pytest.mark.skipif(
    os.name == "nt" or os.geteuid() != 0, reason="only root can give files away"
)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder that is safe, so that what a test does to it decides."""
    tmp_path.chmod(0o700)
    own_folder(tmp_path)
    return tmp_path


def refused(path: Path) -> str:
    """Why a folder is refused."""
    with pytest.raises(PermissionError) as problem:
        own_folder(path)
    return str(problem.value.strerror)


def test_what_is_missing_is_made_for_us_alone(base: Path) -> None:
    before = os.umask(0)
    try:
        assert own_folder(base / "a" / "b") == base / "a" / "b"
    finally:
        os.umask(before)
    for folder in (base / "a", base / "a" / "b"):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert own_folder(base / "a" / "b") == base / "a" / "b"


@pytest.mark.parametrize("mode", [0o777, 0o757, 0o702])
@pytest.mark.parametrize("below", ["", "b", "b/c"])
def test_a_parent_folder_that_others_may_write_is_refused(
    base: Path, mode: int, below: str
) -> None:
    own_folder(base / "a" / below)
    (base / "a").chmod(mode)
    assert refused(base / "a" / below) == "others may write there"
    assert refused(base / "a" / "new") == "others may write there"
    assert not (base / "a" / "new").exists()


def test_a_sticky_folder_may_be_on_the_way_but_not_be_the_place(base: Path) -> None:
    (base / "tmp").mkdir()
    (base / "tmp").chmod(0o1777)
    assert own_folder(base / "tmp" / "ours") == base / "tmp" / "ours"
    assert refused(base / "tmp") == "others may write there"


@needs_root
@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        ((".", _STRANGER, 0, 0o700), "it belongs to another user"),
        ((".", _STRANGER, 0, 0o1777), "it belongs to another user"),
        ((".", 0, _STRANGER, 0o770), "others may write there"),
        (("b", _STRANGER, 0, 0o700), "it belongs to another user"),
    ],
    ids=["owner", "owner, sticky", "group", "owner below"],
)
@pytest.mark.parametrize("way", ["straight", "link", "dots"])
def test_what_belongs_to_others_is_not_used(
    base: Path, spoil: tuple[str, int, int, int], told: str, way: str
) -> None:
    a = base / "a"
    own_folder(a / "b" / "c")
    (base / "link").symlink_to("a/b")
    place, user, group, mode = spoil
    os.chown(a / place, user, group)
    (a / place).chmod(mode)
    ways = {"straight": a / "b" / "c", "link": base / "link" / "c", "dots": base / "link/../b/c"}
    assert refused(ways[way]) == told


@needs_root
def test_a_link_of_another_user_leads_nowhere(base: Path) -> None:
    (base / "tmp").mkdir()
    (base / "tmp").chmod(0o1777)
    own_folder(base / "ours")
    link = base / "tmp" / "cache"
    link.symlink_to(base / "ours")
    assert own_folder(link) == base / "ours"
    os.lchown(link, _STRANGER, 0)
    assert refused(link) == "it belongs to another user"


def test_links_in_a_circle(base: Path) -> None:
    (base / "one").symlink_to("two")
    (base / "two").symlink_to("one")
    with pytest.raises(OSError, match="symbolic links"):
        own_folder(base / "one")


def test_a_file_is_no_folder(base: Path) -> None:
    (base / "file").touch()
    for path in (base / "file", base / "file" / "below"):
        with pytest.raises(NotADirectoryError):
            own_folder(path)


@needs_root
def test_a_private_group_may_write(base: Path) -> None:
    (base / "a").mkdir(mode=0o770)
    (base / "a").chmod(0o770)  # group root, which is that of root alone
    assert own_folder(base / "a" / "b") == base / "a" / "b"


@needs_root
@pytest.mark.parametrize("sticky", [False, True])
def test_neither_cache_nor_commits_are_kept_with_others(
    base: Path, sticky: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boomslang.engine.match import engine_spec

    theirs = base / "theirs"
    theirs.mkdir()
    theirs.chmod(0o1777 if sticky else 0o755)
    os.chown(theirs, _STRANGER, _STRANGER)
    for place in (theirs, theirs / "cache"):
        monkeypatch.setenv(cache.ENVIRONMENT, str(place))
        kept = cache.prepare()
        assert kept.folder is None
        assert kept.remark == f"kernel cache not used: {theirs}: it belongs to another user"
        with pytest.raises(
            ValueError, match=f"belongs to another user; set {cache.ENVIRONMENT} to another folder"
        ):
            engine_spec.parse_engine("@HEAD", {})
    assert list(theirs.iterdir()) == []


@needs_root
def test_the_match_says_so_in_one_line(base: Path) -> None:
    base.chmod(0o777)
    words = ("-P", "cli/__main__.py", "match", ".", "@HEAD", "--games", "2")
    done = run_python(*words, variables={cache.ENVIRONMENT: str(base / "cache")})
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "others may write there" in line and cache.ENVIRONMENT in line
