# SPDX-License-Identifier: Apache-2.0
"""Derives an example from a filter's schema, never from its name."""

import base64
import shlex

from program import BEFORE, SIZE, Tool, digest, graph
from samples import ASSETS, SUFFIXES


def is_data(parameter):
    """Whether a parameter contains the main data of a filter; fonts are installed."""
    if parameter["type"] == "text":
        return parameter["neutral"] is not None
    return parameter["type"] in ("asset", "stops", "numbers") and parameter.get("kind") != "font"


def rounded(value):
    """Rounds to three significant digits; whole numbers become integers."""
    value = float(f"{value:.3g}")
    return int(value) if value == int(value) else value


def changing(parameter):
    """A value with a visible effect, or None if the type has no magnitude."""
    kind, neutral = parameter["type"], parameter["neutral"]
    if kind == "asset":
        return "example"
    if kind == "text":
        return "One fine day"
    if kind == "stops":
        return [[0, "#20104a"], [0.5, "#d0503c"], [1, "#fff2b0"]]
    if kind == "members":
        return [{"op": "add"}, {"op": "subtract", "opacity": 0.5}]
    if kind == "points":
        return [[0, 0], [0.5, 0.7], [1, 1]]
    if kind in ("vector", "numbers"):
        low, high = parameter["range"]
        step = 0.2 * min(1, high - low)
        return [
            rounded(min(high, max(low, value + (step if index % 2 == 0 else -step))))
            for index, value in enumerate(parameter["default"])
        ]
    if kind == "integer":
        low, high = parameter["range"]
        # Half of the image height: pixel values have no natural range.
        middle = SIZE[1] // 2 if parameter["unit"] == "pixels" else (low + high) // 2
        return min(high, max(low, middle if middle != neutral else middle + 1))
    if kind == "number":
        low, high = parameter["usefulRange"]
        if parameter["unit"] == "pixels":
            return rounded(low + (high - low) / 10)
        middle = (low + high) / 2
        near = neutral is not None and abs(middle - neutral) < (high - low) / 8
        return rounded(low + 0.75 * (high - low) if near else middle)
    return None


def acts_alone(entry):
    """Whether the default arguments have an effect."""
    neutral = [p for p in entry["parameters"] if p["neutral"] is not None]
    return not neutral or any(p["argument"] != p["neutral"] for p in neutral)


def needs_data(entry):
    """Whether the filter requires data that has no useful default."""
    return any(is_data(parameter) for parameter in entry["parameters"])


def chosen(entry):
    """The parameters of a filter's example that differ from the default arguments."""
    parameters = entry["parameters"]
    if entry["inputs"] == "masks":
        return {p["name"]: changing(p) for p in parameters if p["type"] == "members"}
    if needs_data(entry):
        return {p["name"]: changing(p) for p in parameters if is_data(p)}
    if entry["inputs"] == "twoPictures":
        # The first choice is the default.
        return {p["name"]: p["choices"][1] for p in parameters if p["type"] == "choice"}
    if acts_alone(entry):
        return {}
    neutral = [p for p in parameters if p["neutral"] is not None]
    # A single number is easiest to read; some parameters require another one.
    neutral.sort(key=lambda p: p["type"] not in ("number", "integer"))
    candidates = [{p["name"]: value} for p in neutral if (value := changing(p)) is not None]
    alone = {"id": "example", "filter": entry["name"], "v": entry["version"]}
    return next(
        (candidate for candidate in candidates if "error" not in Tool.plan(graph([alone | {"params": candidate}]))),
        candidates[0],
    )


def node(entry, identifier, values=None, **fields):
    """A node equivalent to the command line, which has its own default arguments."""
    named = {p["name"]: p["argument"] for p in entry["parameters"] if p["argument"] != p["default"]}
    made = {"id": identifier, "filter": entry["name"], "v": entry["version"]}
    parameters = named | (values or {})
    return made | ({"params": parameters} if parameters else {}) | fields


def formatted(value):
    """A value in command-line syntax."""
    if not isinstance(value, list):
        return str(value)
    if value and isinstance(value[0], dict):
        return "/".join(":".join(map(str, member.values())) for member in value)
    if value and isinstance(value[0], list):
        return "/".join(":".join(map(str, pair)) for pair in value)
    return ":".join(map(str, value))


