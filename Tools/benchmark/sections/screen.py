# SPDX-License-Identifier: Apache-2.0
"""Thumbnails of a screen of photos that were never shown, by the command and by an app."""

import os
import shutil
import subprocess

from section import Section

TITLE = "thumbnails of 256 pixels of 100 photos of 12 MP; 200 requested at once"
COMMAND = "photoedit thumbnail, 100"
SCREEN, MANY = "ImageManager, 100", "ImageManager, 200"


def build(bench):
    section = Section("screen", TITLE, bench)
    few, many, side = (2, 4, 16) if bench.is_tiny else (100, 200, 256)
    photo = bench.photos.photo("12 MP")
    folder = bench.work / "screen"
    folder.mkdir(exist_ok=True)
    section.notes.append("no thumbnail is stored; the files are in memory")
    first = folder / "000.jpg"
    shutil.copyfile(photo.path, first)
    files = [folder / f"{index:03}.jpg" for index in range(few)]
    for file in files[1:]:
        file.unlink(missing_ok=True)
        os.link(first, file)
    command = [bench.tool, "thumbnail", "-q", "--size", str(side), "-o", section.out, *files]
    section.add(COMMAND, command, few * photo.megapixels, results=few, is_photoedit=True)
    section.limit(COMMAND, "wall", 1.5)
    if section.has_interactive(SCREEN, MANY):
        library = bench.work / "screen-library"
        if not library.exists():
            make(bench.tool, library, photo, many, bench.work / "screen-photos")
        for name, count in ((SCREEN, few), (MANY, many)):
            section.interactive(
                name,
                ["thumbnails", library, count, side],
                count * photo.megapixels,
                {f"{name}, in the process": f"{count} thumbnails"},
                cache=library / "cache" / "thumbnails",
            )
    section.limit(SCREEN, "wall", 1.5)
    section.limit(MANY, "peak", 120e6)
    return section


def make(tool, library, photo, count, folder):
    """Creates a library of photos that differ in trailing bytes, since duplicates are skipped."""
    folder.mkdir(exist_ok=True)
    content = photo.path.read_bytes()
    for index in range(count):
        (folder / f"{index:03}.jpg").write_bytes(content + index.to_bytes(4, "big"))
    subprocess.run([tool, "library", "create", "-q", library], check=True)
    words = [tool, "asset", "import", folder, "--library", library, "-q"]
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    shutil.rmtree(folder)
