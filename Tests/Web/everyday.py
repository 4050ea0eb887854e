#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The first minutes with the page, and what people do with it every day.

Usage: everyday.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile

from browser import Page, require
from harness import IMAGES, Checks, equal, until
from library import PHOTOS, Grid, Phone, clip, dated, identifiers, library, listed, many, opened
from scenarios import EXPOSURE, EditorPage, stored

scenario = Checks()


def titles(work, path):
    """The titles of all assets, as the grid has them."""
    return {asset["title"] or asset["originalFilename"]
            for asset in listed(work, "asset", "list", "-L", path)}


def graphs(work, path):
    """The names of the filters of each asset, by its file name."""
    return {asset["originalFilename"]: [node["filter"] for node in (
        work.json("show", "-L", path, asset["identifier"]).get("graph") or {"nodes": []})["nodes"]]
        for asset in listed(work, "asset", "list", "-L", path)}


def live_library(work):
    """A library with a Live Photo alone."""
    path = library(work, PHOTOS[:1])
    image = identifiers(work, path)[0]
    work.run("asset", "import", "-L", path, clip(work, "clip.mov", seconds=1))
    movie = next(asset for asset in identifiers(work, path) if asset != image)
    work.run("asset", "pair", "-L", path, "--force", image, movie)
    return path, image


def versions(work, path, image):
    """What the command line says of an asset, with the roles of its files."""
    return work.run("asset", "show", "-L", path, image, "--json")


@scenario("a Live Photo keeps its video when it is rotated in the grid or edited")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path, image = live_library(work)
    with opened(work, path) as page:
        equal(page.text(".tile .tile-badge"), "LIVE", "badge")
        page.keys(Keys.HOME, "]")
        until(lambda: "1 photo rotated." in page.text("#messages"), "rotated", 60)
        page.applied()
        until(lambda: "LIVE" in page.text(".tile .badges"), "the badge after the rotation")
        assert "fullSizePairedVideo" in versions(work, path, image), versions(work, path, image)
        page.keys("e")
        page.one(".editor")
        equal(page.run("return document.querySelector('.loss').hidden"), True, "losses")
        slider = page.one("[data-filter=exposure] input.slider[data-key=ev]")
        slider.send_keys(Keys.ARROW_RIGHT)
        until(lambda: page.one(".bar .primary").is_enabled(), "a draft")
        page.click(".bar .primary")
        until(lambda: "2 filters saved" in page.text(".bar .subtitle"), "saved", 60)
        equal(graphs(work, path), {PHOTOS[0]: ["rotate90", "exposure"]}, "filters")
        assert "fullSizePairedVideo" in versions(work, path, image), versions(work, path, image)
        equal(page.errors(), [], "console errors")


@scenario("in a folder, the edit of a Live Photo says before Save that it has no video")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path, image = live_library(work)
    folder = work.folder("photos")
    work.run("asset", "export", "-L", path, "-o", folder, image)
    with Grid(work) as page:
        page.open(work.serve(folder).link)
        page.keys(Keys.HOME, "e")
        page.one(".editor")
        until(lambda: "Live photo" in page.text(".loss"), "the loss")


@scenario("videos are rotated without encoding; a message counts what was done, with reasons")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:1])
    work.run("asset", "import", "-L", path, clip(work, "clip.mp4", seconds=1))
    with opened(work, path) as page:
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.keys("]")
        until(lambda: "2 photos and videos rotated." in page.text("#messages"), "rotated", 60)
        equal(graphs(work, path), {PHOTOS[0]: ["rotate90"], "clip.mp4": ["rotate90"]}, "filters")
        page.click(".message .button")
        until(lambda: "2 photos and videos as before." in page.text("#messages"), "undone")
        equal(graphs(work, path), {PHOTOS[0]: [], "clip.mp4": []}, "filters after Undo")
        # The viewer rotates a video too.
        page.keys(Keys.ESCAPE, Keys.HOME)
        while "clip" not in page.names[page.focused]:
            page.keys(Keys.ARROW_RIGHT)
        page.keys(Keys.ENTER)
        until(lambda: page.text(".viewer h1") == "clip.mp4", "the viewer")
        page.keys("[")
        until(lambda: graphs(work, path)["clip.mp4"] == ["rotate90"], "rotated in the viewer")
        until(lambda: "1 video rotated." in page.text("#messages"), "the message of the viewer")
        page.keys(Keys.ESCAPE)
        until(lambda: page.all(".tile"), "the grid")
        page.keys(Keys.DELETE)
        until(lambda: "1 video moved to the trash." in page.text("#messages"), "the message of the trash")
        equal(page.errors(), [], "console errors")


@scenario("the plan of a batch names what a video cannot have, and its run what has failed")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:2])
    work.run("asset", "import", "-L", path, clip(work, "clip.mp4", seconds=1))
    video = next(asset["identifier"] for asset in listed(work, "asset", "list", "-L", path)
                 if asset["originalFilename"] == "clip.mp4")
    work.run("apply", "-L", path, "--filter", "mute", video)
    with opened(work, path) as page:
        page.keys(Keys.HOME)
        while "clip" not in page.names[page.focused]:
            page.keys(Keys.ARROW_RIGHT)
        page.keys("c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.keys("v")
        page.one("dialog[open] tbody tr")
        blocked = page.run("""return [...document.querySelectorAll('dialog tr[data-blocked=true]')]
          .map((row) => [row.cells[1].textContent, row.cells[2].textContent])""")
        equal(sorted(name for name, _ in blocked), sorted(titles(work, path) - {"clip.mp4"}), "photos that cannot be muted")
        assert all("cannot be changed: " in reason and len(reason) > 25 for _, reason in blocked)
        # A file that disappears between the plan and the run.
        for file in path.rglob("assets/**/*.m*"):
            file.unlink()
        page.click("dialog [data-action=apply]")
        until(lambda: "1 failed" in page.text("#messages"), "the count")
        until(lambda: "clip.mp4" in page.text("dialog[open] th"), "the photo and the reason")
        assert len(page.text("dialog[open] td")) > 5, page.text("dialog[open]")


@scenario("“New album…” in the album menu puts the chosen photos into the album that is named")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, " ")
        chosen = sorted(page.names[:2])
        page.click('.selection-bar [aria-label="Add to album"]')
        page.click(".menu .button")
        page.one("dialog[open] input:focus")
        # A name takes longer to type than a menu to close.
        until(lambda: not page.all(".menu"), "the menu is gone")
        page.run_async("setTimeout(arguments[0], 600)")
        page.keys("Lisbon", Keys.ENTER)
        until(lambda: "2 photos added to “Lisbon”." in page.text("#messages"), "the message")
        album = listed(work, "album", "list", "-L", path)[0]["identifier"]
        equal(sorted(asset["title"] or asset["originalFilename"] for asset in listed(
            work, "album", "show", "-L", path, album) if "originalFilename" in asset), chosen,
            "members")
        equal(page.errors(), [], "console errors")


@scenario("a menu has the keys while it is open, and gives the focus back")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    work.run("album", "create", "-L", path, "Lisbon")
    favorites = ("asset", "list", "-L", path, "--where", "favorite == YES")
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ARROW_RIGHT, "a")
        page.one(".menu button:focus")
        tile = page.run("return document.querySelector('.tile[data-index=\"1\"]').getBoundingClientRect().toJSON()")
        menu = page.run("return document.querySelector('.menu').getBoundingClientRect().toJSON()")
        assert abs(menu["right"] - tile["right"]) < 240, f"the menu is at {menu}, the photo at {tile}"
        page.keys("f", Keys.DELETE, "]")
        chosen = "return document.activeElement.textContent"
        for key, item in (("n", "New album…"), ("l", "Lisbon"), (Keys.END, "New album…"), (Keys.HOME, "Lisbon"),
                          (Keys.ARROW_UP, "New album…"), (Keys.ARROW_DOWN, "Lisbon")):
            page.keys(key)
            equal(page.run(chosen), item, f"after {key!r}")
        page.keys(Keys.ESCAPE)
        until(lambda: page.focused == 1, "the photo has the focus again")
        equal(listed(work, *favorites), [], "marked through the menu")
        equal(len(identifiers(work, path)), 4, "photos")
        page.keys("f")
        until(lambda: len(listed(work, *favorites)) == 1, "the next key is for the photo")


def searched(page, text):
    """Searches for a text and returns the names found."""
    from selenium.webdriver.common.keys import Keys
    page.keys("/")
    page.one(".search-input:focus")
    page.chord(Keys.CONTROL, "a")
    page.keys(text, Keys.ENTER)
    until(lambda: page.run("return decodeURIComponent(location.hash)").endswith(f"?where={text}"),
          "the address")
    result = until(lambda: page.text(".search-problem") or page.text(".bar .subtitle"), "the result")
    assert result[0].isdigit(), f"{text}: {result}"
    found = int(result.split()[0])
    until(lambda: len(page.names) == found and all(page.names), f"{found} tiles")
    page.run("document.activeElement.blur()")
    return sorted(page.names)


