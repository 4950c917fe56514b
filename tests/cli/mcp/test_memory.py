"""Games that the user has analysed, by `boomslang mcp --games`: found, and nothing beside the folder."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

pytest.importorskip("mcp")

from boomslang.cli.command_line import run
from boomslang.cli.mcp.memory import GameMemory, recall
from boomslang.cli.mcp.reading import RefusalError
from boomslang.cli.mcp.requests import MEMORY_TOOLS, TOOLS
from boomslang.cli.mcp.results import SCHEME, part
from boomslang.core.system.files import FileError
from boomslang.core.system.identity import VERSION
from tests.support.mcp_answers import contradictions, mcp_session
from tests.support.places import ROOT
from tests.support.process import TIMEOUT
from tools import mcp_bundle

GAMES = (
    (
        "Anna",
        "Boris",
        "2024.05.01",
        "1-0",
        "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
        "0.2 0.2 -0.3 -0.3 -0.3 #1 #0",
    ),
    ("Clara", "Anna", "2024.06.01", "1/2-1/2", "d4 d5 c4 dxc4 e4", "0.2 0.2 0.2 0.2 0.2"),
    ("Boris", "Clara", "????.??.??", "*", "e4 c5 Nf3 d6", "0.2 0.2 0.2 0.3"),
)


def annotated(number: int) -> str:
    """A game with scores, as other programs write them too."""
    white, black, date, result, moves, scores = GAMES[number]
    game = chess.pgn.Game({"White": white, "Black": black, "Date": date, "Result": result})
    node: chess.pgn.GameNode = game
    for move, score in zip(moves.split(), scores.split(), strict=True):
        node = node.add_variation(node.board().parse_san(move))
        node.comment = f"[%eval {score}]"
    return f"{game}\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "first.pgn").write_text(annotated(0) + annotated(1))
    (inside / "a b&c.pgn").write_text(annotated(2))
    return inside


def ask(memory: GameMemory, tool: str, **given: Any) -> dict[str, Any]:
    """The data of an answer, which agree with its text and schema."""
    request = MEMORY_TOOLS[tool]
    asked = request.read(given)
    assert isinstance(asked, request)
    answer, kind = recall(memory, asked), part(request.fields)
    data: dict[str, Any] = json.loads(json.dumps(kind.check(answer.data)))
    assert contradictions(kind.schema, answer.text, data) == []
    assert answer.text.startswith(f"{data['found']} ")
    return data


def test_games_mistakes_and_openings_are_found(folder: Path) -> None:
    memory = GameMemory(folder)
    found = ask(memory, "find_games")
    assert [game["date"] for game in found["games"]] == ["2024.06.01", "2024.05.01", "????.??.??"]
    assert found["searched"] == found["found"] == 3 and "pgn" not in found["games"][0]
    (game,) = ask(memory, "find_games", player="clara", since="2024-05-15")["games"]
    assert game["black"]["name"] == "Anna" and "2. c4 dxc4" in game["pgn"]
    found = ask(memory, "find_games", player="anna", opening="Queen's Gambit")
    assert found["found"] == 1 and found["searched"] == 3
    assert len(ask(memory, "find_games", limit=2)["games"]) == 2
    assert [game["pgn"].count("[Event ") for game in memory.games()[0].values()] == [1, 1, 1]
    (mistake,) = ask(memory, "find_mistakes", player="boris")["judged"]
    assert (mistake["move"], mistake["kind"]) == ("3... Nf6", "allowed a mate")
    assert mistake["judgement"] == "blunder" and mistake["after"]["mate"] == 1
    assert ask(memory, "find_mistakes", player="boris", kind="missed a mate")["found"] == 0
    assert ask(memory, "find_mistakes", player="anna")["found"] == 0
    groups = ask(memory, "summarise_games", player="anna")["groups"]
    assert {group["points"] for group in groups} == {1.0, 0.5}
    groups = ask(memory, "summarise_games", by="kind")["groups"]
    assert [(group["name"], group["blunders"]) for group in groups] == [("allowed a mate", 1)]


@pytest.mark.parametrize(
    "since", ["x", "2024-5", "24.05.01", "2024.05.01.", "2024.05.\n", "2024.13", "0000"]
)
def test_what_is_no_date_is_refused(since: str) -> None:
    with pytest.raises(RefusalError, match="since"):
        MEMORY_TOOLS["find_games"].read({"since": since})


def test_a_number_has_its_noun(folder: Path) -> None:
    (folder / "a b&c.pgn").unlink()
    (folder / "first.pgn").write_text(annotated(0))
    assert recall(GameMemory(folder), MEMORY_TOOLS["find_games"]()).text.startswith(
        "1 game in 1 analysed game:"
    )


def test_a_changed_file_is_read_again_and_a_damaged_one_is_left_out(folder: Path) -> None:
    memory = GameMemory(folder)
    assert len(memory.games()[0]) == 3
    (folder / "first.pgn").write_text(annotated(1))
    head = '{"format": 1, "engine": "Boomslang", "settings": {}, "games": [{"analysed": 1}]}'
    (folder / "damaged.json").write_text(head)
    (folder / "binary.json").write_bytes(b"\xff\x00" * 99)
    games, problems = memory.games()
    assert len(games) == 2
    assert [problem for problem in problems if "'damaged.json': game 1 is damaged" in problem]
    assert not [problem for problem in problems if str(folder) in problem]
    for file in folder.iterdir():
        file.unlink()
    assert memory.games() == ({}, [])
    folder.rmdir()
    with pytest.raises(FileError, match="cannot read the folder"):
        memory.games()


@pytest.mark.skipif(os.name == "nt", reason="needs links and pipes")
def test_nothing_outside_of_the_folder_is_read(folder: Path) -> None:
    outside = folder.parent / "outside.pgn"
    outside.write_text(annotated(0).replace("Anna", "Secret"))
    (folder / "link.pgn").symlink_to(outside)
    (folder / "loop.pgn").symlink_to(folder / "loop.pgn")
    (folder / "up.json").symlink_to(folder.parent)
    (folder / "again.pgn").symlink_to(folder / "first.pgn")
    (folder / "inner").mkdir()
    (folder / "inner" / "deep.pgn").write_text(outside.read_text())
    os.mkfifo(folder / "pipe.json")
    games, problems = GameMemory(folder).games()
    assert len(games) == 3 and "Secret" not in str(games)
    assert {problem.split("'")[1] for problem in problems} == {"link.pgn", "loop.pgn", "up.json"}


def configurations() -> list[list[str]]:
    """The commands that the page for users tells its clients to start."""
    page = (ROOT / "docs" / "mcp.md").read_text("utf-8")
    commands = [
        line.split() for line in re.findall(r"^\w+ mcp add boomslang -- (.*)$", page, re.MULTILINE)
    ]
    for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL):
        (servers,) = json.loads(block).values()
        commands.append([servers["boomslang"]["command"], *servers["boomslang"]["args"]])
    return commands


async def _talk(folder: Path) -> dict[str, Any]:
    from mcp import MCPError

    program, *told = configurations()[0]
    assert (program, told[0]) == ("boomslang", "mcp")
    async with mcp_session(*told[1:], "--games", str(folder)) as session:
        await session.initialize()
        found: dict[str, Any] = {
            "tools": [tool.name for tool in (await session.list_tools()).tools]
        }
        found["resources"] = (await session.list_resources()).resources
        found["read"] = await asyncio.gather(
            *(session.read_resource(each.uri) for each in found["resources"])
        )
        found["refused"] = []
        for name in (
            "first.pgn/9",
            "..%2Foutside.pgn/1",
            "../outside.pgn/1",
            "C:%5Cx.pgn/1",
            "/etc/passwd",
        ):
            with pytest.raises(MCPError) as refusal:
                await session.read_resource(SCHEME + name)
            found["refused"].append(str(refusal.value))
        found["prompts"] = (await session.list_prompts()).prompts
        arguments = {"game": found["resources"][0].uri}
        found["prompt"] = await session.get_prompt(found["prompts"][0].name, arguments)
        found["answer"] = await session.call_tool("find_games", {"player": "anna"})
        found["bad"] = await session.call_tool("find_mistakes", {"judgement": "all"})
    return found


def test_an_empty_folder_is_not_the_current_one(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", "--games", ""]) == 2
    assert "a path is wanted" in capfd.readouterr().err


@pytest.mark.jit_only
def test_a_client_finds_games_as_resources_and_a_prompt(folder: Path) -> None:
    commands = configurations()
    assert len(commands) == 4 and all(command == commands[0] for command in commands)
    found = asyncio.run(asyncio.wait_for(_talk(folder), 2 * TIMEOUT))
    assert found["tools"] == [*TOOLS, *MEMORY_TOOLS]
    assert [each.name[:5] for each in found["resources"]] == ["Clara", "Anna ", "Boris"]
    texts = [each.contents[0].text for each in found["read"]]
    assert (
        "2. Qh5" in texts[1] and "eval" not in texts[1] and "a%20b%26c" in found["resources"][2].uri
    )
    assert all("no game" in refusal for refusal in found["refused"])
    assert [prompt.name for prompt in found["prompts"]] == ["review_my_game"]
    assert "2. c4 dxc4" in found["prompt"].messages[0].content.text
    assert found["answer"].structured_content["found"] == 2
    assert found["bad"].is_error and "judgement is one of any, " in found["bad"].content[0].text


def test_a_bundle_and_the_entry_of_the_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "boomslang_chess-1-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    monkeypatch.setattr(sys, "argv", ["mcp_bundle", str(wheel)])
    mcp_bundle.main()
    with zipfile.ZipFile(tmp_path / "boomslang.mcpb") as bundle:
        manifest = json.loads(bundle.read("manifest.json"))
        assert bundle.read(manifest["server"]["entry_point"]) == b"wheel"
    assert manifest["version"] == VERSION
    assert {tool["name"] for tool in manifest["tools"]} == {*TOOLS, *MEMORY_TOOLS}
    (package,) = json.loads((tmp_path / "server.json").read_text())["packages"]
    assert package["identifier"] == "boomslang-chess" and package["version"] == VERSION
