#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The tools for color in the Adjust panel, and what the command line finds afterwards.

Usage: coloring.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import sys

from adjusting import box
from browser import require
from harness import Checks, equal, until
from library import Phone
from scenarios import EditorPage, stored

scenario = Checks()


def picked(work, photo, x, y, *options):
    """The white balance by which the command line makes a point gray."""
    copy = work.photo(photo.name, f"picked-{x}-{y}/{photo.name}")
    work.run("apply", *options, "--filter", f"whiteBalance:pick={x}:{y}", copy)
    return next(node["params"] for node in stored(work, copy)["nodes"] if node["filter"] == "whiteBalance")


def white_balance(page):
    field = "return Number(document.querySelector(arguments[0]).value.replace('−', '-'))"
    shown = {name: page.run(field, f"[data-filter=whiteBalance] input.number[data-key={name}]")
             for name in ("temperature", "tint")}
    return {name: page.converted("whiteBalance", name, value, "stored") for name, value in shown.items()}


def equals_picked(page, expected):
    """Looks for the values of the command line, up to the rounding of the preview's JPEG."""
    found = white_balance(page)
    assert abs(1e6 / found["temperature"] - 1e6 / expected["temperature"]) < 3, f"{found}, not {expected}"
    assert abs(found["tint"] - expected["tint"]) < 3, f"{found}, not {expected}"


@scenario("the pipette gives a point the white balance that the command line gives it")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    photo = work.photo("photo-1024.jpg")
    geometry = ("--filter", "crop:x=0.1,y=0.2,w=0.8,h=0.6", "--filter", "rotate90:turns=1")
    work.run("apply", *geometry, "--filter", "saturate:amount=2", photo)
    point = "return document.querySelector('.gray-ring').getAttribute('aria-valuetext')"
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.click('[aria-label="Choose a gray on the photo"]'))
        left, top, width, height = box(page, ".frame")
        expected = {place: picked(work, photo, *place, *geometry) for place in ((0.45, 0.75), (0.7, 0.2))}
        for (x, y), values in expected.items():
            if not page.all(".gray-ring"):
                page.act(lambda: page.keys("w"))
            page.act(lambda: ActionChains(page.driver).move_by_offset(
                round(left + x * width), round(top + y * height)).click().move_by_offset(
                -round(left + x * width), -round(top + y * height)).perform())
            until(lambda: not page.all(".gray-ring"), "the end of the tool")
            equals_picked(page, values)
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        equals_picked(page, expected[0.45, 0.75])
        page.act(lambda: page.keys("w"))
        until(lambda: page.run("return document.activeElement.matches('.gray-ring')"), "the ring has the focus")
        before = page.run(point)
        page.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        assert page.run(point) != before, "the ring stays where it is"
        values = white_balance(page)
        page.act(lambda: page.keys(Keys.ESCAPE))
        equal(page.all(".gray-ring, .gray-board"), [], "the tool after Esc")
        equal(white_balance(page), values, "values after Esc")
        page.act(lambda: page.keys("w"))
        until(lambda: page.run("return document.activeElement.matches('.gray-ring')"), "the ring has the focus")
        page.act(lambda: page.keys(Keys.ENTER))
        equals_picked(page, picked(work, photo, 0.5, 0.5, *geometry))
        page.save()
        nodes = stored(work, photo)["nodes"]
        equal([node["filter"] for node in nodes], ["whiteBalance", "crop", "rotate90", "saturate"], "filters")
        equal(page.errors(), [], "console errors")


@scenario("the pipette refuses what is black or clipped, and continues")
def _(work):
    from PIL import Image
    photo = work.path / "clipped.png"
    Image.new("RGB", (300, 200), (255, 200, 180)).save(photo)
    with EditorPage(work, width=1440) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("w"))
        page.click(".gray-board")
        until(lambda: "clipped" in page.text(".tool-bar [role=status]"), "the reason")
        equal(page.text(".bar .subtitle"), "Not edited", "the state")
        page.act(lambda: page.click(".tool-bar .button"))
        equal(page.all(".gray-ring"), [], "the tool after Cancel")
        equal(page.errors(), [], "console errors")


# The heights of the levels behind the curve of a channel, in pixels of its board.
LEVELS = """return [...document.querySelector(`.adjust .curve[data-channel=${arguments[0]}] .curve-levels`)
  .getAttribute('d').matchAll(/L[-\\d.]+ ([-\\d.]+)/g)].slice(0, 256).map(([, y]) => 256 - Number(y))"""


def difference(some, others):
    return sum(abs(a - b) for a, b in zip(some, others)) / len(some)


