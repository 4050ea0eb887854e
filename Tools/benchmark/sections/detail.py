# SPDX-License-Identifier: Apache-2.0
"""Each filter of neighbourhoods beside the fastest library that offers it."""

from section import Section

TITLE = "filters of neighbourhoods, 12 MP, from JPEG to JPEG"
# What is measured, our filter, and the library.
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


def build(bench):
    section = Section("detail", TITLE, bench)
    photo = bench.photos.photo("12 MP")
    section.notes.append("whole processes: decoding, the filter, and encoding at quality 90")
    section.notes.append("OpenCV computes with bytes, ours with floats; its time holds that of starting Python")
    section.notes.append("its fastNlMeansDenoising and the tone curve of its shadows are near ours")
    for name, filter, library in FILTERS:
        section.render(name, photo, (filter,))
        section.library(library, f"{name} {library}", "detail." + name, photo)
        section.limit(name, "wall", 1.0, (f"{name} {library}", "wall"))
    return section
