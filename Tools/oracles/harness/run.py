# SPDX-License-Identifier: Apache-2.0
"""Runs the table: renders, asks the references, compares, prints."""

import json
import sys
from pathlib import Path

import numpy

import references
from harness import defects, images
from harness.compare import compare
from harness.environment import ROOT
from harness.subject import Photoedit, Refusal
from harness.rows import lacking
from references import chromium
from table import REQUIRED, ROWS, problems


class Inputs:
    """Images by their names in the table, each created once."""

    def __init__(self):
        self.made = {}

    def __getitem__(self, name):
        if name not in self.made:
            self.made[name] = self._make(name)
        return self.made[name]

    def _make(self, name):
        if name in images.CHARTS:
            return images.CHARTS[name]()
        files = {"hald": "hald-8.png", "photo": "photo-64.jpg"}
        path = ROOT / "TestImages" / "inputs" / files[name] if name in files else Path(name)
        from PIL import Image

        return numpy.asarray(Image.open(path).convert("RGB"))


class Comparison:
    """One run of Tools/oracles/check."""

    def __init__(self, options):
        self.options = options
        self.inputs = Inputs()
        self.own = Photoedit()
        self.catalog = self.own.filters()
        self.counts = {"passes": 0, "misses": 0}
        self.skipped = {}
        self.unreachable = {}

    def run(self):
        failures = [] if self.options.filter or self.options.oracle else problems(self.catalog)
        for problem in failures:
            print(problem)
        unknown = set(self.options.filter) - set(REQUIRED) - set(self.catalog)
        if unknown:
            print(f"no such filter: {', '.join(sorted(unknown))}", file=sys.stderr)
            return 64
        rows = [row for row in ROWS if self._is_selected(row)]
        if not self.options.json:
            print(LINE.format("filter", "oracle", "case", "image", "max", "mean", "limit", ""))
        (self._bite if self.options.bite else self._compare)(rows)
        self._summarize()
        return 1 if failures or self.counts["misses"] else 0

    def _is_selected(self, row):
        options = self.options
        if options.filter and row.filter not in options.filter:
            return False
        if options.oracle and not set(options.oracle) & set(row.theirs.references):
            return False
        lacks = lacking(row, self.catalog)
        for name in lacks[:1]:
            self.unreachable.setdefault(name, []).append(row.name)
        if lacks:
            return False
        absent = references.missing(row.theirs.references)
        for name in absent:
            self.skipped.setdefault(name, []).append(row.name)
        return not absent

    def _images(self, row):
        names = row.inputs[:1] if self.options.bite else row.inputs
        if self.options.photos and not self.options.bite and "photo" in row.inputs:
            found = sorted(Path(self.options.photos).iterdir())
            kinds = {".png", ".jpg", ".jpeg"}
            names = [*names, *(str(path) for path in found if path.suffix.lower() in kinds)]
        for name in names:
            image = self.inputs[name]
            if min(image.shape[:2]) > 2 * row.margin:
                yield name, image

    def _asked(self, rows):
        """Every row with every image and the references' result; the browser runs once."""
        asked = []
        for row in rows:
            for name, image in self._images(row):
                asked.append((row, name, image, row.theirs.run(image)))
        chromium.run([theirs for *_, theirs in asked if isinstance(theirs, chromium.Job)])
        for row, name, image, theirs in asked:
            if isinstance(theirs, chromium.Job):
                theirs = theirs.result
            yield row, name, image, theirs

    def _compare(self, rows):
        for row, name, image, theirs in self._asked(rows):
            try:
                own = self.own.render(row, images.png(image))
            except Refusal as refusal:
                self._print(row, name, None, str(refusal).split("\n")[0])
                continue
            difference = compare(row.tolerance, own, theirs, row.margin)
            self._print(row, name, difference, "" if difference.passes else "MISS")

    def _bite(self, rows):
        for row, name, image, theirs in self._asked(rows):
            for defect in defects.applicable(row):
                try:
                    own = defects.render(
                        defect, row, image, lambda png: self.own.render(row, png)
                    )
                except Refusal as refusal:
                    self._print(row, defect, None, str(refusal).split("\n")[0])
                    continue
                difference = compare(row.tolerance, own, theirs, row.margin)
                undetected = "NOT DETECTED" if difference.passes else ""
                self._print(row, defect, difference, undetected)

    def _print(self, row, name, difference, failure):
        self.counts["misses" if failure else "passes"] += 1
        if self.options.misses and not failure:
            return
        oracle = "+".join(row.theirs.references)
        limit = f"{row.tolerance.name} ≤ {row.tolerance.maximum:g}"
        if self.options.json:
            entry = {
                "filter": row.filter,
                "case": row.case,
                "oracle": oracle,
                "version": [references.version(name) for name in row.theirs.references],
                "call": row.theirs.call_text,
                "picture": Path(name).name,
                "max": _number(difference and difference.maximum),
                "mean": _number(difference and difference.mean),
                "class": row.tolerance.name,
                "limit": row.tolerance.maximum,
                "verdict": failure or "passes",
            }
            print(json.dumps(entry), flush=True)
            return
        most, mean = ("–", "–")
        if difference:
            most, mean = f"{difference.maximum:.5f}", f"{difference.mean:.5f}"
        words = (row.filter, oracle, row.case, Path(name).name, most, mean, limit)
        print(LINE.format(*words, failure or "passes"), flush=True)

    def _summarize(self):
        out = sys.stderr if self.options.json else sys.stdout
        what = "defects detected" if self.options.bite else "within limits"
        bad = "not detected" if self.options.bite else "exceeded"
        skips = sum(map(len, [*self.skipped.values(), *self.unreachable.values()]))
        passes, misses = self.counts["passes"], self.counts["misses"]
        print(f"\n{passes} {what}, {misses} {bad}, {skips} rows skipped", file=out)
        for name, rows in self.skipped.items():
            print(f"skipped, {name} is not installed: {', '.join(rows)}", file=out)
        for name, rows in self.unreachable.items():
            print(f"skipped, photoedit has no {name}: {', '.join(rows)}", file=out)


LINE = "{:<20} {:<14} {:<28} {:<14} {:>9} {:>9}  {:<10} {}"


def _number(value):
    return None if value is None or value == float("inf") else round(value, 6)
