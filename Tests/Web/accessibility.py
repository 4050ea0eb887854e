#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Roles, names, contrast, target sizes, narrow windows and the keyboard alone.

Usage: accessibility.py [WORD...]   run the checks whose name contains a word (default: all)
"""

import sys

import axe
from adjusting import opened_sections
from browser import require
from harness import Checks, equal, until
from library import Grid, clip, identifiers, library, many
from scenarios import EditorPage, stored

check = Checks()

CONTROLS = {"button", "slider", "textbox", "checkbox", "radio", "combobox", "link", "switch",
            "spinbutton", "menuitem", "option", "gridcell", "dialog", "ColorWell"}

# Text elements whose contrast with the background behind them is too low.
CONTRAST = """
const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
canvas.canvas.width = canvas.canvas.height = 1;
const rgba = (text) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = text;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
const background = (element) => {
  const layers = [];
  for (let item = element; item; item = item.parentElement) {
    layers.push(rgba(getComputedStyle(item).backgroundColor));
    if (layers.at(-1)[3] === 1) break;
  }
  return layers.reverse().reduce((below, layer) => over(layer, below), [0, 0, 0]);
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.data.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  if (element.closest('.visually-hidden, :disabled, [data-enabled=false], .stage, [aria-disabled=true]')) continue;
  const style = getComputedStyle(element);
  const behind = background(element);
  const color = over(rgba(style.color), behind);
  const [a, b] = [luminance(color), luminance(behind)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  const isLarge = parseFloat(style.fontSize) >= 24;
  if (ratio < (isLarge ? 3 : 4.5)) found.push(`${node.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
}
return [...new Set(found)];
"""

# Controls whose target is smaller than 24 by 24 pixels.
TARGETS = """
return [...document.querySelectorAll('button, select, input, a, summary, [role=slider]')]
  .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
  .filter((element) => !['radio', 'checkbox'].includes(element.type))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && box.height > 1 && (box.width < 24 || box.height < 23.5))
  .map(([element, box]) => `${element.className} ${element.ariaLabel ?? element.textContent} `
    + `${box.width.toFixed(0)}x${box.height.toFixed(0)}`);
"""


def unnamed(page):
    tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [node["role"]["value"] for node in tree
            if not node.get("ignored") and node["role"]["value"] in CONTROLS
            and not node.get("name", {}).get("value", "").strip()]


def opened(work, **options):
    photo = work.photo()
    work.run("apply", "--filter", "exposure:ev=0.2", "--filter",
             "curve:points=0:0/0.5:0.6/1:1", "--filter",
             "whiteBalance:temperature=6000", photo)
    page = EditorPage(work, **options)
    page.open(work.serve(photo).link)
    return photo, page


@check("every control of the editor has a role and a name")
def _(work):
    _, page = opened(work, height=1200)
    with page:
        page.run("for (const d of document.querySelectorAll('.disclosure[aria-expanded=false]'))"
                 " d.click(); for (const d of document.querySelectorAll('details')) d.open = true")
        equal(unnamed(page), [], "controls without a name")
        headings = page.run("return document.querySelectorAll('h1').length")
        equal(headings, 1, "main headings")
        equal(page.run("return document.querySelectorAll('main, aside, header').length") >= 4,
              True, "landmarks")


@check("text is readable in both themes, and targets are large enough")
def _(work):
    _, page = opened(work, width=1440, height=1200)
    with page:
        for theme in ("dark", "light"):
            page.media(theme)
            equal(page.run(CONTRAST), [], f"contrast below 4.5 in the {theme} theme")
        equal(page.run(TARGETS), [], "targets below 24 pixels")


@check("at 320 pixels wide nothing is lost and nothing scrolls sideways")
def _(work):
    _, page = opened(work, width=320, height=640)
    with page:
        wide = page.run("return document.documentElement.scrollWidth")
        equal(wide <= 320, True, f"width of the page: {wide}")
        outside = page.run("""
          return [...document.querySelectorAll('.bar button, .side-foot button, .stage-bar button')]
            .filter((b) => b.checkVisibility()).map((b) => [b, b.getBoundingClientRect()])
            .filter(([, r]) => r.right > 320.5 || r.left < -0.5)
            .map(([b]) => b.ariaLabel ?? b.textContent)""")
        equal(outside, [], "controls outside of the window")
        page.set("exposure", "ev", 1)
        page.save()


@check("S12 with the keyboard alone: open, change, compare, crop, rotate, save, revert")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo, page = opened(work, width=1440)
    with page:
        page.run("document.body.focus()")
        for _ in range(60):
            page.keys(Keys.TAB)
            if page.run("return document.activeElement.matches('.slider[data-key=ev]')"):
                break
        equal(page.run("return document.activeElement.dataset.key"), "ev", "focus by Tab")
        page.act(lambda: page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.PAGE_UP))
        equal(page.value("exposure", "ev"), 0.8, "0.2 and two steps and one of ten")
        page.act(lambda: page.keys("c"))
        until(lambda: page.all('[aria-label="Crop left"]'), "handles of the crop")
        page.run("document.querySelector('[aria-label=\"Crop left\"]').focus()")
        page.act(lambda: page.keys(*[Keys.ARROW_RIGHT] * 5))
        page.act(lambda: page.keys(Keys.ENTER))
        page.act(lambda: page.keys("]"))
        page.chord(Keys.CONTROL, "s")
        until(lambda: len(stored(work, photo)["nodes"]) == 5, "crop and rotation are saved")
        crop = next(node for node in stored(work, photo)["nodes"] if node["filter"] == "crop")
        equal(round(crop["params"]["x"] * 1024), 5, "five pixels by five key presses")
        equal(page.errors(), [], "console errors")


@check("keys are listed by the question mark, and Escape closes the list")
def _(work):
    from selenium.webdriver.common.keys import Keys
    _, page = opened(work)
    with page:
        page.keys("?")
        text = page.one("dialog[open]").text
        for words in ("Save", "original", "Split view", "Crop"):
            assert words in text, f"{words} is not in the list of keys"
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all("dialog[open]"), "the list is closed")


@check("with the keyboard alone: to a date, to the sliders, to the end of a tool, and back to the grid")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = many(work, 60)
    with Grid(work) as page:
        page.open(work.serve("--library", path).link)
        page.keys("g")
        page.one("dialog[open] input:focus")
        page.keys("2012-01", Keys.ENTER)
        until(lambda: page.focused > 0, "the photo of the date has the focus")
        start = page.focused
        page.keys("e")
        page.one(".editor .tool-strip .tool")
        page.keys("d")
        until(lambda: page.run("return document.activeElement.dataset.key") == "ev", "the first slider")
        page.keys("s")
        until(lambda: page.run("return document.activeElement.closest('.tool-bar') !== null"), "the dial")
        page.keys(Keys.ENTER)
        until(lambda: not page.one(".tool-bar").is_displayed(), "the tool has ended")
        page.keys("c")
        page.one(".crop-area")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".crop-area"), "Esc ends the tool only")
        page.one(".editor")
        page.keys(Keys.ESCAPE)
        page.one(".tile[data-loaded]")
        until(lambda: page.focused == start, "the same photo in the grid")
        equal(page.errors(), [], "console errors")


@check("axe-core finds no violation in the editor and its dialogs")
def _(work):
    from selenium.webdriver.common.keys import Keys
    script = axe.source()
    _, page = opened(work, width=1440, height=1200)
    with page:
        equal(audited(page, script), [], "editor")
        opened_sections(page)
        equal(audited(page, script), [], "all sections")
        page.run("document.body.append(document.createElement('button'))")
        assert "button-name" in str(axe.violations(page, script)), "a button without a name"
        page.run("document.body.lastChild.remove()")
        page.act(lambda: page.keys("c"))
        until(lambda: page.all(".crop-handle"), "crop")
        equal(audited(page, script), [], "crop")
        page.act(lambda: page.keys("w"))
        until(lambda: page.all(".gray-ring"), "pipette")
        equal(audited(page, script), [], "pipette")
        page.act(lambda: page.keys("r"))
        until(lambda: page.run("return document.activeElement.matches('.spot-next')"), "retouching")
        page.act(lambda: page.keys(Keys.ENTER))
        until(lambda: page.all(".spot-center"), "a spot")
        equal(audited(page, script), [], "retouching")
        equal(unnamed(page), [], "controls without a name")
        equal(page.run(TARGETS), [], "targets below 24 pixels")
        page.act(lambda: page.keys(Keys.DELETE))
        page.act(lambda: page.click(".tool[data-filter=redEye]"))
        until(lambda: page.text(".retouch-note").endswith("pupil"), "red eye")
        equal(audited(page, script), [], "red eye")
        page.act(lambda: page.click(".tool[data-filter='mask.radial']"))
        until(lambda: page.all("[name=local-mask]"), "a mask")
        equal(audited(page, script), [], "masks")
        equal(unnamed(page), [], "controls without a name")
        page.act(lambda: page.click(".tool[data-filter='mask.brush']"))
        until(lambda: page.all(".brush-board"), "a brush")
        page.act(lambda: page.keys(Keys.SPACE))
        equal(audited(page, script), [], "brush")
        equal(unnamed(page), [], "controls without a name")
        equal(page.run(TARGETS), [], "targets below 24 pixels")
        page.keys("?")
        page.one("dialog[open]")
        equal(audited(page, script), [], "keys")


@check("axe-core finds no violation in the timeline, the viewer and the batch dialog")
def _(work):
    from selenium.webdriver.common.keys import Keys
    script = axe.source()
    path = library(work)
    for asset in identifiers(work, path):
        work.run("apply", "-L", path, "--filter", "sepia", asset)
    with Grid(work, width=1440) as page:
        page.open(work.serve("--library", path).link)
        until(lambda: not page.all(".tile:not([data-loaded])"), "thumbnails")
        equal(audited(page, script), [], "timeline")
        page.keys(Keys.HOME, " ")
        equal(audited(page, script), [], "selection")
        page.keys("c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.keys("v")
        page.one("dialog[open] tbody tr")
        equal(audited(page, script), [], "batch")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all("dialog[open]"), "closed")
        page.keys(Keys.ESCAPE, Keys.ENTER)
        until(lambda: page.text(".viewer h1"), "viewer")
        equal(audited(page, script), [], "viewer")


@check("axe-core finds no violation in the filmstrip, the paste dialog, an export and a trim")
def _(work):
    from selenium.webdriver.common.keys import Keys
    script = axe.source()
    path = library(work)
    for asset in identifiers(work, path):
        work.run("apply", "-L", path, "--filter", "sepia", "--filter", "exposure:ev=0.2", asset)
    with Grid(work, width=1440) as page:
        page.open(work.serve("--library", path).link)
        page.keys(Keys.HOME, " ")
        page.click('.selection-bar [aria-label="Export"]')
        page.one("dialog[open]")
        equal(audited(page, script), [], "export")
        page.keys(Keys.ESCAPE, Keys.ESCAPE, "e")
        until(lambda: len(page.all(".strip-cell img")) == 4, "the strip")
        equal(audited(page, script), [], "filmstrip")
        equal(unnamed(page), [], "controls without a name")
        for theme in ("dark", "light"):
            page.media(theme)
            equal(page.run(CONTRAST), [], f"contrast below 4.5 in the {theme} theme")
        equal(page.run(TARGETS), [], "targets below 24 pixels")
        page.chord(Keys.CONTROL, "c")
        page.chord(Keys.CONTROL, "v")
        page.one("dialog[open] .part")
        equal(audited(page, script), [], "paste")


@check("axe-core finds no violation in the tools of a video")
def _(work):
    from selenium.webdriver.common.keys import Keys
    script = axe.source()
    path = library(work, ())
    work.run("asset", "import", "-L", path, clip(work))
    with Grid(work, width=1440) as page:
        page.open(work.serve("--library", path).link)
        page.keys(Keys.HOME, Keys.ENTER)
        until(lambda: page.run("return document.querySelector('video')?.readyState >= 2"), "video")
        page.keys("e")
        until(lambda: page.text(".video-tools [role=status]"), "the times")
        equal(audited(page, script), [], "video")
        equal(unnamed(page), [], "controls without a name")


def audited(page, script):
    """The violations of a screen in both themes."""
    found = []
    for theme in ("dark", "light"):
        page.media(theme)
        found += [f"{theme}: {item}" for item in axe.violations(page, script)]
    return found


if __name__ == "__main__":
    require()
    sys.exit(check.run(sys.argv[1:]))
