# SPDX-License-Identifier: Apache-2.0
"""Compares two stored runs: a table of ratios."""

import json
import math
import sys

import report

QUANTITIES = tuple(report.KEYS)


def load(path):
    """A stored run. Exits if it is not one, or one of another version."""
    try:
        facts = json.loads(path.read_text())
        version = facts["schemaVersion"]
    except (ValueError, TypeError, KeyError):
        sys.exit(f"benchmark: {path}: not a result of --save")
    if version != report.SCHEMA_VERSION:
        sys.exit(
            f"benchmark: {path}: has version {version}, not {report.SCHEMA_VERSION};"
            " repeat that run with --program"
        )
    return facts


def lines(old, new):
    """The ratios of new to old by section and case, and both measurements of each limit."""
    found = [f"old: {described(old)}", f"new: {described(new)}"]
    found += [f"CAUTION: {reason}" for reason in differences(old, new)]
    old_sections = {section["name"]: section for section in old["sections"]}
    own = []
    for section in new["sections"]:
        before = old_sections.get(section["name"])
        if not before:
            found += ["", f"{section['name']}: not in the old run"]
            continue
        head = "".join(f"{report.WORDS[quantity].split()[0]:>9}" for quantity in QUANTITIES)
        found += ["", f"{section['name']}: new / old", f"  {'':36}{head}"]
        rows_before, rows = measured(before), measured(section)
        for name, (is_photoedit, values) in rows.items():
            if name not in rows_before:
                found.append(f"  {name:36}  not in the old run")
                continue
            ratios = [ratio(rows_before[name][1], values, quantity) for quantity in QUANTITIES]
            cells = "".join(f"{'–':>9}" if value is None else f"{value:9.2f}" for value in ratios)
            found.append(f"  {name:36}{cells}" + ("" if is_photoedit else "  other program"))
            if is_photoedit and ratios[0]:
                own.append(ratios[0])
        found += [f"  {name:36}  not in the new run" for name in rows_before if name not in rows]
        found += limit_lines(before, section)
    if own:
        mean = math.exp(sum(map(math.log, own)) / len(own))
        found += ["", f"geometric mean of {len(own)} ratios of wall time of photoedit: {mean:.3f}"]
    return found


def described(facts):
    machine = facts["machine"]
    return (
        f"{facts['photoedit']}, {facts['program']}; {facts['statistic']} of {facts['rounds']} rounds,"
        f" {machine['cpu']}, {len(machine['cores'])} cores, load {machine['load']:.2f}"
    )


def differences(old, new):
    """What differs besides the program and thus also changes the ratios."""
    found = []
    for name, words in (("cpu", "processors"), ("system", "systems")):
        if old["machine"][name] != new["machine"][name]:
            found.append(f"the {words} differ")
    if len(old["machine"]["cores"]) != len(new["machine"]["cores"]):
        found.append("the numbers of cores differ")
    if old["statistic"] != new["statistic"]:
        found.append("the statistics differ")
    photos = {photo["name"]: photo["sha256"] for photo in old["photos"]}
    for photo in new["photos"]:
        if photos.get(photo["name"], photo["sha256"]) != photo["sha256"]:
            found.append(f"the photo {photo['name']} differs")
    versions = {competitor["name"]: competitor["version"] for competitor in old["peers"]}
    for competitor in new["peers"]:
        if versions.get(competitor["name"], competitor["version"]) != competitor["version"]:
            found.append(f"the versions of {competitor['name']} differ")
    return found


def measured(section):
    """Whether it is photoedit, and the JSON with the samples, by the name of a case or part."""
    rows = {}
    for case in section["cases"]:
        if case["failure"] is None:
            rows[case["name"]] = (case["isOurs"], case)
            rows.update({part["name"]: (case["isOurs"], part) for part in case["parts"]})
    return rows


def ratio(old, new, quantity):
    key, _ = report.KEYS[quantity]
    if key not in old or key not in new or not old[key]["value"]:
        return None
    return new[key]["value"] / old[key]["value"]


def limit_lines(old, new):
    """Each limit of the new run that was measured in both, with both measurements."""

    def key(fact):
        return fact["case"], fact["quantity"], json.dumps(fact["reference"])

    before = {key(fact): fact for fact in old["limits"]}
    found = []
    for fact in new["limits"]:
        past = before.get(key(fact))
        if not past or past["measured"] is None or fact["measured"] is None:
            continue
        factor, digits = (1, 2) if fact["reference"] else (report.UNITS[fact["quantity"]][0], 1)
        was = f"{past['measured'] * factor:.{digits}f}"
        found.append(f"  {fact['verdict']:9}{report.limit_words(fact)}; was {was} ({past['verdict']})")
    return found
