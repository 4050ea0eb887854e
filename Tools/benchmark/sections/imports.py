# SPDX-License-Identifier: Apache-2.0
"""Importing photos: copying, hashing, reading and recording, compared with copying and hashing."""

import shlex
import shutil

from section import Section

TITLE = "import of 40 photos of 12 MP into a library"


def build(bench):
    section = Section("imports", TITLE, bench)
    count = 4 if bench.is_tiny else 40
    photo = bench.photos.photo("12 MP")
    folder = bench.work / "imports"
    folder.mkdir(exist_ok=True)
    content = photo.path.read_bytes()
    for index in range(count):
        # A library skips duplicate files.
        (folder / f"{index:02}.jpg").write_bytes(content + index.to_bytes(4, "big"))
    section.notes.append(f"{count} photos in a folder in memory; the library is created again each time")
    shell = shutil.which("sh")
    pixels = count * photo.megapixels
    quoted = {
        "tool": shlex.quote(str(bench.tool)),
        "from": shlex.quote(str(folder)),
        "to": shlex.quote(str(section.out / "made")),
    }
    own = (
        "{tool} library create {to} -q && {tool} asset import {from} --library {to} -q >/dev/null"
    )
    section.add("photoedit", [shell, "-c", own.format(**quoted)], pixels, is_photoedit=True)
    if section.has("sha256sum", "cp and sha256sum"):
        theirs = "mkdir {to} && cp {from}/* {to} && sha256sum {to}/* >/dev/null"
        section.add("cp and sha256sum", [shell, "-c", theirs.format(**quoted)], pixels)
    # At least 0.6 of their throughput.
    section.limit("photoedit", "wall", 1 / 0.6, ("cp and sha256sum", "wall"))
    return section
