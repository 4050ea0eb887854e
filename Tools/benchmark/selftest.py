# SPDX-License-Identifier: Apache-2.0
"""Runs every section once on tiny photos, and checks the measure, the verdicts and the report."""

import copy
import json
import shutil
import statistics
import sys

import measure
import peers
import report
import running
import sections
from bench import Bench
from section import Limit, Section

KEYS = (
    "schemaVersion photoedit machine rounds statistic measure peers photos sections limitsKept"
    " limitsBroken limitsSkipped casesSkipped casesFailed ownFailures"
).split()
SECTION_KEYS = "name title notes cases limits growth skips".split()
CASE_KEYS = (
    "name isOurs command megapixels failure wallMilliseconds cpuMilliseconds peakBytes"
    " megapixelsPerSecond wallRatioToOurs"
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


def main():
    expect = Expectations()
    machine = running.machine(2)
    with Bench(peers.find(peers.pythons([])), is_tiny=True) as bench:
        check_measure(expect, bench.launcher)
        check_parts(expect, bench)
        check_verdicts(expect)
        facts = document(expect, bench, machine)
        if all(peer.path for peer in bench.peers.values()):
            reasons = [skip["reason"] for section in facts["sections"] for skip in section["skips"]]
            whole = [reason for reason in reasons if " lacks a part: " not in reason]
            expect(not whole, f"a case is skipped, though nothing is missing: {whole}")
    # Where nothing else is installed, every other program is a skip that names its package.
    with Bench(peers.find([], path=""), is_tiny=True) as bench:
        alone = document(expect, bench, machine)
        judged = [
            limit["case"]
            for section in alone["sections"]
            for limit in section["limits"]
            if limit["reference"] and limit["verdict"] != "skipped"
        ]
        expect(not judged, f"compared with nothing: {judged}")
        reasons = [skip["reason"] for section in alone["sections"] for skip in section["skips"]]
        expect(len(reasons) > 30, f"only {len(reasons)} skips without peers")
        expect(all(" install " in reason for reason in reasons), "a skip names no package")
    for words in expect.mistakes:
        print(f"self-test: {words}", file=sys.stderr)
    print(
        f"self-test: {len(facts['sections'])} sections, {expect.count} expectations,"
        f" {len(expect.mistakes)} mistakes, {facts['casesSkipped']} cases skipped"
    )
    return 1 if expect.mistakes else 0


def document(expect, bench, machine):
    """One round of everything, as lines and as JSON; every part of both is looked for."""
    facts = running.facts(bench, machine, 1, "median")
    done = []
    for section, costs, failures in running.measured(bench, sections.ALL, 1, "median", False):
        lines = "\n".join(report.section_lines(section, costs, failures))
        for case in section.cases:
            expect(f"  {case.name} " in lines, f"{section.name}: no line for {case.name}")
        expect(lines.count("at most") == len(section.limits), f"{section.name}: limits are untold")
        done.append(report.section_facts(section, costs, failures))
    running.finish(facts, bench, done)
    expect(len(report.head_lines(facts)) > len(bench.peers), "the head is short")
    expect(len(report.end_lines(facts)) == 2 + len(facts["photos"]), "photos are untold")

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
            # A misspelt name would be skipped for ever.
            names = [limit["case"], *(part["case"] for part in limit["reference"])]
            known = {part["name"] for part in section["cases"]}
            known.update(skip["name"] for skip in section["skips"])
            is_known = limit["verdict"] != "skipped" or known.issuperset(names)
            expect(is_known and known & set(names), f"{where}: names nothing that is measured")
    return facts


def check_measure(expect, launcher):
    """Programs whose cost is known: memory that is filled, a loop, a failure, no program."""
    python = sys.executable
    if launcher.program:
        small, large = (
            launcher.run([python, "-c", f"bytearray(b'x') * {size}"]) for size in (1, 50_000_000)
        )
        expect(45e6 < large.peak - small.peak < 60e6, f"50 MB count {large.peak - small.peak}")
        check_runs(expect, launcher.run, python)
        launcher = copy.copy(launcher)
        launcher.program = None
    check_runs(expect, launcher.run, python)


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
    """A library without a part is a skip that names the part; the same of ours is a failure."""
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
    edit = [str(peers.EDITS), "OpenCV", "detail.clarity", "in.jpg", "out.jpg"]
    words = [shutil.which("env"), f"PYTHONPATH={folder}", sys.executable, *edit]
    for is_ours in (False, True):
        section = Section("half", "half", bench)
        section.add("half", words, 1, is_ours=is_ours)
        costs, failures, lacking = measure.interleaved(
            bench.launcher, section.cases, 1, False, statistics.median
        )
        section.skip(lacking)
        told = f"{failures if is_ours else section.skips}"
        expect("lacks a part" in told and "ximgproc" in told, f"a missing part gives {told!r}")
        expect(bool(failures) == is_ours and not costs, f"a missing part gives {failures}, {costs}")
        expect(len(section.cases) == is_ours, "a case that lacks a part stays")


def check_verdicts(expect):
    """Limits on both sides, by itself and beside the sum of two; the statistic that counts."""
    sample = measure.Sample
    costs = {
        "a": measure.Costs([sample(1, 4, 10), sample(2, 5, 20), sample(9, 9, 30)]),
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
    ):
        found = (limit.measured(costs), limit.verdict(costs))
        expect(found == (measured, verdict), f"{limit} gives {found}")
    expect(measure.Costs(costs["a"].samples, min)["wall"] == 1, "the least is not the least")
