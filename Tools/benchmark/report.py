# SPDX-License-Identifier: Apache-2.0
"""Reports the measurements as text and as JSON."""

import sys

# Changes with the JSON: with what is recorded, and with what a case of the same name measures.
SCHEMA_VERSION = 2
WORDS = {"wall": "wall", "cpu": "CPU", "peak": "peak", "touched": "touched memory"}
SI_UNITS = {"wall": "seconds", "cpu": "seconds", "peak": "bytes", "touched": "bytes"}
UNITS = {"wall": (1e3, "ms"), "cpu": (1e3, "ms"), "peak": (1e-6, "MB"), "touched": (1e-6, "MB")}
# The JSON keys of a quantity's samples, and the factor to their unit.
KEYS = {
    "wall": ("wallMilliseconds", 1e3),
    "cpu": ("cpuMilliseconds", 1e3),
    "peak": ("peakBytes", 1),
    "touched": ("touchedBytes", 1),
}


def progress(words):
    """Prints progress to a terminal."""
    if sys.stderr.isatty():
        print(f"benchmark: {words}", file=sys.stderr)


def section_lines(section, costs, failures):
    """The table of a section, its limits with verdicts, its growth factors, and skipped cases."""
    lines = [f"{section.name}: {section.title}", *(f"  ({note})" for note in section.notes)]
    if section.cases:
        head = ("wall ms", "min", "max", "CPU ms", "peak MB", "touched", "MP/s", "× ours")
        lines.append(f"  {'':36}" + "".join(f"{word:>9}" for word in head))
    for case in section.cases:
        if case.name in failures:
            lines.append(f"  {case.name:36}  FAILED: {failures[case.name]}")
            continue
        cost = costs[case.name]
        walls = cost.all("wall")
        values = (cost["wall"], min(walls), max(walls), cost["cpu"])
        cells = [f"{value * 1e3:9.1f}" for value in values]
        cells += [f"{cost[quantity] / 1e6:9.1f}" for quantity in ("peak", "touched")]
        speed = case.megapixels / cost["wall"]
        cells.append(f"{speed:9.0f}" if case.megapixels >= 0.1 else f"{'–':>9}")
        ratio = ratio_to_photoedit(section, case, costs)
        cells.append(f"{'–':>9}" if ratio is None else f"{ratio:9.2f}")
        lines.append(f"  {case.name:36}{''.join(cells)}")
        for part in case.parts:
            walls = costs[part].all("wall")
            values = (costs[part]["wall"], min(walls), max(walls))
            lines.append(f"  {part:36}" + "".join(f"{value * 1e3:9.1f}" for value in values))
    for limit in section.limits:
        fact = limit_fact(limit, costs)
        lines.append(f"  {fact['verdict']:9}{limit_words(fact)}")
    for figure in section.figures:
        grown = section.grown(figure, costs)
        lines.append(f"  {figure[0]}: " + ("skipped" if grown is None else f"{grown:.2f} ×"))
    lines += [f"  skipped: {name}: {reason}" for name, reason in section.skips]
    return lines


def ratio_to_photoedit(section, case, costs):
    """The wall time relative to the first photoedit case with the same pixel count, or None."""
    for other in section.cases:
        if other.is_photoedit and other.megapixels == case.megapixels:
            return (
                costs[case.name]["wall"] / costs[other.name]["wall"]
                if other.name in costs
                else None
            )
    return None


def limit_fact(limit, costs):
    """A limit as JSON."""
    return {
        "case": limit.case,
        "quantity": limit.quantity,
        "reference": [{"case": name, "quantity": kind} for name, kind in limit.reference],
        "unit": "ratio" if limit.reference else SI_UNITS[limit.quantity],
        "atMost": limit.at_most,
        "measured": limit.measured(costs),
        "verdict": limit.verdict(costs),
    }


def limit_words(fact):
    """What a limit of the JSON applies to, what was measured, and the limit."""
    factor, unit = UNITS[fact["quantity"]]
    digits = 1
    if reference := fact["reference"]:
        quantities = dict.fromkeys(WORDS[part["quantity"]] for part in reference)
        names = " + ".join(part["case"] for part in reference)
        factor, digits, unit = 1, 2, f"× {', '.join(quantities)} of {names}"
    words = []
    if fact["measured"] is not None:
        words.append(f"{fact['measured'] * factor:.{digits}f} {unit}")
    if fact["atMost"] is not None:
        words.append(f"at most {fact['atMost'] * factor:.{digits}f}" + (f" {unit}" if not words else ""))
    return f"{WORDS[fact['quantity']]} of {fact['case']}: {', '.join(words) or 'no limit'}"


