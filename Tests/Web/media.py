#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Videos that are trimmed, muted and turned in the viewer, and copies for others.

Usage: media.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import subprocess
import sys
import zipfile

from browser import require
from harness import IMAGES, Checks, equal, until
from library import clip, identifiers, library, opened

scenario = Checks()


def video_library(work, seconds=3):
    """A library with a video that has sound."""
    silent = clip(work, "silent.mp4", seconds=seconds)
    video = work.path / "clip.mp4"
    # Each second has a key frame, at which the video can begin.
    subprocess.run(["ffmpeg", "-v", "error", "-i", silent, "-f", "lavfi", "-i",
                    "sine=frequency=440", "-t", str(seconds), "-pix_fmt", "yuv420p", "-g", "25",
                    "-c:a", "aac", video], check=True)
    path = library(work, ())
    work.run("asset", "import", "-L", path, video)
    return path, identifiers(work, path)[0]


def filters(work, path, asset):
    """The filters of the edit with their values."""
    graph = work.json("show", "-L", path, asset).get("graph") or {"nodes": []}
    return [(node["filter"], node.get("params", {})) for node in graph["nodes"]]


def ready(page):
    until(lambda: page.run("return document.querySelector('video')?.readyState >= 2"), "the video")


def duration(page):
    return page.run("return document.querySelector('video')?.duration") or 0


def saved(page):
    page.click(".video-tools .primary")
    until(lambda: "Saved." in page.text("#messages"), "saved", 60)
    until(lambda: not page.one(".video-tools").is_displayed(), "the tools are closed")
    ready(page)


@scenario("a video is trimmed and muted in the viewer, and turned; the last edit is undone")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path, asset = video_library(work)
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        ready(page)
        equal(page.one(".viewer .button.primary").is_displayed(), False, "the editor of photos")
        page.keys("e")
        until(lambda: page.run("return document.activeElement.ariaLabel") == "Start", "the focus")
        until(lambda: "0:03.0" in page.text(".video-tools [role=status]"), "the length")
        equal(page.one(".video-tools .primary").is_enabled(), False, "Save without a change")
        page.keys(*[Keys.ARROW_RIGHT] * 10)
        page.keys(Keys.TAB)
        page.chord(Keys.SHIFT, Keys.ARROW_LEFT)
        equal(page.text(".video-tools [role=status]"), "0:01.0 – 0:02.0 · 0:01.0", "the times")
        until(lambda: abs(page.run("return document.querySelector('video').currentTime") - 2) < 0.1,
              "the frame at the end is shown")
        page.click("#video-mute")
        equal(page.run("return document.querySelector('video').muted"), True, "muted")
        saved(page)
        equal(filters(work, path, asset), [("trim", {"start": 1, "end": 2}), ("mute", {})], "edit")
        assert abs(duration(page) - 1) < 0.1, duration(page)
        page.keys("]")
        until(lambda: "1 video rotated." in page.text("#messages"), "turned", 60)
        until(lambda: [name for name, _ in filters(work, path, asset)]
              == ["trim", "mute", "rotate90"], "the turn is added")
        page.run("document.querySelector('#messages').replaceChildren()")
        page.keys("e")
        until(lambda: page.text(".video-tools [role=status]") == "0:01.0 – 0:02.0 · 0:01.0",
              "the times of the original")
        until(lambda: duration(page) > 2.9, "the original is played")
        page.drag(".trim-handle.end", 400)
        page.click("#video-mute")
        saved(page)
        equal(filters(work, path, asset), [("trim", {"start": 1, "end": 0}),
                                           ("rotate90", {"turns": 1})], "the second edit")
        page.chord(Keys.CONTROL, "z")
        until(lambda: "as before" in page.text("#messages"), "undone")
        equal([name for name, _ in filters(work, path, asset)], ["trim", "mute", "rotate90"],
              "the edit before")
        equal(page.errors(), [], "console errors")


@scenario("a video that is set back has no edit, and Cancel changes nothing")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path, asset = video_library(work, 2)
    work.run("apply", "-L", path, "--filter", "trim:start=0,end=1", asset)
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        ready(page)
        page.click(".viewer .bar [aria-pressed][title^=Trim]")
        until(lambda: duration(page) > 1.9, "the original is played")
        page.one(".trim-handle.end").send_keys(Keys.END)
        page.keys(Keys.ESCAPE)
        until(lambda: not page.one(".video-tools").is_displayed(), "closed")
        equal(len(filters(work, path, asset)), 1, "filters after Esc")
        page.keys("e")
        until(lambda: duration(page) > 1.9, "the original is played")
        page.one(".trim-handle.end").send_keys(Keys.END)
        saved(page)
        assert page.run("return document.activeElement.matches('[title^=Trim]')"), "the focus"
        equal(filters(work, path, asset), [], "without a filter, the video is not edited")
        equal(page.errors(), [], "console errors")