@scenario("words and terms are searched as 'asset list' does; a condition is still understood")
def _(work):
    path = library(work, ())
    files = [dated(work, name, date) for name, date in (
        ("beach.jpg", "2015:07:01"), ("lighthouse.jpg", "2019:05:02"), ("Évening.jpg", "2019:08:03"))]
    work.run("asset", "import", "-L", path, *files)
    assets = {asset["originalFilename"]: asset["identifier"]
              for asset in listed(work, "asset", "list", "-L", path)}
    work.run("asset", "set", "-L", path, assets["lighthouse.jpg"], "--keywords", "red sea,coast",
             "--rating", "4", "--title", "The tower")
    searches = ["beach", "2015", "2019-05", "tower", "evening", "rating:4..", 'keyword:"red sea"',
                "coast 2019", "-tower", "is:favorite", "light*", "in the tower"]
    with opened(work, path) as page:
        for text in searches:
            terms = [term.replace('"', "") for term in (
                [text] if '"' in text else text.split())]
            found = work.run("asset", "list", "-L", path, "--json", "--", *terms).splitlines()
            expected = sorted(asset["title"] or asset["originalFilename"]
                              for asset in map(json.loads, found))
            equal(searched(page, text), expected, text)
        equal(searched(page, "rating >= 4"), ["The tower"], "a condition")
        equal(page.errors(), [], "console errors")


@scenario("every suggestion of the search field is valid, and a completed key is one that exists")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        page.keys("/")
        page.one(".search-option")
        count = len(page.all(".search-option"))
        assert count >= 5, f"{count} suggestions"
        for index in range(count):
            page.keys("/")
            page.chord(Keys.CONTROL, "a")
            page.keys(Keys.BACKSPACE)
            until(lambda: len(page.all(".search-option")) >= count, "the suggestions")
            page.all(".search-option")[index].click()
            until(lambda: "where=" in page.driver.current_url, "the search")
            until(lambda: page.text(".bar .subtitle"), page.text(".search-problem") or "its result")
            equal(page.text(".search-problem"), "", page.driver.current_url)
        words = page.run_async("""const done = arguments[0];
          Promise.all([import('/web/js/api.js'), import('/web/js/query.js')]).then(
            async ([{ get, post, path }, { searching, isCondition }]) => {
              const { terms, conditions } = await get(path`/api/search`);
              const refused = [];
              for (const [list, expected] of [[terms, false], [conditions, true]]) {
                for (const { key, example } of list) {
                  const request = { source: 'all', sections: 'none', ...searching(example) };
                  const problem = await post(path`/api/views`, request).then(() => null, (e) => e.message);
                  if (problem || isCondition(example) !== expected) refused.push([key, example, problem]);
                }
              }
              done({ refused, count: terms.length + conditions.length });
            }).catch((error) => done({ refused: [String(error)], count: 0 }));""")
        equal(words["refused"], [], "words that are refused")
        assert words["count"] > 50, words["count"]
        for typed, completed in (("cam", "camera:"), ("rating", "rating:"), ("is:fav", "is:favorite "),
                                 ("rating >= 3 AND pixelW", "rating >= 3 AND pixelWidth ")):
            page.keys("/")
            page.chord(Keys.CONTROL, "a")
            page.keys(typed)
            page.one(".search-option")
            page.keys(Keys.TAB)
            until(lambda: page.run("return document.querySelector('.search-input').value")
                  == completed, completed)


@scenario("an invalid term says what is wrong once, below the field")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        page.keys("/", "colour:red", Keys.ENTER)
        until(lambda: "colour" in page.text(".search-problem"), "the problem")
        equal(page.text("body").count("colour:red"), 1, "places with the problem")


@scenario("a folder is shown with its subfolders, which are followed as well")
def _(work):
    folder = work.folder("tree")
    work.photo(PHOTOS[0], to="tree/2023/trip/a.jpg")
    work.photo(PHOTOS[1], to="tree/2024/b.jpg")
    work.photo(PHOTOS[2], to="tree/.hidden/c.jpg")
    os.symlink(work.folder("elsewhere"), folder / "link")
    server = work.serve(folder)
    with Grid(work) as page:
        page.open(server.link)
        equal(sorted(page.names), ["a.jpg", "b.jpg"], "photos")
        work.photo(PHOTOS[3], to="tree/2025/spring/d.jpg")
        until(lambda: sorted(page.names) == ["a.jpg", "b.jpg", "d.jpg"], "a new folder")
        work.run("apply", "--filter", "sepia", folder / "2023/trip/a.jpg")
        until(lambda: page.run("""return [...document.querySelectorAll('.tile')].filter((tile) =>
          tile.querySelector('.edited')).map((tile) => tile.ariaLabel.split(',')[0])""") == ["a.jpg"],
              "an edit")
        equal(sorted(page.names), ["a.jpg", "b.jpg", "d.jpg"], "the rendering is no photo")
        shutil.rmtree(folder / "2024")
        until(lambda: sorted(page.names) == ["a.jpg", "d.jpg"], "a removed folder")
        equal(page.errors(), [], "console errors")
    assert "link: left out: a link or special file" in server.text(), server.text()


@scenario("a photo library inside of a served folder is left out")
def _(work):
    folder = work.folder("tree")
    work.photo(PHOTOS[0], to="tree/a.jpg")
    work.run("library", "create", folder / "Photos")
    work.run("asset", "import", "-L", folder / "Photos", work.photo(PHOTOS[1]))
    server = work.serve(folder)
    with Grid(work) as page:
        page.open(server.link)
        equal(page.names, ["a.jpg"], "photos")
    assert "a photo library; serve it with --library" in server.text(), server.text()


def new_link(work, *arguments):
    return work.run("serve", "--link", *arguments).strip()


@scenario("a link logs in the tab that shows the address, after a restart, and one that was used")
def _(work):
    path = library(work)
    server = work.serve("--library", path, "--address", "127.0.0.1")
    with Page(work) as page:
        page.open(server.origin + "/")
        until(lambda: "not logged in" in page.text(".login h1"), "the login page")
        command = page.text(".notice code")
        page.run("location.href = arguments[0]", server.link)
        until(lambda: page.all(".tile[data-loaded]"), "the photos")
        equal("code" in page.driver.current_url, False, "the code is in the address")
        # Another link in the same tab is no dead end either.
        page.run("document.querySelector('.tile').dataset.before = ''; location.href = arguments[0]",
                 new_link(work, "--library", path))
        until(lambda: page.all(".tile[data-loaded]") and not page.all(".tile[data-before]"), "the photos again")
        equal("code" in page.driver.current_url, False, "the other code is in the address")
        server.kill()
        again = work.serve("--library", path, "--address", "127.0.0.1", port=server.port)
        equal(again.origin, server.origin, "the address after the restart")
        page.run("document.querySelector('.collection[data-source=favorites]').click()")
        until(lambda: "not logged in" in page.text(".login h1"), "the login page after the restart")
        # The command of the login page is complete.
        link = work.run(*command.split()[1:]).strip()
        assert link.startswith(again.origin), link
        page.run("location.href = arguments[0]", link)
        until(lambda: "Favorites" in page.text("[aria-current=page]"), "the place before")
        page.run("location.href = arguments[0]", link)
        until(lambda: "does not work any more" in page.text(".login h1"), "a link that was used")
        page.run("location.href = arguments[0]", new_link(work))
        until(lambda: "Favorites" in page.text("[aria-current=page]"), "the place once more")
        equal(page.errors(), [], "console errors")


@scenario("'serve --link' without an input prints a link of each running server")
def _(work):
    first, second = work.serve(work.photo()), work.serve(work.photo("photo-64.jpg"))
    links = work.run("serve", "--link").split()
    equal(sorted(link.split("/#")[0] for link in links), sorted([first.origin, second.origin]),
          "origins")
    with Page(work) as page:
        page.open(links[0])
        page.one(".editor")
    first.stop()
    second.stop()
    try:
        work.run("serve", "--link")
    except AssertionError as error:
        assert "no server is running" in str(error), error
    else:
        raise AssertionError("a link without a server")


