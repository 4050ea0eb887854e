#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page in windows of four sizes, with a mouse and with a touch screen.

Usage: windows.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import sys

from browser import require
from harness import Checks, equal, until
from library import Grid, Phone, clip, library

scenario = Checks()

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "laptop": (1280, 720), "desktop": (1600, 1000)}
TOUCHED = ("phone", "tablet")
# The visible controls that a pointer cannot reach: those outside of the window, and those below
# something else. What a list scrolls out of sight is reached by scrolling.
UNREACHABLE = """
const top = [...document.querySelectorAll('dialog[open], :popover-open')].at(-1) ?? document;
const names = [];
for (const control of top.querySelectorAll('button, select, input, a[href], [role=slider]')) {
  if (!control.checkVisibility() || control.closest('[inert]')) continue;
  const box = control.getBoundingClientRect();
  if (box.width < 3 || box.height < 3) continue;
  let isScrolled = false;
  for (let parent = control.parentElement; parent; parent = parent.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(parent).overflow)) continue;
    const around = parent.getBoundingClientRect();
    isScrolled ||= box.left < around.left - 1 || box.right > around.right + 1
      || box.top < around.top - 1 || box.bottom > around.bottom + 1;
  }
  if (isScrolled) continue;
  const middle = box.top + box.height / 2;
  const isReached = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5]].every(([x, y]) => {
    const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
    return hit && (control.contains(hit) || hit.contains(control)
      || hit.closest('label')?.contains(control));
  });
  if (!isReached || box.left < -1 || box.right > innerWidth + 1) {
    names.push(`${control.getAttribute('aria-label') ?? control.textContent} at `
      + [box.left, box.top, box.right, box.bottom].map(Math.round));
  }
}
return names;
"""


def window(work, name):
    width, height = SIZES[name]
    page = Phone(work, width, height) if name in TOUCHED else Grid(work, width=width, height=height)
    page.press = page.tap if name in TOUCHED else page.click
    return page


def reachable(page, what):
    page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    equal(page.run(UNREACHABLE), [], f"controls out of reach: {what}")


def height(page, selector):
    page.one(selector)
    return page.run("return document.querySelector(arguments[0]).getBoundingClientRect().height",
                    selector)


def reaches_everything(name):
    @scenario(f"on a {name}, every control of the grid, the viewer, the editor and its crop tool is reached")
    def _(work):
        path = library(work)
        with window(work, name) as page:
            page.open(work.serve("--library", path).link)
            reachable(page, "the grid")
            assert height(page, ".timeline > .bar") <= 110, "the bar of the grid is too high"
            page.run("document.querySelector('.tile .mark').click()")
            until(lambda: page.one(".selection-bar").is_displayed(), "the selection")
            reachable(page, "the selection")
            page.press('.selection-bar [aria-label="Clear selection"]')
            page.run("document.querySelector('.tile').dispatchEvent(new MouseEvent('dblclick', {bubbles: true}))")
            page.one(".viewer .frame img")
            reachable(page, "the viewer")
            assert height(page, ".viewer > .bar") <= 110, "the bar of the viewer is too high"
            page.press(".viewer .bar .primary")
            page.one(".editor .tool-strip .tool")
            until(lambda: "×" in page.text(".stage-bar .size"), "the photo")
            reachable(page, "the editor")
            page.press(".tool-strip .tool[data-filter=crop]")
            page.one(".crop-area")
            reachable(page, "the crop tool")
            assert height(page, ".stage") >= 0.45 * SIZES[name][1], "the photo is too small to crop"
            page.press(".tool-bar .primary")
            until(lambda: page.one(".tool-strip .tool[data-filter=crop]").is_displayed(), "the panels")
            equal(page.errors(), [], "console errors")


for size in SIZES:
    reaches_everything(size)


