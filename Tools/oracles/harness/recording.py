# SPDX-License-Identifier: Apache-2.0
"""Writes the peers' small results as files, from which tests compare without the peers."""

import base64
import json

import numpy

import peers
from harness import defects, pictures
from harness.environment import FOLDER
from harness.ours import document
from harness.rows import lacking
from peers import chromium
from table import ROWS

#: The pictures that are recorded of what a row may be compared on, so that the folder stays small.
SMALL = {"chart-19x13", "pale-19x13", "gray-19x13", "gray-35x33", "smooth-40x26", "7x1"}
#: Larger ones serve only where nothing smaller does.
FALLBACK = {"smooth-40x26"}


def chosen(row):
    """The names of the pictures of a row that are recorded."""
    small = [name for name in row.inputs if name in SMALL - FALLBACK]
    return small or [name for name in row.inputs if name in SMALL][:1]


def files(catalogue, only=()):
    """The contents of every file by its path, and what could not be made."""
    rows = [row for row in ROWS if not only or row.filter in only]
    absent = {}
    incomplete = set()
    asked = []
    for row in rows:
        lacks = [f"photoedit has no {name}" for name in lacking(row, catalogue)]
        missing = [f"{name} is not here" for name in peers.missing(row.theirs.peers)]
        if lacks or missing:
            absent.setdefault(row.filter, set()).update(lacks + missing)
            incomplete |= {row.filter} if missing else set()
            continue
        for name in chosen(row):
            asked.append((row, name, row.theirs.run(pictures.CHARTS[name]())))
    chromium.run([theirs for *_, theirs in asked if isinstance(theirs, chromium.Job)])
    cases = {}
    # A filter whose peers are not all here keeps the file it has.
    asked = [entry for entry in asked if entry[0].filter not in incomplete]
    for row, name, theirs in asked:
        made = theirs.result if isinstance(theirs, chromium.Job) else theirs
        entry = cases.setdefault(row.filter, {}).setdefault(id(row), (row, {}))
        entry[1][name] = result(made)
    contents = {}
    for filter, rows_of in cases.items():
        made = [case(row, results) for row, results in rows_of.values()]
        lines = [json.dumps(entry, ensure_ascii=False) for entry in made]
        # One case a line, so that a change shows where it is.
        text = '{"filter": "%s", "cases": [\n%s\n]}\n' % (filter, ",\n".join(lines))
        contents[FOLDER / "Filters" / f"{filter}.json"] = text.encode()
    if not only:
        names = {name for row in ROWS for name in chosen(row)}
        for name in sorted(names):
            path = FOLDER / "Pictures" / f"{name}.png"
            contents[path] = pictures.png(pictures.CHARTS[name]())
    return contents, absent


def case(row, results):
    """A row and what the peers made of it."""
    return {
        "name": row.case,
        "oracle": " + ".join(f"{name} {peers.version(name)}" for name in row.theirs.peers),
        "call": row.theirs.says,
        "class": row.tolerance.name,
        "limit": row.tolerance.maximum,
        "mean": None if row.tolerance.mean == float("inf") else row.tolerance.mean,
        "margin": row.margin,
        "light": row.light,
        "weights": row.weights,
        "notices": defects.applicable(row),
        # On a line of pixels not every defect shows.
        "noticedOn": chosen(row)[0],
        "graph": document(row),
        "results": results,
    }


def result(made):
    """A picture, row by row, one channel when all are alike, in base64.

    Whole levels are bytes. Others are thousandths of a level, 24 bits each with a sign, the lowest
    byte first.
    """
    height, width = made.shape[:2]
    if (made[:, :, :1] == made).all():
        made = made[:, :, :1]
    if made.dtype == numpy.uint8:
        key, data = "levels", numpy.ascontiguousarray(made).tobytes()
    else:
        thousandths = numpy.rint(numpy.asarray(made, numpy.float64) * 255_000).ravel()
        if numpy.abs(thousandths).max() >= 1 << 23:
            raise ValueError("a level is too large to be recorded")
        words = thousandths.astype("<i4").view(numpy.uint8).reshape(-1, 4)
        key, data = "thousandths", words[:, :3].tobytes()
    return {"width": width, "height": height, key: base64.b64encode(data).decode()}