@scenario("a batch says how far it is; Escape does not hide it, and Cancel stops it")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work, ("photo-1024.jpg",))
    (photo,) = identifiers(work, path)
    work.run("apply", "-L", path, "--filter", "exposure:ev=0.5", photo)
    for number in range(4):
        work.run("asset", "import", "-L", path, clip(work, f"clip{number}.mp4", seconds=20 + number))
    with opened(work, path) as page:
        page.keys(Keys.HOME)
        while "photo-1024" not in page.names[page.focused]:
            page.keys(Keys.ARROW_RIGHT)
        page.keys("c")
        until(lambda: "Edit copied" in page.text("#messages"), "copied")
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.keys("v")
        until(lambda: "5 will change" in page.text("dialog[open] [role=status]"), "the plan")
        page.click("dialog [data-action=apply]")
        until(lambda: "of 5 photos and videos" in page.text("dialog[open] [role=status]"), "the progress")
        equal(page.run("return document.activeElement.dataset.action ?? document.activeElement.textContent"),
              "Cancel", "the focus")
        page.keys(Keys.ESCAPE)
        assert page.all("dialog[open]"), "the run is still shown"
        page.keys(Keys.ENTER)
        until(lambda: "Stopping" in page.text("dialog[open] [role=status]"), "it says that it stops")
        until(lambda: "stopped before the end" in page.text("#messages"), "the message", 120)
        assert not page.all("dialog[open]"), "the dialog is closed"
        edited = [asset for asset in identifiers(work, path) if filters(work, path, asset)]
        assert len(edited) < 5, edited
        equal(page.errors(), [], "console errors")


@scenario("the trim of a Matroska or AVI video says that its key frame is known after saving")
def _(work):
    from selenium.webdriver.common.keys import Keys
    source = clip(work, "source.mp4", seconds=3)
    path = library(work, ())
    for name, codec in (("clip.mkv", ["-c", "copy"]), ("clip.avi", ["-c:v", "mpeg4", "-g", "25"])):
        subprocess.run(["ffmpeg", "-v", "error", "-i", source, *codec, work.path / name], check=True)
        work.run("asset", "import", "-L", path, work.path / name)
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        for number in range(2):
            until(lambda: page.text(".viewer .size").startswith(f"{number + 1} of 2"), page.text(".viewer"))
            page.keys("e")
            until(lambda: page.run("return document.activeElement.ariaLabel") == "Start", "the focus")
            page.keys(*[Keys.ARROW_RIGHT] * 15)
            until(lambda: "the key frame before 0:01.5 is known after saving"
                  in page.text(".video-tools [role=status]"), "what is known of the trim")
            page.keys(*[Keys.ARROW_LEFT] * 16)
            until(lambda: "key frame" not in page.text(".video-tools [role=status]"), "no trim")
            page.keys(Keys.ESCAPE, Keys.ARROW_RIGHT)
        equal(page.errors(), [], "console errors")


@scenario("messages and counts name videos, photos, or both: favorites, ratings, albums, export, Undo")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path, _ = video_library(work, 1)
    work.run("asset", "import", "-L", path, IMAGES / "photo-1024.jpg")

    def said(page, text):
        until(lambda: text in page.text("#messages"), f"{text}: {page.text('#messages')}")
        page.run("document.querySelector('#messages').replaceChildren()")

    with opened(work, path) as page:
        until(lambda: page.text(".bar .subtitle") == "2 photos and videos", "the count of the list")
        page.keys(Keys.HOME)
        while "clip" not in page.names[page.focused]:
            page.keys(Keys.ARROW_RIGHT)
        page.keys("f")
        said(page, "1 video marked as favorite.")
        page.keys("4")
        said(page, "1 video rated with 4 stars.")
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.keys("f")
        until(lambda: "marked as favorite" in page.text("#messages"), "the message")
        page.chord(Keys.CONTROL, "z")
        said(page, "as before.")
        page.keys("2")
        said(page, "2 photos and videos rated with 2 stars.")
        page.click('.selection-bar [aria-label="Export"]')
        page.one("dialog[open]")
        equal(page.text("dialog[open] h2"), "Export 2 photos and videos", "the title")
        page.keys(Keys.ESCAPE)
        page.keys("a")
        page.click(".menu .button")
        page.one("dialog[open] input:focus")
        page.keys("Lisbon", Keys.ENTER)
        said(page, "2 photos and videos added to “Lisbon”.")
        page.keys(Keys.ESCAPE)
        page.keys("/", "is:video", Keys.ENTER)
        until(lambda: page.text(".bar .subtitle") == "1 video", "the count of what was found")
        until(lambda: page.text(".section-head .caption") == "1 video", "the count of the month")
        equal(page.errors(), [], "console errors")


