# SPDX-License-Identifier: Apache-2.0
"""Writes the pages and pictures of the reference, and compares the schema with the recorded one."""

import base64
import json
import subprocess
import tempfile
from pathlib import Path

from examples import Example, MovieExample
from pages import has_picture, index, page, page_name
from program import BEFORE, PHOTO, ROOT, Failure

# What the filters are, for every program that stored an edit; a change of it is seen in a review.
SCHEMA = ROOT / "Tools" / "reference-parts" / "filters.json"
INDEX = "FilterReference.md"
QUALITY = 85


def schema_text(filters):
    return json.dumps(filters, indent=1, ensure_ascii=False) + "\n"


def schema_differences(recorded, filters):
    """One line for each filter that is not as it was recorded."""
    before = {entry["name"]: entry for entry in recorded}
    now = {entry["name"]: entry for entry in filters}
    found = [f"{name}: is gone" for name in before if name not in now]
    found += [f"{name}: is new" for name in now if name not in before]
    for name in (name for name in now if name in before):
        keys = dict.fromkeys([*before[name], *now[name]])
        changed = [key for key in keys if before[name].get(key) != now[name].get(key)]
        if changed:
            found.append(f"{name}: differs in {', '.join(changed)}")
    if not found and list(before) != list(now):
        found.append("the order of the filters differs")
    return found


class Reference:
    """Every file of the reference as the schema asks for it."""

    def __init__(self, tool):
        self.tool = tool
        self.texts = {INDEX: index(tool.filters)}
        names = [page_name(entry).lower() for entry in tool.filters]
        if twice := {name for name in names if names.count(name) > 1}:
            raise Failure(f"two filters would share the page {min(twice)}")
        # What all others are made of comes first.
        self.graphs = {BEFORE: tool.graph_of_before()}
        self.examples, self.movies = {}, []
        for entry in tool.filters:
            drawn = has_picture(entry)
            example = Example(entry, tool.filters) if drawn else MovieExample(entry)
            self.texts[f"{page_name(entry)}.md"] = page(entry, example)
            if drawn:
                self.graphs[f"{page_name(entry)}.jpg"] = example.graph
                self.examples[f"{page_name(entry)}.jpg"] = example
            else:
                self.movies.append(example)

    def render(self, name, folder):
        """Makes one picture, and refuses an example that shows nothing."""
        source = ROOT / PHOTO if name == BEFORE else folder / BEFORE
        quality = QUALITY if name == BEFORE else "preserve"
        self.tool.run(
            "render", source, "--edit", "-", "--quality", quality, "-q", "-f", "-o", folder / name,
            stdin=json.dumps(self.graphs[name]).encode(),
        )
        if name == BEFORE:
            return
        compared = self.tool.json("compare", source, folder / name, codes=(0, 1))
        # Of pictures of different sizes nothing is measured.
        largest = compared.get("maximum")
        if largest is not None and largest < 8:
            raise Failure(f"{name}: the example changes nothing that can be seen")
        if name in self.examples:
            self.compare_command(self.examples[name], source, folder / name)

    def compare_command(self, example, source, picture):
        """Runs the command that the page shows; it must make the picture that the page shows."""
        with tempfile.TemporaryDirectory(prefix="photoedit-reference-") as folder:
            if example.file:
                data = example.graph["assets"]["example"]["data"]
                Path(folder, example.file).write_bytes(base64.b64decode(data))
            words = [word for argument in example.arguments for word in ("--filter", argument)]
            made = Path(folder, "after.jpg")
            self.tool.run("render", source, *words, "-q", "-o", made, folder=folder)
            if made.read_bytes() != picture.read_bytes():
                raise Failure(f"{picture.name}: the command on the page makes another picture")

    def try_movies(self):
        """Runs the commands of the pages about movies, without keeping what they make."""
        with tempfile.TemporaryDirectory(prefix="photoedit-reference-") as folder:
            clip = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=32x24:rate=5:duration=40"]
            sound = ["-f", "lavfi", "-i", "sine=duration=40", "-c:v", "mjpeg", "-c:a", "pcm_s16le"]
            subprocess.run([*clip, *sound, "clip.mov"], cwd=folder, check=True)
            for example in self.movies:
                self.tool.run(
                    "apply", "--filter", example.argument, "clip.mov", "--dry-run", "-q", folder=folder
                )

    def write(self, folder):
        """Writes all pages and pictures into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        for name in self.graphs:
            self.render(name, folder)
        self.try_movies()