@scenario("the levels behind a curve are those before it, and stay while it is changed")
def _(work):
    photo = work.photo()
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.run("document.querySelector('details[data-fold=Curve]').open = true")
        before = {}
        for name, channel in (("Red", "r"), ("Green", "g"), ("Blue", "b"), ("All", "master")):
            page.run("document.querySelector(`.fold input[value=${arguments[0]}]`).click()", name)
            before[channel] = page.run(LEVELS, channel)
        for channel, others in (("r", "g"), ("g", "b"), ("b", "master")):
            assert difference(before[channel], before[others]) > 5, f"{channel} is as {others}"
        page.act(lambda: page.drag(".adjust .curve", 0, -50))
        page.run_async("setTimeout(arguments[0], 300)")
        after = page.run(LEVELS, "master")
        assert difference(before["master"], after) < 4, f"master moves by {difference(before['master'], after)}"
        page.run("document.querySelector('.fold input[value=Red]').click()")
        moved = difference(before["r"], page.run(LEVELS, "r"))
        page.run("document.querySelector('.fold input[value=All]').click()")
        assert moved > 8, f"red, which comes later, moves by {moved}"
        page.set("exposure", "ev", 1)
        page.run_async("setTimeout(arguments[0], 300)")
        moved = difference(after, page.run(LEVELS, "master"))
        assert moved > 8, f"exposure, which comes earlier, moves the levels by {moved}"
        equal(page.errors(), [], "console errors")


@scenario("a wheel sets hue and strength by pointer and keyboard, and the sliders follow")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    wheel = '[aria-label="Color of highlights"]'
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)

        def values():
            return [page.value("colorGrade", f"highlight{name}") for name in ("Hue", "Amount")]

        def press(*keys):
            page.act(lambda: page.one(wheel).send_keys(*keys))

        page.run("document.querySelector('details[data-fold=\"Color grading\"]').open = true")
        page.run("document.querySelector('.fold input[value=Highlights]').click()")
        page.act(lambda: page.drag(wheel, 0, -39))
        hue, strength = values()
        assert abs(hue - 90) <= 2 and abs(strength - 0.3) <= 0.01, f"half of the way up: {hue}, {strength}"
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        equal(values(), [0, 0], "one step back")
        page.act(lambda: page.click('.bar [aria-label="Redo"]'))
        press(Keys.ARROW_LEFT, Keys.ARROW_UP)
        equal(values(), [hue + 5, round(strength + 0.05, 2)], "after the keys")
        text = "return document.querySelector(arguments[0]).getAttribute('aria-valuetext')"
        page.set("colorGrade", "highlightHue", 200)
        page.set("colorGrade", "highlightAmount", 0.45)
        equal(page.run(text, wheel), "Hue 200°, strength 0.45", "after the field")
        press(Keys.HOME)
        equal([values(), page.text(".bar .subtitle")], [[0, 0], "Not edited"], "no strength")
        press(Keys.ARROW_UP)
        equal(values(), [200, 0.05], "the hue is kept")
        page.act(lambda: ActionChains(page.driver).double_click(page.one(wheel)).perform())
        equal([values(), page.text(".bar .subtitle")], [[0, 0], "Not edited"], "a double click")
        press(Keys.ARROW_UP, Keys.ARROW_UP)
        page.save()
        equal([(node["filter"], node["params"]["highlightAmount"]) for node in stored(work, photo)["nodes"]],
              [("colorGrade", 0.1)], "saved")
        equal(page.errors(), [], "console errors")


class EditorPhone(EditorPage):
    """The editor in a narrow window with a touch screen."""

    def __init__(self, work):
        super().__init__(work, width=390, height=844)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {
            "enabled": True, "maxTouchPoints": 2})

    touch, center = Phone.touch, Phone.center


@scenario("on a phone, a swipe on a curve or a wheel changes it, and neither scrolls nor leaves the page")
def _(work):
    photo = work.photo()
    scrolled = "return document.querySelector('.panels').scrollTop"
    with EditorPhone(work) as page:
        page.open(work.serve(photo).link)
        for fold, board, changed in (
                ("Curve", ".adjust .curve", "document.querySelectorAll('.curve-point').length > 2"),
                ("Color grading", ".adjust .wheel", "document.querySelector('.wheel[data-changed=true]')")):
            page.run("document.querySelector(`details[data-fold='${arguments[0]}']`).open = true", fold)
            page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", board)
            page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            place = page.run(scrolled)
            x, y = page.center(board)
            for step, (dx, dy) in enumerate(((-20, -40), (-15, -20), (-10, 0), (-5, 20), (0, 40))):
                page.touch("touchMove" if step else "touchStart", (x + dx, y + dy))
            page.touch("touchEnd")
            until(lambda: page.run(f"return Boolean({changed})"), f"{fold} is changed")
            page.run_async("setTimeout(arguments[0], 300)")
            equal(page.run(scrolled), place, f"the panel after a swipe on {fold}")
            equal(page.run("return Boolean(document.querySelector('.editor .panels').checkVisibility())"),
                  True, "the panel is there")
        equal(page.errors(), [], "console errors")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
