# SPDX-License-Identifier: Apache-2.0
"""The chains of point filters on a photo whose rows of MCUs can be decoded at the same time."""

from section import Section

from .chains import CHAINS

TITLE = "the same with one restart marker per MCU row, as phones write"


def build(bench):
    section = Section("restart", TITLE, bench)
    if not section.has("jpegtran", "photo with restart markers"):
        return section
    photo = bench.photos.photo(bench.photos.main_name(), has_restarts=True)
    section.notes.append("the floor is measured on the same photo with restart markers")
    floor = section.floor(photo)
    for chain, filters in CHAINS.items():
        section.render(chain, photo, filters)
        section.limit(chain, "wall", 0.46, *floor)
    return section
