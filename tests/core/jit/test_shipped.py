"""Compiled kernels that come with a wheel."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from boomslang.core.jit import jit, shipped
from boomslang.core.jit.cache import KernelCache

V2 = dict.fromkeys(shipped.LEVELS["x86_64"]["x86-64-v2"], True)
V3 = dict.fromkeys(shipped.LEVELS["x86_64"]["x86-64-v3"], True)


@pytest.mark.parametrize("machine", ["x86_64", "AMD64"])
@pytest.mark.parametrize(
    ("features", "slow_pext", "level"),
    [
        (V3, False, "x86-64-v3"),
        (V3 | {"avx512f": True}, False, "x86-64-v3"),
        (V3, True, None),
        (V3 | {"bmi2": False}, True, "x86-64-v2"),
        (V3 | {"avx2": False}, False, "x86-64-v2"),
        (V3 | {"popcnt": False}, False, None),
        ({}, True, None),
    ],
)
def test_the_level_of_a_processor(
    machine: str,
    features: dict[str, bool],
    slow_pext: bool,
    level: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    chosen = shipped.choose_level(features, slow_pext=slow_pext)
    assert (chosen and chosen.name) == level


def test_other_machines_have_no_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert shipped.choose_level(V3, slow_pext=False) is None


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a wheel has it, for this processor and these versions."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr(jit, "DISABLED", False)
    monkeypatch.setattr(jit.numba.core.registry, "cpu_target", object.__new__(type("T", (), {})))
    monkeypatch.setattr(jit._config, "CPU_NAME", None)
    monkeypatch.setattr(jit._config, "CPU_FEATURES", None)
    for name in shipped.levels():
        (tmp_path / name).mkdir()
    (tmp_path / shipped.VERSIONS_FILE).write_text(json.dumps(jit._versions()))
    return tmp_path


def no_versions(wheel: Path) -> None:
    (wheel / shipped.VERSIONS_FILE).unlink()


def damaged_versions(wheel: Path) -> None:
    (wheel / shipped.VERSIONS_FILE).write_text("[1")


def list_of_versions(wheel: Path) -> None:
    (wheel / shipped.VERSIONS_FILE).write_text("[1]")


def newer_numba(wheel: Path) -> None:
    (wheel / shipped.VERSIONS_FILE).write_text(json.dumps(jit._versions() | {"numba": "99.0"}))


def no_level(wheel: Path) -> None:
    for name in shipped.levels():
        (wheel / name).rmdir()


@pytest.mark.parametrize(
    "spoil", [no_versions, damaged_versions, list_of_versions, newer_numba, no_level]
)
def test_what_does_not_fit_is_not_used(wheel: Path, spoil: Callable[[Path], None]) -> None:
    spoil(wheel)
    assert jit._choose_level() == ""
    assert jit._config.CPU_NAME in (None, shipped.PREFERRED_LEVEL)


@pytest.mark.parametrize(("name", "features"), [("x86-64-v3", V3), ("x86-64-v2", V2)])
def test_without_kernels_only_the_preferred_level_is_compiled_for(
    wheel: Path, name: str, features: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_versions(wheel)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(jit, "cpu_has_fast_pext", lambda: True)
    monkeypatch.setattr(jit.llvm, "get_host_cpu_features", lambda: features)
    assert jit._choose_level() == ""
    assert jit._config.CPU_NAME == (name if name == shipped.PREFERRED_LEVEL else None)


@pytest.mark.skipif(
    not shipped.choose_level(dict(jit.llvm.get_host_cpu_features()), slow_pext=False),
    reason="no wheel carries kernels for this processor",
)
def test_what_fits_is_the_target(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "cpu_has_fast_pext", lambda: True)
    level = jit._choose_level()
    assert (level, jit._config.CPU_FEATURES) == shipped.levels()[level]
    assert jit.cpu_name() == level
    assert jit._choose_level() == "", "a target was given"


def test_kernels_of_a_wheel_are_found_and_not_copied(tmp_path: Path) -> None:
    carried, own = tmp_path / "carried", tmp_path / "own"
    for folder in (carried, own):
        folder.mkdir()
    KernelCache(carried).keep("one", b"code")
    for cache in (KernelCache(own, shipped=carried), KernelCache(None, shipped=carried)):
        assert cache.missing(["one", "two"]) == ["two"]
        assert cache.load("one") == b"code"
    assert not [*own.iterdir()]


@pytest.mark.skipif(os.name == "nt", reason="no mode bits")
def test_anybody_may_write_there(tmp_path: Path) -> None:
    KernelCache(tmp_path).keep("one", b"code")
    (tmp_path / "one.kernel").chmod(0o666)
    assert KernelCache(None, shipped=tmp_path).missing(["one"]) == ["one"]


def test_a_damaged_kernel_is_compiled_instead(tmp_path: Path) -> None:
    carried, own = tmp_path / "carried", tmp_path / "own"
    for folder in (carried, own):
        folder.mkdir()
    KernelCache(carried).keep("one", b"code")
    damaged = carried / "one.kernel"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"X")
    cache = KernelCache(own, shipped=carried)
    assert cache.missing(["one"]) == ["one"]
    assert cache.remark == "kernel cache damaged, compiling anew"
    cache.keep("one", b"code")
    assert KernelCache(own, shipped=carried).load("one") == b"code"
    assert damaged.exists(), "nothing is written where the wheel lies"
