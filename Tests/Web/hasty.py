#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What people do in a hurry or without thinking: nothing is lost, and nothing misleads them.

Usage: hasty.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import sys
from urllib.parse import quote

from browser import Page, require
from everyday import graphs
from harness import Checks, equal, until
from library import Grid, Phone, dated, library, listed, opened
from masking import BRUSH, MASKS
from scenarios import EXPOSURE, RECORD, EditorPage, stored
from sequence import DAYS, days, expose, named, shows

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


def slowed(page, latency):
    """Delays every request of a page, by milliseconds."""
    page.driver.execute_cdp_cmd("Network.enable", {})
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1})


@scenario("who leaves while the photo is being saved is not asked, and goes back once")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer .frame img")
        page.keys("e")
        shows(page, "19.jpg")
        expose(page)
        slowed(page, 400)
        page.chord(Keys.CONTROL, "s")
        page.keys(Keys.ESCAPE, Keys.ESCAPE)
        until(lambda: page.all(".viewer") or page.all("dialog[open]"), "left")
        equal(page.all("dialog[open]"), [], "questions")
        equal(graphs(work, path)["19.jpg"], ["exposure"], "saved")
        slowed(page, 0)
        page.keys("e")
        shows(page, "19.jpg")
        page.one(EXPOSURE).send_keys(Keys.ARROW_RIGHT)
        until(lambda: page.one(".bar .primary").is_enabled(), "a draft")
        slowed(page, 400)
        page.chord(Keys.CONTROL, "s")
        page.click(".filmstrip > .icon-button:last-child")
        slowed(page, 0)
        shows(page, "18.jpg")
        equal(page.errors(), [], "console errors")


@scenario("back from the filmstrip is the photo that was edited last, and in the grid it has the keys")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer .frame img")
        page.keys("e")
        shows(page, "19.jpg")
        page.keys(".", ".")
        shows(page, "17.jpg")
        page.keys(Keys.ESCAPE)
        until(lambda: page.text(".viewer h1") == "17.jpg", "the viewer shows it")
        page.driver.forward()
        shows(page, "17.jpg")
        page.driver.back()
        until(lambda: page.text(".viewer h1") == "17.jpg", "the viewer again")
        page.keys(Keys.ESCAPE)
        until(lambda: page.all(".tile[data-loaded]") and page.focused == 2, "it has the keys")
        marked = "return [...document.querySelectorAll('.tile[data-current=true], .tile[tabindex=\"0\"]')]" \
                 ".map((tile) => tile.dataset.index)"
        equal(page.run(marked), ["2"], "what is marked")
        page.keys("e")
        shows(page, "17.jpg")
        page.keys(",")
        shows(page, "18.jpg")
        page.keys(Keys.ESCAPE)
        until(lambda: page.all(".tile[data-loaded]") and page.focused == 1, "the one that was edited last")
        equal(page.run(marked), ["1"], "what is marked")
        equal(page.errors(), [], "console errors")


@scenario("the address of a photo that is not there says so; one of the trash is shown there")
def _(work):
    path = days(work)
    # The page has them without the suffix of PhotoKit.
    names = [name.split("/")[0] for name in named(work, path)]
    server = work.serve("--library", path)
    with Grid(work) as page:
        page.open(server.link)
        for missing in ("doesnotexist", names[0]):
            if missing == names[0]:
                work.run("asset", "delete", "-L", path, "--yes", missing)
                work.run("asset", "purge", "-L", path, "--yes", missing)
            page.run("location.hash = arguments[0]", f"#/a/{quote(missing, safe='')}")
            until(lambda: page.text(".notice h1") == "This photo is not here", f"{missing} is not found")
            equal(page.all(".viewer"), [], "another photo")
            page.click(".notice .button")
            page.one(".tile[data-loaded]")
        # What no longer matches the search of the address is shown all the same.
        page.run("location.hash = arguments[0]", f"#/a/{quote(names[1], safe='')}?from=all&where=rating%3A5")
        until(lambda: page.text(".viewer h1") == "18.jpg", "the photo")
        work.run("asset", "delete", "-L", path, "--yes", names[2])
        page.run("location.hash = arguments[0]", f"#/a/{quote(names[2], safe='')}?from=all")
        until(lambda: page.text(".viewer h1") == "17.jpg", "the photo of the trash")
        shown = [item.text or item.get_attribute("aria-label")
                 for item in page.all(".viewer .bar button") if item.is_displayed()]
        assert "Restore" in shown and "Delete permanently" in shown, shown
        for other in ("Edit", "Move to the trash", "Rotate left", "Favorite"):
            assert other not in shown, shown
        equal(page.errors(), [], "console errors")


