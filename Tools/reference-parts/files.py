# SPDX-License-Identifier: Apache-2.0
"""Compares the files of the reference with the schema, and writes them."""

import json
import tempfile
from pathlib import Path

from examples import Example, MovieExample
from pages import has_picture, index, page, page_name
from program import BEFORE, PHOTO, ROOT, Failure, canonical, digest

# Pages and pictures lie side by side, where DocC as well as any reader of Markdown finds them.
FOLDER = "Sources/PhotoEdit/PhotoEdit.docc/Filters"
INDEX = f"{FOLDER}/FilterReference.md"
MANIFEST = f"{FOLDER}/pictures.json"
QUALITY = 85
MAX_PICTURE_BYTES = 12 << 10


class Reference:
    """Every file of the reference as the schema asks for it."""

    def __init__(self, tool):
        self.tool = tool
        self.texts = {INDEX: index(tool.filters)}
        names = [page_name(entry).lower() for entry in tool.filters]
        if twice := {name for name in names if names.count(name) > 1}:
            raise Failure(f"two filters would share the page {min(twice)}")
        self.graphs = {BEFORE: tool.graph_of_before()}
        for entry in tool.filters:
            drawn = has_picture(entry)
            example = Example(entry, tool.filters) if drawn else MovieExample(entry)
            self.texts[f"{FOLDER}/{page_name(entry)}.md"] = page(entry, example)
            if drawn:
                self.graphs[f"{page_name(entry)}.jpg"] = example.graph
        photo = digest((ROOT / PHOTO).read_bytes())
        self.recipes = {
            name: digest(canonical([made, self.graphs[BEFORE], tool.engine, photo, QUALITY]))
            for name, made in self.graphs.items()
        }

    def recorded(self, root):
        try:
            return json.loads((root / MANIFEST).read_bytes())
        except (OSError, ValueError):
            return {}

    def problem_with_picture(self, root, name):
        path = root / FOLDER / name
        if not path.is_file():
            return "is missing"
        entry = self.recorded(root).get(name)
        if not isinstance(entry, dict) or entry.get("recipe") != self.recipes[name]:
            return "was made by another example or engine"
        if entry.get("file") != digest(path.read_bytes()):
            return "is not the picture that was made"
        return None

    def strays(self, root):
        """Files of ours that belong to no filter."""
        here = (root / FOLDER).glob("*")
        wanted = {*self.texts, MANIFEST, *(f"{FOLDER}/{name}" for name in self.graphs)}
        return sorted(path for path in here if str(path.relative_to(root)) not in wanted)

    def findings(self, root=ROOT):
        """One line for each file that is not as it should be."""
        found = []
        for path, wanted in self.texts.items():
            file = root / path
            if not file.is_file():
                found.append(f"{path}: is missing")
            elif file.read_bytes() != wanted.encode():
                found.append(f"{path}: differs from the schema")
        for name in self.graphs:
            problem = self.problem_with_picture(root, name)
            if problem:
                found.append(f"{FOLDER}/{name}: {problem}")
        extra = sorted(set(self.recorded(root)) - set(self.graphs))
        found += [f"{MANIFEST}: names {name}, which has no filter" for name in extra]
        found += [f"{path.relative_to(root)}: has no filter" for path in self.strays(root)]
        return found

    def render(self, name, root):
        """Makes one picture, and refuses an example that shows nothing."""
        source = root / (PHOTO if name == BEFORE else f"{FOLDER}/{BEFORE}")
        quality = QUALITY if name == BEFORE else "preserve"
        with tempfile.TemporaryDirectory(prefix="photoedit-reference-") as folder:
            made = Path(folder) / "made.jpg"
            self.tool.run(
                "render", source, "--edit", "-", "--quality", quality, "-q", "-o", made,
                stdin=json.dumps(self.graphs[name]).encode(),
            )
            data = made.read_bytes()
            if name != BEFORE:
                compared = self.tool.json("compare", source, made, codes=(0, 1))
                # Of pictures of different sizes nothing is measured.
                largest = compared.get("maximum")
                if largest is not None and largest < 8:
                    raise Failure(f"{name}: the example changes nothing that can be seen")
        if len(data) > MAX_PICTURE_BYTES:
            raise Failure(f"{name}: {len(data)} bytes are more than {MAX_PICTURE_BYTES}")
        (root / FOLDER / name).write_bytes(data)
        return {"recipe": self.recipes[name], "file": digest(data)}

    def write(self, root=ROOT):
        """Brings the files up to date; the number of those that changed."""
        (root / FOLDER).mkdir(parents=True, exist_ok=True)
        changed = 0
        for path in self.strays(root):
            path.unlink()
            changed += 1
        recorded = self.recorded(root)
        manifest = {name: recorded[name] for name in self.graphs if name in recorded}
        for name in self.graphs:
            # What all others are made of comes first.
            if self.problem_with_picture(root, name):
                manifest[name] = self.render(name, root)
                changed += 1
        texts = self.texts | {MANIFEST: json.dumps(manifest, indent=1, sort_keys=True) + "\n"}
        for path, wanted in texts.items():
            file = root / path
            if not file.is_file() or file.read_bytes() != wanted.encode():
                file.write_bytes(wanted.encode())
                changed += 1
        return changed