@scenario("Recent has the latest import first, by its day, whatever the photos' dates are")
def _(work):
    path = library(work, ())
    dates = ("2019:05:01", "2023:01:02", "2016:03:03")
    for index, date in enumerate(dates):
        work.run("asset", "import", "-L", path, dated(work, f"{index}.jpg", date))
    with opened(work, path) as page:
        page.click(".collection[data-source=recent]")
        until(lambda: page.names == ["2.jpg", "1.jpg", "0.jpg"], f"order {page.names}")
        heads = page.run("return [...document.querySelectorAll('.section-head h2')]"
                         ".map((head) => head.textContent)")
        today = subprocess.run(["date", "+%-d %B %Y"], env=work.environment, capture_output=True,
                               text=True, check=True).stdout.strip()
        equal(heads, [today], "sections")
        work.run("asset", "import", "-L", path, dated(work, "3.jpg", "2001:01:01"))
        until(lambda: page.names == ["3.jpg", "2.jpg", "1.jpg", "0.jpg"], "a new import is first")
        equal(page.errors(), [], "console errors")


@scenario("Undo in a message undoes what the message says, and one message at a time offers one")
def _(work):
    server = work.serve(work.photo())
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", 1)
        page.act(lambda: page.click(".bar .actions button[title^=Discard]"))
        until(lambda: "Draft discarded." in page.text("#messages"), "discarded")
        page.set("exposure", "black", 0.01)
        page.act(lambda: page.click(".message .button"))
        equal(page.value("exposure", "ev"), 1, "the discarded draft is back")
        equal(page.all(".message .button"), [], "offers")
        page.save()
        page.act(lambda: page.click(".bar .actions button[title^=Revert]"))
        until(lambda: "Reverted" in page.text("#messages"), "reverted")
        equal(len(page.all(".message .button")), 1, "offers")
        page.run("document.activeElement.blur()")
        from selenium.webdriver.common.keys import Keys
        page.act(lambda: page.chord(Keys.CONTROL, "z"))
        until(lambda: page.value("exposure", "ev") == 1, "the revert is undone by its key")
        equal(page.errors(), [], "console errors")


@scenario("a preset replaces the one before, and has a name of any language")
def _(work):
    from selenium.webdriver.common.keys import Keys
    server = work.serve(work.photo())
    filters = "return [...document.querySelectorAll('.panel[data-active=true]')].map((p) => p.dataset.filter).sort()"
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        for name, parts in (("Évening — 夜", ["sepia"]), ("Cool", ["invert", "grayscale"])):
            for part in parts:
                page.keys("/")
                page.one(".palette-input:focus")
                page.act(lambda: page.keys(part, Keys.ENTER))
            page.click('[aria-label="Save the edit as a preset"]')
            page.one("dialog[open] input:focus")
            page.keys("a/b", Keys.ENTER)
            until(lambda: "slashes" in page.text("dialog[open]"), "the reason")
            equal(page.run("return document.querySelector('dialog input').value"), "a/b", "the text")
            page.chord(Keys.CONTROL, "a")
            page.keys(name, Keys.ENTER)
            until(lambda: name in page.text(".preset-list"), name)
            page.act(lambda: page.click(".bar .actions button[title^=Discard]"))

        def choose(name):
            page.act(lambda: next(item for item in page.all(".preset") if item.text == name).click())

        choose("Cool")
        equal(page.run(filters), ["grayscale", "invert"], "the first preset")
        choose("Évening — 夜")
        equal(page.run(filters), ["sepia"], "another one in its place")
        choose("Cool")
        choose("Cool")
        equal(page.run(filters), ["grayscale", "invert"], "the same one twice")
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        equal(page.run(filters), ["sepia"], "each is one step")
        equal(page.errors(), [], "console errors")


@scenario("a slider that is put back is no change, and Save of nothing is a revert")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    photo = work.photo()
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.open(server.link)
        page.act(lambda: page.drag(EXPOSURE, 40))
        assert "1 unsaved" in page.text(".bar .subtitle"), page.text(".bar .subtitle")
        page.act(lambda: ActionChains(page.driver).double_click(page.one(EXPOSURE)).perform())
        equal(page.value("exposure", "ev"), 0, "the value")
        equal(page.text(".bar .subtitle"), "Not edited", "the state")
        equal(page.one(".bar .primary").is_enabled(), False, "Save")
        page.set("exposure", "ev", 1)
        page.save()
        equal([node["filter"] for node in stored(work, photo)["nodes"]], ["exposure"], "saved")
        page.set("exposure", "ev", 0)
        page.save()
        until(lambda: work.json("show", photo)["edited"] is False, "no edit is left")
        equal(page.text(".bar .subtitle"), "Not edited", "the state after Save")
        equal(page.errors(), [], "console errors")


def crop_box(page):
    return page.run("""const area = document.querySelector('.crop-area').getBoundingClientRect();
      return [area.left, area.top, area.width, area.height].map(Math.round)""")


@scenario("a corner of a crop with a ratio follows the pointer and the keys, and Cancel takes it back")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    server = work.serve(photo)
    corner = "[aria-label='Crop top left']"
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        page.act(lambda: page.keys("c"))
        page.one(".crop-area")
        page.run("""const choice = document.querySelector('.tool-bar select'); choice.value = '1';
          choice.dispatchEvent(new Event('change', { bubbles: true }))""")
        until(lambda: crop_box(page)[2] == crop_box(page)[3], "a square")
        for x, y in ((60, 0), (0, 60), (30, 30)):
            before = crop_box(page)
            page.drag(corner, x, y)
            after = crop_box(page)
            assert before[2] - after[2] > 10, f"({x}, {y}): {before} → {after}"
            assert abs(after[2] - after[3]) < 3, f"no square: {after}"
        for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN):
            before = page.text(".tool-bar .numbers")
            page.one(corner).send_keys(*[key] * 4)
            until(lambda: page.text(".tool-bar .numbers") != before, "the key shrinks it")
        page.click(".tool-bar .primary")
        page.act(lambda: page.keys("c"))
        until(lambda: page.run("return document.querySelector('.tool-bar select')?.value") == "1",
              "the ratio is known again")
        page.drag(corner, -20, -20)
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".crop-area"), "the tool has ended")
        page.save()
        first = stored(work, photo)["nodes"][0]["params"]
        page.act(lambda: page.keys("c"))
        page.drag(corner, 30, 30)
        buttons = {item.text: item for item in page.all(".tool-bar button")}
        page.act(buttons["Cancel"].click)
        equal(page.one(".bar .primary").is_enabled(), False, "a change after Cancel")
        equal(stored(work, photo)["nodes"][0]["params"], first, "the saved crop")
        equal(page.errors(), [], "console errors")


@scenario("the corner handles of a crop of the whole photo are whole")
def _(work):
    server = work.serve(work.photo())
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        page.act(lambda: page.keys("c"))
        page.one(".crop-area")
        hidden = page.run("""return [...document.querySelectorAll('.crop-handle')].filter((handle) => {
          const { left, top, right, bottom } = handle.getBoundingClientRect();
          return [[left + 8, top + 8], [right - 8, bottom - 8]].some(([x, y]) =>
            !document.elementFromPoint(x, y)?.closest('.handle'));
        }).map((handle) => handle.ariaLabel)""")
        equal(hidden, [], "handles that are cut")


@scenario("a straightened photo is cropped as it is shown, and a cropped one is straightened whole")
def _(work):
    photo = work.photo()
    work.run("apply", "--filter", "crop:x=0.1,y=0.1,w=0.5,h=0.5", photo)
    server = work.serve(photo)
    from selenium.webdriver.common.keys import Keys
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        page.act(lambda: page.keys("s"))
        page.act(lambda: page.one(".dial").send_keys(Keys.PAGE_UP, Keys.PAGE_UP))
        page.click(".tool-bar .primary")
        page.save()
        equal([node["filter"] for node in stored(work, photo)["nodes"]], ["straighten", "crop"],
              "order of the filters")
        equal(page.errors(), [], "console errors")


@scenario("a click shows which photo has the keys, and Shift selects from it to another one")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with opened(work, path) as page:
        page.click('.tile[data-index="1"]')
        ring = """return [...document.querySelectorAll('.tile')].filter((tile) =>
          getComputedStyle(tile, '::after').borderTopWidth !== '0px').map((tile) => tile.dataset.index)"""
        equal(page.run(ring), ["1"], "photos with a ring")
        equal(page.selected, 0, "selected")
        ActionChains(page.driver).key_down(Keys.SHIFT).click(
            page.one('.tile[data-index="3"]')).key_up(Keys.SHIFT).perform()
        equal(page.selected, 3, "the range")
        equal(page.errors(), [], "console errors")


