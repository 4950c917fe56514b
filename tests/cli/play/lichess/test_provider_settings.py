"""Names and addresses that the user gives."""

from __future__ import annotations

import pytest

from boomslang.cli.play.lichess.provider_settings import ProviderSettings
from boomslang.engine.errors import CommandError


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://lichess.org", "https://lichess.org"),
        ("https://lichess.dev/", "https://lichess.dev"),
        ("https://LICHESS.dev:8443", "https://lichess.dev:8443"),
        ("http://127.0.0.1:9663", "http://127.0.0.1:9663"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_addresses(given: str, expected: str) -> None:
    assert ProviderSettings(server=given).server == expected


@pytest.mark.parametrize(
    "given",
    [
        "",
        "lichess.org",
        "http://lichess.org",
        "http://192.168.1.1",
        "http://localhost.example.org",
        "https://user:password@lichess.org",
        "https://lichess.org/path",
        "https://lichess.org?x=1",
        "https://lichess.org#x",
        "ftp://lichess.org",
        "https://",
        "https://lichess.org:99999",
        "https://[::1",
        "https://lichess.org\n.example.org",
    ],
)
def test_addresses_that_are_refused(given: str) -> None:
    with pytest.raises(CommandError):
        ProviderSettings(work_server=given)


def test_names() -> None:
    assert ProviderSettings(name="  Boomslang   at home ").name == "Boomslang at home"
    for wrong in ("", "ab", "x" * 201, "Boom\x1b[31mslang", "   "):
        with pytest.raises(CommandError):
            ProviderSettings(name=wrong)
