# SPDX-License-Identifier: Apache-2.0
"""The peak of memory of one point chain, beside those who hold less or more of a photo."""

from section import Section

from .chains import CHAINS

TITLE = "peak of memory of a point chain, baseline photos of 24 and 100 MP"
CHAIN = "exposure, saturate, vignette"
# In bytes; MB are millions of them.
LIMITS = {"24 MP": 45e6, "100 MP": 90e6}


PROGRAMS = (
    ("djpeg", "djpeg", "-outfile {output} {input}"),
    ("jpegtran", "jpegtran -grayscale", "-grayscale -outfile {output} {input}"),
    ("vips", "vips to gray", "colourspace {input} {output}[Q=90] b-w"),
)


def build(bench):
    section = Section("memory", TITLE, bench)
    section.notes.append(CHAIN)
    for size, at_most in LIMITS.items():
        photo = bench.photos.photo(size)
        section.render(f"photoedit, {size}", photo, CHAINS[CHAIN])
        for tool, name, words in PROGRAMS:
            section.peer(tool, f"{name}, {size}", words, photo)
        section.limit(f"photoedit, {size}", "peak", at_most)
    return section
