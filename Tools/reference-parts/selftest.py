# SPDX-License-Identifier: Apache-2.0
"""Verifies that --check detects changes."""

import copy
import tempfile
from pathlib import Path

from files import Reference, schema_differences
from pages import ENCODINGS, page_name
from program import BEFORE, Failure


def self_test(tool):
    """Breaks the schema and the examples one by one; returns the numbers of mistakes and cases."""
    entry = next(entry for entry in tool.filters if entry["parameters"])
    index, name = tool.filters.index(entry), entry["name"]

    def schema(change):
        filters = copy.deepcopy(tool.filters)
        change(filters)
        return schema_differences(tool.filters, filters)

    def fact(key, value):
        return schema(lambda filters: filters[index].update({key: value}))

    def parameter(key, value):
        return schema(lambda filters: filters[index]["parameters"][0].update({key: value}))

    def refusal(body):
        try:
            body()
        except Failure as failure:
            return [str(failure).split(": ")[-1]]
        return []

    def shared_page():
        class Doubled:
            filters = [*tool.filters, {**entry, "name": name.upper()}]
            description, resizing = tool.description, tool.resizing
            graph_of_before = tool.graph_of_before

        Reference(Doubled())

    def idle_example():
        with tempfile.TemporaryDirectory(prefix="photoedit-reference-") as folder:
            reference = Reference(tool)
            idle = {**reference.graphs[BEFORE], "nodes": []}
            reference.graphs = {BEFORE: reference.graphs[BEFORE], "idle.jpg": idle}
            reference.write(Path(folder))

    def other_command():
        with tempfile.TemporaryDirectory(prefix="photoedit-reference-") as folder:
            reference = Reference(tool)
            image = f"{page_name(entry)}.jpg"
            reference.graphs = {name: reference.graphs[name] for name in (BEFORE, image)}
            reference.examples[image].arguments = ["rotate90"]
            reference.write(Path(folder))

    other_encoding = next(light for light in ENCODINGS if light != entry["light"])
    cases = {
        "nothing": (schema(lambda _: None), []),
        "a summary": (fact("summary", "Other."), [f"{name}: differs in summary"]),
        "a light": (fact("light", other_encoding), [f"{name}: differs in light"]),
        "a version": (fact("version", 99), [f"{name}: differs in version"]),
        "an added key": (fact("other", 1), [f"{name}: differs in other"]),
        "a range": (parameter("range", [7, 8]), [f"{name}: differs in parameters"]),
        "a removed filter": (schema(lambda filters: filters.pop(index)), [f"{name}: was removed"]),
        "an added filter": (
            schema(lambda filters: filters.append({**entry, "name": "new"})), ["new: was added"]
        ),
        "the order": (schema(lambda filters: filters.reverse()), ["the order of the filters differs"]),
        "a shared page": (
            refusal(shared_page), [f"two filters would share the page {name.lower()}"]
        ),
        "an example without effect": (
            refusal(idle_example), ["the example has no visible effect"]
        ),
        "a different command": (
            refusal(other_command), ["the command on the page renders a different image"]
        ),
    }
    wrong = 0
    for what, (found, expected) in cases.items():
        if found != expected:
            wrong += 1
            print(f"changed: {what}; found: {found}; expected: {expected}")
    return wrong, len(cases)