@scenario("in the trash, Enter deletes nothing, a photo that is shown is restored, and an empty one is not emptied")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    # The page has them without the suffix of PhotoKit.
    names = [name.split("/")[0] for name in named(work, path)]
    work.run("asset", "delete", "-L", path, "--yes", *names[:3])
    with Grid(work) as page:
        page.open(work.serve("--library", path).link)
        page.run("location.hash = '#/album/trash'")
        until(lambda: page.text(".timeline h1") == "Trash" and len(page.all(".tile[data-loaded]")) == 3,
              "the trash")
        page.click(".bar .group > .plain")
        page.one("dialog[open]")
        page.keys(Keys.ENTER)
        until(lambda: not page.all("dialog[open]"), "the question is closed")
        page.run("document.activeElement.blur()")
        page.keys(Keys.HOME, Keys.ENTER)
        first = until(lambda: page.text(".viewer h1"), "the photo")
        # What changes other photos does nothing here.
        page.keys("e", "]", "x")
        page.keys("r")
        second = until(lambda: (now := page.text(".viewer h1")) != first and now, "the next one")
        assert "1 photo restored." in page.text("#messages"), page.text("#messages")
        page.chord(Keys.CONTROL, "z")
        until(lambda: page.text(".viewer h1") == first, "it is in the trash again")
        page.keys("r")
        until(lambda: page.text(".viewer h1") == second, "the next one")
        page.click(".trash-actions .plain")
        page.one("dialog[open]")
        page.keys(Keys.TAB, Keys.ENTER)
        until(lambda: page.text(".viewer h1") not in (first, second), "the last one")
        page.keys(Keys.DELETE)
        page.one("dialog[open]")
        page.keys(Keys.TAB, Keys.ENTER)
        until(lambda: page.text(".timeline h1") == "Trash", "the empty trash")
        until(lambda: page.text(".notice h2") == "The trash is empty", "it is empty")
        equal(page.one(".bar .group > .plain").is_enabled(), False, "Empty trash")
        equal(sorted(asset["originalFilename"] for asset in listed(work, "asset", "list", "-L", path)),
              ["16.jpg", first], "what is left")
        equal(page.errors(), [], "console errors")


COVERED = """
const boxes = [...document.querySelectorAll('.message')].map((item) => item.getBoundingClientRect());
return [...document.querySelectorAll('.tool-bar *, .stage-bar *, .looks *, .filmstrip *')].filter((part) => {
  const box = part.getBoundingClientRect();
  return part.matches('button, input, select') && part.checkVisibility()
    && boxes.some((other) => box.left < other.right && box.right > other.left
      && box.top < other.bottom && box.bottom > other.top);
}).map((part) => part.ariaLabel ?? part.textContent)"""


@scenario("on a phone, the heading of the trash is whole, also in German")
def _(work):
    path = days(work)
    names = [name.split("/")[0] for name in named(work, path)]
    work.run("asset", "delete", "-L", path, "--yes", *names[1:])
    for language, heading in (("en", "Trash"), ("de", "Papierkorb")):
        with Grid(work, width=390, height=844, switches=[f"--accept-lang={language}"]) as page:
            page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True})
            page.open(work.serve("--library", path).link)
            page.run("location.hash = '#/album/trash'")
            until(lambda: page.text(".timeline h1") == heading, f"the trash: {page.text('.timeline h1')}")
            until(lambda: page.text(".timeline .subtitle").startswith(str(len(names) - 1)), "the count")
            cut = "return ['h1', '.subtitle'].filter((part) => { const text = document.querySelector(`.timeline .bar ${part}`);" \
                  " return text.scrollWidth > text.clientWidth; })"
            equal(page.run(cut), [], "what is cut")
            top, right = page.run("const { top, right } = document.querySelector('.bar .group > .plain').getBoundingClientRect();"
                                  " return [top, right]")
            below = page.run("return document.querySelector('.bar .search').getBoundingClientRect().top")
            assert right <= 390 and abs(top - below) < 12, f"the button is at {right}, {top}, the search at {below}"


@scenario("messages cover no control below the photo, and do not offer to undo on another one")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    for width, height in ((1440, 900), (768, 1024)):
        with Grid(work, width=width, height=height) as page:
            page.open(work.serve("--library", path).link)
            page.keys(Keys.HOME, "e")
            shows(page, "19.jpg")
            expose(page)
            page.click(".bar .actions .button:nth-child(2)")
            until(lambda: "Draft discarded" in page.text("#messages"), "the message")
            equal(page.run(COVERED), [], f"covered at {width} px")
            page.click(".tool-strip .tool[data-filter=crop]")
            page.one(".crop-area")
            page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            equal(page.run(COVERED), [], f"covered beside the crop tool at {width} px")
            page.click(".tool-bar .primary")
            # The server keeps that the first window has opened them, if it was told before that was closed.
            if not page.run("return document.querySelector('.stage-bar .button').ariaPressed === 'true'"):
                page.click(".stage-bar .button")
            until(lambda: page.all(".look-list button"), "the looks")
            page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            equal(page.run(COVERED), [], f"covered beside the looks at {width} px")
            page.keys(Keys.ESCAPE)
            page.one(".tile[data-loaded]")
            equal(page.all("#messages .button"), [], "actions for a photo that was left")
            equal(page.errors(), [], "console errors")


@scenario("an album that is deleted is left, here and where it is shown")
def _(work):
    path = days(work)
    with Grid(work) as page:
        page.open(work.serve("--library", path).link)
        for elsewhere in (False, True):
            work.run("album", "create", "-L", path, "Trip")
            page.one(".collection[data-album]").click()
            until(lambda: page.text(".timeline h1") == "Trip", "the album")
            if elsewhere:
                work.run("album", "delete", "-L", path, "--yes", "Trip")
            else:
                page.run("document.querySelector('.album-more').click()")
                page.click(".menu button:last-child")
                page.one("dialog[open]")
                page.click("dialog [data-action=delete]")
            until(lambda: page.all(".tile[data-loaded]") and page.driver.current_url.endswith("#/"),
                  f"all photos, deleted elsewhere: {elsewhere}")
        equal(page.errors(), [], "console errors")


