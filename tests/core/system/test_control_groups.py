"""Limits of control groups, in folders written by the tests as the kernel shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from boomslang.core.jit import memory
from boomslang.core.system import control_groups, threads
from boomslang.core.system.control_groups import memory_left, processor_quota


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder; its file `own` names the groups of the process, `cgroup` holds them all."""
    monkeypatch.setattr(control_groups, "_MOUNTED", tmp_path / "cgroup")
    monkeypatch.setattr(control_groups, "_OWN", tmp_path / "own")
    return tmp_path


def write(root: Path, own: str, files: dict[str, str]) -> None:
    (root / "own").write_text(own, encoding="utf-8")
    for name, content in files.items():
        path = root / "cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{content}\n")


@pytest.mark.parametrize(
    ("own", "files", "quota"),
    [
        ("", {}, None),
        ("0::/\n", {"cpu.max": "max 100000"}, None),
        ("0::/\n", {"cpu.max": "150000 100000"}, 1.5),
        ("0::/a/b\n", {"a/cpu.max": "200000 100000", "a/b/cpu.max": "50000 100000"}, 0.5),
        ("0::/a\n", {"other/cpu.max": "1000 100000", "a/b/cpu.max": "1000 100000"}, None),
        ("0::/../host/path\n", {"cpu.max": "300000 100000"}, 3.0),
        ("0::/\n", {"cpu.max": "nonsense"}, None),
        ("nonsense\n1:cpu\n0::/\n", {"cpu.max": "150000 100000"}, 1.5),
        ("0::/a\x0cb:c\n", {"a\x0cb:c/cpu.max": "150000 100000"}, 1.5),
        ("0::/\n", {"cpu.max": "0 100000"}, None),
        ("0::/\n", {"cpu.max": "100000 0"}, None),
    ],
)
def test_the_quota_is_the_smallest_of_the_own_groups(
    root: Path, own: str, files: dict[str, str], quota: float | None
) -> None:
    write(root, own, files)
    assert processor_quota() == quota


@pytest.mark.parametrize(
    ("own", "files", "left"),
    [
        ("", {}, None),
        ("0::/\n", {"memory.max": "max", "memory.current": "9"}, None),
        ("0::/\n", {"memory.max": "1000"}, 1000),
        ("0::/\n", {"memory.max": "1000", "memory.current": "600"}, 400),
        (
            "0::/\n",
            {
                "memory.max": "1000",
                "memory.current": "600",
                "memory.stat": "anon 350\ninactive_file 200\nactive_file 50",
            },
            600,
        ),
        ("0::/a\n", {"memory.max": "1000", "a/memory.max": "800", "a/memory.current": "90"}, 710),
    ],
)
def test_memory_in_use_is_subtracted_from_the_limit(
    root: Path, own: str, files: dict[str, str], left: int | None
) -> None:
    write(root, own, files)
    assert memory_left() == left


def test_a_container_limits_the_free_memory(root: Path) -> None:
    write(root, "0::/\n", {"memory.max": "max"})
    assert memory.free_memory() > 1 << 20
    write(root, "0::/\n", {"memory.max": "1500000", "memory.current": "500000"})
    assert memory.free_memory() == 1_000_000


@pytest.mark.parametrize(
    ("own", "files", "limit"),
    [
        ("", {}, None),
        ("0::/\n", {"memory.max": "max"}, None),
        ("0::/\n", {"memory.max": "1000", "memory.current": "600"}, 1000),
        ("0::/a\n", {"memory.max": "1000", "a/memory.max": "800"}, 800),
        ("0::/a\n", {"memory.max": "1000", "a/memory.max": "max"}, 1000),
    ],
)
def test_the_memory_limit_is_the_smallest_of_the_own_groups(
    root: Path, own: str, files: dict[str, str], limit: int | None
) -> None:
    write(root, own, files)
    assert control_groups.memory_limit() == limit


def test_a_container_limits_the_transposition_table(root: Path) -> None:
    write(root, "0::/\n", {"memory.max": "max"})
    assert memory.largest_table() > 100
    write(root, "0::/\n", {"memory.max": str(64 << 20), "memory.current": str(60 << 20)})
    assert memory.largest_table() == 32
    write(root, "0::/\n", {"memory.max": "1000"})
    assert memory.largest_table() == 1


@pytest.mark.parametrize(
    ("quota", "count"), [("max", 8), ("20000", 1), ("100000", 1), ("150000", 2), ("9900000", 8)]
)
def test_a_quota_limits_the_processors(
    root: Path, quota: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "0::/\n", {"cpu.max": f"{quota} 100000"})
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert threads.usable_processors() == count
