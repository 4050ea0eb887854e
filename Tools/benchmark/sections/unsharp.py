# SPDX-License-Identifier: Apache-2.0
"""A usual edit with a filter that looks at neighbours, beside everything that can do it."""

from section import Section

from .chains import COLOR

TITLE = "brightness, contrast, saturation, unsharp mask of σ 2, 24 MP"
# The largest mask that ffmpeg takes is twelve passes of two samples each way, σ 1.7.
FFMPEG = "eq=brightness=0.05:contrast=1.1:saturation=1.2,unsharp=13:13:0.5:13:13:0.5"
PROGRAMS = (
    ("ffmpeg", "ffmpeg", "-nostdin -v error -i {input} -vf " + FFMPEG + " -q:v 2 {output}"),
    (
        "gm",
        "GraphicsMagick",
        "convert {input} -modulate 105,120 -contrast -unsharp 0x2+0.5+0 -quality 90 {output}",
    ),
    (
        "convert",
        "ImageMagick",
        "{input} -brightness-contrast 5x10 -modulate 100,120 -unsharp 0x2+0.5+0 -quality 90 {output}",
    ),
)


def build(bench):
    section = Section("unsharp", TITLE, bench)
    photo = bench.photos.photo(bench.photos.main_name())
    section.notes.append("peers do the same by their own definitions, at quality 90")
    section.notes.append("the limit beside pyvips is meant for its release 8.18")
    floor = section.floor(photo)
    section.render("photoedit", photo, (*COLOR, "unsharpMask:sigma=2,amount=0.5"))
    for library in ("pyvips", "OpenCV", "Pillow"):
        section.library(library, library, "unsharp", photo)
    for tool, name, words in PROGRAMS:
        section.peer(tool, name, words, photo)
    section.limit("photoedit", "wall", 0.30, ("pyvips", "wall"))
    section.limit("photoedit", "wall", 0.70, *floor)
    return section
