#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Take screenshots of the screens, dark and light, wide and narrow.

Usage: screenshots.py FOLDER [--readme]
  --readme  take only the two images of the documentation, as JPEG files of at most 200 kB
"""

import io
import pathlib
import sys

from browser import require
from harness import Workspace, until
from library import Grid, library
from scenarios import EditorPage

EDIT = ["exposure:ev=-0.2", "whiteBalance:temperature=7200", "contrast:amount=1.1",
        "vibrance:amount=0.3"]
SIZES = {"wide": (1280, 800, 1), "narrow": (390, 844, 2)}
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
    until(lambda: page.run("return document.querySelector('.editor')?.dataset.busy !== 'true'"), "idle")


def editor(work, save, size, theme):
    width, height, scale = SIZES[size]
    photo = edited(work)
    with EditorPage(work, width=width, height=height, scale=scale, theme=theme) as page:
        page.open(work.serve(photo).link)
        still(page)
        save(page, "editor")
        if size == "wide":
            page.act(lambda: page.keys("c"))
            until(lambda: page.all(".crop-handle"), "crop")
            save(page, "crop")
            page.act(lambda: page.keys("\ue00c"))
            page.click(".button.add")
            save(page, "filters")
            page.keys("\ue00c", "?")
            page.one("dialog[open]")
            save(page, "keys")


def grid(work, save, size, theme):
    width, height, scale = SIZES[size]
    path = library(work, PHOTOS)
    with Grid(work, width=width, height=height, scale=scale, theme=theme) as page:
        page.open(work.serve("--library", path).link)
        until(lambda: not page.all(".tile:not([data-loaded])"), "thumbnails")
        save(page, "timeline")
        page.keys(" ")
        save(page, "selection")
        page.keys("\ue00c", "\ue007")
        until(lambda: page.text(".viewer h1"), "viewer")
        until(lambda: page.run("return document.querySelector('img.fit').complete"), "image")
        save(page, "viewer")


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
    require()
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    if "--readme" in sys.argv:
        documentation(folder)
        return
    for size in SIZES:
        for theme in ("dark", "light"):
            for screen in (editor, grid):
                work = Workspace()

                def save(page, name):
                    page.screenshot(folder / f"{name}-{theme}-{size}.png")

                try:
                    screen(work, save, size, theme)
                finally:
                    work.close()


if __name__ == "__main__":
    main()
