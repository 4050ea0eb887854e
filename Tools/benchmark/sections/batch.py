# SPDX-License-Identifier: Apache-2.0
"""Many photos to grayscale: one photoedit call, and other programs under xargs, two at a time."""

import shutil
import subprocess

from section import Section

TITLE = "40 photos of 12 MP to grayscale, two at a time"


def build(bench):
    section = Section("batch", TITLE, bench)
    count = 4 if bench.is_tiny else 40
    photo = bench.photos.photo("12 MP")
    folder = bench.work / "batch"
    folder.mkdir(exist_ok=True)
    names = [f"{index:02}.jpg" for index in range(count)]
    for name in names:
        shutil.copyfile(photo.path, folder / name)
    listed = bench.work / "names"
    listed.write_text("".join(f"{name}\n" for name in names))
    section.notes.append(f"{count} copies in a folder in memory; the peak is that of one process")

    def add(name, arguments, is_photoedit=False):
        pixels = count * photo.megapixels
        section.add(name, arguments, pixels, results=count, is_photoedit=is_photoedit)

    xargs = shutil.which("xargs")
    two_at_a_time = [xargs, "-a", listed, "-P2", "-I{}"]
    source, target = folder / "{}", section.out / "{}"
    apply = [bench.tool, "apply", "-q", "--no-sidecar", "-o", f"{section.out}/"]
    apply += ["--filter", "grayscale"]
    if takes_jobs(bench.tool):
        add("photoedit", [*apply, "-j", "2", *(folder / name for name in names)], is_photoedit=True)
    elif xargs:
        section.notes.append("photoedit has no apply -j; it runs under xargs -P2 as well")
        add("photoedit", [*two_at_a_time, *apply, source], is_photoedit=True)
    else:
        section.skips.append(("photoedit", "xargs was not found; apt-get install findutils"))
    for tool, words in (
        ("vips", ("colourspace", source, f"{target}[Q=90]", "b-w")),
        ("jpegtran", ("-grayscale", "-outfile", target, source)),
    ):
        if not xargs:
            section.skips.append((tool, "xargs was not found; apt-get install findutils"))
        elif section.has(tool, tool):
            add(tool, [*two_at_a_time, bench.competitors[tool].path, *words])
    section.limit("photoedit", "wall", 0.20, ("vips", "wall"))
    section.limit("photoedit", "wall", 0.65, ("jpegtran", "wall"))
    return section


def takes_jobs(tool):
    """Whether `apply` can process several photos in parallel."""
    help = subprocess.run([tool, "apply", "--help"], stdout=subprocess.PIPE, check=True).stdout
    return b" -j" in help
