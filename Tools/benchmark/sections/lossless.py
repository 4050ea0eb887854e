# SPDX-License-Identifier: Apache-2.0
"""Lossless grayscale compared with jpegtran, and with programs that decode and encode."""

from section import Section

TITLE = "lossless grayscale, 12 and 24 MP"
PROGRAMS = (
    ("jpegtran", "jpegtran", "-grayscale -outfile {output} {input}"),
    ("vips", "vips", "colourspace {input} {output}[Q=90] b-w"),
    ("gm", "GraphicsMagick", "convert {input} -colorspace GRAY -quality 90 {output}"),
    ("convert", "ImageMagick", "{input} -colorspace Gray -quality 90 {output}"),
    ("ffmpeg", "ffmpeg", "-nostdin -v error -i {input} -vf format=gray -q:v 2 {output}"),
)


def build(bench):
    section = Section("lossless", TITLE, bench)
    section.notes.append("every case writes a file to the same folder in memory")
    section.notes.append("photoedit and jpegtran keep coefficients; the others decode and encode")
    for size in ("12 MP", bench.photos.main_name()):
        photo = bench.photos.photo(size)
        section.render(f"photoedit, {size}", photo, ("grayscale",))
        for tool, name, words in PROGRAMS:
            section.competitor(tool, f"{name}, {size}", words, photo)
        for library in ("Pillow", "OpenCV", "pyvips"):
            section.library(library, f"{library}, {size}", "gray", photo)
        section.limit(f"photoedit, {size}", "wall", 0.55, (f"jpegtran, {size}", "wall"))
    return section
