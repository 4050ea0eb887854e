# SPDX-License-Identifier: Apache-2.0
"""The goals of the grid: libraries of 100,000 and of 1,000,000 assets in headless Chromium."""

import os
import pathlib
import shutil
import time

from harness import until
from large import copies, large_library, last_commit
from library import Grid
from scenarios import RECORD as PAINTS

COUNT, MANY = 100_000, 1_000_000

# Functions of the page: its visible tiles, and the times at which they have their images.
FUNCTIONS = """
window.visibleTiles = () => {
  const area = document.querySelector('.grid-scroller')?.getBoundingClientRect();
  return !area ? [] : [...document.querySelectorAll('.tile')].filter((tile) => {
    const box = tile.getBoundingClientRect();
    return box.bottom > area.top + 1 && box.top < area.bottom - 1 && box.width;
  });
};
window.loadedShare = () => {
  const tiles = window.visibleTiles();
  return tiles.filter((tile) => tile.dataset.loaded).length / (tiles.length || Infinity);
};
// The next frame shows what was loaded before it.
window.nextFrame = () => new Promise((resume) => requestAnimationFrame(() => resume()));
window.filled = async (share, limit = 15000) => {
  const end = performance.now() + limit;
  while (window.loadedShare() < share && performance.now() < end) await window.nextFrame();
  await window.nextFrame();
  return performance.now();
};
"""
FIRST = """
(async () => {
  const count = () => window.visibleTiles().filter((tile) => tile.dataset.loaded).length;
  while (performance.now() < 30000 && !window.first?.all) {
    await window.nextFrame();
    const now = performance.now();
    window.first ??= {};
    if (count() >= 12) window.first.twelve ??= now;
    if (window.loadedShare() >= 0.95) window.first.all = now;
  }
})();
"""
# Scrolls at a speed for a time; returns frame intervals, long tasks, and the share of blank tiles.
SCROLL = """
const [speed, duration, samples, done] = arguments;
(async () => {
  const area = document.querySelector('.grid-scroller');
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ entryTypes: ['longtask'] });
  const frames = [];
  let [blank, seen] = [0, 0];
  const start = performance.now();
  const from = area.scrollTop;
  let last = start;
  for (;;) {
    const now = await new Promise((resume) => requestAnimationFrame(resume));
    if (frames.length || now > last) frames.push(now - last);
    last = now;
    const target = from + (speed * (now - start)) / 1000;
    area.scrollTop = target;
    if (samples) {
      const tiles = window.visibleTiles();
      seen += tiles.length;
      blank += tiles.filter((tile) => !tile.dataset.loaded).length;
    }
    if (now - start > duration || target > area.scrollHeight) break;
  }
  await new Promise((resume) => setTimeout(resume, 200));
  observer.disconnect();
  return { frames: frames.slice(1), tasks: tasks.map((task) => task.duration), blank, seen };
})().then(done, (error) => done({ error: String(error) }));
"""
JUMP = """
const [share, done] = arguments;
const area = document.querySelector('.grid-scroller');
const started = performance.now();
area.scrollTop = share * (area.scrollHeight - area.clientHeight);
// The tiles of the new place exist after the next frame.
window.nextFrame().then(() => window.nextFrame()).then(() => window.filled(1))
  .then((end) => done(end - started), () => done(null));
"""
SHOWN = """
window.shown = [];
document.addEventListener('photoedit:applied', () => window.filled(1).then((end) => {
  window.shown.push(performance.timeOrigin + end);
}));
"""
# Whether a tile is visible with its image, and the section at the top edge: the heads of sections
# with thousands of assets are rarely visible.
REACHED = """return [window.visibleTiles().some((tile) => tile.dataset.loaded
  && Number(tile.dataset.index) === arguments[0]),
  document.querySelector('.scrubber').getAttribute('aria-valuetext')]"""


class LargeGrid(Grid):
    """A grid whose page has the functions above; the driver does not record its requests."""

    def __init__(self, work):
        # Every browser starts without a cache.
        shutil.rmtree(work.path / "browser", ignore_errors=True)
        super().__init__(work, records_requests=False)
        self.driver.set_script_timeout(240)
        for source in (FUNCTIONS, FIRST, PAINTS):
            self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})

    def heap(self):
        """The bytes of the JavaScript heap after a collection."""
        self.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        return self.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]


def first_grids(work, path, runs, before=lambda: None):
    """The milliseconds until 12 tiles, and until 95 % of the visible ones, have their images."""
    found = []
    for _ in range(runs):
        before()
        server = work.serve("--library", path)
        with LargeGrid(work) as page:
            page.open(server.link)
            until(lambda: page.run("return window.first?.all"), "the first grid", 40)
            found.append(page.run("return window.first"))
        server.stop()
    return [run["twelve"] for run in found], [run["all"] for run in found]


def grid(work, out):
    path = large_library(work, COUNT)
    thumbnails = path / "cache"
    twelve, _ = first_grids(work, path, 3, lambda: shutil.rmtree(thumbnails, ignore_errors=True))
    out.add("first grid of 100,000 assets without thumbnails, 12 tiles", twelve, 1500)
    _, shown = first_grids(work, path, 5)
    out.add("first grid of 100,000 assets with thumbnails", shown, 700)
    server = work.serve("--library", path)
    with LargeGrid(work) as page:
        page.open(server.link)
        scrolling(page, out)
        commits(work, path, page, out)
        memory(page, server, out)