@scenario("1 to 5, 0, x and p judge one photo after the other, in the grid and alone; Keys says so")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)

    def judged():
        return {asset["originalFilename"]: (asset["rating"], asset["favorite"])
                for asset in listed(work, "asset", "list", "-L", path)}

    with opened(work, path) as page:
        page.keys(Keys.HOME)
        for index, key in enumerate(("4", "x", "p")):
            page.keys(key)
            until(lambda: page.focused == index + 1, f"the photo after {key}")
        until(lambda: judged() == {"19.jpg": (4, False), "18.jpg": (-1, False), "17.jpg": (0, True),
                                   "16.jpg": (0, False)}, "in the grid")
        # What only marks a photo stays with it.
        page.keys(Keys.HOME, "f")
        until(lambda: judged()["19.jpg"] == (4, True), "the favorite")
        equal(page.focused, 0, "the photo after f")
        page.keys("?")
        page.one("dialog[open] table")
        keys = page.text("dialog table")
        assert "1 – 5Rate with stars, then the next photo" in keys, keys
        page.keys(Keys.ESCAPE, Keys.ENTER)
        until(lambda: page.text(".viewer h1") == "19.jpg", "the viewer")
        page.keys("2")
        until(lambda: page.text(".viewer h1") == "18.jpg", "the next photo")
        page.keys("p")
        until(lambda: page.text(".viewer h1") == "17.jpg", "the next photo")
        page.keys("x")
        until(lambda: page.text(".viewer h1") == "16.jpg", "the next photo")
        until(lambda: judged() == {"19.jpg": (2, True), "18.jpg": (-1, True), "17.jpg": (-1, True),
                                   "16.jpg": (0, False)}, "alone")
        equal(page.errors(), [], "console errors")


@scenario("what is done here is no change of another program, and that of one is still reported")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    with opened(work, path) as page:
        captions = "return window.captions"
        page.run("""window.captions = [];
          new MutationObserver(() => {
            const caption = document.querySelector('.live-caption');
            if (!caption.hidden) window.captions.push(caption.textContent);
          }).observe(document.querySelector('.live-caption'),
            { attributes: true, childList: true, subtree: true });""")
        page.keys(Keys.HOME, "4")
        until(lambda: "rated with" in page.text("#messages"), "rated")
        page.keys("]")
        until(lambda: "1 photo rotated." in page.text("#messages"), "rotated", 60)
        page.keys(Keys.DELETE)
        until(lambda: "moved to the trash" in page.text("#messages"), "in the trash")
        until(lambda: len(page.all(".tile")) == 3, "three photos")
        equal(page.run(captions), [], "captions")
        page.run_async("setTimeout(arguments[0], 3200)")
        work.run("asset", "import", "-L", path, dated(work, "15.jpg", "2024:06:15"))
        until(lambda: any("1 added" in text for text in page.run(captions)), "the change of another program")
        equal(page.errors(), [], "console errors")


@scenario("at 1024 pixels, the history covers no photo until it is opened; a click or Esc closes it")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    shown = "return document.querySelector('.side.left').checkVisibility()"
    with Grid(work, width=1024, height=768) as page:
        page.open(work.serve("--library", path).link)
        page.keys(Keys.HOME, "e")
        shows(page, "19.jpg")
        equal(page.run(shown), False, "the history at first")
        page.keys("h")
        until(lambda: page.run(shown), "it is opened")
        page.driver.execute_script("arguments[0].scrollIntoView()", page.one(".stage"))
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(page.driver).move_to_element_with_offset(page.one(".stage"), 150, 0).click().perform()
        until(lambda: not page.run(shown), "a click closes it")
        page.keys("h")
        until(lambda: page.run(shown), "it is opened")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.run(shown), "Esc closes it")
        page.one(".editor")
        page.keys(Keys.ESCAPE)
        page.one(".tile[data-loaded]")
        equal(page.errors(), [], "console errors")


@scenario("Crop begins with no ratio, and offers the last one first")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    names = "return [...document.querySelectorAll('.tool-bar select option')].map((option) => option.textContent)"
    with opened(work, path) as page:
        page.keys(Keys.HOME, "e")
        shows(page, "19.jpg")
        page.keys("c")
        page.one(".crop-area")
        page.run("""const choice = document.querySelector('.tool-bar select'); choice.value = '1.25';
          choice.dispatchEvent(new Event('change', { bubbles: true }))""")
        page.click(".tool-bar .primary")
        page.chord(Keys.CONTROL, "s")
        until(lambda: page.text(".bar .subtitle") == "1 filter saved", "saved", 60)
        page.keys(".")
        shows(page, "18.jpg")
        page.keys("c")
        page.one(".crop-area")
        equal(page.run("return document.querySelector('.tool-bar select').selectedOptions[0].textContent"),
              "Free", "the ratio of the whole photo")
        equal(page.run(names)[:2], ["Free", "5 : 4"], "the first choices")
        until(lambda: page.text(".crop-size") == "60 × 40 px", "the frame is the whole photo")
        equal(page.errors(), [], "console errors")


@scenario("when the network is back, a list, a photo and an editor are there without a reload")
def _(work):
    path = days(work)
    name = named(work, path)[0].split("/")[0]
    with Grid(work) as page:
        page.open(work.serve("--library", path).link)
        network = page.driver.execute_cdp_cmd
        network("Network.enable", {})
        # Their modules are there.
        page.run_async("Promise.all(['viewer/viewer', 'editor/editor', 'editor/filmstrip'].map((module) =>"
                       " import(`/web/js/${module}.js`))).then(arguments[0])")
        for address, there, shown in (
                ("#/album/recent", ".notice h2", ".tile[data-loaded]"),
                (f"#/a/{name}", "#messages .error", ".viewer h1:not(:empty)"),
                (f"#/a/{name}/edit", ".notice .button", ".editor .tool-strip .tool")):
            network("Network.setBlockedURLs", {"urls": ["*/api/*"]})
            page.run("location.hash = arguments[0]", address)
            until(lambda: page.all(there), f"{address} says that the server does not respond")
            equal(page.all(shown), [], f"{address} is there")
            network("Network.setBlockedURLs", {"urls": []})
            until(lambda: page.all(shown), f"{address} is there")
            until(lambda: page.text("#messages") == "", "no message is left")


