# SPDX-License-Identifier: Apache-2.0
"""Edits of many small photos with their sidecars, on the disk and on a simulated slow one."""

import os
import shutil

import measure
from section import Section

TITLE = "300 photos of 0.3 MP with sidecars; 1,000 with a delay of 10 ms whenever storage is synced"
DELAY = 10_000


def build(bench):
    # A slow disk would make the section long.
    section = Section("sidecars", TITLE, bench, round_factor=0.4)
    cores = len(os.sched_getaffinity(0))
    # A batch that does not wait for storage needs its CPU time divided by the cores, plus its start.
    at_most = 1.2 / cores
    section.notes.append(
        f"the limit is 1.2 times the CPU time divided by {cores}: cores must not wait for storage"
    )
    section.notes.append("300 photos are on the disk of the clone, 1,000 in a folder in memory")
    disk = "300 photos, disk"
    add(section, bench, disk, 3 if bench.is_tiny else 300, bench.disk)
    section.limit(disk, "wall", at_most, (disk, "cpu"))
    slow = "1,000 photos, 10 ms per sync"
    if not bench.launcher.compiler:
        section.skips.append((slow, "no C compiler was found; apt-get install gcc"))
    else:
        source = (measure.HERE / "delay.c").read_text()
        library = bench.launcher.build(source, "-shared", "-fPIC")
        # env replaces itself, so that only the program is preloaded and measured.
        words = [shutil.which("env"), f"LD_PRELOAD={library}", f"DELAY_MICROSECONDS={DELAY}"]
        add(section, bench, slow, 5 if bench.is_tiny else 1000, bench.work, words)
    section.limit(slow, "wall", at_most, (slow, "cpu"))
    return section


def add(section, bench, name, count, parent, prefix=()):
    """Adds a case that edits photos of its own in a folder."""
    photo = bench.photos.photo("0.3 MP")
    folder = parent / f"sidecars-{count}"
    folder.mkdir(exist_ok=True)
    files = [folder / f"{index:04}.jpg" for index in range(count)]
    for file in files:
        shutil.copyfile(photo.path, file)
    section.add(
        name,
        [*prefix, bench.tool, "apply", "-q", "--filter", "sepia", *files],
        count * photo.megapixels,
        is_photoedit=True,
        results=0,
        fresh=tuple(
            path
            for file in files
            for path in (file.with_suffix(".jpg.aae"), file.with_suffix(".edited.jpg"))
        ),
        is_synced=parent == bench.disk,
    )