@scenario("a batch is undone as a whole, and a selection is reverted and restored")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    work.run("asset", "import", "-L", path, *(
        dated(work, f"{day}.jpg", f"2024:06:{day}") for day in range(10, 16)))
    work.run("apply", "-L", path, "--filter", "sepia", identifiers(work, path)[0])

    def edited():
        return sum(filters != [] for filters in graphs(work, path).values())

    with opened(work, path) as page:
        until(lambda: page.all(".tile .edited"), "the edited photo")
        page.keys(Keys.HOME)
        while not page.run("return document.activeElement.querySelector('.edited') !== null"):
            page.keys(Keys.ARROW_RIGHT)
        page.keys("c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.chord(Keys.CONTROL, "a")
        page.keys("v")
        until(lambda: page.all("dialog [data-action=apply]:enabled"), "the plan")
        page.click("dialog [data-action=apply]")
        until(lambda: "6 photos changed" in page.text("#messages"), "changed", 60)
        equal(edited(), 6, "edited photos")
        page.click(".message .button")
        until(lambda: "6 photos as before." in page.text("#messages"), "undone", 60)
        equal(sorted(graphs(work, path).values()), [[]] * 5 + [["sepia"]], "filters")
        page.chord(Keys.CONTROL, "a")
        page.click('.selection-bar [aria-label="Revert to the original"]')
        until(lambda: "1 photo reverted." in page.text("#messages"), "reverted")
        equal(edited(), 0, "edited photos")
        page.click(".message .button")
        until(lambda: edited() == 1, "restored")
        equal(page.errors(), [], "console errors")


@scenario("Save says where the photo is, and offers it as a download")
def _(work):
    photo = work.photo()
    downloads = work.folder("downloads")
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {
            "behavior": "allow", "downloadPath": str(downloads)})
        page.open(server.link)
        page.set("exposure", "ev", 1)
        page.save()
        until(lambda: "Saved as photo-1024.edited.jpg." in page.text("#messages"), "the place")
        page.click(".message .button")
        until(lambda: [item.name for item in downloads.iterdir()] == ["photo-1024.jpg"], "the download")
        equal((downloads / "photo-1024.jpg").read_bytes(), photo.with_suffix(".edited.jpg").read_bytes(),
              "the file")


@scenario("several photos are downloaded as one ZIP file with their bytes")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    downloads = work.folder("downloads")
    with opened(work, path) as page:
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {
            "behavior": "allow", "downloadPath": str(downloads)})
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.click('.selection-bar [aria-label="Download"]')
        until(lambda: [item.suffix for item in downloads.iterdir()] == [".zip"], "the file")
        (archive,) = downloads.iterdir()
        with zipfile.ZipFile(archive) as files:
            equal(files.testzip(), None, "a damaged entry")
            equal(sorted(files.namelist()), sorted(PHOTOS), "the names")
            for name in PHOTOS:
                equal(files.read(name), (IMAGES / name).read_bytes(), name)


@scenario("the buttons of the editor keep their places when an edit begins")
def _(work):
    server = work.serve(work.photo())
    lefts = """return [...document.querySelectorAll('.bar button')].filter((item) => item.offsetParent)
      .map((item) => Math.round(item.getBoundingClientRect().left))"""
    with EditorPage(work) as page:
        page.open(server.link)
        before = page.run(lefts)
        page.set("exposure", "ev", 1)
        equal(page.run(lefts), before, "places with a draft")
        page.save()
        until(lambda: page.text(".bar .primary") == "Save", "saved")
        equal(page.run(lefts), before, "places of a saved edit")


@scenario("on a phone, a tap beside the open list of albums closes it and opens nothing")
def _(work):
    path = library(work)
    work.run("album", "create", "-L", path, "An album with a name that is much too long for a phone")
    server = work.serve("--library", path)
    with Phone(work) as page:
        from selenium.webdriver.common.keys import Keys
        page.open(server.link)
        page.click('[aria-label="Albums"]')
        page.one(".sidebar .album-more")
        gap = page.run("""const texts = [...document.querySelectorAll('.albums .collection > span')];
          return document.querySelector('.album-more').getBoundingClientRect().left
            - Math.max(...texts.map((text) => text.getBoundingClientRect().right))""")
        assert gap >= 0, f"the button covers {-gap} pixels of the name or of the number of photos"
        page.touch("touchStart", (340, 500))
        page.touch("touchEnd")
        until(lambda: not page.one(".sidebar").is_displayed(), "it is closed")
        page.run_async("setTimeout(arguments[0], 300)")
        equal(page.all(".viewer"), [], "opened photos")
        page.click('[aria-label="Albums"]')
        page.keys(Keys.ESCAPE)
        until(lambda: not page.one(".sidebar").is_displayed(), "Esc closes it")


@scenario("what is edited while the server is away is kept, also over another login")
def _(work):
    photo = work.photo()
    server = work.serve(photo, "--address", "127.0.0.1")
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", "0.5")
        until(lambda: list((work.path / "state").rglob("drafts/*.json")), "a draft is stored")
        shown = page.converted("exposure", "black", 0.02, "shown")
        server.kill()
        field = page.one("[data-filter=exposure] input.number[data-key=black]")
        page.run("""arguments[0].value = arguments[1];
          arguments[0].dispatchEvent(new Event('change', { bubbles: true }))""", field, str(shown))
        until(lambda: "not running" in page.text("#messages"), "the loss of the server")
        again = work.serve(photo, "--address", "127.0.0.1", port=server.port)
        equal(again.origin, server.origin, "the same address")
        until(lambda: "not logged in" in page.text(".login h1"), "the login")
        page.run("location.href = arguments[0]", again.link)
        until(lambda: not page.all(".login"), "logged in")
        equal([page.value("exposure", "ev"), page.value("exposure", "black")], [0.5, 0.02], "the draft")
        equal(page.text("#messages"), "", "messages")
        page.save()
        params = stored(work, photo)["nodes"][0]["params"]
        equal((params["ev"], params["black"]), (0.5, 0.02), "saved")


@scenario("an answer from before a login, which comes late, does not ask for another one")
def _(work):
    photo = work.photo()
    server = work.serve(photo, "--address", "127.0.0.1")
    ask = """window.asked = import('/web/js/api.js').then(({ get, path }) => get(path`/api/service`))
      .catch(({ status }) => status)"""
    with EditorPage(work) as page:
        page.open(server.link)
        server.kill()
        again = work.serve(photo, "--address", "127.0.0.1", port=server.port)
        page.run("""const send = window.fetch;
          const held = new Promise((resume) => { window.release = resume; });
          window.fetch = async (...request) => {
            const answer = await send(...request);
            if (answer.status === 401) await held;
            return answer;
          };
          window.restore = () => { window.fetch = send; };""")
        page.run(f"{ask}; window.late = window.asked; setTimeout(window.restore, 200)")
        page.run_async("setTimeout(arguments[0], 400)")
        page.run(ask)
        until(lambda: "not logged in" in page.text(".login h1"), "the login")
        page.run("location.href = arguments[0]", again.link)
        until(lambda: not page.all(".login"), "logged in")
        equal(page.run_async("window.release(); window.late.then(arguments[0])"), 401, "the late answer")
        page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        equal(page.all(".login"), [], "another login")
        equal(page.errors(), [], "console errors")


@scenario("the levels are those of the photo while a mask is shown on it")
def _(work):
    server = work.serve(work.photo())
    levels = """const canvas = document.querySelector('.histogram canvas');
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      return [...data].reduce((sum, value, index) => (sum * 31 + value * (index % 97)) % 1e9, 7)"""
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", 0.5)
        page.run("document.querySelector('[data-filter=exposure] [aria-label=More]').click()")
        entries = {item.text: item for item in page.all(".menu button")}
        page.act(entries["Add linear mask"].click)
        page.act(lambda: page.click("[data-filter='mask.linear'] .tool"))
        page.run_async("setTimeout(arguments[0], 500)")
        before = page.run(levels)
        page.act(lambda: page.keys("m"))
        page.run_async("setTimeout(arguments[0], 500)")
        equal(page.run(levels), before, "the histogram")


@scenario("a reload of the grid keeps the place, and the heading names what is shown")
def _(work):
    path = many(work, 240)
    album = listed(work, "album", "create", "-L", path, "Lisbon")[0]["identifier"]
    with opened(work, path) as page:
        page.run("document.querySelector('.grid-scroller').scrollTop = 2000")
        page.run_async("setTimeout(arguments[0], 600)")
        top = page.run("return document.querySelector('.grid-scroller').scrollTop")
        page.driver.refresh()
        until(lambda: page.all(".tile[data-loaded]"), "the photos")
        until(lambda: abs(page.run("return document.querySelector('.grid-scroller').scrollTop") - top) < 4,
              "the place")
        page.click(f'[data-album="{album.split("/")[0]}"]')
        until(lambda: page.text("h1") == "Lisbon", "the name of the album")
        page.click("[data-source=favorites]")
        until(lambda: page.text("h1") == "Favorites", "the name of the list")