@scenario("on a phone, the photo has the window while it is retouched or painted on")
def _(work):
    for name in ("heal", "mask.brush"):
        photo = work.photo()
        with PhoneEditor(work) as page:
            page.open(work.serve(photo).link)
            if name == "heal":
                page.keys("r")
            else:
                page.click(f"{MASKS} .disclosure")
                page.click(BRUSH)
            page.one(f".stage[data-tool='{name}']")
            until(lambda: page.one(".tool-bar").is_displayed(), "the bar of the tool")
            height = page.run("return document.querySelector('.stage').getBoundingClientRect().height")
            assert height > 450, f"{name}: the photo has {height} px"
            equal(page.one(".side.right").is_displayed(), False, "the panels")
            page.tap(".tool-bar .primary")
            until(lambda: page.one(".side.right").is_displayed(), "the panels are there again")
            equal(page.errors(), [], "console errors")


@scenario("on a phone that lies on its side, the photo has the window while it is cropped or painted on")
def _(work):
    photo = work.photo()
    server = work.serve(photo)
    with PhoneEditor(work, 844, 390) as page:
        page.open(server.link)
        page.click(f"{MASKS} .disclosure")
        for name, tool in (("crop", ".tool-strip .tool[data-filter=crop]"), ("mask.brush", BRUSH)):
            page.click(tool)
            page.one(f".stage[data-tool='{name}']")
            until(lambda: page.one(".tool-bar").is_displayed(), "the bar of the tool")
            width, height = page.run("""const box = document.querySelector('.stage').getBoundingClientRect();
              return [box.width, box.height]""")
            assert width == 844 and height > 175, f"{name}: the photo has {width} × {height} px"
            equal(page.one(".side.right").is_displayed(), False, "the panels")
            page.tap(".tool-bar .primary")
            until(lambda: page.one(".side.right").is_displayed(), "the panels are there again")
        equal(page.errors(), [], "console errors")


@scenario("in a window of 1280 by 800 at 200 %, the photo is beside the panels, and nothing covers another control")
def _(work):
    path = days(work)
    with Grid(work, width=640, height=400) as page:
        page.open(work.serve("--library", path).link)
        page.keys("e")
        page.one(".adjust-section")
        until(lambda: page.run("return document.querySelector('.editor').dataset.busy !== 'true'"), "the photo")
        height = page.run("return document.querySelector('.stage').getBoundingClientRect().height")
        assert height > 220, f"the photo has {height} pixels"
        covered = """return [...document.querySelectorAll('.stage-bar button, .editor > .bar button, .add button')]
          .filter((button) => button.checkVisibility({ visibilityProperty: true })).filter((button) => {
            const { left, top, width, height } = button.getBoundingClientRect();
            return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
          }).map((button) => button.ariaLabel ?? button.textContent)"""
        equal(page.run(covered), [], "what is covered")
        equal(page.errors(), [], "console errors")


@scenario("an unknown term names the possible ones, and rejected photos are found")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    work.run("asset", "set", "-L", path, named(work, path)[1], "--rating", "-1")
    with opened(work, path) as page:
        page.keys("/", "is:red", Keys.ENTER)
        until(lambda: "“is:red” cannot be searched for" in page.text(".search-problem"), "the problem")
        text = page.text(".search-problem")
        assert "is:favorite" in text and "--where" not in text, text
        page.chord(Keys.CONTROL, "a")
        page.keys("rating:lots", Keys.ENTER)
        until(lambda: "“rating:lots” cannot be searched for. Possible: rating:1, rating:1..4"
              in page.text(".search-problem"), "the problem of a value")
        page.keys(Keys.ESCAPE)
        page.run("location.hash = '#/?where=is%3Arejected'")
        until(lambda: [item.get_attribute("aria-label").split(",")[0] for item in page.all(".tile[data-loaded]")]
              == ["18.jpg"], "the rejected photo")
        page.keys("/")
        page.chord(Keys.CONTROL, "a")
        page.keys(Keys.BACKSPACE)
        until(lambda: "Rejectedrating:-1" in page.text(".search-list"), "the suggestion")
        equal(page.errors(), [], "console errors")


@scenario("a folder says what it does not have, and goes to a date by a menu")
def _(work):
    folder = work.folder("Camera")
    for day in (19, 18):
        dated(work, f"Camera/{day}.jpg", f"2024:06:{day}")
    with Grid(work) as page:
        page.open(work.serve(folder).link)
        page.click(".bar [aria-label='About this folder']")
        assert "photoedit serve --library" in page.one("dialog[open]").text, page.one("dialog[open]").text
        page.click("dialog .primary")
        page.click(".bar [aria-label=View]")
        entries = {item.text: item for item in page.all(".menu button")}
        entries["Go to a date"].click()
        page.one("dialog[open] input:focus")
        page.keys("2024-06")
        page.click("dialog .primary")
        until(lambda: "June 2024" in page.text("#messages"), "the month")
        equal(page.errors(), [], "console errors")


