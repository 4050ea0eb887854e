# SPDX-License-Identifier: Apache-2.0
"""The goals of the browser interface: measured by Tests/Web/performance.py, printed as a table."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Tests" / "Web" / "performance.py"


def main(options):
    """Measures, prints the table or JSON, and returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="photoedit-web-") as folder:
        path = Path(folder) / "web.json"
        # Run by its own interpreter, for which Tools/setup --tests installs the driver. Its progress
        # is kept apart from JSON on standard output.
        status = subprocess.run([SCRIPT, "-o", path], stdout=sys.stderr).returncode
        if not path.exists():
            # The script has said that there is no browser.
            return status
        text = path.read_text()
    report = json.loads(text)
    if options.save:
        options.save.write_text(text)
    print(text if options.json else "\n".join(lines(report)), end="" if options.json else "\n")
    missed = any(row["reached"] is False for row in report["measurements"])
    return 1 if status or report["failures"] or (options.check and missed) else 0


def lines(report):
    """The lines of a report: the machine, a table with the goals, and what was not reached."""
    rows = report["measurements"]
    yield f"{report['chromium'] or 'unknown browser'}, {report['processor']}"
    yield (f"{report['cores']} cores, load {report['load']:.1f} before and "
           f"{report['loadAfter']:.1f} after the run")
    yield ""
    width = max((len(row["name"]) for row in rows), default=4)
    yield f"{'':{width}}  {'p50':>9}  {'p95':>9}  {'goal':>9}"
    for row in rows:
        mark = {True: "", False: "  missed", None: "  not judged"}[row["reached"]]
        bound = "≥" if row["isMinimum"] else "≤"
        columns = figure(row["p50"]), figure(row["p95"]), f"{bound} {figure(row['goal'])}"
        figures = "  ".join(f"{column:>9}" for column in columns)
        yield f"{row['name']:{width}}  {figures}  {row['unit']}{mark}"
    yield ""
    for failure in report["failures"]:
        yield f"failed: {failure}"
    if not report["isJudged"]:
        yield "The load was above 1 per core, so the goals are not judged."
    elif missed := [row["name"] for row in rows if row["reached"] is False]:
        yield f"{len(missed)} of {len(rows)} goals missed: {', '.join(missed)}"
    else:
        yield f"All {len(rows)} goals reached."


def figure(value):
    """A number with at most two decimals, or a dash."""
    return "–" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")
