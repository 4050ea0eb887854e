# SPDX-License-Identifier: Apache-2.0
"""A typical edit with a neighborhood filter, compared with all competitors that support it."""

from section import Section

from .chains import COLOR

TITLE = "brightness, contrast, saturation, unsharp mask of σ 2, 24 MP"
# The largest mask supported by ffmpeg is 12 passes of 2 samples in each direction, σ 1.7.
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
    section.notes.append("competitors use their own definitions of the filters, at quality 90")
    section.notes.append("the limit relative to pyvips applies to release 8.18")
    floor = section.floor(photo)
    section.render("photoedit", photo, (*COLOR, "unsharpMask:sigma=2,amount=0.5"))
    for library in ("pyvips", "OpenCV", "Pillow"):
        section.library(library, library, "unsharp", photo)
    for tool, name, words in PROGRAMS:
        section.competitor(tool, name, words, photo)
    section.limit("photoedit", "wall", 0.30, ("pyvips", "wall"))
    section.limit("photoedit", "wall", 0.70, *floor)
    return section