@scenario("what is shown of a look, a crop, a rotation and a search is whole and said once")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    work.run("apply", "-L", path, "--filter", "rotate90:turns=1", "--filter", "rotate90:turns=1",
             named(work, path)[1])
    with opened(work, path) as page:
        page.keys("/", "2024", Keys.ENTER)
        until(lambda: page.driver.current_url.endswith("where=2024"), "the search")
        until(lambda: page.focused == 0, "what was found has the keys")
        page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
        until(lambda: page.text(".viewer h1") == "18.jpg", "the photo")
        page.keys("i")
        until(lambda: page.text(".viewer-info ol") == "Rotated by 180°", "the rotations")
        page.keys("e")
        shows(page, "18.jpg")
        page.keys("c")
        page.one(".crop-area")
        equal(page.run("return getComputedStyle(document.querySelector('.stage-bar .size')).visibility"),
              "hidden", "another size")
        page.keys(Keys.ESCAPE, "l")
        page.one(".look-list button")
        page.run("document.querySelector('.look-list button:nth-last-child(2)').click()")
        until(lambda: page.text(".look-strength") == "Strength 100 %", "the strength")
        equal(page.one(".look-strength input").get_attribute("aria-valuetext"), "100 %", "what is said")
        until(lambda: page.run("""const [look, list] = ['.look[aria-pressed=true]', '.look-list'].map((part) =>
          document.querySelector(part).getBoundingClientRect());
          return look.left >= list.left && look.right <= list.right + 1"""), "the look is whole")
        page.click(".bar .actions .button:nth-child(2)")
        page.keys(Keys.ESCAPE)
        page.one(".viewer")
        page.keys(Keys.ESCAPE)
        page.one(".tile[data-loaded]")
        page.click(".bar [aria-label=View]")
        {item.text: item for item in page.all(".menu button")}["Language"].click()
        page.one("dialog[open] select")
        equal(page.errors(), [], "console errors")


@scenario("a click on Apply while another plan is made applies the edit that was chosen last")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    first = named(work, path)[0]
    work.run("apply", "-L", path, "--filter", "exposure:ev=1", "--filter", "sepia", first)
    with opened(work, path) as page:
        page.keys(Keys.HOME, "c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.keys(Keys.ARROW_RIGHT, " ", Keys.ARROW_RIGHT, " ", Keys.ARROW_RIGHT, " ", "v")
        page.one("dialog[open] tbody tr")
        # A photo that was left out stays left out in another plan.
        page.click("dialog tbody tr:last-child input")
        slowed(page, 400)
        page.click("dialog [data-part=light]")
        apply = page.one("dialog [data-action=apply]")
        equal([apply.text, apply.is_enabled()], ["Apply to 2", True], "the button while a plan is made")
        apply.click()
        equal(apply.is_enabled(), False, "the button after the click")
        until(lambda: "2 photos changed" in page.text("#messages"), "applied", 60)
        slowed(page, 0)
        found = graphs(work, path)
        equal([found[f"{day}.jpg"] for day in DAYS[1:]], [["sepia"], ["sepia"], []], "filters")
        # A plan that changes nothing is not applied.
        page.keys(Keys.ESCAPE, Keys.HOME, "v")
        page.one("dialog[open] tbody tr")
        slowed(page, 400)
        page.run("""document.querySelector('dialog input[name=mode][value=skip]').click();
          document.querySelector('dialog [data-action=apply]').click()""")
        until(lambda: page.text("dialog [role=status]").startswith("0 will change"), "the plan")
        slowed(page, 0)
        page.run_async("setTimeout(arguments[0], 300)")
        equal([len(page.all("dialog[open]")), page.one("dialog [data-action=apply]").is_enabled()],
              [1, False], "the dialog")
        equal(page.errors(), [], "console errors")


@scenario("a click on Save while the photo is being saved saves what was changed meanwhile")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    with EditorPage(work) as page:
        page.open(work.serve(photo).link)
        page.set("exposure", "ev", 0.5)
        slowed(page, 500)
        page.click(".bar .primary")
        page.one(EXPOSURE).send_keys(Keys.ARROW_RIGHT)
        page.click(".bar .primary")
        until(lambda: page.text(".bar .subtitle") == "1 filter saved"
              and not page.one(".bar .primary").is_enabled(), "saved", 60)
        slowed(page, 0)
        equal(stored(work, photo)["nodes"][0]["params"]["ev"], 0.55, "what is stored")
        equal(page.errors(), [], "console errors")


@scenario("the ratio of a crop is known again however fast the tool is opened")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo("photo-landscape.jpg")
    ratio = "return document.querySelector('.tool-bar select')?.value"
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("c"))
        page.run("""const choice = document.querySelector('.tool-bar select'); choice.value = '1';
          choice.dispatchEvent(new Event('change', { bubbles: true }))""")
        # The image without the tool is still on its way when it is opened again.
        slowed(page, 400)
        page.keys(Keys.ENTER)
        until(lambda: not page.all(".crop-area"), "the tool has ended")
        page.keys("c")
        page.one(".crop-area")
        slowed(page, 0)
        until(lambda: page.run(ratio) == "1", "the ratio is known again")
        before = page.run("return document.querySelector('.crop-size').textContent")
        page.drag("[aria-label='Crop top left']", 60, 0)
        until(lambda: page.text(".crop-size") != before, "the corner moves")
        width, height = page.text(".crop-size").removesuffix(" px").split(" × ")
        assert abs(int(width) - int(height)) <= 1, f"no square: {width} × {height}"
        equal(page.errors(), [], "console errors")


