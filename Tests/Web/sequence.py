#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One photo after the other: the filmstrip of the editor, and an edit from one photo to the next.

Usage: sequence.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import sys

from browser import require
from everyday import graphs
from harness import Checks, equal, until
from library import Grid, dated, library, listed, many, opened
from scenarios import EXPOSURE

scenario = Checks()
DAYS = (19, 18, 17, 16)


def days(work):
    """A library of photos of consecutive days, in the order of the grid."""
    path = library(work, ())
    work.run("asset", "import", "-L", path, *(
        dated(work, f"{day}.jpg", f"2024:06:{day}") for day in DAYS))
    return path


def named(work, path):
    """The identifiers of all assets, in the order of the grid."""
    found = {asset["originalFilename"]: asset["identifier"]
             for asset in listed(work, "asset", "list", "-L", path)}
    return [found[f"{day}.jpg"] for day in DAYS]


def title(page):
    return page.text(".editor h1")


def shows(page, name):
    """Waits for the editor of a photo, whose cell is then the marked one."""
    until(lambda: title(page) == name and not page.run(
        "return document.querySelector('.editor .bar').inert"), f"{name} is edited: {title(page)}")
    until(lambda: page.run("return document.querySelector('.strip-cell[aria-selected=true]')"
                           "?.title") == name, f"{name} is marked")


def cells(page):
    return page.run("return [...document.querySelectorAll('.strip-cell')]"
                    ".sort((a, b) => a.dataset.index - b.dataset.index).map((cell) => cell.title)")


def expose(page):
    """Moves the exposure by a key, and waits until Save is offered."""
    from selenium.webdriver.common.keys import Keys
    page.one(EXPOSURE).send_keys(Keys.ARROW_RIGHT)
    until(lambda: page.one(".bar .primary").is_enabled(), "a draft")


@scenario("the filmstrip goes through the list by keys and clicks, and asks about unsaved changes")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    names = [f"{day}.jpg" for day in DAYS]
    with opened(work, path) as page:
        page.keys(Keys.HOME, "e")
        shows(page, names[0])
        until(lambda: cells(page) == names, f"the strip: {cells(page)}")
        page.keys(Keys.ARROW_RIGHT)
        shows(page, names[1])
        page.keys(".", ".", ".")
        shows(page, names[3])
        page.keys(".")
        until(lambda: "last photo" in page.text("#messages"), "the end of the list")
        page.click(".strip-cell[data-index='0']")
        shows(page, names[0])
        expose(page)
        page.keys(".")
        page.one("dialog[open]")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all("dialog[open]"), "the dialog is closed")
        shows(page, names[0])
        page.keys(".")
        page.click("dialog [data-action=keep]")
        shows(page, names[1])
        page.keys(",")
        shows(page, names[0])
        until(lambda: "unsaved changes are back" in page.text("#messages"), "the draft")
        page.click(".bar .primary")
        until(lambda: "1 filter saved" in page.text(".bar .subtitle"), "saved")
        until(lambda: page.all(".strip-cell[data-index='0'] .strip-mark"), "the mark of an edit")
        page.keys("n")
        equal(page.one(".filmstrip").is_displayed(), False, "the strip is hidden")
        page.click("[aria-label=Back]")
        page.one(".timeline")
        equal(page.errors(), [], "console errors")


@scenario("Back and Forward of the browser close a dialog, and ask once about unsaved changes")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    with opened(work, path) as page:
        page.keys(Keys.HOME, "e")
        shows(page, f"{DAYS[0]}.jpg")
        expose(page)
        page.driver.back()
        page.one("dialog[open] [data-action=keep]")
        page.driver.forward()
        until(lambda: not page.all("dialog"), "the question is closed")
        shows(page, f"{DAYS[0]}.jpg")
        page.keys(".")
        page.one("dialog[open] [data-action=keep]")
        page.driver.back()
        until(lambda: len(page.all("dialog")) == 1, "one question")
        page.click("dialog [data-action=keep]")
        page.one(".timeline")
        equal(page.all("dialog"), [], "dialogs")
        equal(page.errors(), [], "console errors")


