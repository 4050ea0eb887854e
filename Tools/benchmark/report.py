# SPDX-License-Identifier: Apache-2.0
"""Says what was measured: lines for people, and the same as JSON."""

import sys

WORDS = {"wall": "wall", "cpu": "CPU", "peak": "peak"}
SI_UNITS = {"wall": "seconds", "cpu": "seconds", "peak": "bytes"}
UNITS = {"wall": (1e3, "ms"), "cpu": (1e3, "ms"), "peak": (1e-6, "MB")}


def progress(words):
    """Tells who waits at a terminal what goes on."""
    if sys.stderr.isatty():
        print(f"benchmark: {words}", file=sys.stderr)


def section_lines(section, costs, failures):
    """The table of a section, its limits with verdicts, its growth, and what was skipped."""
    lines = [f"{section.name}: {section.title}", *(f"  ({note})" for note in section.notes)]
    if section.cases:
        head = ("wall ms", "least", "most", "CPU ms", "peak MB", "MP/s", "× ours")
        lines.append(f"  {'':32}" + "".join(f"{word:>9}" for word in head))
    for case in section.cases:
        if case.name in failures:
            lines.append(f"  {case.name:32}  FAILED: {failures[case.name]}")
            continue
        cost = costs[case.name]
        walls = cost.all("wall")
        values = (cost["wall"], min(walls), max(walls), cost["cpu"])
        cells = [f"{value * 1e3:9.1f}" for value in values] + [f"{cost['peak'] / 1e6:9.1f}"]
        speed = case.megapixels / cost["wall"]
        cells.append(f"{speed:9.0f}" if case.megapixels >= 0.1 else f"{'–':>9}")
        ratio = ratio_to_ours(section, case, costs)
        cells.append(f"{'–':>9}" if ratio is None else f"{ratio:9.2f}")
        lines.append(f"  {case.name:32}{''.join(cells)}")
    lines += [limit_line(limit, costs) for limit in section.limits]
    for figure in section.figures:
        grown = section.grown(figure, costs)
        lines.append(f"  {figure[0]}: " + ("skipped" if grown is None else f"{grown:.2f} ×"))
    lines += [f"  skipped: {name}: {reason}" for name, reason in section.skips]
    return lines


def ratio_to_ours(section, case, costs):
    """The wall time beside that of the first case of ours with as many pixels; None without one."""
    for other in section.cases:
        if other.is_ours and other.megapixels == case.megapixels:
            return (
                costs[case.name]["wall"] / costs[other.name]["wall"]
                if other.name in costs
                else None
            )
    return None


def limit_line(limit, costs):
    measured, verdict = limit.measured(costs), limit.verdict(costs)
    factor, unit = (1, f"× {reference_words(limit)}") if limit.reference else UNITS[limit.quantity]
    digits = 2 if limit.reference else 1
    found = "" if measured is None else f"{measured * factor:.{digits}f} {unit}, "
    allowed = f"at most {limit.at_most * factor:.{digits}f}"
    if measured is None:
        allowed += f" {unit}"
    return f"  {verdict:7} {WORDS[limit.quantity]} of {limit.case}: {found}{allowed}"


def reference_words(limit):
    quantities = dict.fromkeys(WORDS[quantity] for _, quantity in limit.reference)
    return f"{', '.join(quantities)} of {' + '.join(name for name, _ in limit.reference)}"


def head_lines(facts):
    """The machine, the versions, and the photos that were used."""
    machine, measure = facts["machine"], facts["measure"]
    lines = [
        f"{facts['photoedit']}; {facts['rounds']} rounds, of which the {facts['statistic']} counts",
        f"{machine['cpu']}, {len(machine['cores'])} cores used, {machine['system']},"
        f" load {machine['load']:.2f}",
        f"the measure itself, of 'true': {measure['wallMilliseconds']:.2f} ms,"
        f" {measure['peakBytes'] / 1e6:.1f} MB",
    ]
    if len(machine["cores"]) != 2:
        lines.append("the limits are meant for two cores")
    if machine["load"] > 0.3:
        lines.append("the machine is not idle: wall times are too long and their ratios unsure")
    for peer in facts["peers"]:
        lines.append(f"  {peer['name']:10}{peer['version'] or 'not found; ' + peer['hint']}")
    return lines


def end_lines(facts):
    """The photos, and the counts."""
    lines = ["photos"]
    for photo in facts["photos"]:
        interval = photo["restartInterval"]
        markers = f"a restart marker every {interval} MCUs" if interval else "no restart markers"
        size = f"{photo['width']}×{photo['height']}"
        lines.append(f"  {photo['name']:24}{size:>12}{photo['bytes']:>12} bytes, {markers}")
    counts = [
        f"{facts[key]} {words}"
        for key, words in (
            ("limitsKept", "limits kept"),
            ("limitsBroken", "broken"),
            ("limitsSkipped", "skipped"),
            ("casesSkipped", "cases skipped"),
            ("casesFailed", "cases failed"),
        )
    ]
    return [*lines, ", ".join(counts)]


def section_facts(section, costs, failures):
    """A section as JSON: milliseconds and bytes, with every sample."""
    cases = []
    for case in section.cases:
        fact = {
            "name": case.name,
            "isOurs": case.is_ours,
            "command": case.arguments,
            "megapixels": case.megapixels,
            "failure": failures.get(case.name),
        }
        if cost := costs.get(case.name):
            fact["wallMilliseconds"] = spread(cost, "wall", 1e3)
            fact["cpuMilliseconds"] = spread(cost, "cpu", 1e3)
            fact["peakBytes"] = spread(cost, "peak", 1)
            fact["megapixelsPerSecond"] = case.megapixels / cost["wall"]
            fact["wallRatioToOurs"] = ratio_to_ours(section, case, costs)
        cases.append(fact)
    limits = [
        {
            "case": limit.case,
            "quantity": limit.quantity,
            "reference": [{"case": name, "quantity": kind} for name, kind in limit.reference],
            "unit": "ratio" if limit.reference else SI_UNITS[limit.quantity],
            "atMost": limit.at_most,
            "measured": limit.measured(costs),
            "verdict": limit.verdict(costs),
        }
        for limit in section.limits
    ]
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


def spread(cost, quantity, factor):
    samples = [sample * factor for sample in cost.all(quantity)]
    return {
        "value": cost[quantity] * factor,
        "least": min(samples),
        "most": max(samples),
        "samples": samples,
    }
