# SPDX-License-Identifier: Apache-2.0
"""Chains of point filters on a photo whose MCU rows can be decoded in parallel."""

from section import Section

from .chains import CHAINS

TITLE = "chains of point filters, one restart marker per MCU row, as in phone photos"


def build(bench):
    section = Section("restart", TITLE, bench)
    if not section.has("jpegtran", "photo with restart markers"):
        return section
    photo = bench.photos.photo(bench.photos.main_name(), has_restarts=True)
    section.notes.append("the reference is measured with the same photo")
    floor = section.floor(photo)
    for chain, filters in CHAINS.items():
        section.render(chain, photo, filters)
        section.limit(chain, "wall", 0.46, *floor)
    return section