@scenario("a crop without a ratio stays without one, also where its shape is that of a ratio")
def _(work):
    from PIL import Image
    from selenium.webdriver.common.keys import Keys
    photo = work.path / "three-to-two.png"
    Image.new("RGB", (1200, 800), (90, 120, 60)).save(photo)
    ratio = "return document.querySelector('.tool-bar select').value"
    corner = "[aria-label='Crop top left']"
    size = lambda: [int(side) for side in page.text(".crop-size").removesuffix(" px").split(" × ")]
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("c"))
        page.one(".crop-area")
        page.act(lambda: page.drag(corner, 90, 60))
        width, height = size()
        assert width < 1200 and abs(width / height - 1.5) < 0.005, f"not the shape of 3 : 2: {width} × {height}"
        equal(page.run(ratio), "free", "the ratio after a drag")
        page.act(lambda: page.drag(corner, 0, 60))
        equal(size()[0], width, "only the height is another one")
        assert size()[1] < height - 20, f"the height stays: {size()}"
        # Three pixels less are no ratio when the tool is opened again.
        page.act(lambda: next(item for item in page.all(".crop-bar button") if item.text == "Whole photo").click())
        page.one(corner).send_keys(Keys.ARROW_RIGHT * 3)
        until(lambda: size() == [1197, 800], f"three pixels: {size()}")
        page.act(lambda: page.one(corner).send_keys(Keys.ENTER))
        until(lambda: not page.all(".crop-area"), "the tool has ended")
        page.act(lambda: page.keys("c"))
        until(lambda: page.all(".crop-area") and size() == [1197, 800], "the crop")
        page.run_async("setTimeout(arguments[0], 300)")
        equal(page.run(ratio), "free", "the ratio of the crop")
        equal(page.errors(), [], "console errors")


@scenario("on a touch screen, messages name no keys")
def _(work):
    path = days(work)
    first = named(work, path)[0]
    work.run("apply", "-L", path, "--filter", "exposure:ev=1", first)
    with Phone(work) as page:
        page.open(work.serve("--library", path).link)
        equal(page.run("return matchMedia('(pointer: coarse)').matches"), True, "a touch screen")
        page.touch("touchStart", page.center('.tile[data-index="0"]'))
        until(lambda: page.selected == 1, "the photo is selected")
        page.touch("touchEnd")
        page.tap(".selection-bar [aria-haspopup]")
        until(lambda: any("Copy the edit" in item.text for item in page.all("[role=menuitem]")), "the menu")
        next(item for item in page.all("[role=menuitem]") if "Copy the edit" in item.text).click()
        until(lambda: "choose “Apply an edit”" in page.text("#messages"), "copied")
        equal("press v" in page.text("#messages"), False, "a key")
        equal(page.errors(), [], "console errors")


def expire(page):
    """Ends the session of the browser, as time does."""
    page.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})


def log_in_again(work, page):
    page.run("location.href = arguments[0]", work.run("serve", "--link").strip())
    until(lambda: not page.all(".login"), "logged in again")


def favor_and_log_in(work, page):
    """Marks the selection, which needs a login, and waits until the grid has opened its list again."""
    expire(page)
    page.run("document.querySelector('.tile').dataset.before = ''")
    page.keys("f")
    until(lambda: page.all(".login"), "the login")
    log_in_again(work, page)
    until(lambda: page.all(".tile[data-loaded]") and not page.all(".tile[data-before]"), "the list")
    # What has failed is listed.
    page.click("dialog[open] [data-action=close]")


BELOW_LOGIN = """return document.activeElement.closest('.login') !== null
  && document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('.login') !== null"""


@scenario("the login covers an open dialog as well, and no key reaches what is below it")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    server = work.serve("--library", path)
    with Grid(work) as page:
        page.open(server.link)
        page.keys(Keys.HOME, "a")
        page.one(".menu button:focus")
        page.keys(Keys.ENTER)
        page.one("dialog[open] input:focus")
        expire(page)
        page.keys("Lisbon", Keys.ENTER)
        until(lambda: page.run(BELOW_LOGIN), "the login is above the dialog and has the focus")
        page.keys(Keys.ESCAPE, Keys.ESCAPE)
        equal(page.run(BELOW_LOGIN), True, "the login after Esc")
        log_in_again(work, page)
        page.one(".tile[data-loaded]")
    photo = work.photo()
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", 0.5)
        expire(page)
        page.run("document.activeElement.blur()")
        page.keys("c")
        page.one(".crop-handle")
        until(lambda: page.run(BELOW_LOGIN), "the login")
        count = page.text(".bar .subtitle")
        page.keys("]", "]", Keys.ESCAPE)
        equal((page.text(".bar .subtitle"), len(page.all(".crop-handle"))), (count, 8), "the draft and its tool")
        page.run("location.href = arguments[0]",
                 next(link for link in work.run("serve", "--link").split() if link.startswith(server.origin)))
        until(lambda: not page.all(".login"), "logged in again")
        page.click(".crop-bar .primary")
        page.save()
        equal([node["filter"] for node in stored(work, photo)["nodes"]], ["exposure"], "saved")
        equal(page.errors(), [], "console errors")