def scrolling(page, out):
    # The thumbnails of the shared photos are rendered first.
    page.run_async(SCROLL, 3000, 30_000, False)
    result = page.run_async(SCROLL, 3000, 8000, True)
    out.add("blank tiles while scrolling 3,000 px/s",
            [100 * result["blank"] / result["seen"]], 2, unit="%")
    out.add("all tiles after a jump",
            [page.run_async(JUMP, share) for share in (0.5, 0.9, 0.2, 0.7, 0.35)], 400)
    page.run("document.querySelector('.grid-scroller').scrollTop = 0")
    page.run_async("window.filled(1).then(arguments[0])")
    result = page.run_async(SCROLL, 20_000, 8000, False)
    frames = result["frames"]
    out.add("frames per second while scrolling 20,000 px/s",
            [1000 * len(frames) / sum(frames)], 55, unit="fps", is_minimum=True)
    out.add("frame at the 99th percentile while scrolling 20,000 px/s",
            [sorted(frames)[len(frames) * 99 // 100]], 34)
    out.add("longest task while scrolling 20,000 px/s", [max(result["tasks"], default=0)], 50)


def commits(work, path, page, out):
    from PIL import Image
    page.run("document.querySelector('.grid-scroller').scrollTop = 0")
    page.run_async("window.filled(1).then(arguments[0])")
    page.run(SHOWN)
    image = Image.open(work.photo())
    delays = []
    for number in range(5):
        exif = image.getexif()
        exif[0x8769] = {0x9003: f"2026:02:0{number + 1} 10:00:00"}
        dated = work.path / f"dated-{number}.jpg"
        image.save(dated, exif=exif, quality=90)
        work.run("asset", "import", "-L", path, *copies(dated, work.path, 1))
        until(lambda: page.run("return window.shown.length") > number, "the commit is shown")
        delays.append(page.run("return window.shown.at(-1)") - last_commit(path) * 1000)
    out.add("commit of another process until its tiles have their images", delays, 200)


def memory(page, server, out):
    result = page.run_async(SCROLL, 100_000, 180_000, False)
    assert len(result["frames"]) > 100, result
    out.add("page heap after scrolling all of 100,000 assets", [page.heap() / 1e6], 60, unit="MB")
    page.run("document.querySelector('.grid-scroller').scrollTop = 0")
    page.run_async("window.filled(1).then(arguments[0])")
    out.add("elements of the grid",
            [page.run("return document.querySelectorAll('.grid *').length")], 400, unit="elements")
    first = page.run("""return document.querySelector('.tile img').src.split('/assets/')[1]
      .split('/')[0]""")
    page.driver.switch_to.new_window("tab")
    for source in (FUNCTIONS, PAINTS):
        page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    page.driver.get(f"{server.origin}/#/a/{first}/edit")
    until(lambda: page.run("return window.paints?.some((p) => p.purpose === 'still')"), "a still")
    time.sleep(2)
    out.add("resident memory of the server with an editor and a grid of 100,000",
            [server.memory() / 1e6], 180, unit="MB")
    before = usage(server.process.pid)
    time.sleep(10)
    after = usage(server.process.pid)
    out.add("processor time of the idle server in 10 s", [after[0] - before[0]], 0)
    # It sends comments on the event stream, and looks whether the folder of the library is there.
    waits = [count - before[1].get(thread, 0) for thread, count in after[1].items()]
    out.add("wake-ups of the idle server in 10 s", [sum(waits)], 10, unit="wake-ups")


def usage(process):
    """The milliseconds of processor time of a process, and the number of waits of its threads."""
    folder = pathlib.Path(f"/proc/{process}")
    fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
    milliseconds = (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")
    waits = {}
    for thread in (folder / "task").iterdir():
        lines = (thread / "status").read_text().splitlines()
        waits[thread.name] = next(
            int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt"))
    return milliseconds, waits


def million(work, out):
    from selenium.webdriver.common.keys import Keys
    path = large_library(work, MANY)
    first_grids(work, path, 1)
    _, shown = first_grids(work, path, 3)
    out.add("first grid of 1,000,000 assets with thumbnails", shown, 2000)
    server = work.serve("--library", path)
    with LargeGrid(work) as page:
        page.open(server.link)
        until(lambda: page.run("return window.first?.all"), "the first grid", 40)
        page.run_async("""
          const done = arguments[0];
          const area = document.querySelector('.grid-scroller');
          (async () => {
            // The native window is moved along when scrolling pauses.
            for (let step = 0; step < 60; step += 1) {
              area.scrollTop = area.scrollHeight;
              await new Promise((resume) => setTimeout(resume, 200));
            }
            await window.filled(1);
          })().then(done, done);""")
        scrolled = page.run(REACHED, MANY - 1)
        page.keys(Keys.HOME)
        page.run_async("window.filled(1).then(arguments[0])")
        newest = page.run(REACHED, 0)
        page.keys(Keys.END)
        page.run_async("window.filled(1).then(arguments[0])")
        ended, focused = page.run(REACHED, MANY - 1), page.focused
        assert newest == [True, "December 2025"], newest
        for way, found in (("by scrolling", scrolled), ("by the keyboard", ended)):
            reached = found[0] and "2001" in found[1]
            out.add(f"oldest of 1,000,000 assets is reached {way}", [int(reached)], 1,
                    unit="times", is_minimum=True)
        assert focused == MANY - 1, f"focus: {focused}"
