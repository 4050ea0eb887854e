# SPDX-License-Identifier: Apache-2.0
"""Startup cost of a process: an edit of 64×64 pixels."""

import shutil

from section import Section

TITLE = "an edit of 64×64 pixels, entire process"
HELLO = '#include <stdio.h>\nint main(void) { return puts("hello") < 0; }\n'


def build(bench):
    # A run takes milliseconds, so single runs are not significant.
    section = Section("start", TITLE, bench, round_factor=5)
    small = bench.photos.small()
    copy = bench.work / "small.jpg"
    shutil.copyfile(small.path, copy)
    section.render("render", small, ("sepia",))
    section.add(
        "apply, with sidecar",
        [bench.tool, "apply", copy, "-q", "--filter", "sepia"],
        small.megapixels,
        is_photoedit=True,
        results=0,
        fresh=(bench.work / "small.jpg.aae", bench.work / "small.edited.jpg"),
    )
    section.add("version", [bench.tool, "version"], 0, is_photoedit=True, results=0)
    if bench.launcher.compiler:
        section.add("hello in C", [bench.launcher.build(HELLO)], 0, results=0)
    else:
        section.skips.append(("hello in C", "no C compiler was found; apt-get install gcc"))
    for case in ("render", "apply, with sidecar"):
        section.limit(case, "wall", 0.006)
    return section
