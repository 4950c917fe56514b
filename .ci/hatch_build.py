"""What an editable install holds: the path of the clone, and no copies of its modules."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EditableHook(BuildHookInterface[Any]):
    """Keeps the wheel's `force-include` out of editable installs, where it would hide the clone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds; `version` is "standard" or "editable"."""
        if version == "editable":  # an empty table would count as none
            build_data["force_include_editable"] = {"boomslang-stubs": "boomslang-stubs"}