@scenario("after a login, the selection is there, and the plan of a batch without what was left out")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    *others, first = [asset["localIdentifier"] for asset in listed(work, "asset", "list", "-L", path)]
    work.run("apply", "-L", path, "--filter", "sepia", first)
    with Grid(work) as page:
        page.open(work.serve("--library", path).link)
        page.chord(Keys.CONTROL, "a")
        selected = page.selected
        equal(selected, 1 + len(others), "selected")
        page.keys("c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        favor_and_log_in(work, page)
        equal(page.selected, selected, "still selected")
        page.run("document.querySelectorAll('.tile .mark')[1].click()")
        equal(page.selected, selected - 1, "one is not selected")
        favor_and_log_in(work, page)
        equal(page.selected, selected - 1, "still selected, but for one")
        page.chord(Keys.CONTROL, "a")
        page.keys("v")
        page.one("dialog[open] tbody tr")
        left = page.run("""const check = document.querySelectorAll('dialog tbody input')[1];
          check.click(); return check.closest('tr').dataset.id""")
        expire(page)
        page.click("dialog input[value=replace]")
        until(lambda: page.all(".login"), "the login")
        log_in_again(work, page)
        until(lambda: page.text("dialog [data-action=apply]") == f"Apply to {selected - 1}", "the plan")
        # The rows are one stop of Tab, whose arrows go to the others.
        page.run("document.querySelector('dialog select').focus()")
        stops = 0
        while not page.run("return document.activeElement.matches('[data-action=apply]')"):
            page.keys(Keys.TAB)
            stops += 1
            if page.run("return document.activeElement.matches('tbody input')"):
                page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
                equal(page.run("return document.activeElement.closest('tr').rowIndex"), 3, "the row")
            assert stops < 9, stops
        page.keys(Keys.ENTER)
        until(lambda: not page.all("dialog[open]"), "applied")
        edited = {asset: work.json("show", "-L", path, asset)["edited"] for asset in others}
        equal([asset for asset in edited if not edited[asset]],
              [asset for asset in others if asset.startswith(left)], "left out")
        equal(page.errors(), [], "console errors")


@scenario("a caption that cannot be stored stays in its field, and is stored after the login")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    server = work.serve("--library", path)
    with Grid(work) as page:
        page.open(server.link)
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer .frame img")
        page.keys("i")
        page.click("[data-property=caption]")
        expire(page)
        page.keys("At the harbor", Keys.ENTER)
        until(lambda: page.all(".login"), "the login")
        log_in_again(work, page)
        field = page.one(".viewer-info input")
        equal(field.get_attribute("value"), "At the harbor", "what was typed")
        field.send_keys(Keys.ENTER)
        until(lambda: page.text("[data-property=caption]") == "At the harbor", "stored")
        # The keys go on in the list, which was opened again.
        name = page.text(".viewer h1")
        page.run("document.activeElement.blur()")
        page.keys(Keys.ARROW_RIGHT)
        until(lambda: page.text(".viewer h1") not in ("", name), "the next photo")
        equal(page.errors(), [], "console errors")


@scenario("with the keyboard, the information is filled in from field to field; one that is being typed stays")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ["photo-64.jpg"])
    focused = "return document.activeElement.dataset.property ?? document.activeElement.getAttribute('aria-label')"

    def asset():
        return listed(work, "asset", "list", "-L", path)[0]

    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer")
        page.keys("i")
        page.one("[data-property=title]").send_keys(Keys.ENTER)
        page.keys("The tower", Keys.TAB)
        equal(page.run(focused), "caption", "after the title")
        until(lambda: asset()["title"] == "The tower", "the title")
        until(lambda: page.text("[data-property=title]") == "The tower", "the title is shown")
        equal(page.run(focused), "caption", "after the title is stored")
        page.keys(Keys.ENTER, Keys.TAB)
        equal(page.run(focused), "keywords", "after a caption that stays empty")
        page.keys(Keys.ENTER, "boat", Keys.ESCAPE)
        equal(page.run(focused), "keywords", "after Esc")
        page.keys(Keys.TAB, Keys.TAB, Keys.TAB, Keys.SPACE)
        until(lambda: asset()["rating"] == 2, "two stars")
        until(lambda: len(page.all(".star[data-filled=true]")) == 2, "they are shown")
        equal(page.run(focused), "2 stars", "after a star")
        # The answer comes while the next field is being typed.
        slowed(page, 500)
        page.click("[data-property=title]")
        page.keys("The bridge")
        page.click("[data-property=caption]")
        page.keys("At ")
        until(lambda: asset()["title"] == "The bridge", "the other title")
        until(lambda: page.text("[data-property=title]") == "The bridge", "it is shown")
        page.keys("noon", Keys.ENTER)
        until(lambda: asset()["caption"] == "At noon", f"the caption: {asset()['caption']}")
        equal(page.errors(), [], "console errors")


@scenario("a grid that nobody touches asks for a login when the server was restarted; one tab is enough")
def _(work):
    path = days(work)
    server = work.serve("--library", path, "--address", "127.0.0.1")
    with Grid(work) as page:
        page.open(server.link)
        first = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        page.open(server.origin + "/")
        second = page.driver.current_window_handle
        page.driver.switch_to.window(first)
        server.kill()
        again = work.serve("--library", path, "--address", "127.0.0.1", port=server.port)
        until(lambda: page.all(".login"), "the login", 30)
        page.run("location.href = arguments[0]", again.link)
        page.one(".tile[data-loaded]")
        until(lambda: not page.all(".login"), "logged in")
        page.driver.switch_to.window(second)
        until(lambda: page.all(".collection[data-source=favorites]"), "the other tab")
        page.run("document.querySelector('.collection[data-source=favorites]').click()")
        until(lambda: "No favorites yet" in page.text(".notice h2"), "the other tab goes on")
        equal(page.all(".login"), [], "the login of the other tab")


@scenario("the note of a change by another program stays while its button has the focus")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    with opened(work, path) as page:
        work.run("asset", "import", "-L", path, dated(work, "new.jpg", "2024:07:01"))
        page.one(".live-caption:not([hidden]) .button")
        page.run("document.querySelector('.live-caption .button').focus()")
        page.run_async("setTimeout(arguments[0], 7000)")
        page.keys(Keys.ENTER)
        assert "new.jpg" in page.one("dialog[open]", 3).text
        page.keys(Keys.ESCAPE)
        page.run("document.activeElement.blur()")
        until(lambda: page.all(".live-caption[hidden]"), "it goes afterwards", 5)
        equal(page.errors(), [], "console errors")


