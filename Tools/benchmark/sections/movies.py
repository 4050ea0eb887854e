# SPDX-License-Identifier: Apache-2.0
"""Movies without re-encoding: MPEG-4 into QuickTime beside `ffmpeg -c copy`, and a trim."""

import subprocess

from section import Section

TITLE = "A clip of 200 MB into QuickTime without re-encoding"

# At least nine tenths of the speed of ffmpeg, which verifies nothing and does not sync.
AT_MOST = 1 / 0.9
SECONDS = 4


def build(bench):
    section = Section("movies", TITLE, bench)
    ffmpeg = bench.peers["ffmpeg"].path
    if not ffmpeg:
        section.has("ffmpeg", "ffmpeg")
        return section
    loops = 1 if bench.is_tiny else 27
    clip = bench.work / f"clip-{loops}.mp4"
    if not clip.exists():
        make(ffmpeg, loops, clip, bench.work / "piece.mp4")
    section.notes.append(
        f"{clip.stat().st_size / 1e6:.0f} MB of H.264 and AAC; ours reads everything back, compares "
        "it with the source and makes it durable"
    )
    megapixels = loops * SECONDS * 30 * 1280 * 720 / 1e6
    ours, theirs = section.out / "ours.mov", section.out / "theirs.mov"
    apply = [bench.tool, "apply", "-q", "--no-sidecar", "-o", ours]
    copy = [ffmpeg, "-nostdin", "-v", "error"]
    section.add("photoedit remux", [*apply, clip], megapixels, is_ours=True)
    section.add(
        "ffmpeg remux", [*copy, "-i", clip, "-map", "0", "-c", "copy", theirs], megapixels
    )
    section.limit("photoedit remux", "wall", AT_MOST, ("ffmpeg remux", "wall"))
    begin = f"{loops * SECONDS / 2:.1f}"
    section.add(
        "photoedit trim", [*apply, "--filter", f"trim:start={begin}", clip], megapixels,
        is_ours=True,
    )
    section.add(
        "ffmpeg trim", [*copy, "-ss", begin, "-i", clip, "-map", "0", "-c", "copy", theirs],
        megapixels,
    )
    return section


def make(ffmpeg, loops, path, piece):
    """A few seconds of moving shapes, many times over."""
    words = [ffmpeg, "-nostdin", "-v", "error", "-y"]
    words += ["-f", "lavfi", "-i", f"testsrc2=size=1280x720:rate=30:duration={SECONDS}"]
    words += ["-f", "lavfi", "-i", f"sine=frequency=440:duration={SECONDS}"]
    words += ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "6", "-pix_fmt", "yuv420p"]
    subprocess.run([*words, "-c:a", "aac", piece], check=True)
    copy = [ffmpeg, "-nostdin", "-v", "error", "-y", "-stream_loop", str(loops - 1), "-i", piece]
    subprocess.run([*copy, "-c", "copy", path], check=True)
