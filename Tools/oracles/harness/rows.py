# SPDX-License-Identifier: Apache-2.0
"""The rows of the comparison table."""

import functools
import inspect
from dataclasses import dataclass, field
from typing import Callable


@dataclass(frozen=True)
class Tolerance:
    """A class of agreement, in 8-bit levels.

    E1, T1 and T2 compare rounded levels; F compares floats before rounding.
    """

    name: str
    maximum: float
    mean: float = float("inf")
    #: Whether the reference truncates, so that photoedit may be brighter by at most about half a
    #: level in the mean.
    truncates: bool = False

    @property
    def is_float(self):
        return self.name == "F"


E1 = Tolerance("E1", 0)
T1 = Tolerance("T1", 1)
T1_TRUNCATED = Tolerance("T1", 1, truncates=True)
T2 = Tolerance("T2", 2, 0.5)


def F(limit=0.02):
    """Floats, to a fraction of a level: 0.02 for point filters, 0.05 for neighborhoods and resampling."""
    return Tolerance("F", limit)


POINT = F(0.02)
SPATIAL = F(0.05)

#: The images on which rows are compared.
POINT_INPUTS = ("chart-19x13", "7x1", "hald", "photo", "1x1", "1x19", "23x1", "17x31")
SPATIAL_INPUTS = ("chart-19x13", "7x1", "chart-61x47", "photo", "1x1", "1x19", "23x1", "17x31")


def reference(*names):
    """Marks a function as implemented by other programs, with their names in `references`."""

    def mark(function):
        function.references = names
        return function

    return mark


def call(function, /, *arguments, **named):
    """A call of a reference function with all arguments except the image."""
    bound = functools.partial(function, **named) if not arguments else None
    if bound is None:
        bound = lambda image: function(image, *arguments, **named)  # noqa: E731
    words = [_word(value) for value in arguments]
    words += [f"{name}={_word(value)}" for name, value in named.items()]
    summary = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
    return Call(bound, function.references, f"{summary}: {', '.join(words)}" if words else summary)


def _word(value):
    if callable(value):
        return value.__name__
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if hasattr(value, "shape"):
        return "a picture of " + "×".join(map(str, value.shape[1::-1]))
    if isinstance(value, float):
        return f"{value:.9g}"
    text = str(value)
    return text if len(text) <= 160 else text[:157] + "…"


@dataclass(frozen=True)
class Call:
    """A call of references for an image."""

    run: Callable
    references: tuple
    call_text: str


@dataclass(frozen=True)
class Row:
    """One comparison: the graph, the call of the references, and the tolerance."""

    filter: str
    case: str
    nodes: list
    theirs: Call
    tolerance: Tolerance
    #: Pixels excluded at every edge, because the reference handles edges differently.
    margin: int = 0
    #: The transfer encoding in which the filter computes.
    light: str = "encoded"
    inputs: tuple = POINT_INPUTS
    assets: dict = field(default_factory=dict)
    background: str = "#ffffff"
    #: Undetectable defects, with the reasons.
    immune: dict = field(default_factory=dict)
    #: Whether strips without neighboring rows must be detected.
    halo: bool = False
    #: The values scaled by 1.02 for the defect "weights": the result, or the red input if the result
    #: is only black and white.
    weights: str = "result"

    @property
    def name(self):
        return f"{self.filter} {self.case}".strip()


def lacking(row, catalog):
    """The filters and parameters of a row that the catalog does not contain."""
    expected = [row.filter, *(node["filter"] for node in row.nodes)]
    missing = [name for name in dict.fromkeys(expected) if name not in catalog]
    for node in row.nodes:
        if node["filter"] in catalog:
            known = {entry["name"] for entry in catalog[node["filter"]]["parameters"]}
            missing += [f"{node['filter']}:{name}" for name in node["params"] if name not in known]
    return missing


def node(filter, id=None, inputs=None, mask=None, opacity=None, blend=None, version=1, **params):
    """A node of a graph in stored form."""
    made = {"filter": filter, "v": version, "params": params}
    for key, value in (
        ("id", id),
        ("in", inputs),
        ("mask", mask),
        ("opacity", opacity),
        ("blend", blend),
    ):
        if value is not None:
            made[key] = value
    return made


#: Pixels only change positions, so a curve applied before and reversed after has no effect.
MOVES = {"light": "values only change places"}
#: All channels are treated equally.
SYMMETRIC = {"swap": "every channel counts alike"}


def row(filter, case, params, theirs, tolerance, nodes=None, **options):
    """A row for a single filter, or for a graph that contains it."""
    return Row(filter, case, nodes or [node(filter, **params)], theirs, tolerance, **options)


def spatial(filter, case, params, theirs, tolerance, **options):
    """A row for a neighborhood filter."""
    options.setdefault("inputs", SPATIAL_INPUTS)
    options.setdefault("halo", True)
    return row(filter, case, params, theirs, tolerance, **options)