@scenario("the filmstrip has the photos of a selection, or of a search")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    with opened(work, path) as page:
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, " ", "e")
        shows(page, "17.jpg")
        until(lambda: cells(page) == ["19.jpg", "17.jpg"], f"the selection: {cells(page)}")
        page.keys(",")
        shows(page, "19.jpg")
        page.driver.refresh()
        shows(page, "19.jpg")
        until(lambda: cells(page) == ["19.jpg", "17.jpg"], f"after a reload: {cells(page)}")
        page.click("[aria-label=Back]")
        page.one(".timeline")
        page.keys("/", "16", Keys.ENTER)
        until(lambda: page.text(".timeline .subtitle") == "1 photo", "the search")
        page.run("document.activeElement.blur()")
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer")
        page.keys("e")
        shows(page, "16.jpg")
        equal(cells(page), ["16.jpg"], "the search")
        equal(page.errors(), [], "console errors")


@scenario("the filmstrip of a long list has few elements, and follows another program")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = many(work, 240)
    with opened(work, path) as page:
        page.keys(Keys.END, "e")
        until(lambda: page.run("return document.querySelector('.strip-cell[aria-selected=true]')"
                               "?.dataset.index") == "239", "the last photo is marked")
        count = page.run("return document.querySelectorAll('.strip-cell').length")
        assert 5 < count < 60, f"cells: {count}"
        place = ("return document.querySelector('.strip-cell[aria-selected=true]')"
                 "?.getBoundingClientRect().left")
        before = page.run(place)
        work.run("asset", "import", "-L", path, dated(work, "new.jpg", "2026:06:01"))
        until(lambda: page.run("return document.querySelector('.strip-cell[aria-selected=true]')"
                               "?.ariaPosInSet") == "241", "the photo has another place")
        equal(page.run(place), before, "the place of the photo on the screen")
        page.run("document.querySelector('.strip-scroller').scrollLeft = 0")
        until(lambda: "new.jpg" in cells(page), "the new photo is the first")
        page.click(".strip-cell[data-index='0']")
        shows(page, "new.jpg")
        equal(page.errors(), [], "console errors")


@scenario("a folder has a filmstrip as well; a damaged photo in it does not end it")
def _(work):
    from selenium.webdriver.common.keys import Keys
    folder = work.folder("folder")
    for day in DAYS[:3]:
        dated(work, f"{day}.jpg", f"2024:06:{day}").rename(folder / f"{day}.jpg")
    # Without a date of its own, it is the newest one.
    (folder / "18.jpg").write_bytes(b"\xff\xd8 damaged")
    server = work.serve(folder, "--read-only")
    with Grid(work) as page:
        page.open(server.link)
        page.keys(Keys.HOME, "e")
        until(lambda: "cannot be edited" in page.text(".editor h1"), "the reason")
        page.keys(".")
        shows(page, "19.jpg")
        page.keys(".")
        shows(page, "17.jpg")
        page.keys(",", ",")
        until(lambda: "cannot be edited" in page.text(".editor h1"), "the reason again")
        equal(page.all("[aria-label='Paste the edit']"), [], "Paste with --read-only")
        equal(page.errors(), [], "console errors")


