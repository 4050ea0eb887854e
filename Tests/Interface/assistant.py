# SPDX-License-Identifier: Apache-2.0
"""The tools of `photoedit mcp`, called by the client of the official package.

usage: assistant.py PROGRAM PHOTO
"""

import asyncio
import base64
import contextlib
import shutil
import sys
import tempfile
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

JPEG = b"\xff\xd8\xff"


async def look(program: str, folder: Path) -> None:
    """Without --allow-edits: what exists is seen, and nothing is written."""
    async with session(program, str(folder)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "preview" in names and "apply" not in names, names
        listed = await call(client, "list")
        assert listed.structured_content["files"] == ["photo.jpg"], listed
        image = (await call(client, "preview", path="photo.jpg", auto=True, size=128)).content[0]
        assert image.type == "image" and base64.b64decode(image.data).startswith(JPEG)
        refused = await client.call_tool("inspect", {"path": "/etc/hostname"})
        assert refused.is_error and "not in the folders" in refused.content[0].text, refused
    assert [path.name for path in folder.iterdir()] == ["photo.jpg"]


async def edit(program: str, folder: Path) -> None:
    """With --allow-edits: an edit is made, changed, compared and taken back."""
    original = (folder / "photo.jpg").read_bytes()
    async with session(program, "--allow-edits", str(folder)) as client:
        await call(client, "apply", path="photo.jpg", filters=["exposure:ev=0.5"])
        await call(client, "adjust", path="photo.jpg", set=["exposure.ev=1"])
        shown = await call(client, "show_edit", path="photo.jpg")
        node = shown.structured_content["graph"]["nodes"][0]
        assert node["params"]["ev"] == 1, node
        both = await call(client, "compare", path="photo.jpg", size=128)
        images = [part.data for part in both.content if part.type == "image"]
        assert len(set(images)) == 2
        await call(client, "revert", path="photo.jpg")
        await call(client, "undo", path="photo.jpg")
        shown = await call(client, "show_edit", path="photo.jpg")
        assert shown.structured_content["edited"], shown
    assert (folder / "photo.jpg").read_bytes() == original


@contextlib.asynccontextmanager
async def session(program: str, *arguments: str):
    """A client and its server, which ends with it."""
    server = StdioServerParameters(command=program, args=["mcp", *arguments])
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        answer = await client.initialize()
        assert answer.server_info.name == "photoedit", answer
        yield client


async def call(client: ClientSession, tool: str, **arguments: object):
    """The result of a call that must succeed."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return result


def main() -> None:
    program, photo = sys.argv[1:]
    for scenario in (look, edit):
        with tempfile.TemporaryDirectory(prefix="photoedit-test-") as folder:
            shutil.copyfile(photo, Path(folder) / "photo.jpg")
            asyncio.run(scenario(program, Path(folder)))


if __name__ == "__main__":
    main()
