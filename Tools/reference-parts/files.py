# SPDX-License-Identifier: Apache-2.0
"""Writes the pages and images of the reference, and compares the schema with the recorded one."""

import base64
import json
import subprocess
import tempfile
from pathlib import Path

import commands
from examples import Example, VideoExample
from pages import has_image, index, page, page_name
from program import BEFORE, PHOTO, ROOT, Failure

# The filter schema on which stored edits depend; changes must be reviewed.
SCHEMA = ROOT / "Tools" / "reference-parts" / "filters.json"
INDEX = "FilterReference.md"
QUALITY = 85


def schema_text(filters):
    """JSON with a line for each filter and a line for each of its parameters."""
    def line(value):
        return json.dumps(value, ensure_ascii=False)

    def text(entry):
        fields = ", ".join(f"{line(key)}: {line(entry[key])}" for key in entry if key != "parameters")
        parameters = ",\n".join("  " + line(parameter) for parameter in entry["parameters"])
        return f'{{{fields}, "parameters": [\n{parameters}\n]}}'

    return "[\n" + ",\n".join(map(text, filters)) + "\n]\n"


def schema_differences(recorded, filters):
    """One line for each filter that differs from the recorded schema."""
    before = {entry["name"]: entry for entry in recorded}
    now = {entry["name"]: entry for entry in filters}
    found = [f"{name}: was removed" for name in before if name not in now]
    found += [f"{name}: was added" for name in now if name not in before]
    for name in (name for name in now if name in before):
        keys = dict.fromkeys([*before[name], *now[name]])
        changed = [key for key in keys if before[name].get(key) != now[name].get(key)]
        if changed:
            found.append(f"{name}: differs in {', '.join(changed)}")
    if not found and list(before) != list(now):
        found.append("the order of the filters differs")
    return found


class Reference:
    """All files of the reference, derived from the schema."""

    def __init__(self, tool):
        self.tool = tool
        self.texts = {INDEX: index(tool.filters), **commands.pages(tool.description)}
        names = [page_name(entry).lower() for entry in tool.filters]
        if twice := {name for name in names if names.count(name) > 1}:
            raise Failure(f"two filters would share the page {min(twice)}")
        # The source of all others comes first.
        self.graphs = {BEFORE: tool.graph_of_before()}
        self.examples, self.videos = {}, []
        for entry in tool.filters:
            drawn = has_image(entry)
            example = Example(entry, tool.filters) if drawn else VideoExample(entry)
            self.texts[f"{page_name(entry)}.md"] = page(entry, example)
            if drawn:
                self.graphs[f"{page_name(entry)}.jpg"] = example.graph
                self.examples[f"{page_name(entry)}.jpg"] = example
            else:
                self.videos.append(example)

    def render(self, name, folder):
        """Renders one image; fails if the example has no visible effect."""
        source = ROOT / PHOTO if name == BEFORE else folder / BEFORE
        quality = QUALITY if name == BEFORE else "preserve"
        self.tool.run(
            "render", source, "--graph", "-", "--quality", quality, "-q", "-f", "-o", folder / name,
            stdin=json.dumps(self.graphs[name]).encode(),
        )
        if name == BEFORE:
            return
        compared = self.tool.json("compare", source, folder / name, codes=(0, 1))
        # Images of different sizes are not measured.
        largest = compared.get("maximum")
        if largest is not None and largest < 8:
            raise Failure(f"{name}: the example has no visible effect")
        if name in self.examples:
            self.compare_command(self.examples[name], source, folder / name)

    def compare_command(self, example, source, image):
        """Runs the command on the page; its result must equal the image on the page."""
        with tempfile.TemporaryDirectory(prefix="photoedit-reference-") as folder:
            if example.file:
                data = example.graph["assets"]["example"]["data"]
                Path(folder, example.file).write_bytes(base64.b64decode(data))
            words = [word for argument in example.arguments for word in ("--filter", argument)]
            made = Path(folder, "after.jpg")
            self.tool.run("render", source, *words, "-q", "-o", made, folder=folder)
            if made.read_bytes() != image.read_bytes():
                raise Failure(f"{image.name}: the command on the page renders a different image")

    def try_videos(self):
        """Runs the commands of the video pages without keeping the results."""
        with tempfile.TemporaryDirectory(prefix="photoedit-reference-") as folder:
            clip = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=32x24:rate=5:duration=40"]
            audio = ["-f", "lavfi", "-i", "sine=duration=40", "-c:v", "mjpeg", "-c:a", "pcm_s16le"]
            subprocess.run([*clip, *audio, "clip.mov"], cwd=folder, check=True)
            for example in self.videos:
                self.tool.run(
                    "apply", "--filter", example.argument, "clip.mov", "--dry-run", "-q", folder=folder
                )

    def write(self, folder):
        """Writes all pages and images to a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        for name in self.graphs:
            self.render(name, folder)
        self.try_videos()
