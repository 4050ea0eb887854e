# SPDX-License-Identifier: Apache-2.0
"""Chains of point filters compared with the minimum cost of decoding and encoding."""

from section import Section

from .chains import CHAINS

TITLE = "chains of point filters, 24 MP"


def build(bench):
    section = Section("point", TITLE, bench)
    photo = bench.photos.photo(bench.photos.main_name())
    section.notes.append("the reference is the CPU time of djpeg to /dev/null plus cjpeg from memory")
    floor = section.floor(photo)
    for chain, filters in CHAINS.items():
        section.render(chain, photo, filters)
        section.limit(chain, "wall", 0.50, *floor)
        section.limit(chain, "cpu", 0.90, *floor)
    return section
