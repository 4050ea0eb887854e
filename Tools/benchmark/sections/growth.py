# SPDX-License-Identifier: Apache-2.0
"""Growth of time and memory with photo size and with the number of filters."""

import report
from section import Section

from .chains import CHAINS, repeated

TITLE = "growth from 1 to 100 MP and from 1 to 20 filters"
CHAIN = "exposure, saturate, vignette"
PHOTOS = ("1 MP", "4 MP", "12 MP", "24 MP", "48 MP", "100 MP")
NODES = (1, 2, 5, 10, 20)


def build(bench):
    section = Section("growth", TITLE, bench)
    section.notes.append(f"photos: {CHAIN}; filters: on 24 MP, none with identity values")
    for size in PHOTOS:
        section.render(size, bench.photos.photo(size), CHAINS[CHAIN])
    photo = bench.photos.photo("24 MP")
    cases = {count: f"{count} filter{'s' if count > 1 else ''}" for count in NODES}
    for count, case in cases.items():
        section.render(case, photo, repeated(count))
    for quantity in ("wall", "cpu", "peak"):
        per_pixel = quantity != "peak"
        text = f"{report.WORDS[quantity]}{' per pixel' if per_pixel else ''}, 100 MP relative to 12 MP"
        section.figure(text, "100 MP", "12 MP", quantity, per_pixel)
    for quantity in ("wall", "cpu", "peak"):
        section.figure(
            f"{report.WORDS[quantity]}, 20 filters relative to 1", cases[20], cases[1], quantity
        )
    return section
