# SPDX-License-Identifier: Apache-2.0
"""Previews that an app requests while a parameter changes, measured in its process."""

from section import Section

TITLE = "previews of a 24 MP photo at 1600 pixels, from a graph to the bytes of a JPEG"
SIDE = 1600
# Seconds by what is measured.
LIMITS = {
    "first image after opening": 0.060,
    "exposure": 0.008,
    "exposure, contrast, saturate": 0.008,
    "unsharpMask": 0.015,
    "gaussianBlur": 0.015,
}
# The first change to a filter may have to decode the photo at another size.
FIRST = {
    f"{name} (first)": f"{name}, first change" for name in LIMITS if not name.startswith("first")
}


def build(bench):
    section = Section("previews", TITLE, bench)
    photo = bench.photos.photo("24 MP")
    section.notes.append("the limits apply to the median of all changes of one parameter in one process")
    side = 32 if bench.is_tiny else SIDE
    section.interactive(
        "PreviewSession",
        ["previews", photo.path, side],
        photo.megapixels,
        {**{name: name for name in LIMITS}, **FIRST},
    )
    for name, at_most in LIMITS.items():
        section.limit(name, "wall", at_most)
    return section
