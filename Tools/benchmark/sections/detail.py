# SPDX-License-Identifier: Apache-2.0
"""Each neighborhood filter compared with the fastest library that provides it."""

from section import Section

TITLE = "neighborhood filters, 12 MP, from JPEG to JPEG"
# Case, photoedit filter, library.
FILTERS = (
    ("gaussianBlur", "gaussianBlur:sigma=4", "OpenCV"),
    ("boxBlur", "boxBlur:radius=5", "OpenCV"),
    ("median1", "median:radius=1", "OpenCV"),
    ("median2", "median:radius=2", "OpenCV"),
    ("median7", "median:radius=7", "OpenCV"),
    ("bilateral", "bilateral:diameter=9,sigmaColor=0.1,sigmaSpace=3", "OpenCV"),
    ("denoiseNLM", "denoiseNLM:patch=5,search=11,h=0.05", "OpenCV"),
    ("denoiseWavelet", "denoiseWavelet", "skimage"),
    ("sharpenLuma", "sharpenLuma:sigma=2,amount=0.5", "OpenCV"),
    ("clarity", "clarity:amount=0.5", "OpenCV"),
    ("shadowsHighlights", "shadowsHighlights:shadows=0.5", "OpenCV"),
    ("convolve", "convolve:kernel=" + ":".join(["1"] * 25), "OpenCV"),
    ("edges", "edges", "OpenCV"),
    ("emboss", "emboss", "OpenCV"),
    ("pixelate", "pixelate:cell=16", "OpenCV"),
    ("tiltShift", "tiltShift:maxSigma=8", "OpenCV"),
)
# The largest sizes, with goals of their own.
LARGEST = "denoiseNLM, patch 7, search 21"
WIDEST = "bilateral, diameter 31"


def build(bench):
    section = Section("detail", TITLE, bench)
    photo = bench.photos.photo("12 MP")
    section.notes.append("entire processes: decoding, filtering, and encoding at quality 90")
    section.notes.append("OpenCV computes with bytes, photoedit with floats; OpenCV times include starting Python")
    section.notes.append("its fastNlMeansDenoising and shadow tone curve approximate those of photoedit")
    for name, filter, library in FILTERS:
        section.render(name, photo, (filter,))
        section.library(library, f"{name} {library}", "detail." + name, photo)
        section.limit(name, "wall", 1.0, (f"{name} {library}", "wall"))
    section.limit("denoiseWavelet", "wall", 0.5)
    section.render(LARGEST, photo, ("denoiseNLM:patch=7,search=21,h=0.05",))
    section.limit(LARGEST, "wall", 1.5)
    # Both measure the whole photo first; no library does the same.
    for name in ("dehaze:amount=0.35", "denoiseNLM"):
        section.render(name, photo, (name,))
        section.limit(name, "wall", 1.5)
    # The font is found and reduced in each process.
    section.render("text", photo, ("text:text=© 2024 Lisbon,size=0.05",))
    section.limit("text", "wall", 1.0)
    section.render(WIDEST, photo, ("bilateral:diameter=31,sigmaColor=0.1,sigmaSpace=10",))
    section.library("OpenCV", f"{WIDEST} OpenCV", "detail.bilateral31", photo)
    section.limit(WIDEST, "wall", 0.30, (f"{WIDEST} OpenCV", "wall"))
    return section
