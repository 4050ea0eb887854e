#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measure the goals of the browser interface in headless Chromium and write them as JSON.

Usage: performance.py [-o FILE] [--trace FOLDER] [SUITE...]

A run under a load of more than 1 per core, before or after it, is reported and not judged:
`reached` is null. The exit status is 1 if a suite failed, regardless of the goals.
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

from browser import Page, require
from harness import Workspace, program
from large import large_photo
from performance_grid import grid, million
from scenarios import EXPOSURE, EditorPage, drag_result

FILTERS = ["whiteBalance:temperature=6000", "contrast:amount=1.1", "vibrance:amount=0.2",
           "parametricTone:shadows=1.2"]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))] if ordered else None


class Measurements:
    """The measured quantities with their goals."""

    def __init__(self):
        self.rows = []

    def add(self, name, values, limit, share=0.95, unit="ms", is_minimum=False):
        """Adds a quantity whose percentile is compared with a limit; it may be a minimum."""
        values = [value for value in values if value is not None]
        figure = percentile(values, share)
        self.rows.append({
            "name": name, "unit": unit, "count": len(values),
            "p50": round(percentile(values, 0.5), 2) if values else None,
            "p95": round(percentile(values, 0.95), 2) if values else None,
            "max": round(max(values), 2) if values else None,
            "goal": limit, "share": share, "isMinimum": is_minimum,
            "reached": None if figure is None else
            figure >= limit if is_minimum else figure <= limit,
        })
        print(f"{name}: p50 {self.rows[-1]['p50']} p95 {self.rows[-1]['p95']} {unit}, "
              f"goal {'≥' if is_minimum else '≤'} {limit}", flush=True)


# Moves a slider in steps, one for each animation frame interval, and returns input-to-paint times.
SWEEP = """
const [selector, steps, pause, done] = arguments;
(async () => {
  const slider = document.querySelector(selector);
  slider.scrollIntoView({ block: 'center' });
  const [low, high] = [Number(slider.min), Number(slider.max)];
  const start = window.paints.length;
  for (let step = 0; step < steps; step += 1) {
    const share = 0.5 + 0.22 * Math.sin((step / steps) * 6.283);
    const count = window.paints.length;
    slider.value = low + (high - low) * share;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    if (pause) {
      await new Promise((resume) => setTimeout(resume, pause));
    } else {
      const limit = performance.now() + 3000;
      while (window.paints.length === count && performance.now() < limit) {
        await new Promise((resume) => requestAnimationFrame(resume));
      }
    }
  }
  const end = performance.now();
  await new Promise((resume) => setTimeout(resume, 1500));
  const paints = window.paints.slice(start).map((p) => ({ ...p, delay: p.painted - p.at }));
  return { paints, end };
})().then(done, (error) => done({ error: String(error) }));
"""


def sliders(work, out):
    photo = large_photo(work, 12)
    for name in FILTERS:
        work.run("apply",
                 "--filter", name, photo)
    server = work.serve(photo)
    with EditorPage(work, width=2040, height=1320) as page:
        page.driver.set_script_timeout(180)
        page.open(server.link)
        opened = page.run("return window.paints.find(p => p.purpose === 'still').painted")
        out.add("open the editor of a 12 MP photo until its still is painted", [opened], 600)
        page.act(lambda: page.drag(EXPOSURE, 10))
        result = page.run_async(SWEEP, EXPOSURE, 200, 0)
        drags = [paint["delay"] for paint in result["paints"] if paint["purpose"] == "drag"]
        out.add("slider input to painted image, pixel filters", drags, 100)
        result = page.run_async(SWEEP, EXPOSURE, 100, 10)
        after = [paint for paint in result["paints"] if paint["at"] >= result["end"] - 20
                 or paint["painted"] > result["end"]]
        out.add("renderings after the last of 100 inputs in one second",
                [len([p for p in after if p["purpose"] == "drag"])], 2, unit="renderings")
        delays, requests = drag_result(page, 4000)
        out.add("histogram after its preview, in a drag of four seconds", delays, 150)
        out.add("requests refused in that drag",
                [len([request for request in requests if request["status"] == 409])], 0,
                share=1, unit="requests")
        hold = page.run_async("""
          const done = arguments[0];
          const started = performance.now();
          document.dispatchEvent(new KeyboardEvent('keydown', {key: '\\\\', bubbles: true}));
          requestAnimationFrame(() => { const c = new MessageChannel();
            c.port1.onmessage = () => done(document.querySelectorAll('.frame > canvas')[2].hidden
              ? null : performance.now() - started); c.port2.postMessage(0); });""")
        page.run("document.dispatchEvent(new KeyboardEvent('keyup', {key: '\\\\', bubbles: true}))")
        out.add("hold for the original", [hold], 32)
        started = time.monotonic()
        page.save()
        out.add("save a 12 MP photo", [(time.monotonic() - started) * 1000], 700)
        page.keys("/")
        page.keys("clarity")
        from selenium.webdriver.common.keys import Keys
        page.act(lambda: page.keys(Keys.ENTER))
        slider = "[data-filter=clarity] input.slider[data-key=amount]"
        result = page.run_async(SWEEP, slider, 60, 0)
        out.add("slider with a neighborhood filter, half size",
                [p["delay"] for p in result["paints"] if p["purpose"] == "drag"], 150)
        stills = []
        for _ in range(5):
            result = page.run_async(SWEEP, slider, 3, 0)
            stills += [p["delay"] for p in result["paints"] if p["purpose"] == "still"]
        out.add("full size after the last input of a neighborhood filter", stills, 450)
        out.add("resident memory of the server", [server.memory() / 1e6], 180, unit="MB")


