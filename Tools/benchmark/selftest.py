# SPDX-License-Identifier: Apache-2.0
"""Runs every section once on tiny photos; checks the measurements, verdicts and report."""

import copy
import json
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import compare
import measure
import competitors
import report
import running
import sections
import web
from bench import Bench
from section import Limit, Section

KEYS = (
    "schemaVersion photoedit program machine rounds statistic measure peers photos sections limitsKept"
    " limitsBroken limitsSkipped casesSkipped casesFailed ownFailures"
).split()
SECTION_KEYS = "name title notes cases limits growth skips".split()
CASE_KEYS = (
    "name isOurs command megapixels failure wallMilliseconds cpuMilliseconds peakBytes"
    " touchedBytes megapixelsPerSecond wallRatioToOurs parts"
).split()
LIMIT_KEYS = "case quantity reference unit atMost measured verdict".split()


class Expectations:
    def __init__(self):
        self.count = 0
        self.mistakes = []

    def __call__(self, is_right, words):
        self.count += 1
        if not is_right:
            self.mistakes.append(words)


def main(options):
    expect = Expectations()
    machine = running.machine(2)
    pythons = competitors.pythons(options.python)
    with tempfile.TemporaryDirectory() as folder:
        interactive = options.interactive or stand_in(Path(folder) / "interactive")
        facts = run(expect, machine, pythons, options.program, interactive)
        check_comparison(expect, facts, Path(folder) / "stored.json")
    for words in expect.mistakes:
        print(f"self-test: {words}", file=sys.stderr)
    print(
        f"self-test: {len(facts['sections'])} sections, {expect.count} expectations,"
        f" {len(expect.mistakes)} mistakes, {facts['casesSkipped']} cases skipped"
    )
    return 1 if expect.mistakes else 0


def check_web(expect):
    """The table of the browser interface marks what is missed, not judged or failed."""
    row = {"name": "open", "p50": 400.0, "p95": 700.25, "goal": 600, "unit": "ms",
           "isMinimum": False, "reached": False}
    facts = {"chromium": "Chromium 1", "processor": "P", "cores": 2, "load": 0.5, "loadAfter": 0.5,
             "isJudged": True, "failures": [], "measurements": [row]}
    text = "\n".join(web.lines(facts))
    expect("700.25" in text and "600  ms  missed" in text, f"a missed goal is not marked: {text}")
    expect("1 of 1 goals missed: open" in text, f"missed goals are not listed: {text}")
    text = "\n".join(web.lines({**facts, "measurements": [{**row, "reached": True}]}))
    expect("All 1 goals reached" in text, f"a reached goal is not reported: {text}")
    busy = {**facts, "isJudged": False, "failures": ["grid: Error"],
            "measurements": [{**row, "p50": None, "reached": None}]}
    text = "\n".join(web.lines(busy))
    expect("not judged" in text and "missed" not in text, f"a busy run is judged: {text}")
    expect("failed: grid: Error" in text and "–" in text, f"a failure is not reported: {text}")


def run(expect, machine, pythons, program, interactive):
    """Runs everything with and without other programs; returns the JSON of the former."""
    found = competitors.find(pythons)
    with Bench(found, program=program, interactive=interactive, is_tiny=True) as bench:
        check_measure(expect, bench.launcher)
        check_parts(expect, bench)
        check_verdicts(expect)
        check_web(expect)
        facts = document(expect, bench, machine)
        if all(competitor.path for competitor in bench.competitors.values()):
            reasons = [skip["reason"] for section in facts["sections"] for skip in section["skips"]]
            whole = [reason for reason in reasons if " lacks a part: " not in reason]
            expect(not whole, f"a case is skipped, though nothing is missing: {whole}")
    # If nothing else is installed, every other program is a skip that names its package.
    with Bench(competitors.find([], path=""), program=program, is_tiny=True) as bench:
        alone = document(expect, bench, machine)
        judged = [
            limit["case"]
            for section in alone["sections"]
            for limit in section["limits"]
            # Our own cases are there to compare with even if no other program is.
            if any(part["case"] not in own_cases(section) for part in limit["reference"])
            and limit["verdict"] != "skipped"
        ]
        expect(not judged, f"compared with nothing: {judged}")
        reasons = [skip["reason"] for section in alone["sections"] for skip in section["skips"]]
        expect(len(reasons) > 30, f"only {len(reasons)} skips without competitors")
        named = all(" install " in reason or "--interactive" in reason for reason in reasons)
        expect(named, "a skip names no package")
        end = "\n".join(report.end_lines(alone))
        expect("MISSING: djpeg, cjpeg, " in end, "the end names no missing program")
        for section in alone["sections"]:
            for limit in section["limits"]:
                is_named = f"  {section['name']}: {report.limit_words(limit)}" in end
                expect(
                    is_named == (limit["verdict"] in ("skipped", "over")),
                    f"the end is wrong about {limit}",
                )
    return facts


