#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A library in the browser: the grid, the viewer, albums, batches, search, and other programs.

Usage: library.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys

from browser import Page, require
from harness import Checks, Client, Skipped, equal, until

scenario = Checks()

# The number of assets of the scrolling scenario; the performance goals use 100,000.
MANY = int(os.environ.get("PHOTOEDIT_WEB_ASSETS", "240"))
PHOTOS = ("photo-1024.jpg", "photo-landscape.jpg", "photo-portrait.jpg", "jpeg-581x387.jpg")
RECORD = """
window.applied = [];
document.addEventListener('photoedit:applied', ({detail}) => window.applied.push(detail));
"""


def library(work, photos=PHOTOS):
    path = work.path / "library"
    work.run("library", "create", path)
    if photos:
        work.run("asset", "import", "-L", path, *(work.photo(name) for name in photos))
    return path


def many(work, count):
    """Creates a library of small photos, one for each of many days."""
    from PIL import Image
    folder = work.folder("many")
    for index in range(count):
        tone = (index * 37 % 256, index * 91 % 256, index * 53 % 256)
        size = random.Random(index).choice([(60, 40), (40, 60), (50, 50), (80, 30)])
        image = Image.new("RGB", size, tone)
        exif = image.getexif()
        year = 2010 + index * 15 // count
        exif[0x8769] = {0x9003: f"{year}:{index % 12 + 1:02}:{index % 28 + 1:02} 10:00:00"}
        image.save(folder / f"{index:06}.jpg", exif=exif)
    path = work.path / "library"
    work.run("library", "create", path)
    work.run("asset", "import", "-L", path, *sorted(folder.iterdir()))
    return path


def listed(work, *arguments):
    """The JSON lines of a command."""
    return [json.loads(line) for line in work.run(*arguments, "--json").splitlines() if line]


def identifiers(work, path):
    return [asset["identifier"] for asset in listed(work, "asset", "list", "-L", path)]


class Grid(Page):
    """The timeline of a library."""

    def open(self, address):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORD})
        super().open(address)
        self.one(".tile[data-loaded]")

    @property
    def names(self):
        """The titles of the visible tiles, in order."""
        return self.run("""return [...document.querySelectorAll('.tile')]
          .sort((a, b) => a.dataset.index - b.dataset.index)
          .map((tile) => (tile.getAttribute('aria-label') ?? '').split(',')[0])""")

    @property
    def focused(self):
        return self.run("return Number(document.activeElement.dataset.index ?? -1)")

    @property
    def selected(self):
        return self.run("return document.querySelectorAll('.tile[aria-selected=true]').length")

    def applied(self, count=1):
        until(lambda: self.run("return window.applied.length") >= count, "a commit is applied")


@contextlib.contextmanager
def opened(work, path, *arguments):
    """The grid of a library, from a server of its own."""
    server = work.serve("--library", path, *arguments)
    with Grid(work) as page:
        page.server = server
        page.open(server.link)
        yield page


@scenario("S5 scrolling, the years at the edge, and the keyboard reach the oldest photo")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = many(work, MANY)
    with opened(work, path) as page:
        rows = int(page.one(".grid-scroller").get_attribute("aria-rowcount"))
        assert rows >= MANY // 20, f"rows: {rows}"
        elements = page.run("return document.querySelectorAll('.grid *').length")
        assert elements <= 600, f"elements in the grid: {elements}"
        page.keys(Keys.ARROW_RIGHT)
        equal(page.focused, 1, "focus after one key")
        page.keys(Keys.END)
        until(lambda: page.focused == MANY - 1, "focus on the oldest")
        page.one(f'.tile[data-index="{MANY - 1}"][data-loaded]')
        heads = page.run("return [...document.querySelectorAll('.section-head h2')]"
                         ".map((h) => h.textContent)")
        assert any("2010" in head for head in heads), heads
        page.keys(Keys.HOME)
        until(lambda: page.focused == 0, "focus on the newest")
        page.run("document.querySelector('.scrubber').focus()")
        page.keys(Keys.END)
        until(lambda: page.all(f'.tile[data-index="{MANY - 1}"][data-loaded]'), "jump to the end")
        equal(page.errors(), [], "console errors")


def dated(work, name, date):
    """Writes a photo with a capture date."""
    from PIL import Image
    image = Image.new("RGB", (60, 40), (int(date[8:10]) * 8, 120, 90))
    exif = image.getexif()
    exif[0x8769] = {0x9003: f"{date} 10:00:00"}
    image.save(work.path / name, exif=exif)
    return work.path / name


@scenario("S6 an import by the command line appears in order; selection and focus stay")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    work.run("asset", "import", "-L", path, *(
        dated(work, f"{day}.jpg", f"2024:06:{day}") for day in ("25", "20", "15", "10")))
    with opened(work, path) as page:
        equal(page.names, ["25.jpg", "20.jpg", "15.jpg", "10.jpg"], "order before")
        page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, " ")
        equal(page.selected, 1, "selected")
        # One import before the focused photo, one after it, and one into another month.
        work.run("asset", "import", "-L", path, dated(work, "22.jpg", "2024:06:22"),
                 dated(work, "12.jpg", "2024:06:12"), dated(work, "July.jpg", "2024:07:01"))
        until(lambda: page.names == ["July.jpg", "25.jpg", "22.jpg", "20.jpg", "15.jpg", "12.jpg",
                                     "10.jpg"], "order after")
        heads = page.run("return [...document.querySelectorAll('.section-head h2')]"
                         ".map((head) => head.textContent)")
        equal(heads, ["July 2024", "June 2024"], "months")
        marked = page.run("""return [...document.querySelectorAll('.tile[aria-selected=true]')]
          .map((tile) => tile.getAttribute('aria-label').split(',')[0])""")
        equal(marked, ["15.jpg"], "the selected photo is the same")
        focused = page.run("return document.activeElement.getAttribute('aria-label') ?? ''")
        equal(focused.split(",")[0], "15.jpg", "the focused photo is the same")
        page.keys(Keys.ARROW_LEFT)
        equal(page.names[page.focused], "20.jpg", "the keyboard goes on from there")
        assert "added" in page.text(".live-caption"), page.text(".live-caption")
        page.click(".live-caption .button")
        assert "22.jpg" in page.one("dialog[open]").text, page.one("dialog[open]").text
        page.click("dialog summary")
        assert "insertedIndexes" in page.one("dialog[open]").text
        equal(page.errors(), [], "console errors")