def large(work, out):
    photo = large_photo(work, 24)
    server = work.serve(photo)
    with EditorPage(work, width=2040, height=1320) as page:
        page.open(server.link)
        opened = page.run("return window.paints.find(p => p.purpose === 'still').painted")
        out.add("open the editor of a 24 MP photo until its still is painted", [opened], 900)


def weight(work, out):
    server = work.serve(work.photo())
    with EditorPage(work) as page:
        page.open(server.link)
        sizes = page.run("""return performance.getEntriesByType('resource')
          .concat(performance.getEntriesByType('navigation'))
          .filter(e => e.name.includes('/web/') || e.name.endsWith('/'))
          .reduce((sum, e) => sum + (e.transferSize || e.encodedBodySize), 0)""")
        others = page.run("""return performance.getEntriesByType('resource')
          .filter(e => !e.name.startsWith(location.origin)).length""")
        out.add("bytes of the page and its modules", [sizes / 1000], 120, unit="kB")
        out.add("requests to other origins", [others], 0, unit="requests")


LAYOUT = """
const [count, done] = arguments;
import('/web/js/grid/layout.js').then(({ Layout }) => {
  const shapes = new Uint8Array(count);
  for (let index = 0; index < count; index += 1) shapes[index] = 100 + ((index * 7919) % 60);
  const sections = [];
  for (let start = 0; start < count; start += 400) {
    sections.push({ key: '', title: 'x', start, count: Math.min(400, count - start) });
  }
  const times = [];
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now();
    new Layout(shapes, sections, { width: 1180, height: 196, header: 44 });
    times.push(performance.now() - started);
  }
  done(times);
}, (error) => done(String(error)));
"""


def layout(work, out):
    server = work.serve(work.photo())
    with EditorPage(work) as page:
        page.open(server.link)
        for count in (100_000, 1_000_000):
            out.add(f"layout of {count} tiles", page.run_async(LAYOUT, count), 50)


def environment():
    load = os.getloadavg()[0]
    cores = os.cpu_count() or 1
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                  if line.startswith("model name")), platform.machine())
    chromium = subprocess.run(["chromium", "--version"], capture_output=True, text=True)
    return {"date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "processor": model,
            "cores": cores, "load": load,
            "chromium": chromium.stdout.strip()}


SUITES = {"sliders": sliders, "large": large, "weight": weight, "layout": layout, "grid": grid,
          "million": million}


def main():
    parser = argparse.ArgumentParser(description="Measure the goals of the browser interface.")
    parser.add_argument("-o", "--output", help="JSON file (default: standard output)")
    parser.add_argument("--trace", metavar="FOLDER",
                        help="write a trace of each window, which slows it down")
    parser.add_argument("suites", nargs="*", choices=[*SUITES, []], help="suites (default: all)")
    options = parser.parse_args()
    require()
    program("photoedit-serve")
    Page.traces = options.trace
    report, out, failures = environment(), Measurements(), []
    for name in options.suites or SUITES:
        work = Workspace()
        try:
            SUITES[name](work, out)
        except Exception as error:  # The other suites still run.
            # Only the first line: the rest is a trace of the browser's driver.
            cause = f"{type(error).__name__}: {error}".splitlines()[0]
            failures.append(f"{name}: {cause}")
            print(failures[-1], file=sys.stderr)
        finally:
            work.close()
    report["loadAfter"] = os.getloadavg()[0]
    report["isJudged"] = max(report["load"], report["loadAfter"]) <= report["cores"]
    if not report["isJudged"]:
        for row in out.rows:
            row["reached"] = None
    report["measurements"], report["failures"] = out.rows, failures
    text = json.dumps(report, indent=2)
    if options.output:
        pathlib.Path(options.output).write_text(text + "\n")
    else:
        print(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