@scenario("the trash is emptied after a question, or what is selected is deleted permanently")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    work.run("asset", "delete", "-L", path, "--yes", *identifiers(work, path)[:3])
    trash = ("asset", "list", "-L", path, "--trashed")
    with opened(work, path) as page:
        page.click("[data-source=trash]")
        until(lambda: len(page.names) == 3, "the trash")
        page.keys(Keys.HOME, " ")
        page.click('.selection-bar [aria-label="Delete permanently"]')
        page.click("dialog [data-action=delete]")
        until(lambda: len(listed(work, *trash)) == 2, "one is deleted")
        until(lambda: len(page.names) == 2, "the list")
        buttons = {item.text: item for item in page.all(".timeline > .bar button")}
        buttons["Empty trash"].click()
        page.click("dialog [data-action=cancel]")
        equal(len(listed(work, *trash)), 2, "deleted without consent")
        buttons["Empty trash"].click()
        page.click("dialog [data-action=delete]")
        until(lambda: listed(work, *trash) == [], "everything is deleted")
        equal(len(identifiers(work, path)), 1, "photos that were not in the trash")


@scenario("files that are dropped on the page are reviewed and imported")
def _(work):
    path = library(work, PHOTOS[:1])
    files = [str(work.photo(name, to=f"dropped/{name}")) for name in ("photo-64.jpg", "jpeg-422.jpg")]
    with opened(work, path) as page:
        for kind in ("dragEnter", "dragOver", "drop"):
            page.driver.execute_cdp_cmd("Input.dispatchDragEvent", {
                "type": kind, "x": 640, "y": 400, "data": {
                    "items": [], "files": files, "dragOperationsMask": 1}})
        until(lambda: page.text("dialog [data-action=import]") == "Import 2", "the review")
        page.click("dialog [data-action=import]")
        until(lambda: len(identifiers(work, path)) == 3, "imported")


@scenario("folders are dropped with the files in them, what is no photo is named, and an empty one is said to be")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:1])
    photos = {"photo-64.jpg": "photo-64.jpg", "trip/jpeg-422.jpg": "jpeg-422.jpg",
              "trip/day/photo-portrait.jpg": "photo-portrait.jpg", "trip/day/jpeg-422.jpg": "jpeg-581x387.jpg"}
    for to, name in photos.items():
        work.photo(name, to=f"dropped/{to}")
    dropped = work.path / "dropped"
    (dropped / "notes.txt").write_text("notes")
    (dropped / "trip" / ".hidden").write_text("hidden")
    (dropped / "empty").mkdir()

    def drop(page, *names):
        for kind in ("dragEnter", "dragOver", "drop"):
            page.driver.execute_cdp_cmd("Input.dispatchDragEvent", {
                "type": kind, "x": 640, "y": 400, "data": {
                    "items": [], "files": [str(dropped / name) for name in names],
                    "dragOperationsMask": 1}})

    with opened(work, path) as page:
        drop(page, "empty")
        until(lambda: "no files" in page.text("#messages"), "an empty folder")
        equal(page.all("dialog[open]"), [], "a review of nothing")
        drop(page, "notes.txt")
        until(lambda: "not a photo or video" in page.text("dialog tbody"), "the text is named")
        equal(page.one("dialog [data-action=import]").is_enabled(), False, "nothing can be imported")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all("dialog[open]"), "the dialog is closed")
        drop(page, "photo-64.jpg", "trip", "notes.txt")
        until(lambda: page.text("dialog [data-action=import]") == "Import 4", "the review")
        equal(sorted(item.text for item in page.all("dialog .photo-cell span")), sorted([
            "jpeg-422.jpg", "jpeg-422.jpg", "notes.txt", "photo-64.jpg", "photo-portrait.jpg"]), "files")
        page.click("dialog [data-action=import]")
        until(lambda: len(identifiers(work, path)) == 5, "imported")
        equal(page.errors(), [], "console errors")


@scenario("a file that is gone when it is sent is named")
def _(work):
    path = library(work, PHOTOS[:1])
    missing = work.photo("photo-64.jpg", to="gone.jpg")
    with opened(work, path) as page:
        page.click('[aria-label="Import"]')
        page.one("dialog #import-files")
        # The page learns of the choice when the file is gone already.
        page.run("""const input = document.querySelector('#import-files');
          input.addEventListener('change', (event) => {
            if (!window.isReady) event.stopImmediatePropagation();
          }, { capture: true });""")
        page.one("#import-files").send_keys(str(missing))
        missing.unlink()
        page.run("""window.isReady = true;
          document.querySelector('#import-files').dispatchEvent(new Event('change'))""")
        until(lambda: "“gone.jpg” cannot be read." in page.text("dialog [role=status]"), "the reason")


@scenario("files are dropped on the review of an import as well, and dropped elsewhere they change nothing")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:1])
    files = [str(work.photo(name, to=f"dropped/{name}")) for name in ("photo-64.jpg", "jpeg-422.jpg")]

    def drop(page):
        for kind in ("dragEnter", "dragOver", "drop"):
            page.driver.execute_cdp_cmd("Input.dispatchDragEvent", {
                "type": kind, "x": 640, "y": 400, "data": {
                    "items": [], "files": files, "dragOperationsMask": 1}})
        page.run_async("setTimeout(arguments[0], 500)")

    with opened(work, path) as page:
        page.click('[aria-label="Import"]')
        page.one("dialog [for=import-files]")
        drop(page)
        until(lambda: page.text("dialog [data-action=import]") == "Import 2", "the review")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all("dialog[open]"), "the dialog is closed")
        page.run("document.activeElement.blur()")
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer .frame img")
        address = page.driver.current_url
        drop(page)
        equal(page.driver.current_url, address, "the address of the viewer")
        page.keys("e")
        page.one(".editor .stage")
        address = page.driver.current_url
        drop(page)
        equal((page.driver.current_url, len(page.all("dialog[open]"))), (address, 0), "the editor")
        equal(len(identifiers(work, path)), 1, "photos")
        equal(page.errors(), [], "console errors")


@scenario("a window that becomes narrow hides the history, and shows it when it is wide again")
def _(work):
    server = work.serve(work.photo())
    with EditorPage(work, width=1280) as page:
        page.open(server.link)
        shown = "return getComputedStyle(document.querySelector('.side.left')).display !== 'none'"
        equal(page.run(shown), True, "wide")
        for width, expected in ((390, False), (1280, True)):
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
            until(lambda: page.run(shown) is expected, f"{width} pixels")


@scenario("keys of the browser stay those of the browser, and plus makes the photo larger")
def _(work):
    from selenium.webdriver.common.keys import Keys
    server = work.serve(work.photo())
    with EditorPage(work) as page:
        page.open(server.link)
        page.run("""window.taken = [];
          addEventListener('keydown', (event) => { if (event.ctrlKey) window.taken.push(event.defaultPrevented); })""")
        page.chord(Keys.CONTROL, "=")
        page.chord(Keys.CONTROL, "-")
        equal(set(page.run("return window.taken")) - {False}, set(), "zoom of the browser")
        page.keys("+")
        equal(page.all(".palette"), [], "the list of filters")
        until(lambda: "Fit" not in page.text(".zoom"), "larger")


@scenario("a conflict shows the values of both sides, and says that the other side is a tab")
def _(work):
    server = work.serve(work.photo())
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", "0.7")
        first = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        page.open(server.origin + "/")
        page.set("exposure", "ev", -1)
        page.save()
        page.driver.switch_to.window(first)
        page.click(".bar .primary")
        dialog = page.one("dialog[open]").text
        assert "Changed in another tab" in dialog, dialog
        assert "−1.00" in dialog and "+0.70" in dialog, dialog


@scenario("Auto adds the filters of 'apply --auto' in one step, and replaces them when it is repeated")
def _(work):
    photo, twin = work.photo("photo-landscape.jpg"), work.photo("photo-landscape.jpg", to="twin.jpg")
    work.run("apply", "--auto", twin)
    expected = [(node["filter"], node["params"]) for node in stored(work, twin)["nodes"]]
    server = work.serve(photo)
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        page.run("document.querySelector('.panels .button.small').focus()")
        page.act(lambda: page.click(".panels .button.small"))
        until(lambda: "Auto: " in page.text("#messages"), "the message")
        # What was measured is shown with the decimals of the steps.
        shown = page.run("return document.querySelector('[data-filter=exposure] input.number[data-key=ev]').value")
        (measured,) = [params["ev"] for name, params in expected if name == "exposure"]
        equal(shown.replace("−", "-"), f"{measured:+.2f}", f"{measured} as it is shown")
        page.run("document.activeElement.blur()")
        page.keys("a")
        page.run_async("setTimeout(arguments[0], 1500)")
        page.save()
        equal([(node["filter"], node["params"]) for node in stored(work, photo)["nodes"]], expected,
              "filters")
        page.act(lambda: page.click(".bar .actions button[title^=Revert]"))
        until(lambda: "Reverted" in page.text("#messages"), "the message of the revert")
        page.act(lambda: page.click(".panels .button.small"))
        # Until then, the button is that of the revert.
        until(lambda: "Auto: " in page.text("#messages"), "the message")
        page.act(lambda: page.click(".message .button"))
        equal(page.text(".bar .subtitle"), "Not edited", "after Undo")
        equal(page.errors(), [], "console errors")