@scenario("the grid of a folder follows files that other programs add, edit and remove")
def _(work):
    folder = work.folder("Camera")
    for name in PHOTOS[:2]:
        work.photo(name, to=f"Camera/{name}")
    server = work.serve(folder)
    flags = """return [...document.querySelectorAll('.tile')].filter(
      (tile) => tile.querySelector('.edited')).map((tile) => tile.getAttribute('aria-label').split(',')[0])"""
    source = "return document.querySelector(`.tile[aria-label^='${arguments[0]}'] img`)?.src"
    with Grid(work) as page:
        page.open(server.link)
        equal(sorted(page.names), sorted(PHOTOS[:2]), "photos at first")
        # A program that writes in place, and one that renames a finished file.
        work.photo(PHOTOS[2], to=f"Camera/{PHOTOS[2]}")
        work.photo(PHOTOS[3], to="Camera/.unfinished")
        (folder / ".unfinished").rename(folder / PHOTOS[3])
        until(lambda: sorted(page.names) == sorted(PHOTOS), "two are added")
        until(lambda: len(page.all(".tile[data-loaded]")) == 4, "their thumbnails")
        before = page.run(source, PHOTOS[1])
        work.run("apply", "--filter", "invert", folder / PHOTOS[1])
        until(lambda: page.run(flags) == [PHOTOS[1]], "one is edited")
        until(lambda: page.run(source, PHOTOS[1]) not in (before, None), "another thumbnail")
        equal(sorted(page.names), sorted(PHOTOS), "the rendering is not a photo of its own")
        work.run("revert", folder / PHOTOS[1])
        until(lambda: page.run(flags) == [], "it is reverted")
        (folder / PHOTOS[0]).unlink()
        until(lambda: sorted(page.names) == sorted(PHOTOS[1:]), "one is removed")
        equal(page.errors(), [], "console errors")


