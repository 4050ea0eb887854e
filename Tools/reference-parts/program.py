# SPDX-License-Identifier: Apache-2.0
"""Queries photoedit for its filter schema."""

import hashlib
import json
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PHOTO = "TestImages/inputs/photo-1024.jpg"
BEFORE = "before.jpg"
SIZE = (160, 120)


class Failure(Exception):
    """An error, with the reason."""


class Tool:
    """The photoedit program."""

    def __init__(self):
        # The launcher builds changed sources; afterwards, the program is run directly.
        launcher = [ROOT / "Tools" / "photoedit", "version", "-q"]
        done = subprocess.run(launcher, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise Failure(f"Tools/photoedit version: exit code {done.returncode}")
        self.engine = self.json("version")["components"]["engine"]
        self.filters = self.json("filters")["filters"]
        self.description = json.loads(self.run("--describe"))

    @staticmethod
    def run(*arguments, stdin=b"", codes=(0,), folder=None):
        command = [str(ROOT / ".build/release/photoedit"), *map(str, arguments)]
        done = subprocess.run(command, input=stdin, capture_output=True, cwd=folder, check=False)
        if done.returncode not in codes:
            output = done.stderr.decode(errors="replace").strip()
            raise Failure(f"{shlex.join(command[1:])}: exit code {done.returncode}: {output}")
        return done.stdout

    @classmethod
    def json(cls, *arguments, **options):
        output = cls.run(*arguments, "--json", **options)
        try:
            return json.loads(output)
        except ValueError as error:
            raise Failure(f"{shlex.join(map(str, arguments))}: invalid JSON: {error}") from error

    @classmethod
    def plan(cls, made):
        """The execution plan of a graph, with an "error" key if it cannot be applied."""
        return cls.json(
            "render", ROOT / PHOTO, "--graph", "-", "--plan",
            stdin=json.dumps(made).encode(), codes=(0, 65),
        )

    def graph_of_before(self):
        return graph([{"id": "small", "filter": self.resizing, "params": {"width": SIZE[0]}}])

    @property
    def resizing(self):
        """The name of the resize filter, identified by its parameters."""
        for entry in self.filters:
            names = {parameter["name"] for parameter in entry["parameters"]}
            if entry["family"] == "geometry" and {"width", "height"} <= names:
                return entry["name"]
        raise Failure("no geometry filter has the parameters width and height")


def graph(nodes, assets=None):
    made = {"format": "org.photoedit.filter-graph", "version": "1.0", "nodes": nodes}
    if assets:
        made["assets"] = assets
    return made


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()