@scenario("a button corrects the lens that Lensfun has, and says why it corrects no other")
def _(work):
    unknown = work.photo("photo-landscape.jpg")
    known = work.photo("photo-landscape.jpg", "known.jpg")
    subprocess.run(
        ["exiftool", "-q", "-overwrite_original", "-Make=Canon", "-Model=Canon EOS 5D Mark III",
         "-LensModel=EF24-105mm f/4L IS USM", "-FocalLength=24", "-FNumber=4", known], check=True)
    button = "[data-section=Optics] button.tool"
    for photo, expected in ((unknown, "The lens is not corrected: "), (known, "Auto: Lens")):
        server = work.serve(photo)
        with EditorPage(work, width=1440, height=1000) as page:
            page.open(server.link)
            page.click("[data-section=Optics] .disclosure")
            page.click(button)
            until(lambda: expected in page.text("#messages"), expected)
            if photo == known:
                until(lambda: "EF 24-105mm" in page.text("[data-section=Optics] .caption"), "the lens")
                page.act(lambda: page.click(".message .button"))
                until(lambda: "24-105" not in page.text("[data-section=Optics] .caption"), "undone")
            equal(page.errors(), [], "console errors")


@scenario("the strip shows the photo in each look and preset; one is previewed, taken, replaced")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    photo = work.photo()
    presets = work.path / "home/.local/share/photoedit/presets"
    presets.mkdir(parents=True)
    sample = work.photo(to="sample.jpg")
    work.run("apply", "--filter", "sepia", sample)
    work.run("preset", sample, "-o", presets / "Évening.json")
    server = work.serve(photo)
    colors = """const canvas = arguments[0].querySelector('canvas');
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      let [gray, count] = [0, 0];
      for (let at = 0; at < data.length; at += 4) {
        count += 1;
        if (Math.abs(data[at] - data[at + 1]) < 9 && Math.abs(data[at] - data[at + 2]) < 9) gray += 1; }
      return gray / count"""
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        page.keys("l")
        until(lambda: len(page.all(".look")) >= 10, "the strip, whose module is loaded when it is needed")
        names = [item.text for item in page.all(".look")]
        assert {"None", "Mono", "Noir", "Évening"} <= set(names) and len(names) >= 10, names
        until(lambda: page.run("return [...document.querySelectorAll('.look canvas')].every("
                               "(canvas) => canvas.dataset.loaded)"), "the small images")
        looks = dict(zip(names, page.all(".look")))
        assert page.run(colors, looks["Mono"]) > 0.9 > page.run(colors, looks["None"]), "Mono is gray"
        page.act(lambda: ActionChains(page.driver).move_to_element(looks["Noir"]).perform())
        equal(page.one(".bar .primary").is_enabled(), False, "a change by the pointer")
        page.act(looks["Noir"].click)
        page.act(looks["Mono"].click)
        equal(looks["Mono"].get_attribute("aria-pressed"), "true", "the mark")
        page.act(lambda: page.run("""const slider = document.querySelector('.look-strength input');
          slider.value = 0.5; slider.dispatchEvent(new Event('input', { bubbles: true }))"""))
        page.save()
        nodes = stored(work, photo)["nodes"]
        equal([(node["filter"], node["params"]["amount"]) for node in nodes], [("look.mono", 0.5)],
              "saved look")
        page.act(looks["Évening"].click)
        page.act(looks["None"].click)
        page.save()
        equal([node["filter"] for node in stored(work, photo)["nodes"]], ["sepia"], "preset alone")
        equal(page.errors(), [], "console errors")


@scenario("stars, a rejection and a pick are given by keys, one photo after the other, and undone")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    work.run("asset", "import", "-L", path, *(
        dated(work, f"{day}.jpg", f"2024:06:{day}") for day in (19, 18, 17)))

    def ratings():
        return {asset["originalFilename"]: (asset["rating"], asset["favorite"])
                for asset in listed(work, "asset", "list", "-L", path)}

    with opened(work, path) as page:
        page.keys(Keys.HOME, "4")
        until(lambda: page.focused == 1, "the next photo has the focus")
        page.keys("x")
        until(lambda: page.focused == 2, "the last photo has the focus")
        page.keys("p")
        until(lambda: ratings() == {"19.jpg": (4, False), "18.jpg": (-1, False), "17.jpg": (0, True)},
              f"{ratings()}")
        until(lambda: page.text('.tile[data-index="0"] .badges') == "★★★★", "stars of the tile")
        until(lambda: "Rejected" in page.text('.tile[data-index="1"] .badges'), "the rejected one")
        page.keys(Keys.ARROW_LEFT, "5")
        until(lambda: ratings()["18.jpg"][0] == 5, "another rating")
        page.chord(Keys.CONTROL, "z")
        until(lambda: ratings()["18.jpg"][0] == -1, "the rating before")
        equal(page.errors(), [], "console errors")


@scenario("each of several keys in a row rates the next photo, however long storing takes")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    work.run("asset", "import", "-L", path, *(
        dated(work, f"{day}.jpg", f"2024:06:{day}") for day in (19, 18, 17, 16, 15)))

    def marks():
        return {asset["originalFilename"]: (asset["rating"], asset["label"], asset["favorite"])
                for asset in listed(work, "asset", "list", "-L", path)}

    with opened(work, path) as page:
        page.run("""const send = window.fetch;
          window.fetch = async (address, options) => {
            if (options?.method === 'PATCH') await new Promise((done) => setTimeout(done, 700));
            return send(address, options);
          };""")
        page.keys(Keys.HOME, "4", "x", "p", "7")
        equal(page.focused, 4, "the photo after four keys")
        until(lambda: marks() == {
            "19.jpg": (4, None, False), "18.jpg": (-1, None, False), "17.jpg": (0, None, True),
            "16.jpg": (0, "yellow", False), "15.jpg": (0, None, False)}, f"{marks()}")
        # A photo that leaves the search takes no other one with it.
        searched(page, "rating:0")
        page.keys(Keys.HOME, "1", "2")
        until(lambda: (marks()["17.jpg"][0], marks()["16.jpg"][0]) == (1, 2), f"{marks()}")
        until(lambda: page.names == ["15.jpg"], "the photo that is left")
        equal(page.errors(), [], "console errors")


@scenario("each of several Delete keys in a row moves the next photo to the trash")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    work.run("asset", "import", "-L", path, *(
        dated(work, f"{day}.jpg", f"2024:06:{day}") for day in (19, 18, 17, 16, 15)))
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.DELETE, Keys.DELETE)
        until(lambda: page.names == ["19.jpg", "16.jpg", "15.jpg"], "two photos are in the trash")
        until(lambda: page.names[page.focused] == "16.jpg", "the photo after them has the focus")
        page.keys(Keys.END, Keys.DELETE, Keys.DELETE, Keys.DELETE)
        until(lambda: page.names == ["19.jpg", "16.jpg"], "the last photo")
        page.run_async("setTimeout(arguments[0], 500)")
        equal(page.all(".message.error"), [], "errors")
        page.chord(Keys.CONTROL, "z")
        until(lambda: page.names == ["19.jpg", "16.jpg", "15.jpg"], "the last one is back")
        equal(page.errors(), [], "console errors")


@scenario("with the mouse alone or by touch, stars are given to all selected photos, and undone")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)

    def ratings():
        return sorted(asset["rating"] for asset in listed(work, "asset", "list", "-L", path))

    def chosen(page, text):
        until(lambda: page.run("return document.querySelectorAll('.menu').length") == 1, "the menu")
        next(item for item in page.all(".menu button") if item.text == text).click()

    with opened(work, path) as page:
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, " ")
        page.click(".selection-bar [data-action=star]")
        chosen(page, "4 stars")
        until(lambda: ratings() == [0, 0, 4, 4], f"four stars: {ratings()}")
        equal(page.selected, 2, "still selected")
        # In a narrow window, it is in a menu, from which the keys go on to the next one.
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False})
        page.click(".selection-bar .narrow")
        chosen(page, "Rating")
        until(lambda: page.run("return document.activeElement.textContent") == "5 stars", "the menu has the keys")
        page.run_async("setTimeout(arguments[0], 100)")
        page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
        until(lambda: ratings() == [0, 0, 3, 3], f"three stars: {ratings()}")
        page.chord(Keys.CONTROL, "z")
        until(lambda: ratings() == [0, 0, 4, 4], f"as before: {ratings()}")
        equal(page.errors(), [], "console errors")


