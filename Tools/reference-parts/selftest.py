# SPDX-License-Identifier: Apache-2.0
"""Shows that a comparison notices what it is for."""

import copy
import shutil
import tempfile
from pathlib import Path

from files import FOLDER, INDEX, MANIFEST, Reference
from pages import LIGHTS, page_name
from program import ROOT, Failure, Tool


def self_test(tool):
    """Breaks schema and files one by one; the names of the files that --check has to give."""

    class Changed:
        def __init__(self, filters, engine=tool.engine):
            self.filters, self.engine = filters, engine

        graph_of_before, resizing = Tool.graph_of_before, Tool.resizing

    whole = Reference(tool)
    if found := whole.findings():
        raise Failure("\n".join(["the self-test begins with an up-to-date reference", *found]))
    used = [item["filter"] for made in whole.graphs.values() for item in made["nodes"]]
    entry = next(e for e in tool.filters if e["parameters"] and used.count(e["name"]) == 1)
    place, name = tool.filters.index(entry), page_name(entry)
    other_light = next(light for light in LIGHTS if light != entry["light"])
    own_page, own_picture = f"{FOLDER}/{name}.md", f"{FOLDER}/{name}.jpg"

    def schema(change, engine=tool.engine):
        filters = copy.deepcopy(tool.filters)
        change(filters)
        return Reference(Changed(filters, engine)).findings()

    def files(change):
        with tempfile.TemporaryDirectory(prefix="photoedit-reference-") as folder:
            root = Path(folder)
            shutil.copytree(ROOT / FOLDER, root / FOLDER)
            change(root)
            return whole.findings(root)

    def foreign(path):
        return files(lambda root: (root / path).write_bytes(b"foreign"))

    def set_fact(key, value):
        return schema(lambda filters: filters[place].update({key: value}))

    def set_parameter(key, value):
        return schema(lambda filters: filters[place]["parameters"][0].update({key: value}))

    every = {f"{FOLDER}/{picture}" for picture in whole.graphs}
    cases = {
        "nothing": (schema(lambda _: None) + files(lambda _: None), set()),
        "a summary": (set_fact("summary", "Other."), {own_page, INDEX}),
        "a formula": (set_fact("formula", "y = 0"), {own_page}),
        "a source": (set_fact("source", "hearsay"), {own_page}),
        "a light": (set_fact("light", other_light), {own_page}),
        "a tolerance": (set_fact("tolerance", "any"), {own_page}),
        "a version": (set_fact("version", 99), {own_page, own_picture}),
        "a group": (set_fact("group", "Other"), {own_page, INDEX}),
        "a default": (set_parameter("defaultText", "other"), {own_page}),
        "a range": (set_parameter("allowed", "anything"), {own_page}),
        "a meaning": (set_parameter("summary", "Other."), {own_page}),
        "the engine": (schema(lambda _: None, engine="other"), every),
        "a filter less": (
            schema(lambda filters: filters.pop(place)), {own_page, own_picture, INDEX, MANIFEST}
        ),
        "a filter more": (
            schema(lambda filters: filters.append({**filters[place], "name": "a.new"})),
            {f"{FOLDER}/a-new.md", f"{FOLDER}/a-new.jpg", INDEX},
        ),
        "a page by hand": (foreign(own_page), {own_page}),
        "a picture by hand": (foreign(own_picture), {own_picture}),
        "a manifest by hand": (foreign(MANIFEST), every),
        "a page less": (files(lambda root: (root / own_page).unlink()), {own_page}),
        "a picture less": (files(lambda root: (root / own_picture).unlink()), {own_picture}),
        "the index less": (files(lambda root: (root / INDEX).unlink()), {INDEX}),
        "a page too many": (foreign(f"{FOLDER}/x.md"), {f"{FOLDER}/x.md"}),
        "a picture too many": (foreign(f"{FOLDER}/x.jpg"), {f"{FOLDER}/x.jpg"}),
    }
    wrong = 0
    for what, (found, wanted) in cases.items():
        named = {line.split(": ")[0] for line in found}
        if named != wanted:
            wrong += 1
            print(f"changed: {what}; named: {sorted(named)}; wanted: {sorted(wanted)}")
    return wrong, len(cases)
