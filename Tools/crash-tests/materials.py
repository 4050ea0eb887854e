# SPDX-License-Identifier: Apache-2.0
"""Small videos and Live Photos for the crash tests, generated with ffmpeg."""

import os
import shutil
import struct
import subprocess

KEY = "com.apple.quicktime.content.identifier"


def is_possible():
    """Whether videos can be generated and edited on this system."""
    if shutil.which("ffmpeg") is None:
        return False
    encoders = subprocess.run(["ffmpeg", "-v", "quiet", "-encoders"], capture_output=True)
    return b"libx264" in encoders.stdout


def movie(path, seed, identifier=None):
    """Half a second of video, different for every seed."""
    key = ["-movflags", "use_metadata_tags", "-metadata", f"{KEY}={identifier}"]
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"testsrc=size=64x48:rate=10:duration=0.5,hue=h={seed * 30}", "-c:v", "libx264",
         "-preset", "ultrafast", "-pix_fmt", "yuv420p", *(key if identifier else []), path],
        check=True)  # fmt: skip


def still(source, path, identifier):
    """A JPEG with an Apple maker note that contains a content identifier."""
    text = identifier.encode() + b"\0"
    note = b"Apple iOS\0\0\1MM" + struct.pack(">HHHIII", 1, 0x11, 2, len(text), 32, 0) + text
    exif = struct.pack(">HHHIII", 1, 0x927C, 7, len(note), 44, 0)
    main = struct.pack(">HHHIII", 1, 0x8769, 4, 1, 26, 0)
    payload = b"Exif\0\0MM\0\x2a\0\0\0\x08" + main + exif + note
    segment(source, path, 0xE1, payload)


def numbered(source, path, number):
    """A JPEG that is different for every number."""
    segment(source, path, 0xFE, b"number %d" % number)


def segment(source, path, marker, payload):
    with open(source, "rb") as file:
        image = file.read()
    with open(path, "wb") as file:
        file.write(image[:2] + struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload)
        file.write(image[2:])


def motion(source, path, movie_path):
    """A motion photo: a photo with a video in the same file, as written by some Android phones."""
    with open(movie_path, "rb") as file:
        video = file.read()
    packet = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf='
        '"http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MicroVideo="1" '
        f'GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="{len(video)}"/></rdf:RDF></x:xmpmeta>'
    )
    segment(source, path, 0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet.encode())
    with open(path, "ab") as file:
        file.write(video)


def make(folder, image):
    """All files named by the scenarios: pairs and videos in the library, and others to import."""
    os.makedirs(folder)

    def path(name):
        return os.path.join(folder, name)

    for number, name in enumerate(("live", "newlive")):
        identifier = f"0000000{number}-1111-2222-3333-444444444444"
        still(image, path(name + ".jpg"), identifier)
        movie(path(name + ".mov"), number, identifier)
    movie(path("clip.mov"), 2)
    movie(path("newclip.mov"), 3)
    movie(path("motion.mp4"), 4)
    motion(image, path("motion.jpg"), path("motion.mp4"))
    return folder
