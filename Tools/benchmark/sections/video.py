# SPDX-License-Identifier: Apache-2.0
"""Filtered video frames: decoding, filtering and re-encoding compared with ffmpeg."""

import subprocess

from section import Section

TITLE = "10 s of 1080p video, filtered and encoded as H.264"

FRAMES = 300

# photoedit filters and their ffmpeg equivalents: one that needs only luma, and one in RGB. Untagged
# frames of this size are BT.709; ffmpeg would interpret them as BT.601, get other levels and have less
# to encode.
FILTERS = (
    ("grayscale", "format=gray,format=yuv420p"),
    (
        "sepia:amount=1",
        "scale=in_color_matrix=bt709,format=gbrp,"
        "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131,"
        "scale=out_color_matrix=bt709,format=yuv420p",
    ),
)

ENCODING = ("veryfast", "medium")
QUALITY = 20

# At least 90 % of the speed of ffmpeg.
AT_MOST = 1 / 0.9


def build(bench):
    section = Section("video", TITLE, bench)
    ffmpeg = bench.competitors["ffmpeg"].path
    if not ffmpeg:
        section.has("ffmpeg", "ffmpeg")
        return section
    frames = 10 if bench.is_tiny else FRAMES
    clip = bench.work / f"clip-{frames}.mov"
    if not clip.exists():
        make(ffmpeg, frames, clip)
    section.notes.append(f"{frames} frames with audio, decoded from H.264; crf {QUALITY}")
    megapixels = frames * 1920 * 1080 / 1e6
    for preset in ENCODING:
        for own, theirs in FILTERS:
            name = own.split(":")[0]
            target = section.out / "ours.mov"
            words = [bench.tool, "apply", "-q", "--no-sidecar", "-o", target, "--filter", own]
            words += ["--video-preset", preset, "--video-quality", QUALITY, clip]
            case, competitor = f"photoedit {name} {preset}", f"ffmpeg {name} {preset}"
            section.add(case, [str(word) for word in words], megapixels, is_photoedit=True)
            target = section.out / "peer.mov"
            words = [ffmpeg, "-nostdin", "-v", "error", "-i", clip, "-vf", theirs]
            words += ["-c:v", "libx264", "-preset", preset, "-crf", QUALITY, "-c:a", "copy", target]
            section.add(competitor, [str(word) for word in words], megapixels)
            section.limit(case, "wall", AT_MOST, (competitor, "wall"))
    return section


def make(ffmpeg, frames, path):
    """Moving shapes with camera noise, which is hard to encode."""
    seconds = frames / 30
    words = [ffmpeg, "-nostdin", "-v", "error", "-y"]
    words += ["-f", "lavfi", "-i", f"testsrc2=size=1920x1080:rate=30:duration={seconds}"]
    words += ["-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}"]
    words += ["-vf", "noise=alls=8:allf=t,gblur=sigma=0.7", "-pix_fmt", "yuv420p"]
    words += ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-c:a", "aac", str(path)]
    subprocess.run(words, check=True)
