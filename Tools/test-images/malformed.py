# SPDX-License-Identifier: Apache-2.0
"""Writes files that must be rejected, each with the short name of the error."""

import struct

import jpeg
import png
import scene


def truncated_in_last_scan(data):
    """Truncates the data of the last scan; all headers are complete."""
    start = data.rindex(b"\xff\xda")
    return data[: (start + len(data)) // 2]


def with_bad_code(data):
    """Sixteen one bits are not a Huffman code; 64 of them cannot all be bits of a coefficient."""
    start = jpeg.find(data, 0xDA)[1]
    middle = start + (len(data) - start) // 2
    while data[middle - 1] == 0xFF or data[middle] == 0x00:
        middle += 1
    return data[:middle] + b"\xff\x00" * 8 + data[middle + 8 :]


def without_restart(data):
    """Removes the data from the second restart marker up to the third."""
    start = jpeg.find(data, 0xDA)[1]
    second, third = data.index(b"\xff\xd1", start), data.index(b"\xff\xd2", start)
    return data[:second] + data[third:]


def frame(marker, precision, width, height, components):
    head = struct.pack(">BHHB", precision, height, width, components)
    return jpeg.segment(marker, head + b"".join(bytes([i + 1, 0x11, 0]) for i in range(components)))


def with_frame(data, head):
    """Replaces the frame header and keeps everything else."""
    start, end = jpeg.find(data, 0xC0)
    return data[:start] + head + data[end:]


def files():
    """Yields (name, bytes, purpose, expected error, size or None)."""
    pixels = scene.bits(scene.photo(96, 72, 3), 8)
    plain, gray = jpeg.encode(pixels), jpeg.encode(pixels[..., 1])
    restart = jpeg.encode(pixels, restart_marker_rows=1)
    size = (96, 72)

    yield "jpeg-truncated.jpg", truncated_in_last_scan(
        plain
    ), "ends in the middle of the samples", "truncated", size
    yield "jpeg-truncated-progressive.jpg", truncated_in_last_scan(
        jpeg.encode(pixels, progressive=True)
    ), (
        "ends in the last scan: every row looks plausible, the lower ones are not final"
    ), "truncated", size
    yield "jpeg-truncated-header.jpg", plain[
        : jpeg.find(plain, 0xC0)[0] + 6
    ], "ends in the frame header", "truncated", None
    yield "jpeg-bad-huffman.jpg", with_bad_code(
        plain
    ), "a code in the samples that the table does not have", "damaged", size
    yield "jpeg-lost-restart.jpg", without_restart(
        restart
    ), "one restart interval is missing", "damaged", size
    yield "jpeg-12-bit.jpg", with_frame(
        gray, frame(0xC1, 12, 96, 72, 1)
    ), "extended sequential, 12 bits a sample", "unsupported", size
    yield "jpeg-lossless.jpg", with_frame(
        gray, frame(0xC3, 8, 96, 72, 1)
    ), "lossless process (SOF3)", "unsupported", size
    yield "jpeg-bomb.jpg", with_frame(gray, frame(0xC0, 8, 64250, 64250, 1)), (
        "a header of four gigapixels in front of a few hundred bytes"
    ), "tooManyPixels", (64250, 64250)
    yield "empty.jpg", b"", "no bytes at all", "empty", None
    yield "text.jpg", b"This is a letter, not a photograph.\n" * 4, "text under a photo's name", "notAnImage", None
    bmp = b"BM" + struct.pack("<IIIIiiHHIIiiII", 58, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)
    yield "bmp.jpg", bmp, "a BMP under a photo's name", "unsupported", (1, 1)

    image = png.png(pixels, png.RGB, 8)
    data = image.index(b"IDAT")
    yield "png-truncated.png", image[
        : data + (len(image) - data) // 2
    ], "ends in the middle of IDAT", "truncated", size
    broken = bytearray(image)
    broken[-13] ^= 1
    yield "png-bad-crc.png", bytes(
        broken
    ), "the checksum of IDAT is wrong by one bit", "damaged", size
    head = struct.pack(">IIBBBBB", 64250, 64250, 8, png.RGB, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + png.chunk(b"IHDR", head)
    bomb += png.chunk(b"IDAT", png.compressed(bytes(4096))) + png.chunk(b"IEND", b"")
    yield "png-bomb.png", bomb, "a header of four gigapixels in front of a few bytes", "tooManyPixels", (
        64250,
        64250,
    )

    for name, text, purpose, expected in graphs():
        yield name, text.encode(), purpose, expected, None


def graphs():
    def graph(nodes, output, requires=""):
        return (
            '{"format":"org.photoedit.filter-graph","version":"1.0",\n'
            f' "requires":[{requires}],\n'
            f' "source":{{"width":512,"height":384,"orientation":1,"digest":"sha256:{"0" * 64}"}},\n'
            ' "nodes":[\n  ' + ",\n  ".join(nodes) + "],\n"
            f' "assets":{{}},"output":{{"node":"{output}","background":"#ffffff"}},\n "ext":{{}}}}\n'
        )

    exposure = '{"id":"t1","filter":"exposure","v":1,"params":{"ev":%s}}'
    yield "graph-number-1e400.json", graph(
        [exposure % "1e400"], "t1"
    ), "a number outside binary64", "numberOutOfRange"
    yield "graph-cycle.json", graph(
        [
            '{"id":"a","filter":"exposure","v":1,"in":["b"],"params":{"ev":0.5}}',
            '{"id":"b","filter":"exposure","v":1,"in":["a"],"params":{"ev":0.5}}',
        ],
        "b",
    ), "two nodes that each want the other's output", "forwardReference"
    yield "graph-unknown-filter.json", graph(
        ['{"id":"t1","filter":"com.example.glow","v":1,"params":{"amount":0.5}}'],
        "t1",
        '"com.example.glow@1"',
    ), "an enabled filter that nobody here knows", "unknownFilter"
    yield "graph-duplicate-key.json", graph(
        ['{"id":"t1","filter":"exposure","v":1,"params":{"ev":0.5,"ev":0.7}}'], "t1"
    ), "one key twice, with different values", "duplicateKey"
