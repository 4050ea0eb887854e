#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What people do in a hurry or without thinking: nothing is lost, and nothing misleads them.

Usage: hasty.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import sys

from browser import Page, require
from harness import Checks, equal, until
from library import PHOTOS, Phone, library
from scenarios import EXPOSURE, RECORD, EditorPage, stored

scenario = Checks()


class PhoneEditor(EditorPage, Phone):
    """The editor in a narrow window with a touch screen."""

    def open(self, address):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORD})
        Page.open(self, address)
        self.painted()

    def swipe(self, start, x=0, y=0, steps=8):
        """Moves a finger, and lifts it."""
        self.touch("touchStart", start)
        for step in range(1, steps + 1):
            self.touch("touchMove", (start[0] + x * step / steps, start[1] + y * step / steps))
            self.run_async("requestAnimationFrame(arguments[0])")
        self.touch("touchEnd")


@scenario("a finger that scrolls the panels changes no slider; one along a slider or a tap does")
def _(work):
    photo = work.photo()
    with PhoneEditor(work) as page:
        page.open(work.serve(photo).link)
        page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", EXPOSURE)
        scrolled = "return document.querySelector('.panels').scrollTop"
        before = page.run(scrolled)
        x, y = page.center(EXPOSURE)
        page.swipe((x + 60, y), y=-150)
        until(lambda: page.run(scrolled) > before + 50, f"scrolled from {before}: {page.run(scrolled)}")
        page.swipe((x + 60, page.center(EXPOSURE)[1]), x=-30, y=90)
        equal(page.value("exposure", "ev"), 0, "exposure after scrolling")
        equal(page.one(".bar .primary").is_enabled(), False, "a change")
        page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", EXPOSURE)
        x, y = page.center(EXPOSURE)
        page.act(lambda: page.swipe((x, y), x=80, y=10))
        slid = page.value("exposure", "ev")
        assert slid > 0.3, f"a finger along the slider: {slid}"
        page.act(lambda: page.swipe((x - 60, y)))
        tapped = page.value("exposure", "ev")
        assert tapped < -0.3, f"a tap: {tapped}"
        # Both are one step each.
        page.act(lambda: page.click(".bar [aria-label=Undo]"))
        equal(page.value("exposure", "ev"), slid, "after Undo")
        page.act(lambda: page.click(".bar [aria-label=Undo]"))
        equal(page.value("exposure", "ev"), 0, "after the second Undo")
        equal(page.errors(), [], "console errors")


@scenario("Esc in a tool takes back nothing that was saved or discarded there")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    with EditorPage(work) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("c"))
        page.act(lambda: page.drag("[aria-label='Crop top left']", 40, 30))
        page.chord(Keys.CONTROL, "s")
        until(lambda: page.text(".bar .subtitle") == "1 filter saved", "saved", 60)
        saved = stored(work, photo)["nodes"]
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".crop-area"), "the tool has ended")
        equal(page.text(".bar .subtitle"), "1 filter saved", "after Esc")
        # What was changed after it is taken back up to what was saved.
        page.act(lambda: page.keys("c"))
        page.act(lambda: page.drag("[aria-label='Crop bottom right']", -40, -30))
        page.chord(Keys.CONTROL, "s")
        until(lambda: stored(work, photo)["nodes"] != saved, "saved again", 60)
        until(lambda: page.text(".bar .subtitle") == "1 filter saved", "saved", 60)
        saved = stored(work, photo)["nodes"]
        page.act(lambda: page.drag("[aria-label='Crop top left']", 40, 30))
        page.keys(Keys.ESCAPE)
        until(lambda: page.text(".bar .subtitle") == "1 filter saved", "the saved crop is there")
        # Nor does it bring back what was discarded.
        page.set("exposure", "ev", 0.5)
        page.keys(Keys.ESCAPE)
        page.act(lambda: page.keys("c"))
        page.act(lambda: page.drag("[aria-label='Crop top left']", 20, 20))
        page.keys(Keys.ENTER)
        until(lambda: not page.all(".crop-area"), "kept")
        page.act(lambda: page.keys("c"))
        page.act(lambda: page.click(".bar .actions .button:nth-child(2)"))
        until(lambda: page.text(".bar .subtitle") == "1 filter saved", "discarded")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".crop-area"), "the tool has ended")
        equal(page.text(".bar .subtitle"), "1 filter saved", "after Esc")
        equal(stored(work, photo)["nodes"], saved, "what is stored")
        equal(page.errors(), [], "console errors")


@scenario("when the server has ended, the page says how the changes of its tab get to the next one")
def _(work):
    photo = work.photo()
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", 0.5)
        until(lambda: list((work.path / "state").rglob("drafts/*.json")), "a draft is stored", 0.9)
        server.kill()
        field = page.one("[data-filter=exposure] input.number[data-key=black]")
        page.run("""arguments[0].value = arguments[1];
          arguments[0].dispatchEvent(new Event('change', { bubbles: true }))""", field,
                 str(page.converted("exposure", "black", 0.02, "shown")))
        until(lambda: "only in this tab" in page.text("#messages .error:last-child"), "the message")
        shown = page.text("#messages")
        assert "open the link that it prints" in shown, shown
        words = shown.split("Started with ")[1].split(",")[0].split()
        equal(words, ["--address", server.host, "--port", str(server.port)], "the options")
        again = work.serve(photo, *words[:2], port=words[3])
        page.run("location.href = arguments[0]", again.link)
        until(lambda: not page.all(".login") and page.text("#messages") == "", "logged in")
        equal([page.value("exposure", "ev"), page.value("exposure", "black")], [0.5, 0.02], "the draft")
        page.save()
        params = stored(work, photo)["nodes"][0]["params"]
        equal((params["ev"], params["black"]), (0.5, 0.02), "saved")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
