"""The API token of the user, and the secret of the provider.

The token can register and read engines in the user's name. It comes from the environment or from a private
file, goes to the Lichess server alone, and is never shown.

The provider secret lets its owner receive and answer the work of the engine. It is random rather than derived
from the token: the work server gets it and learns nothing about the token, two computers with one token do
not take each other's work, and deleting its file replaces it.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterable, MutableMapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

import platformdirs

from boomslang.core.system.files import FileError, exists, open_file, quote_path
from boomslang.core.system.permissions import own_folder

VARIABLE: Final = "LICHESS_API_TOKEN"
TOKEN_FILE: Final = "lichess-token"  # noqa: S105 - the name of a file
HIDDEN: Final = "(secret)"

_TOKEN: Final = re.compile(r"[A-Za-z0-9_]{8,1024}")  # Lichess: expect 512 characters
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{32,128}")
_BYTES: Final = 32  # random bytes
_MAX_BYTES: Final = 4096  # bytes of a file with a secret
_LOOKS_LIKE_TOKEN: Final = re.compile(r"(?:^|[^A-Za-z0-9])lip_[A-Za-z0-9]{12}")


class CredentialError(Exception):
    """A token or a secret that cannot be used; the message repeats nothing of it."""


class Secret:
    """A text that no message, log or traceback shows; `reveal` returns it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return HIDDEN

    def reveal(self) -> str:
        """The text itself, to be sent to its server only."""
        return self._text


def remove_secrets(text: str, known: Iterable[Secret]) -> str:
    """The text with each of the secrets replaced: a server may repeat them in its errors."""
    for secret in known:
        text = text.replace(secret.reveal(), HIDDEN)
    return text


def looks_like_token(word: str) -> bool:
    """True if a word of the command line contains what Lichess issues as tokens."""
    return bool(_LOOKS_LIKE_TOKEN.search(word))


def read_token(path: Path | None, environment: MutableMapping[str, str], page: str) -> Secret:
    """The token of the file, else of the environment, else of the usual file.

    It is removed from the environment, so that no child process inherits it. `page` is the address where
    tokens are created. Raises CredentialError or FileError.
    """
    token = environment.pop(VARIABLE, "").strip()
    usual = folder() / TOKEN_FILE
    if path is None and token:
        source, text = f"the environment variable {VARIABLE}", token
    elif path is not None or exists(usual):
        file = path or usual
        source, text = quote_path(file), _read_private(file).strip()
    else:
        raise CredentialError(
            f"there is no token; create one with the scopes engine:read and engine:write at {page} "
            f"and put it into {VARIABLE} or into the file {quote_path(usual)}, mode 600"
        )
    if not _TOKEN.fullmatch(text):
        raise CredentialError(
            f"{source} contains no token; it is one word of letters, digits and underscores from {page}"
        )
    return Secret(text)


def provider_secret(server: str, name: str) -> Secret:
    """The secret of the engine of that name, created at first; raises CredentialError or FileError."""
    key = hashlib.sha256(f"{server}\n{name}".encode()).hexdigest()[:16]
    try:
        path = own_folder(folder()) / f"lichess-provider-{key}"
        if path.exists():
            text = _read_private(path).strip()
            if _SECRET.fullmatch(text):
                return Secret(text)
        secret = Secret(secrets.token_urlsafe(_BYTES))
        _write_private(path, secret.reveal())
    except OSError as problem:
        reason = (problem.strerror or type(problem).__name__).lower()
        raise CredentialError(
            f"cannot keep the provider secret in {quote_path(folder())}: {reason}"
        ) from None
    return secret


def folder() -> Path:
    """The user's folder for settings of Boomslang."""
    return platformdirs.user_config_path("boomslang", appauthor=False)


def _read_private(path: Path) -> str:
    """The content of a file that only its owner can read; raises FileError."""
    with open_file(path, _MAX_BYTES) as file:
        if os.name != "nt":
            _check_private(path, os.fstat(file.fileno()))
        return file.read(_MAX_BYTES).decode("ascii", "replace")


def _check_private(path: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise FileError(f"{quote_path(path)} belongs to another user; use a file of your own")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise FileError(
            f"other users can read {quote_path(path)}; make it private (chmod 600), and replace the token "
            "if it may have been read"
        )


def _write_private(path: Path, text: str) -> None:
    """Write a file that was never readable for others, complete or not at all; raises OSError."""
    with NamedTemporaryFile("w", dir=path.parent, encoding="ascii", delete=False) as file:
        file.write(f"{text}\n")
    Path(file.name).replace(path)