@scenario("labels are given to all selected photos from a menu and by keys, and undone at once")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)

    def labels():
        return sorted(str(asset["label"]) for asset in listed(work, "asset", "list", "-L", path))

    def chosen(page, text):
        until(lambda: page.run("return document.querySelectorAll('.menu').length") == 1, "the menu")
        next(item for item in page.all(".menu button") if item.text == text).click()

    with opened(work, path) as page:
        page.keys(Keys.HOME, "9")
        until(lambda: labels() == ["None", "None", "None", "blue"], f"one is blue: {labels()}")
        until(lambda: page.focused == 1, "the next photo")
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, " ")
        page.click(".selection-bar [data-action=tag]")
        until(lambda: page.all(".menu"), "the menu")
        equal(page.run("return [...document.querySelectorAll('.menu .label-mark')].map((e) => "
                       "e.clientWidth > 8 && e.dataset.color)"),
              ["red", "yellow", "green", "blue", "purple"], "the colors of the menu")
        chosen(page, "Purple")
        until(lambda: labels() == ["None", "None", "purple", "purple"], f"two: {labels()}")
        until(lambda: "2 photos labeled “Purple”." in page.text("#messages"), "the message")
        marks = "return [...document.querySelectorAll('.label-mark')].map((e) => e.dataset.color)"
        until(lambda: page.run(marks) == ["purple", "purple"], "the marks of the tiles")
        names = "return document.querySelectorAll('.tile[aria-label*=\"Purple label\"]').length"
        equal(page.run(names), 2, "names of the tiles")
        page.chord(Keys.CONTROL, "z")
        until(lambda: labels() == ["None", "None", "None", "blue"], f"as before: {labels()}")
        equal(page.selected, 2, "still selected")
        page.keys("6")
        until(lambda: labels() == ["None", "None", "red", "red"], f"by a key: {labels()}")
        page.keys("6")
        until(lambda: labels() == ["None"] * 4, f"the same key again: {labels()}")
        page.chord(Keys.CONTROL, "z")
        until(lambda: labels() == ["None", "None", "red", "red"], f"undone: {labels()}")
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False})
        page.click(".selection-bar .narrow")
        chosen(page, "Label")
        until(lambda: "Red" in page.text(".menu"), "the menu of the colors")
        chosen(page, "None")
        until(lambda: labels() == ["None"] * 4, f"none: {labels()}")
        equal(page.errors(), [], "console errors")


@scenario("several photos get a title, keywords and a place in one dialog, keep what they have, and undo takes it back")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    work.run("asset", "import", "-L", path, *(
        dated(work, f"{day}.jpg", f"2024:06:{day}") for day in (19, 18, 17)))
    for asset in listed(work, "asset", "list", "-L", path):
        if asset["originalFilename"] == "18.jpg":
            work.run("asset", "set", "-L", path, asset["identifier"], "--keyword", "+old")

    def described():
        return {asset["originalFilename"]: (
            asset["title"], sorted(asset["keywords"]),
            asset["location"] and round(asset["location"]["latitude"], 2))
            for asset in listed(work, "asset", "list", "-L", path)}

    before = described()
    equal(before["18.jpg"][1], ["old"], "keywords before")
    with opened(work, path) as page:
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, " ", "i")
        page.one("#describe-title:focus")
        equal(page.text("dialog[open] h2"), "Information of 2 photos", "the heading")
        page.keys("Lisbon")
        page.one("#describe-keywords").send_keys("sea, old, boat")
        page.one("#describe-location").send_keys("north", Keys.ENTER)
        until(lambda: "no coordinates" in page.text("dialog[open] [role=alert]"), "the reason")
        equal(described(), before, "nothing is stored")
        page.chord(Keys.CONTROL, "a")
        page.keys("38.7223, -9.1393", Keys.ENTER)
        until(lambda: "2 photos changed." in page.text("#messages"), "the message")
        equal(described(), {
            "19.jpg": ("Lisbon", ["boat", "old", "sea"], 38.72),
            "18.jpg": ("Lisbon", ["boat", "old", "sea"], 38.72), "17.jpg": before["17.jpg"]}, "stored")
        equal(page.selected, 2, "selected")
        page.chord(Keys.CONTROL, "z")
        until(lambda: described() == before, "undone")
        # What describes one photo is shown beside it.
        page.keys(Keys.ESCAPE, Keys.END, "i")
        page.one(".viewer-info [data-property=title]")
        equal(page.errors(), [], "console errors")


@scenario("a photo that another tab moves to the trash during its edit is restored and saved")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:2])
    with opened(work, path) as page:
        page.keys(Keys.HOME, "e")
        page.one(".editor")
        page.one("[data-filter=exposure] input.slider[data-key=ev]").send_keys(Keys.ARROW_RIGHT)
        until(lambda: page.one(".bar .primary").is_enabled(), "a draft")
        image = page.run("return location.hash.split('/')[2]")
        work.run("asset", "delete", "--yes", "-L", path, image)
        page.chord(Keys.CONTROL, "s")
        until(lambda: "in the trash" in page.text("#messages"), "the reason")
        page.click(".message .button")
        until(lambda: "1 filter saved" in page.text(".bar .subtitle"), "restored and saved", 60)
        equal(len(identifiers(work, path)), 2, "photos")
        equal(page.errors(), [], "console errors")


@scenario("what was exported or edited stays selected, and a search without results is removed by a button")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:3])
    first = identifiers(work, path)[0]
    work.run("apply", "-L", path, "--filter", "exposure:ev=1", first)
    with opened(work, path, "--export-to", work.folder("out")) as page:
        while "edited" not in page.run("return document.activeElement.ariaLabel ?? ''"):
            page.keys(Keys.ARROW_RIGHT)
        page.keys("c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, " ", "v")
        page.one("dialog[open] tbody tr")
        until(lambda: page.one("dialog [data-action=apply]").is_enabled(), "the plan")
        page.click("dialog [data-action=apply]")
        until(lambda: "changed" in page.text("#messages"), "applied", 60)
        equal(page.selected, 2, "selected after an edit")
        page.click('.selection-bar [aria-label="Export"]')
        page.click("dialog [data-action=export]")
        until(lambda: "2 exported" in page.text("#messages"), "exported", 60)
        equal(page.selected, 2, "selected after an export")
        page.keys("/")
        page.one(".search-input:focus")
        page.keys("zebra", Keys.ENTER)
        until(lambda: "Nothing matches" in page.text(".notice"), "no results")
        page.click(".notice .button")
        until(lambda: len(page.names) == 3, "all photos")
        equal(page.text(".notice"), "", "the notice")
        equal(page.errors(), [], "console errors")


@scenario("a window of 1024 pixels has buttons for comparison, rating and label; what has none is in the menu")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:2])
    shown = """return [...document.querySelectorAll('.selection-bar [data-action]')].filter(
      (item) => item.checkVisibility()).map((item) => item.dataset.action)"""
    cut = """const bar = document.querySelector('.selection-bar');
      return bar.scrollWidth > bar.clientWidth"""
    with opened(work, path) as page:
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, " ")
        for width, first in ((1280, "split"), (1024, "split"), (701, "split"), (390, "heart")):
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 700, "deviceScaleFactor": 1, "mobile": False})
            until(lambda: page.run(shown)[0] == first, f"the buttons at {width} pixels")
            equal(page.run(cut), False, f"the bar at {width} pixels is cut")
            buttons = len(page.run(shown))
            if width == 1280:
                every = buttons
                continue
            page.click(".selection-bar .narrow")
            until(lambda: page.all(".menu"), "the menu")
            equal(buttons + len(page.all(".menu button")), every, f"actions at {width} pixels")
            page.keys(Keys.ESCAPE)
            until(lambda: not page.all(".menu"), "no menu")
            equal(page.selected, 2, "selected")
        equal(page.errors(), [], "console errors")


@scenario("a text that is added is typed at once")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    with EditorPage(work) as page:
        page.open(work.serve(photo).link)
        page.keys("/")
        page.one(".palette-input:focus")
        page.keys("text", Keys.ENTER)
        page.one("textarea:focus")
        page.keys("Lisbon")
        until(lambda: page.run("return document.activeElement.value") == "Lisbon", "the text")
        equal(page.errors(), [], "console errors")


@scenario("a list without photos has no mark of a place in it")
def _(work):
    path = library(work, ())
    server = work.serve("--library", path)
    with Page(work) as page:
        page.open(server.link)
        until(lambda: "No photos" in page.text(".timeline"), "the empty library")
        equal(page.one(".scrub-thumb").is_displayed(), False, "the mark")


