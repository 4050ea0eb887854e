#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Take screenshots of the screens, dark and light, wide and narrow, or compare them with goldens.

Usage: screenshots.py FOLDER      write the screenshots
       screenshots.py --check     compare them with TestImages/screens; exit 1 if one differs
       screenshots.py --record    write those that differ to TestImages/screens, after a look
       screenshots.py FOLDER --readme
                                  write only the images of the documentation, as JPEG files of at
                                  most 200 kB
"""

import argparse
import io
import pathlib
import sys

import goldens
from browser import require
from harness import ROOT, Workspace, until
from library import Grid, library, listed
from scenarios import EditorPage

EDIT = ["exposure:ev=-0.2", "whiteBalance:temperature=7200", "contrast:amount=1.1",
        "vibrance:amount=0.3"]
SIZES = {"wide": (1280, 800), "narrow": (390, 844)}
THEMES = ("dark", "light")
# Images are decoded before they are drawn, not later.
SWITCHES = ["--disable-checker-imaging"]
# What differs between machines and runs: fonts, motion, and the insertion mark.
STEADY = """
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :root { --font: "DejaVu Sans" !important; --mono: "DejaVu Sans Mono" !important; }
  * { transition: none !important; animation: none !important; }
  * { caret-color: transparent !important; }`);
document.adoptedStyleSheets = [sheet];
window.lastRequest = 0;
const [send, running] = [window.fetch, new Set()];
window.fetch = async (...parameters) => {
  const answer = send(...parameters);
  running.add(answer);
  try { return await answer; } finally { running.delete(answer); lastRequest = performance.now(); }
};
window.isIdle = () => !running.size && performance.now() - lastRequest > 400;
"""
# The times of edits are those of the run.
TIMES = """for (const item of document.querySelectorAll('.state .caption'))
  item.textContent = item.textContent.replace(/\\d+:\\d\\d.*$/, '10:00 AM')"""
PHOTOS = ("photo-1024.jpg", "photo-landscape.jpg", "photo-portrait.jpg", "jpeg-581x387.jpg",
          "jpeg-progressive.jpg", "jpeg-422.jpg", "jpeg-display-p3.jpg", "jpeg-gray.jpg",
          "jpeg-restart.jpg", "jpeg-444.jpg")


def edited(work):
    photo = work.photo(to="balloons.jpg")
    arguments = [part for name in EDIT[:2] for part in ("--filter", name)]
    work.run("apply", *arguments, photo)
    work.run("adjust", photo, "--set", "exposure.ev=-0.05")
    work.run("apply", "--filter", EDIT[2], "--filter", EDIT[3], photo)
    return photo


def still(page):
    page.run("document.activeElement.blur()")
    page.run("document.querySelector('#messages').replaceChildren()")
    until(lambda: "–" not in page.text(".clip.highlights"), "the histogram")
    until(lambda: page.run("return document.querySelector('.editor')?.dataset.busy !== 'true'"),
          "idle")
    until(lambda: page.run("return getComputedStyle(document.querySelector('.stage-busy')).opacity === '0'"),
          "the bar of work in progress is gone")


class Screens:
    """The screenshots of one size in both themes, by their names."""

    def __init__(self, size):
        self.size = size
        self.shots = {}

    def steady(self, page):
        """Prepares a page before it is opened."""
        commands = {
            "Page.addScriptToEvaluateOnNewDocument": {"source": STEADY},
            "Emulation.setLocaleOverride": {"locale": "en-US"},
            "Emulation.setTimezoneOverride": {"timezoneId": "UTC"},
        }
        for command, parameters in commands.items():
            page.driver.execute_cdp_cmd(command, parameters)

    def save(self, page, name):
        until(lambda: page.run("return window.isIdle()"), "the end of all requests")
        page.run(TIMES)
        for theme in THEMES:
            page.media(theme)
            page.run_async("""const done = arguments[0];
              Promise.allSettled([...document.images].map((image) => image.decode()))
                .then(() => requestAnimationFrame(() => requestAnimationFrame(done)));""")
            # Parts of an image may be drawn late.
            shot, last = page.driver.get_screenshot_as_png(), None
            while shot != last:
                shot, last = page.driver.get_screenshot_as_png(), shot
            self.shots[f"{name}-{theme}-{self.size}"] = shot

    def editor(self, work):
        from selenium.webdriver.common.keys import Keys
        width, height = SIZES[self.size]
        photo = edited(work)
        with EditorPage(work, width=width, height=height, switches=SWITCHES) as page:
            self.steady(page)
            page.open(work.serve(photo).link)
            still(page)
            self.save(page, "editor")
            page.act(lambda: page.keys("c"))
            until(lambda: page.all(".crop-handle"), "crop")
            still(page)
            self.save(page, "crop")
            page.act(lambda: page.keys(Keys.ESCAPE))
            still(page)
            page.keys("/")
            page.one(".palette, .popover:popover-open, dialog[open]")
            self.save(page, "filters")
            page.keys(Keys.ESCAPE)
            until(lambda: not page.all(":popover-open"), "the filters are closed")
            page.run("document.activeElement.blur()")
            page.keys("?")
            page.one("dialog[open]")
            self.save(page, "keys")

    def grid(self, work):
        from selenium.webdriver.common.keys import Keys
        width, height = SIZES[self.size]
        path = dated_library(work)
        card = work.folder("card")
        for name in ("jpeg-rgb.jpg", "photo-1024.jpg", "photo-64.jpg"):
            work.photo(name, to=f"card/{name}")
        (card / "notes.txt").write_text("no photo")
        server = work.serve("--library", path, "--import-from", card)
        with Grid(work, width=width, height=height, switches=SWITCHES) as page:
            self.steady(page)
            page.open(server.link)
            loaded(page)
            self.save(page, "timeline")
            page.keys(Keys.ARROW_RIGHT, " ", Keys.ARROW_RIGHT, " ")
            until(lambda: page.selected == 2, "two are selected")
            self.save(page, "selection")
            page.keys(Keys.ESCAPE, Keys.HOME, "c")
            until(lambda: "Edit copied" in page.text("#messages"), "copied")
            page.chord(Keys.CONTROL, "a")
            page.chord(Keys.CONTROL, "a")
            page.keys("v")
            page.one("dialog[open] tbody tr")
            rows(page)
            self.save(page, "batch")
            page.keys(Keys.ESCAPE)
            until(lambda: not page.all("dialog[open]"), "the batch is closed")
            page.keys(Keys.ESCAPE)
            page.click('[aria-label="Import"]')
            page.click("dialog [data-root=card]")
            page.one("dialog tbody tr")
            rows(page)
            self.save(page, "import")
            page.keys(Keys.ESCAPE)
            until(lambda: not page.all("dialog[open]"), "the import is closed")
            page.run("document.querySelector('.tile[tabindex=\"0\"]').focus()")
            page.keys(Keys.ENTER)
            until(lambda: page.text(".viewer h1"), "viewer")
            until(lambda: page.run("const image = document.querySelector('img.fit');"
                                   "return image?.complete && image.naturalWidth >= 512"), "image")
            quiet(page)
            self.save(page, "viewer")


def quiet(page):
    page.run("document.querySelector('#messages').replaceChildren()")
    page.run("document.querySelector('.live-caption')?.setAttribute('hidden', '')")


def rows(page):
    """Waits for the thumbnails of a dialog."""
    until(lambda: page.run("return [...document.querySelectorAll('dialog .row-image')]"
                           ".every((image) => image.naturalWidth > 1)"), "thumbnails")
    quiet(page)


def loaded(page):
    until(lambda: page.all(".tile") and not page.all(".tile:not([data-loaded])"), "thumbnails")


def dated_library(work):
    """A library with an album, a favorite and an edit; its dates are the same in every run."""
    path = library(work, PHOTOS)
    assets = {asset["originalFilename"]: asset["identifier"]
              for asset in listed(work, "asset", "list", "-L", path)}
    for number, name in enumerate(PHOTOS):
        work.run("asset", "set", "-L", path, assets[name], "--date",
                 f"2024-0{6 - number // 4}-1{9 - number % 4}T0{8 + number % 2}:12:00Z")
    work.run("asset", "set", "-L", path, assets[PHOTOS[2]], "--favorite", "yes")
    work.run("apply", "-L", path, "--filter", "exposure:ev=0.2", assets[PHOTOS[0]])
    work.run("album", "create", "-L", path, "Lisbon", *list(assets.values())[:3])
    return path


def shots():
    """Every screenshot as PNG, by its name."""
    found = {}
    for size in SIZES:
        screens = Screens(size)
        for screen in (screens.editor, screens.grid):
            work = Workspace()
            work.environment["TZ"] = "UTC"
            try:
                screen(work)
            finally:
                work.close()
        found.update(screens.shots)
    return found


def check():
    """Compares the screens with the goldens, and prints the result as the other suites do."""
    found = shots()
    failures = [goldens.finding(name, png, ROOT / ".build" / "screens")
                for name, png in sorted(found.items())]
    names = {path.stem for path in goldens.FOLDER.glob("*.jpg")}
    failures += [f"{name}: a golden without a screen" for name in sorted(names - set(found))]
    failures += goldens.self_test()
    failures = [failure for failure in failures if failure]
    for failure in failures:
        print(f"FAIL  {failure}")
    print(f"{len(found)} screens compared, {len(failures)} failed", flush=True)
    return 1 if failures else 0


def compressed(png, target, limit=200_000):
    from PIL import Image
    image = Image.open(io.BytesIO(png)).convert("RGB")
    for quality in range(92, 60, -4):
        out = io.BytesIO()
        image.save(out, "JPEG", quality=quality, optimize=True, subsampling=0)
        if out.tell() <= limit:
            break
    target.write_bytes(out.getvalue())
    print(f"{target}: {out.tell()} bytes")


def documentation(folder):
    work = Workspace()
    try:
        photo = edited(work)
        with EditorPage(work, width=1280, height=800) as page:
            page.open(work.serve(photo).link)
            page.keys("y")
            until(lambda: page.run("return !document.querySelectorAll('.frame > canvas')[2].hidden"),
                  "the split view")
            still(page)
            compressed(page.driver.get_screenshot_as_png(), folder / "editor.jpg")
            page.keys("y")
            page.media("light")
            page.act(lambda: page.keys("c"))
            until(lambda: page.all(".crop-handle"), "crop")
            page.act(lambda: page.drag('[aria-label="Crop top left"]', 70, 44))
            still(page)
            compressed(page.driver.get_screenshot_as_png(), folder / "editor-light.jpg")
        path = library(work, PHOTOS)
        with Grid(work, width=1280, height=800) as page:
            page.open(work.serve("--library", path).link)
            until(lambda: not page.all(".tile:not([data-loaded])"), "thumbnails")
            compressed(page.driver.get_screenshot_as_png(), folder / "timeline.jpg")
    finally:
        work.close()


def main():
    parser = argparse.ArgumentParser(description="Take or compare screenshots of the screens.")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default="screenshots")
    for name in ("check", "record", "readme"):
        parser.add_argument(f"--{name}", action="store_true")
    options = parser.parse_args()
    require()
    if options.check:
        return check()
    if options.record:
        goldens.record(shots())
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.readme:
        documentation(options.folder)
        return 0
    for name, png in shots().items():
        (options.folder / f"{name}.png").write_bytes(png)
    return 0


if __name__ == "__main__":
    sys.exit(main())
