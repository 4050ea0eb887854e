# SPDX-License-Identifier: Apache-2.0
"""What a line of the table holds."""

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
    #: Whether the peer cuts fractions off, so that ours must be brighter in the mean by no more than
    #: about half a level.
    truncates: bool = False

    @property
    def is_float(self):
        return self.name == "F"


E1 = Tolerance("E1", 0)
T1 = Tolerance("T1", 1)
T1_TRUNCATED = Tolerance("T1", 1, truncates=True)
T2 = Tolerance("T2", 2, 0.5)


def F(limit=0.02):
    """Floats, to a part of a level: 0.02 for points, 0.05 for neighbourhoods and resampling."""
    return Tolerance("F", limit)


POINT = F(0.02)
SPATIAL = F(0.05)

#: Where a picture may be compared; the first is the one that is recorded.
POINT_INPUTS = ("chart-19x13", "7x1", "hald", "photo", "1x1", "1x19", "23x1", "17x31")
SPATIAL_INPUTS = ("chart-19x13", "7x1", "chart-61x47", "photo", "1x1", "1x19", "23x1", "17x31")


def peer(*names):
    """Marks a function as the work of other programs, by the names that `peers` knows."""

    def mark(function):
        function.peers = names
        return function

    return mark


def call(function, /, *arguments, **named):
    """A function of peers with all its arguments but the picture."""
    bound = functools.partial(function, **named) if not arguments else None
    if bound is None:
        bound = lambda picture: function(picture, *arguments, **named)  # noqa: E731
    words = [_word(value) for value in arguments]
    words += [f"{name}={_word(value)}" for name, value in named.items()]
    summary = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
    return Call(bound, function.peers, f"{summary}: {', '.join(words)}" if words else summary)


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
    """What peers are asked to make of a picture."""

    run: Callable
    peers: tuple
    says: str


@dataclass(frozen=True)
class Row:
    """One comparison: what we are asked, what they are asked, and how near both must be."""

    filter: str
    case: str
    nodes: list
    theirs: Call
    tolerance: Tolerance
    #: Pixels at every edge that are left out, because the peer has another rule there.
    margin: int = 0
    #: The light in which the filter computes.
    light: str = "encoded"
    inputs: tuple = POINT_INPUTS
    assets: dict = field(default_factory=dict)
    background: str = "#ffffff"
    #: Defects that cannot show, with the reason why.
    immune: dict = field(default_factory=dict)
    #: Whether strips that do not see their neighbours must show.
    halo: bool = False
    #: What is made two parts in a hundred larger when weights are wrong: the result, or of a result
    #: of black and white the red that goes in.
    weights: str = "result"

    @property
    def name(self):
        return f"{self.filter} {self.case}".strip()


def lacking(row, catalogue):
    """What a row needs and the catalogue does not have: filters, and parameters of filters."""
    wanted = [row.filter, *(node["filter"] for node in row.nodes)]
    missing = [name for name in dict.fromkeys(wanted) if name not in catalogue]
    for node in row.nodes:
        if node["filter"] in catalogue:
            known = {entry["name"] for entry in catalogue[node["filter"]]["parameters"]}
            missing += [f"{node['filter']}:{name}" for name in node["params"] if name not in known]
    return missing


def node(filter, id=None, inputs=None, mask=None, opacity=None, blend=None, **params):
    """A node of a graph as it is stored."""
    made = {"filter": filter, "v": 1, "params": params}
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


#: Pixels only change places, so a curve applied before and undone after changes nothing.
MOVES = {"light": "values only change places"}
#: Each channel counts alike.
SYMMETRIC = {"swap": "every channel counts alike"}


def row(filter, case, params, theirs, tolerance, nodes=None, **options):
    """A line for a filter by itself, or for a graph that shows it."""
    return Row(filter, case, nodes or [node(filter, **params)], theirs, tolerance, **options)


def spatial(filter, case, params, theirs, tolerance, **options):
    """A line for a filter that looks at neighbours."""
    options.setdefault("inputs", SPATIAL_INPUTS)
    options.setdefault("halo", True)
    return row(filter, case, params, theirs, tolerance, **options)
