# The types of boomslang.py in a clone: a module of one file cannot say by itself that it has any (PEP 561).
import asyncio
from typing import Final

import chess.engine

__all__ = ["__version__", "command", "popen", "popen_async"]

__version__: Final[str]

def command() -> list[str]: ...
def popen(**options: chess.engine.ConfigValue) -> chess.engine.SimpleEngine: ...
async def popen_async(
    **options: chess.engine.ConfigValue,
) -> tuple[asyncio.SubprocessTransport, chess.engine.UciProtocol]: ...
