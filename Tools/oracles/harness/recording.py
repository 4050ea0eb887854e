# SPDX-License-Identifier: Apache-2.0
"""Records the references' results for small images, so that tests can compare without them."""

import base64
import json

import numpy

import references
from harness import defects, images
from harness.environment import FOLDER
from harness.subject import document
from harness.rows import lacking
from references import chromium
from table import ROWS

#: The images that are recorded; only small ones, to limit the size of the folder.
SMALL = {"chart-19x13", "pale-19x13", "gray-19x13", "gray-35x33", "smooth-40x26", "7x1"}
#: Larger images, used only if a row has no smaller ones.
FALLBACK = {"smooth-40x26"}


def chosen(row):
    """The names of the recorded images of a row."""
    small = [name for name in row.inputs if name in SMALL - FALLBACK]
    return small or [name for name in row.inputs if name in SMALL][:1]


def files(catalog, only=()):
    """The contents of all files by path, and the reasons for missing ones by filter."""
    rows = [row for row in ROWS if not only or row.filter in only]
    absent = {}
    incomplete = set()
    asked = []
    for row in rows:
        lacks = [f"photoedit has no {name}" for name in lacking(row, catalog)]
        missing = [f"{name} is not installed" for name in references.missing(row.theirs.references)]
        if lacks or missing:
            absent.setdefault(row.filter, set()).update(lacks + missing)
            incomplete |= {row.filter} if missing else set()
            continue
        for name in chosen(row):
            asked.append((row, name, row.theirs.run(images.CHARTS[name]())))
    chromium.run([theirs for *_, theirs in asked if isinstance(theirs, chromium.Job)])
    cases = {}
    # The file of a filter with missing references is not changed.
    asked = [entry for entry in asked if entry[0].filter not in incomplete]
    for row, name, theirs in asked:
        made = theirs.result if isinstance(theirs, chromium.Job) else theirs
        entry = cases.setdefault(row.filter, {}).setdefault(id(row), (row, {}))
        entry[1][name] = result(made)
    contents = {}
    for filter, rows_of in cases.items():
        made = [case(row, results) for row, results in rows_of.values()]
        lines = [json.dumps(entry, ensure_ascii=False) for entry in made]
        # One case per line, so that diffs are readable.
        text = '{"filter": "%s", "cases": [\n%s\n]}\n' % (filter, ",\n".join(lines))
        contents[FOLDER / "Filters" / f"{filter}.json"] = text.encode()
    if not only:
        names = {name for row in ROWS for name in chosen(row)}
        for name in sorted(names):
            path = FOLDER / "Images" / f"{name}.png"
            contents[path] = images.png(images.CHARTS[name]())
    return contents, absent


def case(row, results):
    """A row with the results of the references."""
    return {
        "name": row.case,
        "oracle": " + ".join(
            f"{name} {references.version(name)}" for name in row.theirs.references
        ),
        "call": row.theirs.call_text,
        "class": row.tolerance.name,
        "limit": row.tolerance.maximum,
        "mean": None if row.tolerance.mean == float("inf") else row.tolerance.mean,
        "margin": row.margin,
        "light": row.light,
        "weights": row.weights,
        "notices": defects.applicable(row),
        # Not every defect is detectable in an image of one row.
        "noticedOn": chosen(row)[0],
        "graph": document(row),
        "results": results,
    }


def result(made):
    """An image as rows in base64; one channel if all are equal.

    Integer levels are bytes. Others are signed 24-bit integers in thousandths of a level,
    little-endian.
    """
    height, width = made.shape[:2]
    if (made[:, :, :1] == made).all():
        made = made[:, :, :1]
    if made.dtype == numpy.uint8:
        key, data = "levels", numpy.ascontiguousarray(made).tobytes()
    else:
        thousandths = numpy.rint(numpy.asarray(made, numpy.float64) * 255_000).ravel()
        if numpy.abs(thousandths).max() >= 1 << 23:
            raise ValueError("a level is too large to record")
        words = thousandths.astype("<i4").view(numpy.uint8).reshape(-1, 4)
        key, data = "thousandths", words[:, :3].tobytes()
    return {"width": width, "height": height, key: base64.b64encode(data).decode()}
