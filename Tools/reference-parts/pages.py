# SPDX-License-Identifier: Apache-2.0
"""Writes what the schema says as Markdown."""

from examples import code, tidy
from program import BEFORE

NOTICE = "<!-- Written by Tools/reference from the schema; change the filter's file instead. -->"

# Numbers mean other colors in each space; what goes through the primaries says so in its formula.
LIGHTS = {"encoded": "encoded numbers", "linear": "linear light"}


def page_name(entry):
    return entry["name"].replace(".", "-")


def text(words):
    for character in "\\`*_[]<>|":
        words = words.replace(character, "\\" + character)
    return words


def has_picture(entry):
    """Whether pixels change; what is about movies alone shows in no picture."""
    return entry["family"] != "movie"


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def page(entry, example):
    name = entry["name"]
    facts = [
        ("formula", code(entry["formula"])),
        ("source", text(entry["source"])),
        ("group", text(entry["group"])),
        ("inputs", text(entry["takes"])),
        ("light", LIGHTS[entry["light"]]),
        ("family", f"{entry['family']}: {text(entry['reach'])}"),
        ("edges", text(entry["edges"] or "")),
        ("halo", example.halo),
        ("tolerance", text(entry["tolerance"])),
        ("version", str(entry["version"])),
        ("aliases", ", ".join(map(code, entry["aliases"]))),
        ("elsewhere", text(entry["peers"])),
    ]
    pictures = [
        f"![The picture as it is.]({BEFORE})",
        f"![The picture after the example of {text(name)}.]({page_name(entry)}.jpg)",
        "",
    ]
    lines = [
        f"# {text(name)}",
        "",
        text(entry["summary"]),
        "",
        NOTICE,
        "",
        *(pictures if has_picture(entry) else []),
        *example.lines,
        "",
        "## Definition",
        "",
        row("", ""),
        "|---|---|",
        *(row(label, value) for label, value in facts if value),
        "",
        "## Parameters",
        "",
    ]
    if not entry["parameters"]:
        return "\n".join([*lines, "There are none.", ""])
    lines += [
        row("name", "what", "unit", "takes", "useful", "default", "no effect", "bare name"),
        "|---|---|---|---|---|---|---|---|",
    ]
    for parameter in entry["parameters"]:
        useful = parameter.get("usefulRange")
        useful = useful if useful != parameter.get("range") else None
        isolated = parameter["argument"] != parameter["default"]
        lines.append(
            row(
                code(parameter["name"]),
                text(parameter["summary"]),
                "" if parameter["unit"] == "none" else parameter["unit"],
                text(parameter["allowed"]),
                "…".join(str(tidy(value)) for value in useful) if useful else "",
                code(parameter["defaultText"]) if parameter["defaultText"] else "",
                "" if parameter["neutral"] is None else code(parameter["neutralText"]),
                code(parameter["argumentText"]) if isolated else "",
            )
        )
    return "\n".join([*lines, ""])


def index(filters):
    lines = [
        "# Filters",
        "",
        "Every filter of the catalogue, by group.",
        "",
        NOTICE,
        "",
        "A page says what its filter does, by which formula and source, and what its parameters",
        "take. Its picture is what its command makes of this one:",
        "",
        f"![The picture as it is.]({BEFORE})",
    ]
    groups = dict.fromkeys(entry["group"] for entry in filters)
    for group in groups:
        lines += ["", f"## {text(group)}", "", row("", "filter", "what it does"), "|---|---|---|"]
        for entry in filters:
            if entry["group"] == group:
                name = page_name(entry)
                picture = f"![{text(entry['name'])}]({name}.jpg)" if has_picture(entry) else ""
                link = f"[{code(entry['name'])}]({name}.md)"
                lines.append(row(picture, link, text(entry["summary"])))
    # The table serves readers of the file; DocC builds its sidebar from topics.
    lines += ["", "## Topics"]
    for group in groups:
        members = [page_name(entry) for entry in filters if entry["group"] == group]
        lines += ["", f"### {group}", "", *(f"- <doc:{name}>" for name in members)]
    return "\n".join([*lines, ""])
