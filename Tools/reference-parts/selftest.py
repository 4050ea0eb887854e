# SPDX-License-Identifier: Apache-2.0
"""Shows that a check notices what it is for."""

import copy
import tempfile
from pathlib import Path

from files import Reference, schema_differences
from pages import LIGHTS, page_name
from program import BEFORE, Failure


def self_test(tool):
    """Breaks the schema and an example one by one; mistakes and cases."""
    entry = next(entry for entry in tool.filters if entry["parameters"])
    place, name = tool.filters.index(entry), entry["name"]

    def schema(change):
        filters = copy.deepcopy(tool.filters)
        change(filters)
        return schema_differences(tool.filters, filters)

    def fact(key, value):
        return schema(lambda filters: filters[place].update({key: value}))

    def parameter(key, value):
        return schema(lambda filters: filters[place]["parameters"][0].update({key: value}))

    def refusal(body):
        try:
            body()
        except Failure as failure:
            return [str(failure).split(": ")[-1]]
        return []

    def shared_page():
        class Doubled:
            filters = [*tool.filters, {**entry, "name": name.upper()}]
            graph_of_before, resizing = tool.graph_of_before, tool.resizing

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
            picture = f"{page_name(entry)}.jpg"
            reference.graphs = {name: reference.graphs[name] for name in (BEFORE, picture)}
            reference.examples[picture].arguments = ["rotate90"]
            reference.write(Path(folder))

    other_light = next(light for light in LIGHTS if light != entry["light"])
    cases = {
        "nothing": (schema(lambda _: None), []),
        "a summary": (fact("summary", "Other."), [f"{name}: differs in summary"]),
        "a light": (fact("light", other_light), [f"{name}: differs in light"]),
        "a version": (fact("version", 99), [f"{name}: differs in version"]),
        "a key more": (fact("other", 1), [f"{name}: differs in other"]),
        "a range": (parameter("range", [7, 8]), [f"{name}: differs in parameters"]),
        "a filter less": (schema(lambda filters: filters.pop(place)), [f"{name}: is gone"]),
        "a filter more": (
            schema(lambda filters: filters.append({**entry, "name": "new"})), ["new: is new"]
        ),
        "the order": (schema(lambda filters: filters.reverse()), ["the order of the filters differs"]),
        "a shared page": (
            refusal(shared_page), [f"two filters would share the page {name.lower()}"]
        ),
        "an idle example": (
            refusal(idle_example), ["the example changes nothing that can be seen"]
        ),
        "another command": (
            refusal(other_command), ["the command on the page makes another picture"]
        ),
    }
    wrong = 0
    for what, (found, wanted) in cases.items():
        if found != wanted:
            wrong += 1
            print(f"changed: {what}; told: {found}; wanted: {wanted}")
    return wrong, len(cases)