def downloads(work, page):
    """The folder that a page downloads to."""
    folder = work.folder("downloads")
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {
        "behavior": "allow", "downloadPath": str(folder)})
    return folder


def sizes(folder):
    """The sizes of the images in a folder by their names, without those that are being written."""
    from PIL import Image
    return {item.name: Image.open(item).size for item in folder.glob("*.jpg")}


@scenario("smaller copies are downloaded without metadata, of a selection and in the viewer")
def _(work):
    from selenium.webdriver.common.keys import Keys
    from PIL import Image
    path = library(work, ("photo-1024.jpg", "photo-landscape.jpg"))
    with opened(work, path) as page:
        folder = downloads(work, page)
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.click('.selection-bar [aria-label="Export"]')
        page.one("dialog[open]")
        equal(page.run("return document.querySelector('[value=all]').checkVisibility()"), False,
              "what only a folder can have")
        page.run("document.querySelector('dialog [value=copies]').click()")
        page.run("document.querySelector('#export-side').value = '512'")
        page.click("dialog [data-action=export]")
        until(lambda: [item.suffix for item in folder.iterdir()] == [".zip"], "one file")
        with zipfile.ZipFile(next(folder.iterdir())) as files:
            equal(sorted(files.namelist()), ["photo-1024-512.jpg", "photo-landscape-512.jpg"], "copies")
            for name in files.namelist():
                with Image.open(files.open(name)) as image:
                    equal((image.format, max(image.size)), ("JPEG", 512), name)
                    equal(dict(image.getexif()), {}, f"metadata of {name}")
        # The photos stay selected, so the focus is on the button of their bar.
        page.run("document.querySelector('.tile[data-index=\"0\"]').focus()")
        page.keys(Keys.ENTER)
        page.one(".viewer img.fit")
        page.click("[aria-label=Download]")
        equal(page.one(".menu button").text, "Original", "an unedited photo")
        page.keys(Keys.ENTER)
        until(lambda: len(sizes(folder)) == 1, "the file itself")
        equal(page.errors(), [], "console errors")


@scenario("copies are exported into a folder with a size, in sRGB and without metadata")
def _(work):
    from selenium.webdriver.common.keys import Keys
    out = work.folder("out")
    path = library(work, ("photo-1024.jpg", "photo-landscape.jpg"))
    with opened(work, path, "--export-to", out) as page:
        page.chord(Keys.CONTROL, "a")
        page.chord(Keys.CONTROL, "a")
        page.click('.selection-bar [aria-label="Export"]')
        page.one("dialog[open]")
        page.run("document.querySelector('dialog [value=copies]').click()")
        page.run("document.querySelector('#export-fit').add(new Option('300', 300, true, true))")
        page.click("#export-onlyCopyright")
        page.click("dialog [data-action=export]")
        until(lambda: "2 exported" in page.text("#messages"), "the report", 60)
        equal({max(size) for size in sizes(out).values()}, {300}, "longest sides")
        equal(page.errors(), [], "console errors")


@scenario("the trim of a video says before Save from which key frame it is saved, and how long it gets")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path, _ = video_library(work)
    times = ".video-tools [role=status]"
    with opened(work, path) as page:
        page.keys(Keys.HOME, Keys.ENTER)
        ready(page)
        page.keys("e")
        until(lambda: "0:03.0" in page.text(times), "the length")
        page.keys(*[Keys.ARROW_RIGHT] * 17)
        until(lambda: page.text(times) == "0:01.7 – 0:03.0 · 0:01.3 · saved from 0:01.0 (0:02.0)",
              f"the key frame: {page.text(times)}")
        left, width = page.run("""const [lead, track] = ['.trim-lead', '.trim-track'].map((selector) =>
          document.querySelector(selector).getBoundingClientRect());
          return [(lead.left - track.left) / track.width, lead.width / track.width]""")
        assert abs(left - 1 / 3) < 0.01 and abs(width - 0.7 / 3) < 0.01, f"{left}, {width}"
        page.keys(*[Keys.ARROW_RIGHT] * 3)
        until(lambda: page.text(times) == "0:02.0 – 0:03.0 · 0:01.0", "a start at a key frame")
        equal(page.one(".trim-lead").is_displayed(), False, "nothing before it")
        page.keys(*[Keys.ARROW_LEFT] * 3)
        until(lambda: "saved from 0:01.0 (0:02.0)" in page.text(times), "the key frame again")
        page.click(".video-tools .primary")
        until(lambda: "Saved with 0:02.0 in place of 0:01.3" in page.text("#messages"), "as it said", 60)
        equal(page.errors(), [], "console errors")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
