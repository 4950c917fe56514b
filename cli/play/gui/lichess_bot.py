"""Settings of lichess-bot, which connects an engine to Lichess: a complete config.yml without the token."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boomslang.core.system.identity import NAME
from boomslang.engine import options
from boomslang.engine.levels.ladder import TIME_OPTION
from boomslang.engine.search_settings import HASH, TablesSettings
from boomslang.engine.settings import PATH, setting, whole

_ELO: Final = options.find("UCI_Elo")
_BOT_OVERHEAD: Final = 2000  # milliseconds that the bot itself takes off each clock


@dataclass(frozen=True, kw_only=True)
class BotOptions(TablesSettings):
    """The playing options of the bot."""

    # fmt: off
    threads: int = setting(whole(1, 1024), "threads per game", "N", 1)
    hash_mb: int = setting(HASH, "transposition table in MB", "N", 256, flag="--hash")
    move_overhead: int = setting(
        whole(0, 5000), "time reserved per move for network delay, in milliseconds", "N", 100)
    elo: int | None = setting(
        whole(_ELO.lowest, _ELO.highest), "playing strength", "N", usual="full strength")
    book: Path | None = setting(PATH, "Polyglot opening book", "FILE", usual="none")
    # fmt: on


# The manual steps, with the settings in the bot's config.yml.
STEPS: Final = f"""\
Everything below `token` and `url` is ready to play; the token is that of your
bot account, with the scope `bot:play`. Move Overhead is what the line to the
engine costs; the bot takes {_BOT_OVERHEAD} ms of its own, `move_overhead`, for the
network. To keep it running on Linux, put this into
/etc/systemd/system/lichess-bot.service, with your own user and folders, and
`systemctl enable --now lichess-bot`:

[Unit]
Description=lichess-bot with {NAME}
Wants=network-online.target
After=network-online.target

[Service]
User=bot
WorkingDirectory=/home/bot/lichess-bot
ExecStartPre={{systemd}} warmup
TimeoutStartSec=infinity
ExecStart=/home/bot/lichess-bot/venv/bin/python lichess-bot.py
Restart=on-failure
RestartSec=30
Nice=5

[Install]
WantedBy=multi-user.target"""


def settings(path: Path, bot_options: BotOptions | None = None) -> str:
    """The config.yml for an engine at `path`."""
    bot_options = bot_options or BotOptions()
    books = (
        f"\n      standard:\n        - {_in_yaml(str(bot_options.book))}"
        if bot_options.book
        else " {}"
    )
    options = [
        f"Move Overhead: {bot_options.move_overhead}",
        f"Threads: {bot_options.threads}",
        f"Hash: {bot_options.hash_mb}",
        "UCI_ShowWDL: true",
    ]
    if bot_options.elo is not None:
        options += [
            "UCI_LimitStrength: true",
            f"UCI_Elo: {bot_options.elo}",
            f"{TIME_OPTION}: true",
        ]
    if bot_options.tables:
        options.append(f"SyzygyPath: {_in_yaml(bot_options.tables)}")
    lines = "\n".join(f"    {option}" for option in options)
    return f"""\
token: "xxxxxxxxxxxxxxxx"
url: "https://lichess.org/"

engine:
  dir: {_in_yaml(str(path.parent))}
  name: {_in_yaml(path.name)}
  interpreter: ""
  interpreter_options: []
  working_dir: ""
  protocol: "uci"
  ponder: {_in_yaml(bot_options.elo is None)}
  polyglot:
    enabled: {_in_yaml(bot_options.book is not None)}
    book:{books}
    min_weight: 1
    selection: "weighted_random"
    max_depth: 16
  draw_or_resign:
    resign_enabled: true
    resign_score: -1000
    resign_for_egtb_minus_two: true
    resign_moves: 4
    offer_draw_enabled: true
    offer_draw_score: 10
    offer_draw_for_egtb_zero: true
    offer_draw_moves: 8
    offer_draw_pieces: 14
  uci_options:
{lines}
  silence_stderr: false

move_overhead: {_BOT_OVERHEAD}

challenge:
  concurrency: 1
  sort_by: "best"
  accept_bot: true
  only_bot: false
  min_increment: 0
  max_increment: 60
  min_base: 60
  max_base: 3600
  variants:
    - standard
    - fromPosition
    - chess960
  time_controls:
    - bullet
    - blitz
    - rapid
    - classical
  modes:
    - casual
    - rated
"""


def _in_yaml(value: str | bool) -> str:
    """A string or boolean in YAML, of which JSON is a subset."""
    return json.dumps(value, ensure_ascii=False)


def systemd(path: str) -> str:
    """A command as systemd reads it: blanks in quotes, % and $ doubled."""
    text = path.replace("%", "%%").replace("$", "$$")
    return json.dumps(text, ensure_ascii=False) if set(text) & set(" \"'\\") else text