@scenario("an edit is copied in the editor, and the chosen parts of it replace those of another photo")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    first, second = named(work, path)[:2]
    work.run("apply", "-L", path, "--filter", "exposure:ev=1", "--filter", "vibrance:amount=0.5",
             "--filter", "crop:x=0.1,y=0,w=0.5,h=1", first)
    work.run("apply", "-L", path, "--filter", "exposure:ev=-2", "--filter", "sepia", second)
    with opened(work, path) as page:
        page.keys(Keys.HOME, "e")
        shows(page, "19.jpg")
        page.chord(Keys.CONTROL, "c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.keys(".")
        shows(page, "18.jpg")
        page.chord(Keys.CONTROL, "v")
        page.one("dialog[open] .part")
        chosen = "return [...document.querySelectorAll('.part input')].map((box) => [" \
                 "box.dataset.part, box.checked])"
        equal(page.run(chosen), [["light", True], ["color", True], ["geometry", False]], "parts")
        page.click(".part input[data-part=color]")
        page.click("dialog [data-action=paste]")
        until(lambda: "Pasted: Light." in page.text("#messages"), "pasted")
        page.chord(Keys.CONTROL, "s")
        until(lambda: graphs(work, path)["18.jpg"] == ["sepia", "exposure"], "the light is replaced")
        page.keys(".")
        shows(page, "17.jpg")
        page.chord(Keys.CONTROL, "c")
        until(lambda: "no edit to copy" in page.text("#messages"), "nothing is copied")
        page.click("[aria-label='Paste the edit']")
        page.one("dialog[open] .part")
        equal(page.run(chosen)[1], ["color", False], "the parts of the last time")
        page.click(".part input[data-part=geometry]")
        page.click("dialog [data-action=paste]")
        page.chord(Keys.CONTROL, "s")
        until(lambda: graphs(work, path)["17.jpg"] == ["exposure", "crop"], "light and geometry")
        page.chord(Keys.CONTROL, "z")
        equal(page.errors(), [], "console errors")


@scenario("the names of the parts of an edit are whole in windows of any width")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    first = named(work, path)[0]
    filters = ("exposure:ev=1", "shadowsHighlights:shadows=0.4", "blackWhitePoint:black=0.1",
               "sigmoidalContrast:amount=2", "vibrance:amount=0.5")
    work.run("apply", "-L", path, *(part for each in filters for part in ("--filter", each)), first)
    with opened(work, path) as page:
        page.keys(Keys.HOME, "e")
        shows(page, "19.jpg")
        page.chord(Keys.CONTROL, "c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.chord(Keys.CONTROL, "v")
        page.one("dialog[open] .part")
        equal("Shadows & highlights" in page.text(".part"), True, "the names of filters")
        for width in (1280, 390, 320):
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False})
            cut = """return [...document.querySelectorAll('.part, .part span')].filter((item) =>
              item.scrollWidth > item.clientWidth && item.clientWidth > 0
              || getComputedStyle(item).textOverflow === 'ellipsis').map((item) => item.textContent)"""
            equal(page.run(cut), [], f"names that are cut at {width} pixels")
            outside = """const box = document.querySelector('dialog[open]').getBoundingClientRect();
              return [...document.querySelectorAll('.part')].filter((item) =>
                item.getBoundingClientRect().right > box.right).length"""
            equal(page.run(outside), 0, f"parts outside of the dialog at {width} pixels")
        equal(page.errors(), [], "console errors")


