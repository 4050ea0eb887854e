# SPDX-License-Identifier: Apache-2.0
"""The configuration for the program of an AI assistant."""

import json
import re
import subprocess
import unittest
from typing import Any

from case import EXAMPLES, PROGRAM, Case


class AssistantTests(Case):
    def test_the_configured_command_answers(self) -> None:
        self.photo(to="photo.jpg")
        text = (EXAMPLES / "assistant" / "README.md").read_text(encoding="utf-8")
        (block,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
        server = json.loads(block)["mcpServers"]["photoedit"]
        self.assertEqual(server["command"], "photoedit")
        words = [word.replace("/media/photos", str(self.folder)) for word in server["args"]]
        self.assertIn(str(self.folder), words)
        requests: list[dict[str, Any]] = [
            {"id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"}}},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": {"name": "list", "arguments": {}}},
        ]  # fmt: skip
        lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in requests)
        result = subprocess.run([PROGRAM, *words], input=lines, capture_output=True, check=False,
                                text=True, timeout=60)  # fmt: skip
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        first, second = (json.loads(line)["result"] for line in result.stdout.splitlines())
        self.assertEqual(first["serverInfo"]["name"], "photoedit")
        self.assertEqual(second["structuredContent"]["files"], ["photo.jpg"])


if __name__ == "__main__":
    unittest.main()
