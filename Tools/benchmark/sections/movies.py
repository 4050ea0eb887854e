# SPDX-License-Identifier: Apache-2.0
"""Videos without re-encoding: MPEG-4 to QuickTime compared with `ffmpeg -c copy`, and a trim."""

import subprocess

from section import Section

TITLE = "a video of 200 MB to QuickTime without re-encoding"

# Relative to ffmpeg, which neither verifies nor syncs.
AT_MOST = {"wall": 1.0, "cpu": 1.2}
SECONDS = 4


def build(bench):
    section = Section("movies", TITLE, bench)
    ffmpeg = bench.competitors["ffmpeg"].path
    if not ffmpeg:
        section.has("ffmpeg", "ffmpeg")
        return section
    loops = 1 if bench.is_tiny else 27
    clip = bench.work / f"clip-{loops}.mp4"
    if not clip.exists():
        make(ffmpeg, loops, clip, bench.work / "piece.mp4")
    section.notes.append(
        f"{clip.stat().st_size / 1e6:.0f} MB of H.264 and AAC; photoedit reads everything back, compares "
        "it with the source and syncs it to disk"
    )
    megapixels = loops * SECONDS * 30 * 1280 * 720 / 1e6
    own, theirs = section.out / "ours.mov", section.out / "theirs.mov"
    apply = [bench.tool, "apply", "-q", "--no-sidecar", "-o", own]
    copy = [ffmpeg, "-nostdin", "-v", "error"]
    section.add("photoedit remux", [*apply, clip], megapixels, is_photoedit=True)
    section.add(
        "ffmpeg remux", [*copy, "-i", clip, "-map", "0", "-c", "copy", theirs], megapixels
    )
    for quantity, at_most in AT_MOST.items():
        section.limit("photoedit remux", quantity, at_most, ("ffmpeg remux", quantity))
    begin = f"{loops * SECONDS / 2:.1f}"
    section.add(
        "photoedit trim", [*apply, "--filter", f"trim:start={begin}", clip], megapixels,
        is_photoedit=True,
    )
    section.add(
        "ffmpeg trim", [*copy, "-ss", begin, "-i", clip, "-map", "0", "-c", "copy", theirs],
        megapixels,
    )
    return section


def make(ffmpeg, loops, path, piece):
    """A few seconds of moving shapes, repeated `loops` times."""
    words = [ffmpeg, "-nostdin", "-v", "error", "-y"]
    words += ["-f", "lavfi", "-i", f"testsrc2=size=1280x720:rate=30:duration={SECONDS}"]
    words += ["-f", "lavfi", "-i", f"sine=frequency=440:duration={SECONDS}"]
    words += ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "6", "-pix_fmt", "yuv420p"]
    subprocess.run([*words, "-c:a", "aac", piece], check=True)
    copy = [ffmpeg, "-nostdin", "-v", "error", "-y", "-stream_loop", str(loops - 1), "-i", piece]
    subprocess.run([*copy, "-c", "copy", path], check=True)