@scenario("the actions of a selection have labels, and in a narrow window a menu of the rare ones")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with window(work, "laptop") as page:
        server = work.serve("--library", path)
        page.open(server.link)
        page.click(".tile .mark")
        shown = page.run("""return [...document.querySelectorAll('.selection-bar [data-label]')]
          .filter((button) => button.checkVisibility())
          .map((button) => [button.getAttribute('aria-label'), getComputedStyle(button, '::after').content])""")
        equal(len(shown), 13, "actions")
        for name, label in shown:
            assert label.strip('"').lower() in name.lower(), f"{name} is not called {label}"
        # What the bar covers has no focus.
        equal(page.run("""return [...document.querySelectorAll('.timeline > .bar > :not(.selection-bar)')]
          .filter((part) => !part.inert).length"""), 0, "covered parts")
        page.one('[aria-label="Clear selection"]').send_keys(Keys.ENTER)
        until(lambda: page.focused == 0, "the focus is at the photo again")
    with window(work, "phone") as page:
        page.open(work.serve("--library", path).link)
        page.tap(".tile .mark")
        page.tap('.selection-bar [aria-label="More"]')
        reachable(page, "the menu")
        equal([item.text for item in page.all(".menu button")], [
            "Rating", "Label", "Information", "Rotate left", "Rotate right", "Revert to the original",
            "Copy the edit", "Apply an edit", "Export"], "rare actions")
        page.click(".menu button:nth-child(5)")
        until(lambda: "1 photo rotated." in page.text("#messages"), "rotated", 60)


@scenario("on a phone, dialogs, menus and the trim of a video are within the window")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    work.run("asset", "import", "-L", path, clip(work, "clip.mp4", seconds=1), work.photo())
    with window(work, "phone") as page:
        page.open(work.serve("--library", path, "--export-to", work.folder("out")).link)
        for button, opened in (("View", ".menu"), ("Import", "dialog[open]"), ("Keys", "dialog[open]")):
            page.tap(f'.bar [aria-label="{button}"]')
            until(lambda: page.one(opened).is_displayed(), button)
            reachable(page, button)
            page.keys(Keys.ESCAPE)
            # An element that is closed is removed, perhaps while it is looked at.
            until(lambda: not page.run("return [...document.querySelectorAll(arguments[0])]"
                                       ".some((part) => part.checkVisibility())", opened), f"{button} is closed")
        page.tap(".tile .mark")
        page.tap('.selection-bar [aria-label="More"]')
        page.click(".menu button:last-child")
        page.one("dialog[open]")
        reachable(page, "the export")
        page.keys(Keys.ESCAPE)
        page.tap('.selection-bar [aria-label="Clear selection"]')
        page.run("[...document.querySelectorAll('.tile')].find((tile) => tile.ariaLabel.includes('clip'))"
                 ".dispatchEvent(new MouseEvent('dblclick', {bubbles: true}))")
        page.one(".viewer video")
        page.tap('.viewer [aria-label="Trim"], .viewer .bar .button:not([hidden])')
        page.one(".trim-handle")
        reachable(page, "the trim")


@scenario("on a phone, the information is below the photo, and the trim of a video stays in reach")
def _(work):
    path = library(work, ("photo-landscape.jpg",))
    work.run("asset", "import", "-L", path, clip(work, "clip.mp4", seconds=1))
    edges = """const [photo, info] = ['.viewer .frame', '.viewer-info'].map((part) =>
      document.querySelector(part).getBoundingClientRect());
      return [photo.bottom, info.top, info.height]"""
    with window(work, "phone") as page:
        page.open(work.serve("--library", path).link)
        for name in ("Lake", "clip"):
            page.run("[...document.querySelectorAll('.tile')].find((tile) => tile.ariaLabel.includes(arguments[0]))"
                     ".dispatchEvent(new MouseEvent('dblclick', {bubbles: true}))", name)
            page.one(".viewer .frame :is(img, video)")
            if name == "Lake":
                page.tap('.viewer [aria-label="Information"]')
            until(lambda: page.all(".viewer-info dl"), "the information")
            until(lambda: page.run(edges)[0] <= page.run(edges)[1] + 1, f"{name} is above it")
            assert page.run(edges)[2] > 100, "the information is too low"
            if name == "clip":
                break
            # A value of several lines begins beside its name.
            tops = page.run("""return [...document.querySelectorAll('.viewer-info dt')].map((name) => {
              const [first, second] = [name, name.nextElementSibling].map((part) => {
                const range = document.createRange();
                range.selectNode(document.createTreeWalker(part, NodeFilter.SHOW_TEXT).nextNode());
                return range.getClientRects()[0];
              });
              return Math.abs(first.bottom - second.bottom);
            })""")
            assert max(tops) <= 4, f"names and values: {tops}"
            page.tap(".viewer .bar .icon-button")
            page.one(".tile[data-loaded]")
        page.tap('.viewer .bar .button:not([hidden])')
        page.one(".trim-handle")
        reachable(page, "the trim beside the information")
        equal(page.errors(), [], "console errors")