def argument(item, given, isolated):
    """A node in --filter syntax; with its identifier only if another node refers to it."""
    wiring = {} if isolated else {"id": item["id"]}
    if "in" in item:
        wiring["in"] = ":".join(item["in"])
    if "mask" in item:
        wiring["mask"] = item["mask"]
    words = ",".join(f"{key}={value}" for key, value in (given | wiring).items())
    return item["filter"] + (f":{words}" if words else "")


def code(words):
    # A bar ends a table cell even inside code; a code span ends at the same number of backticks.
    fence = "``" if "`" in words else "`"
    pad = " " if "`" in words else ""
    return fence + pad + words.replace("|", "\\|") + pad + fence


class Example:
    """A filter example: a graph and the equivalent --filter arguments."""

    def __init__(self, entry, filters):
        values = chosen(entry)
        bare = [
            other
            for other in filters
            if other["inputs"] == "picture"
            and other["family"] == "color"
            and acts_alone(other)
            and not needs_data(other)
        ]
        masks = [
            other
            for other in filters
            if other["inputs"] == "none" and not needs_data(other)
        ]
        nodes = []
        fields = {}
        if entry["inputs"] == "twoPictures":
            nodes.append(node(bare[0], "other"))
            fields["in"] = ["source", "other"]
        elif entry["inputs"] in ("mask", "twoMasks", "masks"):
            names = ["first", "second"][: 1 if entry["inputs"] == "mask" else 2]
            nodes += [node(mask, name) for mask, name in zip(masks, names)]
            fields["in"] = names
        nodes.append(node(entry, "example", values, **fields))
        if entry["family"] == "mask":
            # A mask is shown by applying another filter through it.
            nodes.append(node(bare[0], "masked", mask="example"))
        files = {p["name"]: p for p in entry["parameters"] if p["type"] == "asset" and is_data(p)}
        kinds = [p["kind"] for p in files.values()]
        assets = {}
        for kind in kinds[:1]:
            media_type, data = ASSETS[kind]()
            assets["example"] = {
                "type": media_type,
                "digest": digest(data),
                "bytes": len(data),
                "data": base64.b64encode(data).decode(),
            }
        self.graph = graph(nodes, assets)
        # The command line names a file where the graph names an attachment.
        self.file = "example" + SUFFIXES[media_type] if assets else None
        self.kind = next((p["allowed"].split(" of ", 1)[-1] for p in files.values()), "")
        given = {
            "file" if name in files else name: self.file if name in files else formatted(value)
            for name, value in values.items()
        }
        self.arguments = [
            argument(item, given if item["id"] == "example" else {}, isolated=item is nodes[-1])
            for item in nodes
        ]

    @property
    def halo(self):
        """The number of neighboring rows that the example reads; empty if none."""
        if len(self.graph["nodes"]) > 1:
            return ""
        plan = Tool.plan(self.graph)
        rows = sum(step["haloRows"] for step in plan.get("passes") or [])
        if rows == 0:
            return ""
        # A pass over the entire image requests all rows except the current one.
        if rows >= plan["height"] - 1:
            return "the entire image"
        return f"{rows} {'row' if rows == 1 else 'rows'} above and below in the example"

    @property
    def lines(self):
        """The command, and a note about the file that it requires."""
        filters = [f"--filter {shlex.quote(argument)}" for argument in self.arguments]
        parts = [f"photoedit render {BEFORE}", *filters, "-o after.jpg"]
        command = " ".join(parts) if len(filters) == 1 else " \\\n  ".join(parts)
        note = ["", f"where {code(self.file)} is {self.kind}."] if self.file else []
        return ["```sh", command, "```", *note]


class VideoExample:
    """The example of a video operation: a command without an image."""

    halo = ""

    def __init__(self, entry):
        values = {}
        for parameter in entry["parameters"]:
            if parameter["type"] in ("number", "integer"):
                value = changing(parameter)
            else:
                value = parameter["default"]
            # An empty list has no command-line syntax. Of start and end, one is valid for any video.
            if value not in (None, []) and not (values and parameter["unit"] == "seconds"):
                values[parameter["name"]] = value
        words = ",".join(f"{name}={formatted(value)}" for name, value in values.items())
        self.argument = entry["name"] + (f":{words}" if words else "")

    @property
    def lines(self):
        return ["```sh", f"photoedit apply --filter {shlex.quote(self.argument)} clip.mov", "```"]