@scenario("digits rate in the viewer and in a comparison as in the grid, z zooms, and in a folder digits zoom")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:3])

    def ratings():
        return sorted(asset["rating"] for asset in listed(work, "asset", "list", "-L", path))

    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        until(lambda: "1 of 3" in page.text(".viewer"), "the viewer")
        page.keys("1", "5")
        until(lambda: "3 of 3" in page.text(".viewer"), "one photo after the other")
        until(lambda: ratings() == [0, 1, 5], "their ratings")
        page.one(".viewer .stage img.fit")
        page.keys("z")
        until(lambda: "Fit" not in page.text(".zoom"), "zoomed")
        page.keys("z")
        until(lambda: "Fit" in page.text(".zoom"), "the whole photo")
        page.keys("?")
        until(lambda: "1 – 5Rate" in page.text("dialog table"), "the keys")
        page.keys(Keys.ESCAPE, Keys.ESCAPE)
        page.one(".tile[data-loaded]")
        page.keys(Keys.HOME, " ", Keys.ARROW_RIGHT, " ", "k")
        until(lambda: len(page.all(".pane img.fit")) == 2, "two panes")
        page.keys("3", Keys.ARROW_RIGHT, "0")
        until(lambda: ratings() == [0, 0, 3], "the ratings of both")
        equal(page.errors(), [], "console errors")
    folder = work.folder("folder")
    work.photo(PHOTOS[0], to="folder/one.jpg")
    with Grid(work) as page:
        page.open(work.serve(folder).link)
        page.keys(Keys.HOME, Keys.ENTER)
        until(lambda: "Fit" in page.text(".zoom"), "the viewer of a folder")
        page.one(".viewer .stage img.fit")
        page.keys("1")
        until(lambda: "Fit" not in page.text(".zoom"), "zoomed by a digit")


@scenario("in the viewer, a label and the mark of a favorite are given by keys, and undone")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:1])

    def marks():
        (asset,) = listed(work, "asset", "list", "-L", path)
        return asset["label"], asset["favorite"]

    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer .stage img.fit")
        for key, marked in (("7", ("yellow", False)), ("f", (None, True))):
            page.keys(key)
            until(lambda: marks() == marked, f"marked: {marks()}")
            until(lambda: "Undo" in page.text("#messages"), "the message")
            page.chord(Keys.CONTROL, "z")
            until(lambda: marks() == (None, False), f"undone: {marks()}")
        page.keys("7")
        until(lambda: marks() == ("yellow", False), "the label again")
        page.keys("7")
        until(lambda: marks() == (None, False), "the same key again")
        equal(page.errors(), [], "console errors")


@scenario("the information lists the filters of an edit, and the masks of each within it")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, PHOTOS[:1])
    filters = ("exposure:ev=0.5", "mask.linear:id=a", "mask.radial:id=b",
               "mask.group:id=g,in=a:b,members=add/subtract", "sepia:mask=g",
               "vibrance:amount=0.3,mask=a")
    work.run("apply", "-L", path, *(part for each in filters for part in ("--filter", each)),
             identifiers(work, path)[0])
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER, "i")
        page.one(".viewer-info ol")
        names = """const names = (list) => [...list?.children ?? []].map((item) => [
            item.firstChild.data ?? item.childNodes[1].data, names(item.querySelector('ul'))]);
          return names(document.querySelector('.viewer-info ol'))"""
        equal(page.run(names), [
            ["Exposure", []],
            ["Sepia", [["Mask group", [["Linear mask", []], ["Radial mask", []]]]]],
            ["Vibrance", [["Linear mask", []]]]], "filters and masks")
        equal(page.errors(), [], "console errors")


@scenario("the information names camera and exposure, and is changed by a click")
def _(work):
    from selenium.webdriver.common.keys import Keys
    from PIL import Image
    image = Image.new("RGB", (60, 40), (90, 120, 60))
    exif = image.getexif()
    exif[0x10F], exif[0x110] = "FUJIFILM", "X100V"
    exif[0x8769] = {0x9003: "2024:06:20 10:00:00", 0x829D: 2.8, 0x8827: 400, 0x920A: 23}
    image.save(work.path / "camera.jpg", exif=exif)
    path = library(work, ())
    work.run("asset", "import", "-L", path, work.path / "camera.jpg")

    def asset():
        return listed(work, "asset", "list", "-L", path)[0]

    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        page.one(".viewer")
        page.keys("i")
        until(lambda: "X100V" in page.text(".viewer-info"), "the camera")
        assert "ISO 400" in page.text(".viewer-info"), page.text(".viewer-info")
        for name, typed, expected in (
                ("title", "The tower", "The tower"), ("caption", "At noon", "At noon"),
                ("keywords", "boat, red sea", ["boat", "red sea"])):
            page.click(f"[data-property={name}]")
            page.one(".viewer-info input:focus")
            page.keys(typed, Keys.ENTER)
            until(lambda: asset()[name] == expected, f"{name}: {asset()[name]}")
            until(lambda: page.run("return document.activeElement.dataset.property") == name, "focus")
        until(lambda: page.text(".viewer h1") == "The tower", "the heading")
        # Coordinates are those that a map copies; what is none stays in its field.
        page.click("[data-property=location]")
        page.keys("north", Keys.ENTER)
        page.one(".viewer-info input[aria-invalid=true]")
        page.chord(Keys.CONTROL, "a")
        page.keys("38.7223, -9.1393", Keys.ENTER)
        until(lambda: asset()["location"] and round(asset()["location"]["latitude"], 2) == 38.72,
              f"location: {asset()['location']}")
        until(lambda: "38.72" in page.text(".viewer-info") or asset()["place"], "the place")
        # The field of a date and time is not cut by the edge of the window.
        page.click("[data-property=date]")
        page.one(".viewer-info input:focus")
        equal(page.run("""const panel = document.querySelector('.viewer-info');
          return panel.scrollWidth <= panel.clientWidth"""), True, "the information has its width")
        page.keys(Keys.ESCAPE)
        page.click("[data-property=title]")
        page.keys("nothing", Keys.ESCAPE)
        page.click(".star:nth-child(3)")
        until(lambda: asset()["rating"] == 3, "three stars")
        equal(asset()["title"], "The tower", "Esc keeps the title")
        page.one(".viewer")
        equal(page.errors(), [], "console errors")


@scenario("theme, language and panels are those of the last time, also in another browser and after a restart")
def _(work):
    photo = work.photo()
    server = work.serve(photo)
    theme = "return document.documentElement.dataset.theme ?? null"
    kept = work.path / "state/photoedit/page.json"
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        equal(page.run(theme), None, "the theme of the browser")
        page.click("[data-section=Detail] .disclosure")
        page.click(".bar [aria-label='Dark or light']")
        until(lambda: kept.exists() and "theme" in json.loads(kept.read_text()), "the theme is kept")
        equal(oct(kept.stat().st_mode & 0o777), "0o600", "the mode of the file")
        page.keys("?")
        page.one("dialog[open] #language")
        page.run("""const choice = document.querySelector('#language'); choice.value = 'de';
          choice.dispatchEvent(new Event('change', { bubbles: true }))""")
        until(lambda: page.run("return document.documentElement.lang") == "de", "German")
        page.painted()
        equal(page.errors(), [], "console errors")
    server.kill()
    shutil.rmtree(work.path / "browser")
    server = work.serve(photo)
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        equal([page.run("return document.documentElement.lang"), page.run(theme)], ["de", "light"],
              "language and theme")
        equal(page.run("return document.querySelector('[data-section=Detail] .disclosure').ariaExpanded"),
              "true", "the section that was opened")
        equal(page.errors(), [], "console errors")
    server.kill()
    shutil.rmtree(work.path / "browser")
    # A server that changes nothing reads them.
    with EditorPage(work, width=1440) as page:
        page.open(work.serve(photo, "--read-only").link)
        equal(page.run("return document.documentElement.lang"), "de", "the language with --read-only")
        before = kept.read_text()
        page.click(".bar [aria-label='Dunkel oder hell']")
        equal(page.run(theme), "dark", "the theme is switched")
        page.run_async("setTimeout(arguments[0], 600)")
        equal(kept.read_text(), before, "what is kept")
        equal(page.errors(), [], "console errors")


@scenario("in a folder, the date of a photo without one is called that of its file")
def _(work):
    from selenium.webdriver.common.keys import Keys
    folder = work.folder("folder")
    dated(work, "dated.jpg", "2024:06:14").rename(folder / "dated.jpg")
    work.photo("jpeg-444.jpg", to="folder/undated.jpg")
    names = "return [...document.querySelectorAll('.viewer-info dt')].map((term) => term.textContent)"
    with Grid(work) as page:
        page.open(work.serve(folder).link)
        page.keys(Keys.HOME, Keys.ENTER)
        until(lambda: page.text(".viewer h1") == "undated.jpg", "the photo without a date")
        page.keys("i")
        until(lambda: "Date of the file" in page.run(names), f"its date: {page.run(names)}")
        equal("Taken" in page.run(names), False, "Taken")
        page.keys(Keys.ARROW_RIGHT)
        until(lambda: page.text(".viewer h1") == "dated.jpg", "the other photo")
        until(lambda: "Taken" in page.run(names), f"its date: {page.run(names)}")
        equal(page.errors(), [], "console errors")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