@scenario("after a finger has selected a photo, the next click of a mouse works as well")
def _(work):
    path = library(work)
    with window(work, "tablet") as page:
        page.open(work.serve("--library", path).link)
        page.touch("touchStart", page.center('.tile[data-index="0"]'))
        until(lambda: page.selected == 1, "the photo is selected")
        # The browser asks for a menu, and then there is no click.
        page.run("document.querySelector('.tile').dispatchEvent(new MouseEvent('contextmenu', {bubbles: true}))")
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
        page.click('.tile[data-index="1"]')
        until(lambda: page.selected == 2, "the other photo is selected", 5)
        equal(page.errors(), [], "console errors")


@scenario("in a window that becomes narrow, a menu stays at its button, and the list of albums does not cover photos")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)

    def resize(width, height):
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    with window(work, "laptop") as page:
        page.open(work.serve("--library", path).link)
        assert page.one(".sidebar").is_displayed(), "the list of albums"
        page.click('.bar [aria-label="View"]')
        page.one(".menu")
        resize(*SIZES["phone"])
        reachable(page, "the menu")
        page.keys(Keys.ESCAPE)
        equal(page.one(".sidebar").is_displayed(), False, "the list of albums in a narrow window")
        page.click('.bar [aria-label="Albums"]')
        until(lambda: page.one(".sidebar").is_displayed(), "it is opened")
        page.click(".search-input")
        until(lambda: page.all(".search-option"), "suggestions")
        equal(page.run("""return [...document.querySelectorAll('.search-option')].every((option) => {
          const box = option.getBoundingClientRect();
          return option.contains(document.elementFromPoint(box.left + 20, box.top + 10));
        })"""), True, "the list of albums is over the suggestions")
        page.keys(Keys.ESCAPE)
        resize(*SIZES["laptop"])
        until(lambda: page.one(".sidebar").is_displayed(), "in a wide window, it is there again")
        equal(page.errors(), [], "console errors")


@scenario("a dialog whose module comes late opens once; one that does not come says so, and opens later")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    server = work.serve("--library", path)
    command = '.bar [aria-label="Import"]'
    with window(work, "phone") as page:
        page.open(server.link)
        network = page.driver.execute_cdp_cmd
        network("Network.enable", {})
        network("Network.setBlockedURLs", {"urls": ["*/importDialog.js"]})
        page.press(command)
        until(lambda: "not running" in page.text("#messages .error"), "the message", 5)
        equal(page.all("dialog[open]"), [], "dialogs")
        network("Network.setBlockedURLs", {"urls": []})
        network("Network.emulateNetworkConditions", {
            "offline": False, "latency": 600, "downloadThroughput": -1, "uploadThroughput": -1})
        page.press(command)
        page.press(command)
        until(lambda: page.all("dialog[open]"), "the dialog")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all("dialog[open]"), "one dialog was open")
        equal(page.errors(), [], "console errors")


@scenario("no two of the symbols in the bar and the list of albums are the same")
def _(work):
    path = library(work)
    with window(work, "laptop") as page:
        page.open(work.serve("--library", path).link)
        symbols = page.run("""return [...document.querySelectorAll('.timeline > .bar button, .sidebar > ul a')]
          .map((control) => [control.querySelector('path')?.getAttribute('d'), control.ariaLabel ?? control.text])
          .filter(([shape]) => shape)""")
        for shape, name in symbols:
            equal([other for same, other in symbols if same == shape], [name], "controls with one symbol")


@scenario("keys that are pressed while a photo is being opened are carried out when it is there")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with window(work, "laptop") as page:
        page.open(work.serve("--library", path).link)
        page.driver.execute_cdp_cmd("Network.enable", {})
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1})
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer")
        page.keys("e")
        page.one(".editor .tool-strip .tool")
        # What follows the key of the search is its text, and rates no photo.
        for screen in (".viewer", ".timeline"):
            page.keys(Keys.ESCAPE)
            until(lambda: page.all(screen), f"back in the {screen}")
        page.keys("/", "5nothing", Keys.ENTER)
        until(lambda: page.text(".notice h2") == "Nothing matches", "the search")
        equal(page.errors(), [], "console errors")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
