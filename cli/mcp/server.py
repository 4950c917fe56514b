"""The server: tools listed and called over standard input and output, several at once.

What is no message of the protocol is answered too: the SDK is silent then, and the sender would wait.
"""

from __future__ import annotations

import json
import logging
import os
import select
import threading
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectSendStream
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ErrorData,
    GetPromptRequestParams,
    GetPromptResult,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    ListPromptsResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    RequestId,
    Resource,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError

from boomslang.cli.mcp.pool import SearchPool, Work
from boomslang.cli.mcp.reading import RefusalError
from boomslang.cli.mcp.requests import MEMORY_TOOLS, TOOLS, MemoryRequest, Request
from boomslang.cli.mcp.results import SCHEME, Answer, Data, part
from boomslang.core.system import shutdown
from boomslang.core.system.files import FileError
from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.sanitize import quote
from boomslang.core.system.threads import reason_for
from boomslang.engine.errors import first_of

if TYPE_CHECKING:
    from boomslang.cli.mcp.memory import GameMemory

_LOG: Final = logging.getLogger("boomslang")
_INSTRUCTIONS: Final = (
    "A chess engine. Quote moves, scores and reasons only from its answers: every move in them is legal. "
    "Each call names its whole position; nothing is remembered between calls."
)
_REVIEW: Final = (
    "Review this game with the tool review_game, in words for the player: the opening, the two or three "
    "moves that decided it with their reasons and better lines, and one thing to practise."
)
_PROMPT: Final = "review_my_game"
_PGN_TYPE: Final = "application/vnd.chess-pgn"
_MAX_LISTED: Final = 200  # games
_Found = TypeVar("_Found")
Incoming: TypeAlias = SessionMessage | Exception
_NO_JSON: Final = "json_invalid"
_NOTIFICATIONS: Final = "notifications/"  # how the names of all of them begin
_MAX_DIGITS: Final = 1000
_Context = ServerRequestContext[dict[str, Any]]


class ToolServer:
    """Answers what a client asks of the tools, of the prompt and, with a folder, of the user's games."""

    def __init__(self, pool: SearchPool, folder: Path | None) -> None:
        self._pool = pool
        self._folder = folder
        self.tools: dict[str, type[Request]] = TOOLS | (MEMORY_TOOLS if folder else {})

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
                output_schema=dict(part(request.fields).schema),
                annotations=reading,
            )
            for name, request in self.tools.items()
        ]
        return ListToolsResult(tools=tools)

    async def call_tool(self, context: _Context, params: CallToolRequestParams) -> CallToolResult:
        """The answer of a tool, or why there is none."""

        async def report(progress: float, message: str) -> None:
            await context.session.report_progress(progress, None, message)

        try:
            answer = await _on_thread(self._prepare, params)
            if not isinstance(answer, Answer):
                answer = await self._pool.run(answer, report)
            data = part(self.tools[params.name].fields).check(answer.data)
        except (RefusalError, FileError) as refusal:
            return _refused(str(refusal))
        except Exception as problem:
            _LOG.exception("%s failed", params.name)
            return _refused(f"failed, which is a fault of Boomslang: {reason_for(problem)}")
        text = TextContent(type="text", text=answer.text)
        return CallToolResult(content=[text], structured_content=data)

    def _prepare(self, params: CallToolRequestParams) -> Answer | Work:
        """The answer of a tool, or the work of a searcher that finds it; raises RefusalError or FileError."""
        if (tool := self.tools.get(params.name)) is None:
            names = ", ".join(self.tools)
            raise RefusalError(f"no tool {quote(params.name)}; there are {names}")
        request = tool.read(params.arguments or {})
        if isinstance(request, MemoryRequest):
            from boomslang.cli.mcp.memory import recall

            return recall(self._memory, request)
        return request.answer()

    @cached_property
    def _memory(self) -> GameMemory:
        from boomslang.cli.mcp.memory import GameMemory

        assert self._folder  # noqa: S101 - for the type checker
        return GameMemory(self._folder)

    async def list_resources(
        self, context: _Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """The newest of the user's games."""
        games = await self._known_games()
        return ListResourcesResult(
            resources=[
                Resource(
                    name=f"{game['white']['name']} - {game['black']['name']}, {game['date']}",
                    uri=game["game"],
                    description=game["opening"],
                    mime_type=_PGN_TYPE,
                )
                for game in islice(games.values(), _MAX_LISTED)
            ]
        )

    async def read_resource(
        self, context: _Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """A game in PGN, by an address that was told."""
        games = await self._known_games()
        if (game := games.get(str(params.uri))) is None:
            raise MCPError(
                INVALID_PARAMS, f"no game {quote(str(params.uri))}; find_games tells them"
            )
        contents = TextResourceContents(uri=params.uri, mime_type=_PGN_TYPE, text=game["pgn"])
        return ReadResourceResult(contents=[contents])

    async def _known_games(self) -> Mapping[str, Data]:
        try:
            return (await _on_thread(lambda: self._memory.games()))[0]
        except FileError as problem:
            raise MCPError(INVALID_PARAMS, str(problem)) from None

    async def list_prompts(
        self, context: _Context, params: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        """What a person may begin with."""
        arguments = [
            PromptArgument(name="game", description="its PGN, or its address as a resource")
        ]
        prompt = Prompt(name=_PROMPT, description="Review my game", arguments=arguments)
        return ListPromptsResult(prompts=[prompt])

    async def get_prompt(
        self, context: _Context, params: GetPromptRequestParams
    ) -> GetPromptResult:
        """The words for it, with the game."""
        if params.name != _PROMPT:
            raise MCPError(INVALID_PARAMS, f"no prompt {quote(params.name)}; there is {_PROMPT}")
        game = (params.arguments or {}).get("game", "")
        if self._folder and game.startswith(SCHEME):
            found = await self.read_resource(context, ReadResourceRequestParams(uri=game))
            game = "".join(getattr(part, "text", "") for part in found.contents)
        asked = f"{_REVIEW}\n\n{game}" if game else f"{_REVIEW} Ask me for the game first."
        text = TextContent(type="text", text=asked)
        return GetPromptResult(messages=[PromptMessage(role="user", content=text)])


def _refused(reason: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=reason)], is_error=True)


async def _on_thread(work: Callable[..., _Found], *given: Any) -> _Found:
    """Work that a cancelled request leaves alone."""
    return await anyio.to_thread.run_sync(partial(work, *given), abandon_on_cancel=True)


def serve(searches: int, tables: str, folder: Path | None = None) -> None:
    """Serve the client at the other end of standard input and output until it closes one of them.

    `folder` has the user's analysed games.
    """
    tools = ToolServer(SearchPool(searches, tables), folder)
    games: dict[str, Any] = {}
    if folder:
        games = {"on_list_resources": tools.list_resources, "on_read_resource": tools.read_resource}
    server = Server(
        NAME.lower(),
        title=NAME,
        version=VERSION,
        instructions=_INSTRUCTIONS,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call_tool,
        on_list_prompts=tools.list_prompts,
        on_get_prompt=tools.get_prompt,
        **games,
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
            shutdown.leave(0)  # whatever a thread still reads
    except ExceptionGroup as group:  # such as of an answer that cannot be written
        raise first_of(group) from group


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
