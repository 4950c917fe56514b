"""The token comes from private places only, and is never repeated."""

from __future__ import annotations

import os
import stat
import sys
import traceback
from pathlib import Path

import pytest

from boomslang.cli.play.lichess import credentials
from boomslang.cli.play.lichess.credentials import (
    CredentialError,
    Secret,
    provider_secret,
    read_token,
    remove_secrets,
)
from boomslang.core.system.files import FileError

TOKEN = "lip_abcDEF0123456789"  # noqa: S105 - of no account
PAGE = "https://example.org/token"

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes of files")


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of settings."""
    folder = tmp_path / "boomslang"
    monkeypatch.setattr(credentials, "folder", lambda: folder)
    return folder


def token_file(path: Path, text: str = f"{TOKEN}\n", mode: int = 0o600) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_the_environment_is_read_and_cleared() -> None:
    environment = {"LICHESS_API_TOKEN": f" {TOKEN}\n", "HOME": "/home"}
    assert read_token(None, environment, PAGE).reveal() == TOKEN
    assert environment == {"HOME": "/home"}


def test_a_file_comes_before_the_environment(tmp_path: Path) -> None:
    environment = {"LICHESS_API_TOKEN": "another_token"}
    file = token_file(tmp_path / "token")
    assert read_token(file, environment, PAGE).reveal() == TOKEN
    assert environment == {}


def test_the_usual_file(settings: Path) -> None:
    token_file(settings / "lichess-token")
    assert read_token(None, {}, PAGE).reveal() == TOKEN
    assert read_token(None, {"LICHESS_API_TOKEN": "other_token"}, PAGE).reveal() == "other_token"


def test_without_a_token_the_message_says_where_to_get_one(settings: Path) -> None:
    with pytest.raises(CredentialError, match="engine:read and engine:write at https"):
        read_token(None, {}, PAGE)


@on_posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o777, 0o620])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = token_file(tmp_path / "token", mode=mode)
    with pytest.raises(FileError, match="chmod 600") as refused:
        read_token(file, {}, PAGE)
    assert TOKEN not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "two words",
        "lip_tooShort!",
        "Q9",
        "lip_äöü_0123456789",
        f"{TOKEN}\r\nX-Evil: 1",
        "é" * 40,
    ],
)
def test_what_is_no_token_is_refused_without_being_repeated(tmp_path: Path, text: str) -> None:
    file = token_file(tmp_path / "token", text)
    with pytest.raises(CredentialError, match="contains no token") as refused:
        read_token(file, {}, PAGE)
    assert not text or text not in str(refused.value)
    if text.strip():
        with pytest.raises(CredentialError, match="LICHESS_API_TOKEN contains no token") as refused:
            read_token(None, {"LICHESS_API_TOKEN": text}, PAGE)
        assert text not in str(refused.value)


def test_missing_and_huge_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot read"):
        read_token(tmp_path / "none", {}, PAGE)
    with pytest.raises(FileError, match="larger"):
        read_token(token_file(tmp_path / "token", "x" * 5000), {}, PAGE)


def test_a_secret_shows_nothing() -> None:
    secret = Secret(TOKEN)
    assert TOKEN not in f"{secret} {secret!r} {[secret]} {secret!s}"
    try:
        raise ValueError(secret)
    except ValueError:
        assert TOKEN not in traceback.format_exc()
    assert remove_secrets(f"no {TOKEN}!", [secret]) == "no (secret)!"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (TOKEN, True),
        (f"--token={TOKEN}", True),
        ("--name=Boomslang", False),
        ("lip_", False),
        ("tulip_0123456789abc", False),
        ("lip_token.txt", False),
        ("~/.lichess-token", False),
    ],
)
def test_tokens_on_the_command_line_are_recognised(word: str, expected: bool) -> None:
    assert credentials.looks_like_token(word) is expected


def test_the_provider_secret_is_kept_and_private(settings: Path) -> None:
    first = provider_secret("https://lichess.org", "Boomslang").reveal()
    assert provider_secret("https://lichess.org", "Boomslang").reveal() == first
    assert len(first) >= 40
    others = {
        provider_secret("https://lichess.org", "Other").reveal(),
        provider_secret("http://localhost", "Boomslang").reveal(),
    }
    assert len(others | {first}) == 3
    if os.name != "nt":
        assert stat.S_IMODE(settings.stat().st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) for file in settings.iterdir()} == {0o600}
    assert len(list(settings.iterdir())) == 3


@pytest.mark.parametrize(
    "content", ["", "short\n", "no secret at all, but a text of some length\n"]
)
def test_a_damaged_provider_secret_is_replaced(settings: Path, content: str) -> None:
    before = provider_secret("https://lichess.org", "Boomslang").reveal()
    (file,) = settings.iterdir()
    file.write_text(content)
    after = provider_secret("https://lichess.org", "Boomslang").reveal()
    assert after not in (before, content.strip())
    assert file.read_text().strip() == after


@on_posix
def test_a_provider_secret_that_others_can_read_is_refused(settings: Path) -> None:
    provider_secret("https://lichess.org", "Boomslang")
    (file,) = settings.iterdir()
    file.chmod(0o644)
    with pytest.raises(FileError, match="other users can read"):
        provider_secret("https://lichess.org", "Boomslang")


@on_posix
def test_a_folder_that_others_can_write_is_refused(settings: Path) -> None:
    settings.mkdir()
    settings.chmod(0o777)
    with pytest.raises(CredentialError, match="cannot keep the provider secret"):
        provider_secret("https://lichess.org", "Boomslang")
