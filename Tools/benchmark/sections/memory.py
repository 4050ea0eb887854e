# SPDX-License-Identifier: Apache-2.0
"""Peak memory of point filters, compared with other programs, and of filters that read elsewhere."""

from section import Section

from .chains import CHAINS

TITLE = "peak memory: a point filter chain at 24 and 100 MP, other filters at 24 MP"
CHAIN = "exposure, saturate, vignette"
# In bytes; 1 MB is one million bytes.
LIMITS = {"24 MP": 45e6, "100 MP": 90e6}
OTHERS_LIMIT = 64e6
# Coefficients are rotated without decoding, pixels after a filter.
OTHERS = {
    "straighten by 45°": ("straighten:angle=45",),
    "straighten by 45°, expand": ("straighten:angle=45,fit=expand",),
    "denoiseWavelet": ("denoiseWavelet",),
    "rotate90": ("rotate90",),
    "exposure, rotate90": ("exposure:ev=0.3", "rotate90"),
    "exposure, transpose": ("exposure:ev=0.3", "orient:exif=5"),
}
SHARPENED = "unsharpMask"


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
            section.competitor(tool, f"{name}, {size}", words, photo)
        section.limit(f"photoedit, {size}", "peak", at_most)
    photo = bench.photos.photo("24 MP")
    for case, filters in OTHERS.items():
        section.render(case, photo, filters)
        section.limit(case, "peak", OTHERS_LIMIT)
    section.render(SHARPENED, photo, ("unsharpMask:sigma=2,amount=0.5",))
    section.report(SHARPENED, "touched")
    return section
