# SPDX-License-Identifier: Apache-2.0
"""Thumbnails of many photos: photoedit compared with one and two calls of vipsthumbnail."""

import os
import shutil

from section import Section

TITLE = "thumbnails of 512 pixels of 200 photos of 12 MP, on all cores"


def build(bench):
    section = Section("thumbnails", TITLE, bench)
    count = 4 if bench.is_tiny else 200
    side = 16 if bench.is_tiny else 512
    photo = bench.photos.photo("12 MP")
    folder = bench.work / "thumbnails"
    folder.mkdir(exist_ok=True)
    first = folder / "000.jpg"
    shutil.copyfile(photo.path, first)
    files = [folder / f"{index:03}.jpg" for index in range(count)]
    for file in files[1:]:
        # Hard links to one file, because space in memory is limited.
        file.unlink(missing_ok=True)
        os.link(first, file)
    section.notes.append(f"{count} hard links to a file in memory; the peak is that of one process")
    pixels = count * photo.megapixels
    own = [bench.tool, "thumbnail", "-q", "--size", str(side), "-o", section.out, *files]
    section.add("photoedit", own, pixels, results=count, is_photoedit=True)
    tool = "vipsthumbnail"
    if section.has(tool, tool):
        theirs = [bench.competitors[tool].path, "-s", str(side), "-o", f"{section.out}/%s.jpg"]
        section.add(tool, [*theirs, *files], pixels, results=count)
        if xargs := shutil.which("xargs"):
            listed = bench.work / "thumbnail-names"
            listed.write_text("".join(f"{file}\n" for file in files))
            two = [xargs, "-a", listed, "-P2", "-n", str(count // 2), *theirs]
            section.add("vipsthumbnail, twice at once", two, pixels, results=count)
    section.limit("photoedit", "wall", 0.7, ("vipsthumbnail", "wall"))
    # Two calls at once use both cores, but are not typical use; they have no limit.
    return section
