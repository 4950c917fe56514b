"""`make mcpb`: what clients of MCP install with a click, and the entry for the registry of servers.

    python -m tools.mcp_bundle dist/boomslang_chess-*.whl

Beside the wheel it writes `boomslang.mcpb`, a bundle that holds the wheel and is run by uv, and `server.json`
for a package of this version that is published. The registry wants the line `mcp-name: NAME` in the
description of that package, and NAME to begin with an address of who publishes.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path
from typing import Any, Final

from boomslang.cli.mcp.requests import MEMORY_TOOLS, TOOLS
from boomslang.core.system.identity import NAME, VERSION

_PACKAGE: Final = "boomslang-chess"
_WORDS: Final = (
    "A chess engine whose moves are legal and whose reasons are proved; remembers your games."
)
_SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_GAMES: Final = "Folder of results of `boomslang analyse`, only read"


def manifest(wheel: str) -> dict[str, Any]:
    """The manifest of a bundle that holds this wheel."""
    command = ["--from", f"${{__dirname}}/{wheel}", "--with", "mcp", "boomslang", "mcp"]
    return {
        "manifest_version": "0.3",
        "name": NAME.lower(),
        "display_name": NAME,
        "version": VERSION,
        "description": _WORDS,
        "author": {"name": f"{NAME} authors"},
        "license": "GPL-3.0-or-later",
        "server": {
            "type": "python",
            "entry_point": wheel,
            "mcp_config": {"command": "uvx", "args": [*command, "--games", "${user_config.games}"]},
        },
        "tools": [
            {"name": name, "description": request.__doc__}
            for name, request in (TOOLS | MEMORY_TOOLS).items()
        ],
        "user_config": {
            "games": {
                "type": "directory",
                "title": "Analysed games",
                "description": _GAMES,
                "required": True,
            }
        },
    }


def server_entry(name: str) -> dict[str, Any]:
    """The entry of the registry."""
    games = {"type": "named", "name": "--games", "description": _GAMES, "format": "filepath"}
    return {
        "$schema": _SCHEMA,
        "name": name,
        "title": NAME,
        "description": _WORDS,
        "version": VERSION,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": _PACKAGE,
                "version": VERSION,
                "runtimeHint": "uvx",
                "runtimeArguments": [{"type": "named", "name": "--with", "value": "mcp"}],
                "packageArguments": [{"type": "positional", "value": "mcp"}, games],
                "transport": {"type": "stdio"},
            }
        ],
    }


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--name", default=f"io.github.{_PACKAGE}/{NAME.lower()}", metavar="NAME")
    arguments = parser.parse_args()
    wheel: Path = arguments.wheel
    with zipfile.ZipFile(
        wheel.with_name(f"{NAME.lower()}.mcpb"), "w", zipfile.ZIP_DEFLATED
    ) as file:
        file.writestr("manifest.json", json.dumps(manifest(wheel.name), indent=2))
        file.write(wheel, wheel.name)
    entry = json.dumps(server_entry(arguments.name), indent=2)
    wheel.with_name("server.json").write_text(f"{entry}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