def own_cases(section):
    return {case["name"] for case in section["cases"] if case["isOurs"]}


def stand_in(path):
    """A program that writes the JSON of the folder "interactive" without measuring anything."""
    names = [*sections.previews.LIMITS, *sections.previews.FIRST.values(), "2 thumbnails", "4 thumbnails"]
    path.write_text(f"#!/bin/sh\necho '{json.dumps({name: [0.002, 0.001, 0.009] for name in names})}'\n")
    path.chmod(0o755)
    return path


def document(expect, bench, machine):
    """Runs one round of everything; checks the text and the JSON for completeness."""
    facts = running.facts(bench, machine, 1, "median")
    done = []
    for section, costs, failures in running.measured(bench, sections.ALL, 1, "median", False):
        lines = "\n".join(report.section_lines(section, costs, failures))
        for case in section.cases:
            for name in (case.name, *case.parts):
                expect(f"  {name} " in lines, f"{section.name}: no line for {name}")
        counted = len([limit for limit in section.limits if limit.at_most is not None])
        expect(lines.count("at most") == counted, f"{section.name}: limits are not reported")
        done.append(report.section_facts(section, costs, failures))
    running.finish(facts, bench, done)
    expect(len(report.head_lines(facts)) > len(bench.competitors), "the head is short")
    end = report.end_lines(facts)
    expect(f"{facts['limitsKept']} limits met" in end[1 + len(facts["photos"])], "no counts")

    facts = json.loads(json.dumps(facts))
    expect(list(facts) == KEYS, f"the keys are {list(facts)}")
    expect(
        [part["name"] for part in facts["sections"]] == list(sections.ALL), "a section is missing"
    )
    for section in facts["sections"]:
        expect(list(section) == SECTION_KEYS, f"{section['name']}: the keys are {list(section)}")
        for case in section["cases"]:
            where = f"{section['name']}: {case['name']}"
            expect(case["failure"] is None, f"{where}: {case['failure']}")
            if not case["failure"]:
                expect(list(case) == CASE_KEYS, f"{where}: the keys are {list(case)}")
        for limit in section["limits"]:
            where = f"{section['name']}: a limit of {limit['case']}"
            expect(list(limit) == LIMIT_KEYS, f"{where}: the keys are {list(limit)}")
            # A misspelled name would always be skipped.
            names = [limit["case"], *(part["case"] for part in limit["reference"])]
            known = {part["name"] for part in section["cases"]}
            known.update(part["name"] for case in section["cases"] for part in case.get("parts", ()))
            known.update(skip["name"] for skip in section["skips"])
            is_known = limit["verdict"] != "skipped" or known.issuperset(names)
            expect(is_known and known & set(names), f"{where}: names no measured case")
    return facts


def check_measure(expect, launcher):
    """Checks programs of known cost: filled memory, a loop, a failure, a missing program."""
    python = sys.executable
    if launcher.program:
        small, large = (
            launcher.run([python, "-c", f"bytearray(b'x') * {size}"]) for size in (1, 50_000_000)
        )
        expect(45e6 < large.peak - small.peak < 60e6, f"50 MB count {large.peak - small.peak}")
        twice = launcher.run([python, "-c", "for _ in range(2): bytearray(b'x') * 50_000_000"])
        touched = twice.touched - small.touched
        # Huge pages count as one page each.
        huge = Path("/sys/kernel/mm/transparent_hugepage/enabled")
        is_counted = not huge.exists() or "[always]" not in huge.read_text()
        expect(95e6 < touched < 120e6 or not is_counted, f"2 × 50 MB touch {touched}")
        check_delay(expect, launcher, python)
        check_runs(expect, launcher.run, python)
        launcher = copy.copy(launcher)
        launcher.program = None
    check_runs(expect, launcher.run, python)


def check_delay(expect, launcher, python):
    """Checks that the preloaded library delays each call that waits for storage."""
    library = launcher.build((measure.HERE / "delay.c").read_text(), "-shared", "-fPIC")
    calls = "import os; f = os.open('.', 0); [call(f) for call in (os.fsync,) * 5]"
    words = [shutil.which("env"), f"LD_PRELOAD={library}", "DELAY_MICROSECONDS=40000"]
    wall = launcher.run([*words, python, "-c", calls]).wall
    expect(wall > 0.2, f"5 delays of 40 ms took {wall}")


