# SPDX-License-Identifier: Apache-2.0
"""What one section measures: cases, the limits that the measures are held to, and the skips."""

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import measure


@dataclass
class Case:
    """One program call. Before each run its folder of results is emptied and `fresh` is removed.

    `results` is how many files it has to leave there.
    """

    name: str
    arguments: list
    megapixels: float
    folder: Path
    results: int = 1
    is_ours: bool = False
    fresh: tuple = ()

    def prepare(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for path in self.fresh:
            path.unlink(missing_ok=True)

    def check(self):
        files = [entry for entry in os.scandir(self.folder) if entry.stat().st_size > 0]
        if len(files) != self.results:
            raise measure.Failure(f"left {len(files)} files, not {self.results}")


@dataclass(frozen=True)
class Limit:
    """At most so much of a quantity; as a factor of the sum of other measures, or by itself.

    By itself, a limit of wall time is in seconds and one of the peak is in bytes.
    """

    case: str
    quantity: str
    at_most: float
    reference: tuple = ()

    def measured(self, costs):
        """The ratio or the quantity; None when something was skipped or failed."""
        names = [self.case, *(name for name, _ in self.reference)]
        if any(name not in costs for name in names):
            return None
        value = costs[self.case][self.quantity]
        return value / sum(costs[n][q] for n, q in self.reference) if self.reference else value

    def verdict(self, costs):
        measured = self.measured(costs)
        return "skipped" if measured is None else "ok" if measured <= self.at_most else "over"


class Section:
    """The cases, limits and skips of one option --section."""

    def __init__(self, name, title, bench, round_factor=1):
        self.name = name
        self.title = title
        self.bench = bench
        self.round_factor = round_factor
        self.notes = []
        self.cases = []
        self.limits = []
        self.skips = []
        self.figures = []
        self.out = bench.work / "out"

    def add(self, name, arguments, megapixels, **options):
        words = [os.fspath(argument) for argument in arguments]
        self.cases.append(Case(name, words, megapixels, self.out, **options))

    def render(self, name, photo, filters):
        """Ours: one photo, some filters, the rendering alone."""
        words = [word for filter in filters for word in ("--filter", filter)]
        target = self.out / "ours.jpg"
        arguments = [self.bench.tool, "render", photo.path, "-q", "-o", target, *words]
        self.add(name, arguments, photo.megapixels, is_ours=True)

    def peer(self, tool, name, words, photo, results=1):
        """A call of another program, or a skip; {input} and {output} in the words become paths."""
        if not self.has(tool, name):
            return
        paths = {"input": photo.path, "output": self.out / "peer.jpg"}
        arguments = [word.format(**paths) for word in words.split()]
        arguments.insert(0, self.bench.peers[tool].path)
        self.add(name, arguments, photo.megapixels, results=results)

    def library(self, tool, name, edit, photo):
        """A call of another library, or a skip when no Python has it."""
        if self.has(tool, name):
            target = self.out / "library.jpg"
            arguments = self.bench.peers[tool].library(edit, photo.path, target)
            self.add(name, arguments, photo.megapixels)

    def has(self, tool, name):
        peer = self.bench.peers[tool]
        if not peer.path:
            self.skips.append((name, f"{tool} was not found; {peer.hint}"))
        return peer.path is not None

    def skip(self, reasons):
        """Makes skips of the cases whose program turned out to lack a part; by name, with why."""
        self.skips += reasons.items()
        self.cases = [case for case in self.cases if case.name not in reasons]

    def floor(self, photo):
        """Decoding to nothing and encoding from memory; gives what limits refer to: their CPU."""
        self.peer("djpeg", "djpeg", "-outfile /dev/null {input}", photo, results=0)
        if pixels := self.bench.pixels(photo.path):
            decoded = replace(photo, path=pixels)
            self.peer(
                "cjpeg", "cjpeg", "-quality 90 -outfile /dev/null {input}", decoded, results=0
            )
        else:
            self.has("djpeg", "cjpeg")
        return (("djpeg", "cpu"), ("cjpeg", "cpu"))

    def limit(self, case, quantity, at_most, *reference):
        self.limits.append(Limit(case, quantity, at_most, tuple(reference)))

    def figure(self, text, over, under, quantity, per_pixel=False):
        """How a quantity grows from one case to another, as a factor."""
        self.figures.append((text, over, under, quantity, per_pixel))

    def grown(self, figure, costs):
        """The factor of a figure; None when something was skipped or failed."""
        _, over, under, quantity, per_pixel = figure
        if over not in costs or under not in costs:
            return None
        sizes = {case.name: case.megapixels for case in self.cases}
        factor = costs[over][quantity] / costs[under][quantity]
        return factor / (sizes[over] / sizes[under]) if per_pixel else factor