@scenario("a folder with a damaged photo names it and the reason, and offers nothing of a library")
def _(work):
    from selenium.webdriver.common.keys import Keys
    folder = work.folder("Odd")
    for index in range(2):
        work.photo(PHOTOS[index], to=f"Odd/{index}.jpg")
    whole = (folder / "0.jpg").read_bytes()
    (folder / "cut <b>.jpg").write_bytes(whole[:len(whole) // 3])
    (folder / "page.jpg").write_text("<html><script>1</script>")
    from PIL import Image
    for name, size in (("tall.jpg", (20, 3000)), ("wide.jpg", (6000, 40))):
        Image.new("RGB", size, (90, 120, 60)).save(folder / name)
    with Grid(work, width=390, height=844) as page:
        page.open(work.serve(folder).link)
        until(lambda: sorted(item.text for item in page.all(".tile-note")) == [
            "cut <b>.jpg", "page.jpg"], "names in the tiles")
        names = page.names
        sizes = page.run("""return [...document.querySelectorAll('.tile')].map(
          (tile) => Math.min(tile.clientWidth, tile.clientHeight))""")
        assert min(sizes) >= 24, f"sides of tiles: {sizes}"
        page.keys(Keys.HOME, Keys.ENTER)
        shown = {}
        for index, name in enumerate(names):
            until(lambda: page.text(".viewer h1") == name, name)
            image = "return document.querySelector('.viewer img.fit').naturalWidth"
            until(lambda: page.text(".viewer-problem:not([hidden])") or page.run(image) > 1, name)
            shown[name] = page.text(".viewer-problem:not([hidden])")
            page.keys(Keys.ARROW_RIGHT)
        equal([shown["0.jpg"], shown["1.jpg"]], ["", ""], "reasons of whole photos")
        while page.text(".viewer h1") != "cut <b>.jpg":
            page.keys(Keys.ARROW_LEFT)
        page.keys("e")
        until(lambda: "unexpected end" in page.text(".stage-problem"), "the reason in the editor")
        page.driver.back()
        until(lambda: page.text(".viewer h1") == "cut <b>.jpg", "the viewer again")
        equal(page.text("#messages"), "", "the error of the editor")
        assert "unexpected end of file" in shown["cut <b>.jpg"], shown
        assert "not a supported image" in shown["page.jpg"], shown
        labels = page.run("return [...document.querySelectorAll('button')].map((b) => b.ariaLabel)")
        page.keys(Keys.ESCAPE)
        page.one(".tile[data-loaded]")
        page.keys(Keys.HOME, " ", "f", "a", Keys.DELETE)
        until(lambda: page.selected == 1, "one is selected")
        labels += page.run("return [...document.querySelectorAll('button')].map((b) => b.ariaLabel)")
        unusable = {"Favorite", "Move to the trash", "Add to album", "Albums"} & set(labels)
        equal(unusable, set(), "buttons that need a library")
        equal(page.text("#messages"), "", "messages of keys that need a library")
        equal(len(page.names), 6, "photos")
        equal(page.run("return document.documentElement.scrollWidth") <= 390, True, "width")
        equal(page.errors(), [], "console errors")


@scenario("the trash takes the selection, and Undo brings it back")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        before = page.names
        page.keys(Keys.ARROW_RIGHT, Keys.DELETE)
        page.applied()
        until(lambda: page.names == before[:1] + before[2:], "one is gone")
        page.click(".message .button")
        page.applied(2)
        until(lambda: page.names == before, "it is back")
        equal(page.errors(), [], "console errors")


def vectors(count=200):
    """Random changes with their results: remove, insert, move in two phases, refresh."""
    chance = random.Random(20)
    for _ in range(count):
        before = [f"o{index}" for index in range(chance.randint(0, 12))]
        removed = sorted(chance.sample(range(len(before)), chance.randint(0, len(before) // 2)))
        between = [item for index, item in enumerate(before) if index not in removed]
        inserted = []
        for _ in range(chance.randint(0, 3)):
            between.insert(chance.randint(0, len(between)), f"n{len(inserted)}")
            inserted.append(None)
        inserted = [[index, item] for index, item in enumerate(between) if item[0] == "n"]
        kept = [index for index, item in enumerate(between) if item[0] == "o"]
        sources = chance.sample(kept, chance.randint(0, len(kept) // 2))
        rest = [item for index, item in enumerate(between) if index not in sources]
        targets = sorted(chance.sample(range(len(between)), len(sources)))
        after = list(rest)
        for source, target in zip(sources, targets):
            after.insert(target, between[source])
        changed = [[index, f"c{index}"] for index in range(len(after)) if chance.random() < 0.2]
        result = list(after)
        for index, item in changed:
            result[index] = item
        yield {"before": before, "after": result, "change": {
            "removed": [[index, 1] for index in removed], "inserted": inserted,
            "moves": [list(pair) for pair in zip(sources, targets)], "changed": changed}}


@scenario("the page applies change details as the library does")
def _(work):
    path = library(work, PHOTOS[:1])
    with opened(work, path) as page:
        wrong = page.run_async("""
          const [vectors, done] = arguments;
          import('/web/js/applying.js').then(({ applying }) => done(vectors.filter((vector) =>
            JSON.stringify(applying(vector.before, vector.change)) !== JSON.stringify(vector.after))),
            (error) => done(String(error)));""", list(vectors()))
        equal(wrong[:2], [], "vectors with another result")


@scenario("S7 dragging in an album has the order of 'album show'")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    path = library(work)
    assets = identifiers(work, path)
    album = listed(work, "album", "create", "-L", path, "Lisbon")[0]["identifier"]
    work.run("album", "add", "-L", path, album, *assets)
    with opened(work, path) as page:
        page.click(f'[data-album="{album.split("/")[0]}"]')
        until(lambda: "album" in page.driver.current_url and len(page.names) == 4, "the album")
        page.one(".tile[data-loaded]")
        names = page.names
        tiles = [page.one(f'.tile[data-index="{index}"]') for index in (0, 2)]
        width = tiles[1].size["width"]
        ActionChains(page.driver, duration=40).move_to_element(tiles[0]).click_and_hold(
        ).move_by_offset(10, 6).move_to_element(tiles[1]).move_by_offset(
            int(width * 0.3), 0).release().perform()
        page.applied()
        expected = names[1:3] + names[:1] + names[3:]
        until(lambda: page.names == expected, f"order {expected}")
        order = [asset["title"] or asset["originalFilename"]
                 for asset in listed(work, "album", "show", "-L", path, album)
                 if "originalFilename" in asset]
        equal(order, expected, "order of the command line")
        equal(page.errors(), [], "console errors")


@scenario("S8 a batch shows its losses before it writes, and skips a photo changed meanwhile")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    assets = identifiers(work, path)
    work.run("asset", "import", "-L", path, work.photo("png-rgb-16.png"))
    deep = next(asset for asset in identifiers(work, path) if asset not in assets)
    work.run("apply", "-L", path, "--filter", "sepia", assets[0])
    with opened(work, path) as page:
        edited = page.run("return Number([...document.querySelectorAll('.tile')]"
                          ".find((tile) => tile.querySelector('.edited')).dataset.index)")
        for _ in range(edited):
            page.keys(Keys.ARROW_RIGHT)
        page.run("document.querySelector(`.tile[data-index=\"${arguments[0]}\"]`).focus()", edited)
        page.keys("c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.keys("v")
        page.one("dialog[open] tbody tr")
        rows = page.run("""return [...document.querySelectorAll('dialog tbody tr')].map((row) =>
          [row.dataset.id, row.cells[3].textContent, row.querySelector('input').checked])""")
        equal(len(rows), 5, "rows of the plan")
        lost = [row for row in rows if not row[2]]
        equal([row[0] for row in lost], [deep.split("/")[0]], "rows that are not chosen")
        assert lost[0][1] != "nothing", rows
        equal({row[1] for row in rows if row[2]}, {"nothing"}, "losses of the chosen rows")
        equal(work.json("show", "-L", path, assets[1])["edited"], False, "written by the plan")
        work.run("apply", "-L", path, "--filter", "invert", assets[1])
        page.click("dialog [data-action=apply]")
        until(lambda: "skipped because" in page.text("#messages"), page.text("#messages") or "report")
        graph = work.json("show", "-L", path, assets[1])["graph"]
        equal([node["filter"] for node in graph["nodes"]], ["invert"], "the stale one is kept")
        graph = work.json("show", "-L", path, assets[2])["graph"]
        equal([node["filter"] for node in graph["nodes"]], ["sepia"], "the others have the edit")
        equal(work.json("show", "-L", path, deep)["edited"], False, "the loss was not accepted")
        equal(page.errors(), [], "console errors")


@scenario("S15 an import is reviewed before it runs; a group is left out, the others are imported")
def _(work):
    card = work.folder("card")
    for name in ("jpeg-progressive.jpg", "photo-1024.jpg"):
        work.photo(name, to=f"card/{name}")
    work.photo("photo-64.jpg", to="card/edited.jpg")
    work.run("apply", "--filter", "sepia", card / "edited.jpg")
    (card / "notes.txt").write_text("no photo")
    (card / "broken.jpg").write_bytes(b"no photo")
    path = library(work)
    with opened(work, path, "--import-from", card) as page:
        page.click('[aria-label="Import"]')
        page.click("dialog [data-root=card]")
        page.one("dialog tbody tr")
        rows = page.run("""return [...document.querySelectorAll('dialog tbody tr')].map((row) =>
          [row.dataset.kind, row.cells[1].textContent, row.querySelector('input').checked])""")
        equal(sorted(rows), [
            ["duplicate", "photo-1024.jpg", False],
            ["edited", "edited.edited.jpg, edited.jpg, edited.jpg.aae", True],
            ["photo", "jpeg-progressive.jpg", True], ["rejected", "broken.jpg", False],
            ["rejected", "notes.txt", False]], "plan")
        until(lambda: page.run("""return [...document.querySelectorAll('dialog .row-image')]
          .filter((image) => image.naturalWidth > 1).length""") >= 2, "thumbnails")
        equal(len(identifiers(work, path)), 4, "imported by the plan")
        page.click('dialog tr[data-kind="photo"] input')
        equal(page.text("dialog [data-action=import]"), "Import 1", "one group is left")
        page.click("dialog [data-action=import]")
        until(lambda: "1 imported, 1 file not imported" in page.text("#messages"), "the report")
        until(lambda: "broken.jpg" in page.text("dialog[open] th"), "the file that was not taken")
        names = [asset["originalFilename"] for asset in listed(work, "asset", "list", "-L", path)]
        equal(sorted(names), sorted([*PHOTOS, "edited.jpg"]), "assets")
        equal(page.errors(), [], "console errors")


@scenario("on a phone, the review of an import fits, and divides no name of a file within a word")
def _(work):
    path = library(work)
    card = work.folder("card")
    for name in ("DSC_0104.jpg", "jpeg-progressive.jpg", "photo-64.jpg"):
        shutil.copy(work.photo("jpeg-rgb.jpg"), card / name)
    (card / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no photo")
    divided = """const names = document.createTreeWalker(
        document.querySelector('dialog tbody'), NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node = names.nextNode(); node; node = names.nextNode()) {
        for (const { 0: word, index } of node.data.matchAll(/\\w+/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (range.getClientRects().length > 1) found.push(word);
        }
      }
      return found"""
    with Grid(work, width=390, height=844) as page:
        page.open(work.serve("--library", path, "--import-from", card).link)
        page.click('[aria-label="Import"]')
        page.click("dialog [data-root=card]")
        until(lambda: len(page.all("dialog tbody tr")) == 4, "the review")
        equal(page.run(divided), [], "divided words")
        width, most = page.run("const plan = document.querySelector('.plan'); return [plan.scrollWidth, plan.clientWidth]")
        assert width <= most, f"{width} pixels in {most}"
        equal(page.errors(), [], "console errors")


@scenario("S15 files chosen in the browser are reviewed and imported; Cancel removes them")
def _(work):
    path = library(work)
    chosen = [work.photo(name, to=f"chosen/{name}") for name in ("photo-64.jpg", "jpeg-progressive.jpg")]
    sent = work.path / "state/photoedit/uploads"
    kept = """return [...document.querySelectorAll('dialog tbody tr')].map((row) =>
      [row.dataset.kind, row.cells[1].textContent, row.querySelector('img')?.naturalWidth > 1])"""
    expected = [["photo", file.name, True] for file in sorted(chosen)]
    with opened(work, path) as page:
        for button in ("Cancel", "Import 2"):
            page.click('[aria-label="Import"]')
            page.one("#import-files").send_keys("\n".join(map(str, chosen)))
            until(lambda: sorted(page.run(kept)) == expected, "groups with thumbnails")
            assert any(item.is_file() for item in sent.rglob("*")), "the server has the files"
            action = next(item for item in page.all("dialog button") if item.text == button)
            action.click()
            until(lambda: not page.all("dialog"), "the dialog is closed")
            until(lambda: not any(item.is_file() for item in sent.rglob("*")), "nothing stays")
        until(lambda: "2 imported" in page.text("#messages"), "the report")
        page.applied()
        equal(len(identifiers(work, path)), 6, "assets")
        until(lambda: len(page.names) == 6, "tiles")
        assert {file.name for file in chosen} <= set(page.names), page.names
        until(lambda: len(page.all(".tile[data-loaded]")) == 6, "thumbnails of the tiles")
        equal(page.errors(), [], "console errors")


@scenario("S15 a selection is exported into a folder of the command line")
def _(work):
    from selenium.webdriver.common.keys import Keys
    out = work.folder("out")
    path = library(work)
    with opened(work, path, "--export-to", out) as page:
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.click('.selection-bar [aria-label="Export"]')
        page.click("dialog [data-action=export]")
        until(lambda: "4 exported" in page.text("#messages"), "the report")
        equal(sorted(item.name for item in out.iterdir()), sorted(PHOTOS), "files")
        for name in PHOTOS:
            equal((out / name).read_bytes(), (work.path / name).read_bytes(), name)
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.click('.selection-bar [aria-label="Export"]')
        page.click("dialog [data-action=export]")
        until(lambda: "4 failed" in page.text("#messages"), "nothing is replaced")
        assert "already exists" in page.one("dialog[open]").text, page.one("dialog[open]").text
        equal(page.errors(), [], "console errors")


def clip(work, name="clip.mp4", codec="libx264", seconds=2):
    """Writes a video."""
    if not shutil.which("ffmpeg"):
        raise Skipped("no ffmpeg, which writes the video")
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=25",
                    "-t", str(seconds), "-pix_fmt", "yuv420p", "-c:v", codec, "-movflags",
                    "+faststart", *(["-tag:v", "hvc1", "-x265-params", "log-level=error"]
                                    if codec == "libx265" else []),
                    str(work.path / name)], check=True)
    return work.path / name


def statuses(page, part):
    """The statuses of the responses whose address contains a part."""
    asked = [json.loads(entry["message"])["message"]
             for entry in page.driver.get_log("performance")]
    return [message["params"]["response"]["status"] for message in asked
            if message["method"] == "Network.responseReceived"
            and part in message["params"]["response"]["url"]]


@scenario("S9 a Live Photo shows its still, plays its video from ranges, and the still returns")
def _(work):
    from selenium.webdriver.common.keys import Keys
    video = clip(work, "clip.mov")
    path = library(work, PHOTOS[:1])
    image = identifiers(work, path)[0]
    work.run("asset", "import", "-L", path, video)
    movie = next(asset for asset in identifiers(work, path) if asset != image)
    work.run("asset", "pair", "-L", path, "--force", image, movie)
    server = work.serve("--library", path)
    played = """const video = document.querySelector(`${arguments[0]} video`);
      return video && !video.hidden && video.videoWidth === 320 ? video.currentTime : 0"""
    with Grid(work, motion="no-preference") as page:
        page.open(server.link)
        equal(page.text(".tile .tile-badge"), "LIVE", "badge")
        page.keys(Keys.HOME)
        until(lambda: page.run(played, ".tile") > 0.2, "the focused tile plays")
        page.keys(Keys.ENTER)
        until(lambda: page.text("h1") == PHOTOS[0], "the viewer")
        equal(page.all("video"), [], "the still at first")
        page.click(".live-button")
        until(lambda: page.run(played, ".viewer") > 0.2, "it plays")
        until(lambda: not page.all("video"), "the still returns at the end")
        page.keys("l")
        until(lambda: page.run(played, ".viewer") > 0.2, "it plays by its key")
        page.keys("l")
        until(lambda: not page.all("video"), "the key stops it")
        found = statuses(page, "/movie")
        equal(set(found), {206}, "statuses of the video")
        equal(page.errors(), [], "console errors")
    with Grid(work) as page:
        page.open(work.serve("--library", path).link)
        page.keys(Keys.HOME)
        page.keys(Keys.ENTER)
        until(lambda: page.text("h1") == PHOTOS[0], "the viewer")
        equal(statuses(page, "/movie"), [], "videos that began by themselves with reduced motion")


@scenario("S9 a folder lists its videos and Live Photos, and plays them")
def _(work):
    from selenium.webdriver.common.keys import Keys
    folder = work.folder("photos")
    work.photo(to="photos/still.jpg")
    shutil.copy(clip(work), folder / "clip.mp4")
    video = clip(work, "video.mov")
    path = library(work, PHOTOS[1:2])
    image = identifiers(work, path)[0]
    work.run("asset", "import", "-L", path, video)
    movie = next(asset for asset in identifiers(work, path) if asset != image)
    work.run("asset", "pair", "-L", path, "--force", image, movie)
    work.run("asset", "export", "-L", path, "-o", folder, image)
    server = work.serve(folder)
    with Grid(work) as page:
        page.open(server.link)
        until(lambda: len(page.all(".tile[data-loaded]")) == 3, "three assets with images")
        badges = {page.run("return arguments[0].getAttribute('aria-label').split(',')[0]", tile):
                  page.run("return arguments[0].querySelector('.badges').textContent", tile)
                  for tile in page.all(".tile")}
        equal(badges, {"still.jpg": "", "clip.mp4": "0:02", PHOTOS[1]: "LIVE"}, "badges")
        for name in ("clip.mp4", PHOTOS[1]):
            page.keys(Keys.HOME)
            for _ in range(page.names.index(name)):
                page.keys(Keys.ARROW_RIGHT)
            page.keys(Keys.ENTER)
            until(lambda: page.text("h1") == name, f"the viewer with {name}")
            if name.endswith("jpg"):
                page.keys("l")
            until(lambda: page.run("return document.querySelector('video')?.readyState >= 2"), name)
            page.keys(Keys.ESCAPE)
            page.one(".tile[data-loaded]")
        equal(set(statuses(page, "/movie")), {206}, "statuses of the videos")
        equal(page.errors(), [], "console errors")


@scenario("S9 a single video is played, because it cannot be edited in the page")
def _(work):
    video = clip(work)
    server = work.serve(video)
    with Page(work) as page:
        page.open(server.link)
        until(lambda: page.run("return document.querySelector('video')?.readyState >= 2"), "video")
        equal(page.text("h1"), "clip.mp4", "title")
        equal(page.all('[aria-label="Back"]'), [], "nothing to go back to")
        equal(page.errors(), [], "console errors")


@scenario("S9 a video that the browser cannot decode has a poster, the reason and a download")
def _(work):
    from selenium.webdriver.common.keys import Keys
    video = clip(work, "hevc.mp4", "libx265")
    path = library(work, ())
    work.run("asset", "import", "-L", path, video)
    server = work.serve("--library", path)
    with Grid(work) as page:
        page.open(server.link)
        page.keys(Keys.HOME, Keys.ENTER)
        until(lambda: page.text(".original-note") or page.run(
            "return document.querySelector('video')?.currentTime > 0"), "the note, or a video")
        if not page.text(".original-note"):
            raise Skipped("this Chromium decodes HEVC")
        assert "cannot play" in page.text(".original-note"), page.text(".original-note")
        equal(page.one(".viewer .button.primary").is_displayed(), False, "Edit for a video")
        poster = "return document.querySelector('.viewer img.fit').naturalWidth"
        until(lambda: page.run(poster) > 0, "the poster")
        link = page.one(".original-note a").get_attribute("href")
        size = page.run_async("""const [link, done] = arguments;
          fetch(link).then((answer) => answer.arrayBuffer()).then((data) => done(data.byteLength))""",
                              link)
        equal(size, video.stat().st_size, "bytes of the download")


@scenario("S9 a video plays from ranges of bytes")
def _(work):
    from selenium.webdriver.common.keys import Keys
    video = clip(work)
    path = library(work, ())
    work.run("asset", "import", "-L", path, video)
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        until(lambda: page.run("return document.querySelector('video')?.readyState >= 2"), "video")
        page.run("const video = document.querySelector('video'); video.muted = true; video.play()")
        until(lambda: page.run("return document.querySelector('video').currentTime > 0.2"), "plays")
        before = statuses(page, "/movie")
        page.run("document.querySelector('video').currentTime = 1.5")
        until(lambda: page.run("return document.querySelector('video').currentTime > 1.6"), "jumps")
        assert set(before) == {206}, before
        equal(page.errors(), [], "console errors")


@scenario("S11 eight tabs work, and share one event stream")
def _(work):
    path = library(work)
    with opened(work, path) as page:
        for _ in range(7):
            page.driver.switch_to.new_window("tab")
            page.open(page.server.origin + "/")
        handles = page.driver.window_handles
        work.run("asset", "import", "-L", path, work.photo("jpeg-progressive.jpg"))
        for handle in handles:
            page.driver.switch_to.window(handle)
            until(lambda: "5 photos" in page.text(".bar .subtitle"), f"the new photo in {handle}")
        # The server has 16 streams; the eight tabs use one of them.
        client = Client(page.server, logs_in=False)
        client.cookie = page.cookie(page.server)
        streams = [client.connection() for _ in range(16)]
        for stream in streams:
            stream.request("GET", "/api/events", headers={"Cookie": client.cookie})
        answers = [stream.getresponse().status for stream in streams]
        equal(sorted(answers), [200] * 15 + [503], "15 more streams")
        for stream in streams:
            stream.close()
        # The tab that reads the stream is closed; another one takes over.
        page.driver.switch_to.window(handles[0])
        page.driver.close()
        work.run("asset", "import", "-L", path, work.photo("jpeg-422.jpg"))
        for handle in handles[1:]:
            page.driver.switch_to.window(handle)
            until(lambda: "6 photos" in page.text(".bar .subtitle"), f"another one in {handle}")


@scenario("S12 with the keyboard alone: go to a date, mark, rotate, copy an edit, fill an album")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    days = ("2024:06:20", "2024:06:10", "2023:05:15", "2022:04:01")
    work.run("asset", "import", "-L", path, *(
        dated(work, day.replace(":", "-") + ".jpg", day) for day in days))
    assets = {asset["originalFilename"][:10]: asset["identifier"]
              for asset in listed(work, "asset", "list", "-L", path)}
    work.run("apply", "-L", path, "--filter", "sepia", assets["2024-06-20"])
    server = work.serve("--library", path)

    def graphs():
        return {name: [node["filter"] for node in (
            work.json("show", "-L", path, asset).get("graph") or {"nodes": []})["nodes"]]
            for name, asset in assets.items()}

    def favorites():
        return {asset["originalFilename"][:10] for asset in listed(
            work, "asset", "list", "-L", path, "--where", "favorite == YES")}

    with Grid(work) as page:
        page.open(server.link)
        page.keys("g")
        page.one("dialog[open] input:focus")
        page.keys("2023-05", Keys.ENTER)
        until(lambda: page.focused == 2, "the photo of that month has the focus")
        page.chord(Keys.SHIFT, Keys.ARROW_RIGHT)
        equal(page.selected, 2, "a range is selected")
        page.keys("f")
        until(lambda: favorites() == {"2023-05-15", "2022-04-01"}, "favorites")
        page.keys("[")
        until(lambda: graphs()["2022-04-01"] == ["rotate90"] == graphs()["2023-05-15"], "rotated")
        page.keys(Keys.ESCAPE)
        until(lambda: page.selected == 0, "nothing is selected")
        page.keys(Keys.HOME, "c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.keys(Keys.ARROW_RIGHT, "v")
        page.one("dialog[open] tbody tr")
        for _ in range(12):
            if page.run("return document.activeElement.dataset.action === 'apply'"):
                break
            page.keys(Keys.TAB)
        page.keys(Keys.ENTER)
        until(lambda: graphs()["2024-06-10"] == ["sepia"], "the edit is copied")
        page.keys("a")
        page.one(".menu button:focus")
        page.keys(Keys.ENTER)
        page.one("dialog[open] input:focus")
        page.keys("Lisbon", Keys.ENTER)

        def members():
            album = listed(work, "album", "list", "-L", path)
            return album and [asset["originalFilename"][:10] for asset in listed(
                work, "album", "show", "-L", path, album[0]["identifier"])
                if "originalFilename" in asset]

        until(lambda: members() == ["2024-06-10"], "an album with the focused photo")
        page.keys(Keys.END, "l")
        until(lambda: members() == ["2024-06-10", "2022-04-01"], "the last album gets another one")
        page.keys(Keys.DELETE)
        until(lambda: len(page.names) == 3, "the trash")
        equal(page.errors(), [], "console errors")


@scenario("with the mouse alone an edit is copied and applied, and an album is renamed")
def _(work):
    path = library(work)
    assets = identifiers(work, path)
    work.run("apply", "-L", path, "--filter", "sepia", assets[0])
    work.run("album", "create", "-L", path, "Lisbon")

    def mark(index):
        page.run("document.querySelector(`.tile[data-index='${arguments[0]}'] .mark`).click()", index)

    with opened(work, path) as page:
        edited = page.run("return [...document.querySelectorAll('.tile')].findIndex("
                          "(tile) => tile.querySelector('.edited'))")
        index = int(page.all(".tile")[edited].get_attribute("data-index"))
        mark(1 - min(index, 1))
        page.click('[aria-label="Apply an edit"]')
        until(lambda: "Copy the edit" in page.text("dialog"), "what to do first")
        equal([item.is_displayed() for item in page.all("dialog select")], [False], "empty list")
        page.click("dialog .button:not(.primary)")
        mark(1 - min(index, 1))
        mark(index)
        page.click('[aria-label="Copy the edit"]')
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        mark(index)
        mark(1 - min(index, 1))
        page.click('[aria-label="Apply an edit"]')
        until(lambda: page.one("dialog [data-action=apply]").is_enabled(), "the plan")
        page.click("dialog [data-action=apply]")
        until(lambda: "1 photo changed" in page.text("#messages"), "applied")
        page.run("document.querySelector('[aria-label=\"More for Lisbon\"]').click()")
        page.click(".menu .button")
        page.one("dialog[open] input:focus").send_keys("Porto")
        page.click("dialog .primary")
        until(lambda: listed(work, "album", "list", "-L", path)[0]["title"] == "Porto", "renamed")
        equal(page.errors(), [], "console errors")


@scenario("keys remove a photo from its album, and restore one from the trash")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    assets = identifiers(work, path)
    work.run("album", "create", "-L", path, "Lisbon")
    album = listed(work, "album", "list", "-L", path)[0]["identifier"]
    work.run("album", "add", "-L", path, album, *assets[:2])
    server = work.serve("--library", path)
    with Grid(work) as page:
        page.open(server.link)
        page.click(".collection[data-album]")
        until(lambda: len(page.names) == 2, "the album")
        kept = page.names[1]
        page.keys(Keys.HOME, Keys.BACKSPACE)
        until(lambda: page.names == [kept], "one photo is left")
        equal(len(identifiers(work, path)), 4, "photos in the library")
        page.chord(Keys.CONTROL, "z")
        until(lambda: len(page.names) == 2, "the removal is undone")
        page.keys(Keys.HOME, Keys.DELETE)
        until(lambda: len(identifiers(work, path)) == 3, "moved to the trash")
        page.click(".collection[data-source=trash]")
        until(lambda: len(page.names) == 1, "the trash")
        page.keys(Keys.HOME, Keys.DELETE)
        until(lambda: "Already in the trash" in page.text("#messages"), "a note")
        page.keys("r")
        until(lambda: len(identifiers(work, path)) == 4, "restored")
        equal(page.errors(), [], "console errors")


@scenario("S12 the information of a photo names what the command line has set")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:1])
    work.run("asset", "set", "-L", path, *identifiers(work, path), "--keywords", "boat,sea",
             "--person", "+Ann", "--rating", "3", "--label", "green", "--caption", "At noon")
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer")
        page.keys("i")
        until(lambda: "CaptionAt noon" in page.text(".viewer-info"), "the information")
        for text in ("Keywordsboat, sea", "PeopleAnn", "Rating★★★", "LabelGreen"):
            assert text in page.text(".viewer-info"), page.text(".viewer-info")
        equal(page.errors(), [], "console errors")


@scenario("S13 every request goes to the server that was started")
def _(work):
    path = library(work)
    with opened(work, path) as page:
        from selenium.webdriver.common.keys import Keys
        page.keys(Keys.ENTER)
        until(lambda: page.text(".viewer h1"), "the viewer")
        until(lambda: "photoedit" in page.driver.title, "title")
        page.run("document.querySelector('.viewer .button.primary').click()")
        page.one(".editor")
        asked = [json.loads(entry["message"])["message"]
                 for entry in page.driver.get_log("performance")]
        hosts = {message["params"]["request"]["url"].split("/")[2] for message in asked
                 if message["method"] == "Network.requestWillBeSent"
                 and message["params"]["request"]["url"].startswith("http")}
        equal(hosts, {f"{page.server.host}:{page.server.port}"}, "hosts")


@scenario("S14 the problem of a search is shown at its character")
def _(work):
    path = library(work)
    with opened(work, path) as page:
        from selenium.webdriver.common.keys import Keys
        page.keys("/")
        page.keys("favorite == YES AND colour == 3", Keys.ENTER)
        until(lambda: page.text(".search-problem"), "a problem")
        equal(page.run("return document.querySelector('.search-problem').dataset.position"), "20",
              "position")
        equal(page.text(".search-error"), "colour", "marked word")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".search-input:focus"), "the field is left")
        page.keys("/")
        page.one(".search-input:focus")
        page.chord(Keys.CONTROL, "a")
        page.keys("favorite == NO", Keys.ENTER)
        until(lambda: "4 photos" in page.text(".bar .subtitle"), "all photos match")


@scenario("the viewer walks through the list, zooms, and returns to the same place")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        names = page.names
        page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
        until(lambda: page.text("h1") == names[1], "the second photo")
        page.keys(Keys.ARROW_RIGHT)
        until(lambda: page.text("h1") == names[2], "the third photo")
        page.keys("z")
        until(lambda: "100" in page.text(".zoom"), "100 %")
        page.keys(Keys.ESCAPE, Keys.ESCAPE)
        page.one(".tile[data-loaded]")
        equal(page.errors(), [], "console errors")


@scenario("an image is requested once, and the browser's disk has no photo")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    video = clip(work)
    work.run("asset", "import", "-L", path, video)
    with opened(work, path) as page:
        until(lambda: len(page.all(".tile[data-loaded]")) == 5, "all tiles")
        for _ in range(2):
            page.keys(Keys.HOME, Keys.ENTER)
            until(lambda: page.text(".viewer h1"), "the viewer")
            for index in range(5):
                until(lambda: page.text(".viewer .size").startswith(str(index + 1)), "the photo")
                until(lambda: page.run("""const image = document.querySelector('.viewer img.fit');
                  return image.complete && !image.src.includes('w=128&')"""), "its image")
                page.keys(Keys.ARROW_RIGHT)
            page.keys(Keys.ESCAPE)
            until(lambda: len(page.all(".tile[data-loaded]")) == 5, "the grid")
        sent = [json.loads(entry["message"])["message"] for entry in page.driver.get_log("performance")]
        images = [message["params"]["request"]["url"] for message in sent
                  if message["method"] == "Network.requestWillBeSent"
                  and "/picture/" in message["params"]["request"]["url"]]
        assert len(images) >= 10, images
        equal(sorted(images), sorted(set(images)), "requests of images")
        client = Client(page.server, logs_in=False)
        client.cookie = page.cookie(page.server)
        shown = {image: client.get("/api" + image.split("/api")[1]).body for image in images}
        shown["video"] = video.read_bytes()
        script = client.get("/web/js/app.js", headers={"Accept-Encoding": "gzip"}).body
    stored = [file.read_bytes() for file in (work.path / "browser").rglob("*") if file.is_file()]
    # The search is able to find what is stored.
    assert any(script[100:164] in contents for contents in stored), "the scripts are in the cache"
    for name, contents in shown.items():
        part = contents[len(contents) // 2:][:64]
        assert not any(part in file for file in stored), f"{name} is on the disk"


@scenario("the viewer moves a photo to the trash, and its undo shows the photo again")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        def shows(position):
            return page.text(".stage-bar .size").startswith(position)

        page.keys(Keys.HOME, Keys.ENTER)
        until(lambda: shows("1 of 4"), "the viewer")
        address = page.driver.current_url
        page.keys(Keys.DELETE)
        until(lambda: shows("1 of 3"), "the next photo")
        page.chord(Keys.CONTROL, "z")
        until(lambda: shows("1 of 4"), "the photo again")
        equal(page.driver.current_url, address, "address")
        equal(len(identifiers(work, path)), 4, "photos in the library")
        equal(page.errors(), [], "console errors")


@scenario("two selected photos are compared side by side, and show the same part")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        names = page.names
        page.keys(" ", Keys.ARROW_RIGHT, " ", "k")
        until(lambda: len(page.all(".pane img.fit")) == 2, "two panes")
        until(lambda: [item.text for item in page.all(".pane h2")] == names[:2], "their names")
        until(lambda: page.run("return [...document.querySelectorAll('.pane img.fit')]"
                               ".every((image) => image.complete && image.naturalWidth > 128)"),
              "both are sharp")
        for _ in range(3):
            page.keys("=")
        parts = """return [...document.querySelectorAll('.pane')].map((pane) => {
          const area = pane.querySelector('.stage').getBoundingClientRect();
          const box = pane.querySelector('.frame').getBoundingClientRect();
          return [box.width / area.width, (area.left - box.left) / box.width].map(
            (value) => Math.round(value * 50) / 50); })"""
        until(lambda: page.run(parts)[0][0] > 1, "it is zoomed")
        first, second = page.run(parts)
        equal(first, second, "zoom and part")
        page.keys(Keys.ARROW_RIGHT)
        moved = page.run(parts)
        assert moved[0] != first, f"{moved} was {first}"
        equal(moved[0], moved[1], "part after panning")
        address = page.driver.current_url
        page.driver.refresh()
        until(lambda: [item.text for item in page.all(".pane h2")] == names[:2], "after a reload")
        equal(page.driver.current_url, address, "address")
        equal(page.errors(), [], "console errors")


@scenario("the compared photo that has the focus is judged by keys, and Esc keeps the selection")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        names = page.names

        def judged(index):
            (found,) = [asset for asset in listed(work, "asset", "list", "-L", path)
                        if asset["identifier"].startswith(compared[index])]
            return found["rating"], found["favorite"]

        def active():
            return page.run("return [...document.querySelectorAll('.pane')]"
                            ".indexOf(document.activeElement)")

        page.keys(" ", Keys.ARROW_RIGHT, " ", "k")
        until(lambda: len(page.all(".pane img.fit")) == 2, "two panes")
        until(lambda: active() == 0, "the first one has the focus")
        compared = page.run("return location.hash.split('/').slice(2).map(decodeURIComponent)")
        rating, _ = judged(1)
        page.keys("2")
        until(lambda: judged(0) == (2, False), "the first one is rated")
        equal(active(), 0, "the focus after a rating")
        page.keys(Keys.ARROW_RIGHT)
        equal(active(), 1, "the focus after a key")
        page.keys("p")
        until(lambda: judged(1)[1], "the second one is picked")
        page.keys("x")
        until(lambda: judged(1) == (-1, True), "the second one is rejected")
        until(lambda: "Rejected" in page.all(".marks")[1].text, "it is marked as rejected")
        equal([item.get_attribute("aria-label") for item in page.all(".marks [role=img]")],
              ["2 stars", "favorite"], "marks")
        page.keys("8")
        page.one(".pane [aria-label='Green label']")
        equal(page.run("""const mark = document.querySelector('.pane .label-mark');
          return [mark.clientWidth >= 9, mark.clientHeight >= 9]"""), [True, True], "its color is seen")
        page.chord(Keys.CONTROL, "z")
        until(lambda: not page.all(".pane .label-mark"), "the label is undone")
        page.run("document.querySelector('.pane .stage').dispatchEvent("
                 "new PointerEvent('pointerdown', { bubbles: true, button: 0 }))")
        until(lambda: active() == 0, "a press takes the focus")
        page.keys("f")
        until(lambda: judged(0) == (2, True), "the first one is a favorite")
        page.keys(Keys.ESCAPE)
        page.one('.tile[data-index="0"]')
        until(lambda: page.selected == 2, "the selection is kept")
        equal([item.get_attribute("aria-selected") for item in page.all(".tile")][:2],
              ["true", "true"], "the compared ones are selected")
        page.keys("k")
        until(lambda: len(page.all(".pane img.fit")) == 2, "two panes again")
        page.driver.refresh()
        until(lambda: [item.text for item in page.all(".pane h2")] == names[:2], "after a reload")
        page.keys(Keys.ESCAPE)
        until(lambda: page.selected == 2, "the selection after a reload")
        page.keys(Keys.ESCAPE)
        until(lambda: page.selected == 0, "the selection is cleared")
        equal(page.errors(), [], "console errors")


@scenario("photos of the trash are compared, but not judged, and one that is gone is said to be")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    work.run("asset", "delete", "--yes", "-L", path, *identifiers(work, path)[:2])

    def trash():
        return {asset["identifier"]: (asset["rating"], asset["favorite"])
                for asset in listed(work, "asset", "list", "--trashed", "-L", path)}

    before = trash()
    with opened(work, path) as page:
        page.run("location.hash = '#/album/trash'")
        until(lambda: page.text("h1") == "Trash", "the trash")
        page.one(".tile[data-loaded]")
        names = page.names
        page.click(".tile .mark")
        page.keys(Keys.ARROW_RIGHT, " ", "k")
        until(lambda: len(page.all(".pane img.fit")) == 2, "two panes")
        until(lambda: [item.text for item in page.all(".pane h2")] == names[:2], "their names")
        page.keys("1", "f")
        page.run_async("setTimeout(arguments[0], 500)")
        equal(trash(), before, "photos in the trash")
        page.keys(Keys.ESCAPE)
        until(lambda: page.selected == 2, "the selection of the trash")
        page.keys("k")
        until(lambda: len(page.all(".pane img.fit")) == 2, "two panes again")
        work.run("asset", "purge", "--yes", "-L", path, next(iter(before)))
        page.driver.refresh()
        until(lambda: "This photo is not here" in [item.text for item in page.all(".pane h2")], "one is gone")
        equal(page.text("#messages"), "", "messages")


class Phone(Grid):
    """The timeline in a narrow window with a touch screen."""

    def __init__(self, work, width=390, height=844):
        super().__init__(work, width=width, height=height)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {
            "enabled": True, "maxTouchPoints": 2})

    def touch(self, kind, *points):
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [
                {"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]})

    def tap(self, selector):
        element = self.one(selector)
        self.run("arguments[0].scrollIntoView({block: 'nearest'})", element)
        self.touch("touchStart", self.center(selector))
        self.touch("touchEnd")

    def center(self, selector):
        box = self.run("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()",
                       selector)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@scenario("on a touch screen, a finger that stays selects, and two fingers zoom")
def _(work):
    path = library(work)
    server = work.serve("--library", path)
    with Phone(work) as page:
        page.open(server.link)
        second = page.center('.tile[data-index="1"]')
        page.touch("touchStart", second)
        until(lambda: page.selected == 1, "the photo is selected")
        page.touch("touchEnd")
        page.touch("touchStart", page.center('.tile[data-index="0"]'))
        page.touch("touchEnd")
        until(lambda: page.selected == 2, "a tap selects another one")
        page.click('[aria-label="Clear selection"]')
        page.touch("touchStart", second)
        page.touch("touchEnd")
        until(lambda: page.text("h1") == page.text(".viewer h1") != "", "a tap opens the photo")
        name = page.text("h1")
        until(lambda: "Fit" in page.text(".zoom"), "it fits")
        x, y = page.center(".viewer .stage")
        page.touch("touchStart", (x - 40, y), (x + 40, y))
        for step in range(1, 9):
            page.touch("touchMove", (x - 40 - 15 * step, y), (x + 40 + 15 * step, y))
        page.touch("touchEnd")
        equal("Fit" in page.text(".zoom"), False, "it still fits")
        equal(page.text("h1"), name, "the photo after two fingers")
        page.keys("z")
        page.touch("touchStart", (x, y))
        for step in range(1, 5):
            page.touch("touchMove", (x - 30 * step, y))
        page.touch("touchEnd")
        until(lambda: page.text("h1") != name, "one finger goes to the next photo")
        equal(page.errors(), [], "console errors")


@scenario("direction marks in a file name are shown as text, so that its ending is where it is")
def _(work):
    folder = work.folder("photos")
    work.photo(to="photos/\u202egpj.exe\u202c.jpg")
    server = work.serve(folder)
    with Grid(work) as page:
        page.open(server.link)
        name = "\\u{202e}gpj.exe\\u{202c}.jpg"
        equal(page.names, [name], "tile")
        page.keys("e")
        until(lambda: page.text(".editor h1") == name, "the editor")


@scenario("an action on everything requests each part of the list once")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = many(work, MANY)
    server = work.serve("--library", path)
    with Grid(work) as page:
        page.open(server.link)
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        until(lambda: f"{MANY} selected" in page.text(".selection-bar"), "everything is selected")
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 60, "downloadThroughput": -1, "uploadThroughput": -1})
        page.keys("f")
        until(lambda: f" of {MANY}…" in page.text("#messages"), "how far it is", 60)
        until(lambda: f"{MANY} photos marked" in page.text("#messages"), "marked", 60)
        asked = page.run("""return performance.getEntriesByType('resource')
          .filter((entry) => entry.name.includes('/items?')).length""")
        equal(asked, -(-MANY // 200), "requests for items")
        equal(page.errors(), [], "console errors")


@scenario("months with few photos share rows, and the menu of the view changes the size of the photos")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = many(work, 48)
    with opened(work, path) as page:
        end = "return document.querySelector('.grid-canvas').clientHeight"
        heads = """return [...document.querySelectorAll('.section-head')].map((head) => {
          const box = head.getBoundingClientRect();
          const title = head.querySelector('h2');
          return [box.top, box.left, title.scrollWidth <= title.clientWidth]; })"""
        until(lambda: len(page.run(heads)) > 4, "sections")
        # A row for each of the 48 months would be 12,000 pixels high.
        assert page.run(end) < 48 * 250 / 2, page.run(end)
        found = page.run(heads)
        assert len({top for top, _, _ in found}) < len(found), found
        assert all(isWhole for _, _, isWhole in found), "titles are cut off"
        page.keys(Keys.HOME)
        seen = [page.names[0]]
        page.keys(Keys.END)
        until(lambda: page.focused == 47, "the last photo")
        for _ in range(47):
            page.keys(Keys.ARROW_UP)
        until(lambda: page.focused < 6, "up to the first row")
        equal(page.names[:1], seen, "the first photo")
        before = page.run(end)
        page.click('[aria-label="View"]')
        page.one(".menu button")
        next(item for item in page.all(".menu button") if "Smaller photos" in item.text).click()
        until(lambda: page.run(end) < before, f"smaller photos: {before} → {page.run(end)}")
        equal(page.errors(), [], "console errors")


@scenario("the timeline is grouped by month or by moment")
def _(work):
    path = library(work)
    assets = identifiers(work, path)
    for asset, date in zip(assets, ("2024-06-14T09:10:00Z", "2024-06-14T11:42:00Z",
                                    "2024-06-20T08:00:00Z", "2023-01-01T00:00:00Z")):
        work.run("asset", "set", "-L", path, asset, "--date", date)
    with opened(work, path) as page:
        heads = ("return [...document.querySelectorAll('.section-head h2')]"
                 ".map((head) => head.textContent)")
        until(lambda: len(page.run(heads)) == 2, "two months")
        page.keys("m")
        until(lambda: len(page.run(heads)) == 3, "three moments")
        assert any("14 June 2024, 09:10–11:42" in head for head in page.run(heads)), page.run(heads)
        page.driver.refresh()
        page.one(".tile[data-loaded]")
        until(lambda: len(page.run(heads)) == 3, "the choice is kept")
        equal(page.errors(), [], "console errors")


@scenario("the marks of a narrow tile are not cut")
def _(work):
    with opened(work, library(work)) as page:
        cut = page.run_async("""const [done] = arguments;
          import('/web/js/grid/tile.js').then(({ Tile }) => {
            const cut = [];
            for (const [width, height] of [[30, 64], [39, 98], [60, 80], [78, 196]]) {
              for (const flags of [['edited', 'live', 'hdr'], ['favorite', 'edited', 'raw', 'burst'], ['movie']]) {
                const tile = new Tile();
                document.querySelector('.grid-canvas').append(tile.element);
                tile.place(0, width, height);
                tile.showBadges({ rating: flags.includes('live') ? 0 : 5, flags, duration: 754 });
                const frame = tile.element.getBoundingClientRect();
                for (const badge of tile.badges.children) {
                  const range = document.createRange();
                  range.selectNodeContents(badge);
                  const box = range.getBoundingClientRect();
                  if (box.left < frame.left || box.right > frame.right + 0.5 || box.top < frame.top) {
                    cut.push(`${width} × ${height}: ${badge.className} ${badge.textContent}`);
                  }
                }
                tile.element.remove();
              }
            }
            done(cut);
          });""")
        equal(cut, [], "marks that are cut")


@scenario("two fingers change the size of the tiles, which is remembered")
def _(work):
    with opened(work, library(work)) as page:
        page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
        height = "return document.querySelector('.tile').getBoundingClientRect().height"

        def fingers(kind, *points):
            page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
                {"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]})

        def pinch(start, end):
            fingers("touchStart", (600, 300), (600, 300 + start))
            for step in range(1, 9):
                fingers("touchMove", (600, 300), (600, 300 + start + (end - start) * step // 8))
            fingers("touchEnd")

        before = page.run(height)
        pinch(100, 140)
        until(lambda: page.run(height) > before * 1.1, "larger tiles")
        pinch(220, 80)
        until(lambda: page.run(height) < before * 0.9, "smaller tiles")
        small = page.run(height)
        equal(page.selected, 0, "photos that were selected")
        page.driver.refresh()
        page.one(".tile[data-loaded]")
        equal(page.run(height), small, "after a reload")
        equal(page.errors(), [], "console errors")


@scenario("albums are listed as well when the style sheets come late")
def _(work):
    path = library(work, PHOTOS[:1])
    work.run("album", "create", "-L", path, "Lisbon")
    with Grid(work) as page:
        page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
          const { set } = Object.getOwnPropertyDescriptor(HTMLLinkElement.prototype, 'disabled');
          Object.defineProperty(HTMLLinkElement.prototype, 'disabled', {
            set(value) { setTimeout(() => set.call(this, value), 700); },
          });"""})
        page.open(work.serve("--library", path).link)
        until(lambda: page.all(".sidebar [data-album]"), "the album", 5)


@scenario("a list that has nothing says what belongs into it: favorites, an album, the trash")
def _(work):
    path = library(work, PHOTOS[:1])
    work.run("album", "create", "-L", path, "Lisbon")
    with opened(work, path) as page:
        origin = page.run("return location.origin")
        album = page.one(".sidebar [data-album]").get_attribute("data-album")
        for source, title in (("favorites", "No favorites yet"), (f"album:{album}", "This album is empty"),
                              ("trash", "The trash is empty")):
            page.driver.get(f"{origin}/#/album/{source}")
            until(lambda: page.text(".notice h2") == title, title)
            assert not page.all(".notice .button"), "nothing is imported into it"


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