def check_comparison(expect, facts, path):
    """Checks the ratios of a run to one of half the time, and the refusal of other files."""
    half = copy.deepcopy(facts)
    for section in half["sections"]:
        for case in section["cases"]:
            for part in (case, *case.get("parts", ())):
                if "wallMilliseconds" in part:
                    part["wallMilliseconds"]["value"] /= 2
    path.write_text(json.dumps(half))
    lines = compare.lines(compare.load(path), facts)
    expect(any(line.endswith("photoedit: 2.000") for line in lines), "the mean ratio is wrong")
    expect("CAUTION" not in "\n".join(lines), "the same run on the same machine is a caution")
    for section in facts["sections"]:
        for name in compare.measured(section):
            row = [line for line in lines if line.startswith(f"  {name:36}")]
            expect(row and f"{2:9.2f}" in row[0], f"the ratio of {name} is wrong: {row}")
    half["machine"]["cpu"] = "another"
    half["photos"][0]["sha256"] = "another"
    caution = [line for line in compare.lines(half, facts) if "CAUTION" in line]
    expect(len(caution) == 2, f"another processor and photo give {caution}")
    for text in ("{}", "[]", "no JSON", '{"schemaVersion": 1}'):
        path.write_text(text)
        try:
            compare.load(path)
            expect(False, f"{text} is accepted as a run")
        except SystemExit as refusal:
            expect(str(path) in str(refusal), f"{text} gives {refusal}")


def check_runs(expect, run, python):
    busy = run([python, "-c", "import time\nwhile time.process_time() < 0.2: pass"])
    expect(0.19 < busy.cpu < 0.4 and busy.wall > 0.19, f"0.2 s of work count {busy}")
    for arguments, words in (
        ([python, "-c", "import sys; sys.exit('a reason')"], "ended with 1: a reason"),
        ([python, "-c", "import os; os.kill(os.getpid(), 9)"], "ended with 137: no message"),
        (["/nonexistent"], "nonexistent ended with 127: "),
    ):
        try:
            run(arguments)
            expect(False, f"no failure where {words!r} was expected")
        except measure.Failure as failure:
            expect(words in str(failure), f"{failure}, not {words!r}")


def check_parts(expect, bench):
    """Checks that a library without a part is a skip, and photoedit without one a failure."""
    folder = bench.work / "half"
    folder.mkdir()
    (folder / "cv2.py").write_text(
        "BORDER_REPLICATE = COLOR_BGR2YCrCb = 1\n"
        "imread = lambda path: None\n"
        "cvtColor = lambda image, code: None\n"
        "split = lambda image: [Plane()]\n"
        "class Plane:\n"
        "    shape = (8, 8)\n"
        "    astype = lambda self, kind: self\n"
        "    __truediv__ = lambda self, other: self\n"
    )
    (folder / "numpy.py").write_text(
        "float32 = uint8 = 0\narray = lambda rows, kind: 0\nones = lambda size, kind: 1\n"
    )
    edit = [str(competitors.EDITS), "OpenCV", "detail.clarity", "in.jpg", "out.jpg"]
    words = [shutil.which("env"), f"PYTHONPATH={folder}", sys.executable, *edit]
    for is_photoedit in (False, True):
        section = Section("half", "half", bench)
        section.add("half", words, 1, is_photoedit=is_photoedit)
        costs, failures, lacking = measure.interleaved(
            bench.launcher, section.cases, 1, False, statistics.median
        )
        section.skip(lacking)
        reported = f"{failures if is_photoedit else section.skips}"
        expect("lacks a part" in reported and "ximgproc" in reported, f"a missing part gives {reported!r}")
        is_reported = bool(failures) == is_photoedit and not costs
        expect(is_reported, f"a missing part gives {failures}, {costs}")
        expect(len(section.cases) == is_photoedit, "a case that lacks a part remains")


def check_verdicts(expect):
    """Checks values on both sides of absolute and relative limits, and the statistic."""
    sample = measure.Sample
    costs = {
        "a": measure.Costs([sample(1, 4, 10, 5), sample(2, 5, 20, 7), sample(9, 9, 30, 8)]),
        "b": measure.Costs([sample(4, 1, 0)]),
        "c": measure.Costs([sample(6, 3, 0)]),
    }
    both = (("b", "cpu"), ("c", "cpu"))
    for limit, measured, verdict in (
        (Limit("a", "wall", 0.5, both), 0.5, "ok"),
        (Limit("a", "wall", 0.49, both), 0.5, "over"),
        (Limit("a", "cpu", 1.25, (("b", "wall"),)), 1.25, "ok"),
        (Limit("a", "peak", 20), 20, "ok"),
        (Limit("a", "peak", 19), 20, "over"),
        (Limit("a", "wall", 9, (("d", "wall"),)), None, "skipped"),
        (Limit("a", "touched", None), 7, "reported"),
    ):
        found = (limit.measured(costs), limit.verdict(costs))
        expect(found == (measured, verdict), f"{limit} gives {found}")
    expect(measure.Costs(costs["a"].samples, min)["wall"] == 1, "the minimum is wrong")