@scenario("parts of a copied edit are applied to a selection")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    first = named(work, path)[0]
    work.run("apply", "-L", path, "--filter", "exposure:ev=1", "--filter", "sepia",
             "--filter", "rotate90:turns=1", first)
    with opened(work, path) as page:
        page.keys(Keys.HOME, "c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.keys(Keys.ARROW_RIGHT, " ", Keys.ARROW_RIGHT, " ", "v")
        page.one("dialog[open] tbody tr")
        equal(page.run("return document.querySelector('[data-part=geometry]').checked"), False,
              "the geometry belongs to the photo")
        page.click("dialog [data-part=light]")
        until(lambda: page.one("dialog [data-action=apply]").text == "Apply to 2", "the plan")
        page.click("dialog [data-action=apply]")
        until(lambda: "2 photos changed" in page.text("#messages"), "applied", 60)
        found = graphs(work, path)
        equal((found["18.jpg"], found["17.jpg"]), (["sepia"], ["sepia"]), "filters")
        page.keys(Keys.ARROW_RIGHT, "v")
        page.one("dialog[open] tbody tr")
        page.click("dialog [data-part=color]")
        until(lambda: "Choose a part" in page.text("dialog [role=status]"), "no part")
        equal(page.one("dialog [data-action=apply]").is_enabled(), False, "Apply without a part")
        equal(page.errors(), [], "console errors")


@scenario("the healed spots of a photo are a part of its own, which other photos do not get unless it is chosen")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    first = named(work, path)[0]
    work.run("apply", "-L", path, "--filter", "heal:spots=0.25:0.25:0.015:0.4:0.25",
             "--filter", "exposure:ev=1", first)
    with opened(work, path) as page:
        page.keys(Keys.HOME, "c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.keys(Keys.ARROW_RIGHT, " ", Keys.ARROW_RIGHT, " ", "v")
        page.one("dialog[open] tbody tr")
        equal(page.run("""return [...document.querySelectorAll('dialog .part')].map((part) => [
          part.querySelector('span').textContent, part.querySelector('input').checked])"""),
              [["Light", True], ["Retouch", False]], "parts")
        until(lambda: page.one("dialog [data-action=apply]").text == "Apply to 2", "the plan")
        page.click("dialog [data-action=apply]")
        until(lambda: "2 photos changed" in page.text("#messages"), "applied", 60)
        found = graphs(work, path)
        equal((found["18.jpg"], found["17.jpg"]), (["exposure"], ["exposure"]), "filters")
        equal(page.errors(), [], "console errors")


@scenario("what is done with a selection in albums and in the trash is undone")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    ids = named(work, path)
    work.run("album", "create", "-L", path, "Trip", ids[1])

    def members():
        return [asset["originalFilename"] for asset in listed(
            work, "asset", "list", "-L", path, "--album", "Trip")]

    with opened(work, path) as page:
        page.keys(Keys.HOME)
        page.chord(Keys.CONTROL, "a")
        page.keys("a", Keys.ENTER)
        until(lambda: len(members()) == 4, "all are added")
        page.chord(Keys.CONTROL, "z")
        until(lambda: members() == ["18.jpg"], "those that were added are removed")
        page.keys(Keys.ESCAPE, Keys.HOME, Keys.DELETE)
        until(lambda: "moved to the trash" in page.text("#messages"), "in the trash")
        page.click("[data-source=trash]")
        until(lambda: page.names == ["19.jpg"], "the trash")
        page.keys(Keys.HOME, "r")
        until(lambda: "restored" in page.text("#messages"), "restored")
        page.chord(Keys.CONTROL, "z")
        until(lambda: page.names == ["19.jpg"], "in the trash again")
        work.run("album", "add", "-L", path, "Trip", *ids[2:])
        page.click("[data-album]")
        until(lambda: page.names == ["18.jpg", "17.jpg", "16.jpg"], "the album")
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, " ")
        page.run("document.activeElement.blur()")
        page.chord(Keys.ALT, Keys.ARROW_RIGHT)
        page.keys(Keys.ESCAPE, Keys.HOME)
        page.chord(Keys.ALT, Keys.ARROW_RIGHT)
        until(lambda: members() == ["17.jpg", "18.jpg", "16.jpg"], f"moved: {members()}")
        page.chord(Keys.CONTROL, "z")
        until(lambda: members() == ["18.jpg", "17.jpg", "16.jpg"], "the order before")
        page.click("[data-source=all]")
        page.one(".tile[data-loaded]")
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer img.fit")
        page.keys("]")
        until(lambda: "1 photo rotated." in page.text("#messages"), "rotated", 60)
        page.chord(Keys.CONTROL, "z")
        until(lambda: "as before" in page.text("#messages"), "as before")
        until(lambda: [] in graphs(work, path).values() and ["rotate90"] not in
              graphs(work, path).values(), "not rotated")
        equal(page.errors(), [], "console errors")


@scenario("the editor of a photo that cannot be decoded says so while it is open, with its neighbors")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    broken = work.path / "broken.jpg"
    whole = work.photo("photo-1024.jpg").read_bytes()
    broken.write_bytes(whole[:len(whole) // 3])
    work.run("asset", "import", "-L", path, broken)
    with opened(work, path) as page:
        page.keys(Keys.HOME)
        while "broken" not in page.names[page.focused]:
            page.keys(Keys.ARROW_RIGHT)
        page.keys("e")
        until(lambda: "damaged" in page.text(".stage-problem"), "the reason")
        until(lambda: len(page.all(".strip-cell")) > 2, "the neighbors", 2)
        page.one("[data-filter=exposure] input.slider[data-key=ev]").send_keys(Keys.ARROW_RIGHT)
        page.run_async("setTimeout(arguments[0], 800)")
        assert "damaged" in page.text(".stage-problem"), "the reason stays"
        equal(page.text("#messages"), "", "messages")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
