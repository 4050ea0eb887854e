# SPDX-License-Identifier: Apache-2.0
"""Runs sections sequentially and collects the results."""

import os
import platform
import shutil
import statistics
from pathlib import Path

import measure
import report
import sections

STATISTICS = {"median": statistics.median, "least": min}


def machine(cores):
    """Restricts this process and its children to some cores; returns a description."""
    load = os.getloadavg()[0]
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line for line in lines if line.startswith("model name")]
    return {
        "cpu": names[0].split(":")[1].strip() if names else platform.machine(),
        "cores": sorted(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "load": load,
    }


def measured(bench, names, rounds, statistic, has_warm_up=True):
    """Runs sections; yields each with its costs and failures when done."""
    for name in names:
        section = sections.ALL[name].build(bench)
        costs, failures = {}, {}
        if section.cases:
            report.progress(f"{name}, {len(section.cases)} cases")
            costs, failures, lacking = measure.interleaved(
                bench.launcher,
                section.cases,
                max(1, round(rounds * section.round_factor)),
                has_warm_up,
                STATISTICS[statistic],
            )
            section.skip(lacking)
        yield section, costs, failures


def facts(bench, machine, rounds, statistic):
    """Facts known before the first section: versions, the machine, the measurement overhead."""
    true = [bench.launcher.run([shutil.which("true")]) for _ in range(max(3, rounds))]
    cost = measure.Costs(true)
    return {
        "schemaVersion": report.SCHEMA_VERSION,
        "photoedit": bench.version,
        "program": str(bench.tool),
        "machine": machine,
        "rounds": rounds,
        "statistic": statistic,
        "measure": {
            "isLaunchedBySmallProcess": bench.launcher.program is not None,
            "wallMilliseconds": cost["wall"] * 1e3,
            "peakBytes": cost["peak"],
        },
        "peers": [
            {
                "name": competitor.name,
                "path": competitor.path and str(competitor.path),
                "version": competitor.version,
                "hint": competitor.hint,
            }
            for competitor in bench.competitors.values()
        ],
    }


def finish(facts, bench, done):
    """Adds the sections, their photos, and the counts."""
    facts["photos"] = [
        {
            "name": photo.name,
            "path": str(photo.path),
            "width": photo.width,
            "height": photo.height,
            "bytes": photo.bytes,
            "restartInterval": photo.restart_interval,
            "sha256": photo.sha256,
        }
        for photo in bench.photos.used.values()
    ]
    facts["sections"] = done
    verdicts = [limit["verdict"] for section in done for limit in section["limits"]]
    facts["limitsKept"] = verdicts.count("ok")
    facts["limitsBroken"] = verdicts.count("over")
    facts["limitsSkipped"] = verdicts.count("skipped")
    facts["casesSkipped"] = sum(len(section["skips"]) for section in done)
    failed = [case for section in done for case in section["cases"] if case["failure"]]
    facts["casesFailed"] = len(failed)
    facts["ownFailures"] = sum(case["isOurs"] for case in failed)
