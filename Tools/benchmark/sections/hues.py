# SPDX-License-Identifier: Apache-2.0
"""Filters that change colors by hue or by tone compared with the plain change of hue and chroma."""

from section import Section

TITLE = "color filters, 12 MP, from JPEG to JPEG"
PLAIN = "oklch:chroma=1.2,hue=10"
FILTERS = (
    "colorMixer:blueSaturation=0.5,orangeLightness=0.3,greenHue=-0.4",
    "blackWhite:red=0.3,blue=-0.5,tintAmount=0.2",
    "colorGrade:shadowAmount=0.3,shadowHue=210,highlightAmount=0.2,highlightHue=40",
)


def build(bench):
    section = Section("hues", TITLE, bench)
    photo = bench.photos.photo("12 MP")
    section.render(PLAIN, photo, (PLAIN,))
    for filter in FILTERS:
        name = filter.split(":")[0]
        section.render(name, photo, (filter,))
        section.limit(name, "wall", 1.5, (PLAIN, "wall"))
    return section
