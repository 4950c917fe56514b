"""The server: tools listed and called over standard input and output, several at once."""

from __future__ import annotations

import logging
import os
import select
import threading
from typing import Any, Final

import anyio
import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from boomslang.cli.mcp.pool import SearchPool
from boomslang.cli.mcp.reading import RefusalError
from boomslang.cli.mcp.requests import TOOLS
from boomslang.cli.mcp.unreadable import Incoming, forward
from boomslang.core.system import shutdown
from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.sanitize import quote
from boomslang.core.system.threads import reason_for

_LOG: Final = logging.getLogger("boomslang")
_INSTRUCTIONS: Final = (
    "A chess engine. Quote moves, scores and reasons only from its answers: every move in them is legal. "
    "Each call names its whole position; nothing is remembered between calls."
)
_Context = ServerRequestContext[dict[str, Any]]


class ToolServer:
    """Answers what a client asks of the tools."""

    def __init__(self, pool: SearchPool) -> None:
        self._pool = pool

    async def list_tools(
        self, context: _Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """All tools, with the schemas of their arguments. Now that it was greeted, kernels are loaded."""
        self._pool.kernels.start()
        reading = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        tools = [
            Tool(
                name=name,
                description=request.__doc__,
                input_schema=request.schema(),
                annotations=reading,
            )
            for name, request in TOOLS.items()
        ]
        return ListToolsResult(tools=tools)

    async def call_tool(self, context: _Context, params: CallToolRequestParams) -> CallToolResult:
        """The answer of a tool, or why there is none."""

        async def report(progress: float, message: str) -> None:
            await context.session.report_progress(progress, None, message)

        try:
            answer = await anyio.to_thread.run_sync(_prepare, params)
            text = answer if isinstance(answer, str) else await self._pool.run(answer, report)
        except RefusalError as refusal:
            return _result(str(refusal), is_error=True)
        except Exception as problem:
            _LOG.exception("%s failed", params.name)
            return _result(f"failed, which is a fault of Boomslang: {reason_for(problem)}", True)
        return _result(text)


def _prepare(params: CallToolRequestParams) -> Any:
    """The answer of a tool, or the work of a searcher that finds it; raises RefusalError."""
    if (tool := TOOLS.get(params.name)) is None:
        names = ", ".join(TOOLS)
        raise RefusalError(f"no tool {quote(params.name)}; there are {names}")
    return tool.read(params.arguments or {}).answer()


def _result(text: str, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


def serve(searches: int, tables: str) -> None:
    """Serve the client at the other end of standard input and output until it closes one of them."""
    pool = SearchPool(searches, tables)
    tools = ToolServer(pool)
    server = Server(
        NAME.lower(),
        title=NAME,
        version=VERSION,
        instructions=_INSTRUCTIONS,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call_tool,
    )

    async def run() -> None:
        readable, messages = anyio.create_memory_object_stream[Incoming]()
        async with stdio_server() as (reading, writing), anyio.create_task_group() as group:
            group.start_soon(forward, reading, readable, writing)
            await server.run(messages, writing, server.create_initialization_options())

    _end_with_reader()
    try:
        with shutdown.replace_interrupts(
            lambda: shutdown.leave(shutdown.status(shutdown.INTERRUPTED))
        ):
            anyio.run(run)
    except ExceptionGroup as group:  # such as of an answer that cannot be written
        raise _first_of(group) from group


def _first_of(problem: Exception) -> Exception:
    while isinstance(problem, ExceptionGroup):
        problem = problem.exceptions[0]
    return problem


def _end_with_reader() -> None:
    """End the process when nobody reads its answers any more, though requests may still come."""
    if os.name == "nt":
        return
    closed = select.poll()
    closed.register(os.dup(1), 0)  # what the SDK will write to; errors are always reported

    def wait() -> None:
        closed.poll()
        shutdown.leave(0)

    threading.Thread(target=wait, name="reader", daemon=True).start()