@scenario("in the grid, Enter and Space on a button are for that button: Undo, and Select of a section")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    work.run("asset", "import", "-L", path, *(
        dated(work, f"{day}.jpg", f"2024:06:{day}") for day in ("25", "20", "15", "10")))
    focus = "document.querySelector(arguments[0]).focus()"
    with opened(work, path) as page:
        address = page.driver.current_url
        for key, count in ((Keys.ENTER, 4), (" ", 0)):
            page.run(focus, ".section-head .button")
            page.keys(key)
            until(lambda: page.selected == count, f"{count} are selected")
        page.keys(Keys.HOME, Keys.DELETE)
        until(lambda: len(page.names) == 3, "one is in the trash")
        page.one("#messages .button")
        page.run(focus, "#messages .button")
        page.keys(Keys.ENTER)
        until(lambda: len(page.names) == 4, "it is back")
        equal((page.driver.current_url, page.all(".viewer")), (address, []), "the photo that was opened")
        equal(page.errors(), [], "console errors")


@scenario("on a touch screen, a tap on a suggested search opens no photo that is below it")
def _(work):
    path = days(work)
    first = named(work, path)[0]
    work.run("apply", "-L", path, "--filter", "exposure:ev=1", first)
    with Phone(work) as page:
        page.open(work.serve("--library", path).link)
        page.tap(".search-input")
        page.one(".search-option")
        label = "[...document.querySelectorAll('.search-option')].find((o) => o.textContent.startsWith('Edited'))"
        box = page.run(f"return {label}.getBoundingClientRect().toJSON()")
        # There are photos below the suggestions.
        point = (box["x"] + 30, box["y"] + box["height"] / 2)
        page.touch("touchStart", point)
        page.touch("touchEnd")
        until(lambda: "where=is%3Aedited" in page.driver.current_url, "the search")
        page.run_async("setTimeout(arguments[0], 600)")
        equal((page.all(".viewer"), len(page.all(".tile"))), ([], 1), "what is shown")
        equal(page.errors(), [], "console errors")


@scenario("in a narrow window, the menu of the editor has what the bar of a wide one has: Revert")
def _(work):
    photo = work.photo()
    work.run("apply", "--filter", "exposure:ev=1", photo)
    with PhoneEditor(work) as page:
        page.open(work.serve(photo).link)
        items = lambda: {item.text: item for item in page.all("[role=menuitem]")}
        page.tap(".editor .bar .narrow")
        until(lambda: "Revert" in items(), f"Revert in {list(items())}")
        items()["Revert"].click()
        until(lambda: "Reverted" in page.text("#messages"), "reverted")
        equal(work.json("show", photo)["edited"], False, "the photo")
        page.tap(".editor .bar .narrow")
        until(lambda: items(), "the menu")
        equal("Revert" in items(), False, "Revert without an edit")
        equal(page.errors(), [], "console errors")


@scenario("without keys, everything is selected by the menu of the view, also where sections share rows")
def _(work):
    path = days(work)
    with Phone(work) as page:
        page.open(work.serve("--library", path).link)
        count = len(page.names)
        page.tap(".bar [aria-label=View]")
        until(lambda: any(item.text == "Select all" for item in page.all("[role=menuitem]")), "the menu")
        next(item for item in page.all("[role=menuitem]") if item.text == "Select all").click()
        until(lambda: page.selected == count > 2, f"{page.selected} of {count} are selected")
        equal(page.errors(), [], "console errors")


@scenario("with the keyboard, the review of an import goes on with the button that imports")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    card = work.folder("card")
    work.photo("jpeg-progressive.jpg", to="card/new.jpg")
    with opened(work, path, "--import-from", card) as page:
        page.run("document.querySelector('[aria-label=Import]').focus()")
        page.keys(Keys.ENTER)
        page.one("dialog [data-root=card]")
        page.run("document.querySelector('dialog [data-root=card]').focus()")
        page.keys(Keys.ENTER)
        page.one("dialog tbody tr")
        until(lambda: page.run("return document.activeElement.dataset.action") == "import", "the focus")
        page.keys(Keys.ENTER)
        until(lambda: "1 imported" in page.text("#messages"), "imported")
        equal(page.errors(), [], "console errors")


@scenario("after a search that is not valid, the next keys correct it in its field")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = days(work)
    with opened(work, path) as page:
        count = len(page.names)
        page.keys("/", "rating:lots", Keys.ENTER)
        until(lambda: page.text(".search-problem"), "the problem")
        until(lambda: page.run("return document.activeElement.matches('.search-input')"), "the focus")
        equal(page.all(".search-option"), [], "suggestions above the problem")
        page.chord(Keys.CONTROL, "a")
        page.keys(Keys.DELETE, Keys.ENTER)
        until(lambda: len(page.names) == count and "where" not in page.driver.current_url, "all photos")
        equal(page.errors(), [], "console errors")


@scenario("a photo that is dragged to an album is not selected afterwards; those that were selected are")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    path = days(work)
    album = listed(work, "album", "create", "-L", path, "Lisbon")[0]["identifier"]
    with opened(work, path) as page:
        def drag(index, count):
            page.run("document.querySelector('#messages').replaceChildren()")
            ActionChains(page.driver, duration=40).move_to_element(
                page.one(f'.tile[data-index="{index}"]')).click_and_hold().move_by_offset(
                10, 6).move_to_element(page.one(".sidebar [data-album]")).release().perform()
            until(lambda: f"{count} photo" in page.text("#messages"), "added")
            page.run_async("setTimeout(arguments[0], 300)")

        drag(0, 1)
        equal((page.selected, page.one(".selection-bar").is_displayed()), (0, False), "selected afterwards")
        for index in (1, 2):
            page.click(f'.tile[data-index="{index}"] .mark')
        drag(1, 2)
        equal(page.selected, 2, "selected afterwards")
        members = [asset for asset in listed(work, "album", "show", "-L", path, album) if "originalFilename" in asset]
        equal(len(members), 3, "photos of the album")
        equal(page.errors(), [], "console errors")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
