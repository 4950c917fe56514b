"""The server: tools listed and called over standard input and output, several at once.

What is no message of the protocol is answered too: the SDK is silent then, and the sender would wait.
"""

from __future__ import annotations

import json
import logging
import os
import select
import threading
from typing import Any, Final, TypeAlias

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    ListToolsResult,
    PaginatedRequestParams,
    RequestId,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError

from boomslang.cli.mcp.pool import SearchPool
from boomslang.cli.mcp.reading import RefusalError
from boomslang.cli.mcp.requests import TOOLS
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
Incoming: TypeAlias = SessionMessage | Exception
_NO_JSON: Final = "json_invalid"
_NOTIFICATIONS: Final = "notifications/"  # how the names of all of them begin
_MAX_DIGITS: Final = 1000


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


async def forward(reading: Any, readable: MemoryObjectSendStream[Incoming], writing: Any) -> None:
    """Pass on the messages of `reading`, streams of the SDK, and write an error for all else."""
    async with readable:
        async for item in reading:
            is_message = isinstance(item, SessionMessage)
            answer = _refusal(item.message) if is_message else _error_for(item)
            if answer:
                await writing.send(SessionMessage(answer))
            elif is_message:
                await readable.send(item)


def _refusal(message: JSONRPCMessage) -> JSONRPCError | None:
    """The error for a request whose `id` is no string and no whole number: it reads as a notification."""
    if not isinstance(message, JSONRPCNotification) or message.method.startswith(_NOTIFICATIONS):
        return None
    return _error(INVALID_REQUEST, "a request needs an id that is a string or a whole number")


def _error_for(problem: Exception) -> JSONRPCError | None:
    """The error, with the number of the request if that can be read; None for an empty line."""
    if not isinstance(problem, ValidationError):
        return None
    errors = problem.errors(include_url=False)
    first, code, given = errors[0], INVALID_REQUEST, None
    if first["type"] == _NO_JSON:
        if not first["input"].strip():
            return None
        given, code = _read_freely(first["input"]), PARSE_ERROR
    # One of a missing field has the whole message; those of wrong ones have the field.
    for error in errors:
        if error["type"] == "missing" and len(error["loc"]) == 2:
            given = error["input"]
    number = given.get("id") if isinstance(given, dict) else None
    is_number = isinstance(number, int) and not isinstance(number, bool)
    if not is_number and not (isinstance(number, str) and number.isascii()):
        number = None
    return _error(code, first["msg"], number)


def _error(code: int, reason: str, number: RequestId | None = None) -> JSONRPCError:
    told = ErrorData(code=code, message=f"not a message of the protocol: {reason}")
    return JSONRPCError(jsonrpc="2.0", id=number, error=told)


def _read_freely(line: str) -> Any:
    """JSON with halves of surrogate pairs, which models do write, and endless numbers; None for none."""
    try:
        return json.loads(line, parse_int=lambda digits: int(digits[:_MAX_DIGITS]))
    except (ValueError, RecursionError):
        return None
