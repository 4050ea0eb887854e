# SPDX-License-Identifier: Apache-2.0
"""A section of the benchmark: cases, limits and skips."""

import json
import os
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import measure


@dataclass
class Case:
    """One command. Before each run, its output folder is emptied, the files in `fresh` are removed, and
    the folder `cache` is emptied; with `is_synced`, what other programs wrote is on the disk.

    `results` is the expected number of output files; all files in `fresh` must be written again.
    `parts` are the durations that the command itself measures, by their names in its JSON.
    """

    name: str
    arguments: list
    megapixels: float
    folder: Path
    results: int = 1
    is_photoedit: bool = False
    fresh: tuple = ()
    cache: Path | None = None
    is_synced: bool = False
    parts: dict = field(default_factory=dict)

    def prepare(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for path in self.fresh:
            path.unlink(missing_ok=True)
        for entry in self.cache.iterdir() if self.cache and self.cache.is_dir() else ():
            shutil.rmtree(entry)
        if self.is_synced:
            os.sync()

    def check(self):
        files = [entry for entry in os.scandir(self.folder) if entry.stat().st_size > 0]
        if len(files) != self.results:
            raise measure.Failure(f"wrote {len(files)} files, not {self.results}")
        if missing := [path.name for path in self.fresh if not path.exists()]:
            raise measure.Failure(f"did not write {missing[0]} and {len(missing) - 1} more")

    def measured_parts(self):
        """The seconds of each run of the parts, by name."""
        if not self.parts:
            return {}
        (file,) = self.folder.iterdir()
        try:
            seconds = json.loads(file.read_text())
            return {name: [float(value) for value in seconds[key]] for name, key in self.parts.items()}
        except (ValueError, TypeError, KeyError) as error:
            raise measure.Failure(f"wrote other JSON than expected: {error!r}") from None


@dataclass(frozen=True)
class Limit:
    """An upper limit of a quantity, absolute or relative to the sum of other measurements.

    Absolute limits of time are in seconds, and those of memory in bytes. Without a limit, the quantity
    is only reported.
    """

    case: str
    quantity: str
    at_most: float | None
    reference: tuple = ()

    def measured(self, costs):
        """The ratio or the quantity; None if a case was skipped or failed."""
        names = [self.case, *(name for name, _ in self.reference)]
        if any(name not in costs for name in names):
            return None
        value = costs[self.case][self.quantity]
        return value / sum(costs[n][q] for n, q in self.reference) if self.reference else value

    def verdict(self, costs):
        measured = self.measured(costs)
        if measured is None:
            return "skipped"
        if self.at_most is None:
            return "reported"
        return "ok" if measured <= self.at_most else "over"


class Section:
    """The cases, limits and skips of one --section."""

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
        """Adds a photoedit case: one photo, some filters, rendering only."""
        words = [word for filter in filters for word in ("--filter", filter)]
        target = self.out / "ours.jpg"
        arguments = [self.bench.tool, "render", photo.path, "-q", "-o", target, *words]
        self.add(name, arguments, photo.megapixels, is_photoedit=True)

    def competitor(self, tool, name, words, photo, results=1):
        """Adds a case of another program, or a skip; {input} and {output} are replaced by paths."""
        if not self.has(tool, name):
            return
        paths = {"input": photo.path, "output": self.out / "peer.jpg"}
        arguments = [word.format(**paths) for word in words.split()]
        arguments.insert(0, self.bench.competitors[tool].path)
        self.add(name, arguments, photo.megapixels, results=results)

    def library(self, tool, name, edit, photo):
        """Adds a case of another library, or a skip if no Python has it."""
        if self.has(tool, name):
            target = self.out / "library.jpg"
            arguments = self.bench.competitors[tool].library(edit, photo.path, target)
            self.add(name, arguments, photo.megapixels)

    def has_interactive(self, *names):
        """Whether the program of the folder "interactive" can be measured; skips cases otherwise."""
        program, reason = self.bench.interactive()
        if not program:
            self.skips += ((name, reason) for name in names)
        return program is not None

    def interactive(self, name, words, megapixels, parts, **options):
        """Adds a case of the program of the folder "interactive", whose JSON has the parts."""
        if not self.has_interactive(name, *parts):
            return
        # The shell replaces itself; it is smaller than any measured program.
        shell = [shutil.which("sh"), "-c", 'exec "$@" >"$0"', self.out / "parts.json"]
        arguments = [*shell, self.bench.interactive()[0], *map(str, words)]
        self.add(name, arguments, megapixels, is_photoedit=True, parts=parts, **options)

    def has(self, tool, name):
        competitor = self.bench.competitors[tool]
        if not competitor.path:
            self.skips.append((name, f"{tool} was not found; {competitor.hint}"))
        return competitor.path is not None

    def skip(self, reasons):
        """Skips cases whose program lacks a part; the reasons are by case name."""
        self.skips += reasons.items()
        self.cases = [case for case in self.cases if case.name not in reasons]

    def floor(self, photo):
        """Adds decoding to /dev/null and encoding from memory; returns their CPU times as reference."""
        self.competitor("djpeg", "djpeg", "-outfile /dev/null {input}", photo, results=0)
        if pixels := self.bench.pixels(photo.path):
            decoded = replace(photo, path=pixels)
            self.competitor(
                "cjpeg", "cjpeg", "-quality 90 -outfile /dev/null {input}", decoded, results=0
            )
        else:
            self.has("djpeg", "cjpeg")
        return (("djpeg", "cpu"), ("cjpeg", "cpu"))

    def report(self, case, quantity):
        """Reports a quantity among the limits, without one."""
        self.limits.append(Limit(case, quantity, None))

    def limit(self, case, quantity, at_most, *reference):
        self.limits.append(Limit(case, quantity, at_most, tuple(reference)))

    def figure(self, text, over, under, quantity, per_pixel=False):
        """Adds the growth factor of a quantity from one case to another."""
        self.figures.append((text, over, under, quantity, per_pixel))

    def grown(self, figure, costs):
        """The growth factor of a figure; None if a case was skipped or failed."""
        _, over, under, quantity, per_pixel = figure
        if over not in costs or under not in costs:
            return None
        sizes = {case.name: case.megapixels for case in self.cases}
        factor = costs[over][quantity] / costs[under][quantity]
        return factor / (sizes[over] / sizes[under]) if per_pixel else factor
