"""Answers what is no message of the protocol. The SDK is silent then, and the sender would wait for ever."""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

from anyio.streams.memory import MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    RequestId,
)
from pydantic import ValidationError

Incoming: TypeAlias = SessionMessage | Exception
_NO_JSON: Final = "json_invalid"
_NOTIFICATIONS: Final = "notifications/"  # how the names of all of them begin
_MAX_DIGITS: Final = 1000


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