def head_lines(facts):
    """The machine and the versions."""
    machine, measure = facts["machine"], facts["measure"]
    lines = [
        f"{facts['photoedit']}; {facts['statistic']} of {facts['rounds']} rounds",
        f"{machine['cpu']}, {len(machine['cores'])} cores used, {machine['system']},"
        f" load {machine['load']:.2f}",
        f"measurement overhead ('true'): {measure['wallMilliseconds']:.2f} ms,"
        f" {measure['peakBytes'] / 1e6:.1f} MB",
    ]
    if len(machine["cores"]) != 2:
        lines.append("the limits apply to two cores")
    if machine["load"] > 0.3:
        lines.append("the machine is not idle: wall times are too long and ratios unreliable")
    for competitor in facts["peers"]:
        version = competitor['version'] or 'not found; ' + competitor['hint']
        lines.append(f"  {competitor['name']:14}{version}")
    return lines


def end_lines(facts):
    """The photos, the counts, the goals that were not measured and those that were not reached."""
    lines = ["photos"]
    for photo in facts["photos"]:
        interval = photo["restartInterval"]
        markers = f"a restart marker every {interval} MCUs" if interval else "no restart markers"
        size = f"{photo['width']}×{photo['height']}"
        lines.append(f"  {photo['name']:24}{size:>12}{photo['bytes']:>12} bytes, {markers}")
    counts = [
        f"{facts[key]} {words}"
        for key, words in (
            ("limitsKept", "limits met"),
            ("limitsBroken", "exceeded"),
            ("limitsSkipped", "skipped"),
            ("casesSkipped", "cases skipped"),
            ("casesFailed", "cases failed"),
        )
    ]
    lines.append(", ".join(counts))
    missing = [competitor["name"] for competitor in facts["peers"] if not competitor["path"]]
    if missing:
        lines.append(f"MISSING: {', '.join(missing)}; Tools/setup --peers installs them")
    for verdict, title in (("skipped", "NOT MEASURED"), ("over", "falls short")):
        goals = [
            f"  {section['name']}: {limit_words(limit)}"
            for section in facts["sections"]
            for limit in section["limits"]
            if limit["verdict"] == verdict
        ]
        if goals:
            lines += [f"{title}:", *goals]
        elif verdict == "over":
            lines.append("falls short: no measured goal")
    return lines


def section_facts(section, costs, failures):
    """A section as JSON: milliseconds and bytes, with all samples."""
    cases = []
    for case in section.cases:
        fact = {
            "name": case.name,
            "isOurs": case.is_photoedit,
            "command": case.arguments,
            "megapixels": case.megapixels,
            "failure": failures.get(case.name),
        }
        if cost := costs.get(case.name):
            for quantity in KEYS:
                fact.update(spread(cost, quantity))
            fact["megapixelsPerSecond"] = case.megapixels / cost["wall"]
            fact["wallRatioToOurs"] = ratio_to_photoedit(section, case, costs)
            fact["parts"] = [{"name": part, **spread(costs[part], "wall")} for part in case.parts]
        cases.append(fact)
    limits = [limit_fact(limit, costs) for limit in section.limits]
    growth = [
        {"name": figure[0], "factor": section.grown(figure, costs)} for figure in section.figures
    ]
    skips = [{"name": name, "reason": reason} for name, reason in section.skips]
    return {
        "name": section.name,
        "title": section.title,
        "notes": section.notes,
        "cases": cases,
        "limits": limits,
        "growth": growth,
        "skips": skips,
    }


def spread(cost, quantity):
    """The samples of a quantity with their statistic and range, under its JSON key."""
    key, factor = KEYS[quantity]
    samples = [sample * factor for sample in cost.all(quantity)]
    values = {"value": cost[quantity] * factor, "least": min(samples), "most": max(samples)}
    return {key: {**values, "samples": samples}}
