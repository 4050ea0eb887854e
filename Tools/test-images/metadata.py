# SPDX-License-Identifier: Apache-2.0
"""Builds EXIF, XMP, IPTC and ICC blocks from their specifications."""

import hashlib
import struct
from fractions import Fraction

BYTE, ASCII, SHORT, LONG, RATIONAL, UNDEFINED, SIGNED_RATIONAL = 1, 2, 3, 4, 5, 7, 10
SIZES = {BYTE: 1, ASCII: 1, SHORT: 2, LONG: 4, RATIONAL: 8, UNDEFINED: 1, SIGNED_RATIONAL: 8}


def packed(order, kind, value):
    if isinstance(value, str):
        value = value.encode("utf-8") + b"\0"
    if isinstance(value, bytes):
        return value
    values = value if isinstance(value, list) else [value]
    if kind in (RATIONAL, SIGNED_RATIONAL):
        code = "I" if kind == RATIONAL else "i"
        return b"".join(struct.pack(order + code + code, *pair) for pair in values)
    return b"".join(
        struct.pack(order + {BYTE: "B", SHORT: "H", LONG: "I"}[kind], v) for v in values
    )


def tiff(order, directories):
    """A TIFF block (TIFF 6.0 §2) of chained directories.

    An entry is (tag, type, value). A value that is a list of entries becomes a sub-directory with a
    pointer to it; a function is called with its own offset, because maker notes use absolute offsets.
    """
    block = bytearray((b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8))

    def append(payload):
        if len(block) % 2:
            block.append(0)
        offset = len(block)
        block.extend(payload)
        return offset

    def directory(entries):
        entries = sorted(entries, key=lambda entry: entry[0])
        start = append(bytes(2 + 12 * len(entries) + 4))
        struct.pack_into(order + "H", block, start, len(entries))
        for index, (tag, kind, value) in enumerate(entries):
            at = start + 2 + 12 * index
            if (
                isinstance(value, list)
                and value
                and isinstance(value[0], tuple)
                and len(value[0]) == 3
            ):
                child = directory(value)[0]
                struct.pack_into(order + "HHII", block, at, tag, LONG, 1, child)
                continue
            if callable(value):
                payload = value(len(block) + len(block) % 2)
            else:
                payload = packed(order, kind, value)
            struct.pack_into(order + "HHI", block, at, tag, kind, len(payload) // SIZES[kind])
            if len(payload) <= 4:
                block[at + 8 : at + 8 + len(payload)] = payload
            else:
                struct.pack_into(order + "I", block, at + 8, append(payload))
        return start, start + 2 + 12 * len(entries)

    previous_link = None
    for entries in directories:
        start, link = directory(entries)
        if previous_link is not None:
            struct.pack_into(order + "I", block, previous_link, start)
        previous_link = link
    return bytes(block)


def maker_note(order):
    """An invented maker note whose inner offset is relative to the TIFF header, as in most maker notes."""
    text = b"shutter count 1842; serial PE-000-0001; lens firmware 1.03\0"

    def build(offset):
        head = b"PETEST\0\0"
        inside = struct.pack(order + "H", 2)
        inside += struct.pack(order + "HHII", 1, LONG, 1, 1842)
        inside += struct.pack(order + "HHII", 2, ASCII, len(text), offset + len(head) + 2 + 24 + 4)
        return head + inside + struct.pack(order + "I", 0) + text

    return build


def camera_exif(order, width, height, orientation, thumbnail):
    """EXIF data of a camera: make, dates, exposure, GPS, maker note and thumbnail (CIPA DC-008)."""
    exif = [
        (0x829A, RATIONAL, [(1, 250)]),
        (0x829D, RATIONAL, [(56, 10)]),
        (0x8822, SHORT, 2),
        (0x8827, SHORT, 200),
        (0x9000, UNDEFINED, b"0232"),
        (0x9003, ASCII, "2024:06:21 18:42:07"),
        (0x9004, ASCII, "2024:06:21 18:42:07"),
        (0x9010, ASCII, "+02:00"),
        (0x9011, ASCII, "+02:00"),
        (0x9012, ASCII, "+02:00"),
        (0x9101, UNDEFINED, b"\x01\x02\x03\x00"),
        (0x9204, SIGNED_RATIONAL, [(-1, 3)]),
        (0x9207, SHORT, 5),
        (0x9209, SHORT, 16),
        (0x920A, RATIONAL, [(350, 10)]),
        (0x927C, UNDEFINED, maker_note(order)),
        (0x9286, UNDEFINED, b"ASCII\0\0\0a synthetic landscape"),
        (0x9291, ASCII, "482"),
        (0xA000, UNDEFINED, b"0100"),
        (0xA001, SHORT, 1),
        (0xA002, LONG, width),
        (0xA003, LONG, height),
        (0xA005, LONG, [(0x0001, ASCII, "R98"), (0x0002, UNDEFINED, b"0100")]),
        (0xA405, SHORT, 35),
        (0xA432, RATIONAL, [(24, 1), (70, 1), (28, 10), (40, 10)]),
        (0xA434, ASCII, "Test Lens 24-70mm F2.8-4"),
    ]
    gps = [
        (0x0000, BYTE, [2, 3, 0, 0]),
        (0x0001, ASCII, "N"),
        (0x0002, RATIONAL, [(51, 1), (28, 1), (4012, 100)]),
        (0x0003, ASCII, "W"),
        (0x0004, RATIONAL, [(0, 1), (0, 1), (531, 100)]),
        (0x0005, BYTE, 0),
        (0x0006, RATIONAL, [(4650, 100)]),
        (0x0007, RATIONAL, [(16, 1), (42, 1), (7, 1)]),
        (0x001D, ASCII, "2024:06:21"),
    ]
    first = [
        (0x010E, ASCII, "A lake, a house and three balloons"),
        (0x010F, ASCII, "Testmaker"),
        (0x0110, ASCII, "Synthetic 1"),
        (0x0112, SHORT, orientation),
        (0x011A, RATIONAL, [(72, 1)]),
        (0x011B, RATIONAL, [(72, 1)]),
        (0x0128, SHORT, 2),
        (0x0131, ASCII, "test-images 1"),
        (0x0132, ASCII, "2024:06:21 18:42:07"),
        (0x013B, ASCII, "Nobody"),
        (0x0213, SHORT, 1),
        (0x8298, ASCII, "CC0-1.0"),
        (0x8769, LONG, exif),
        (0x8825, LONG, gps),
    ]
    second = [
        (0x0103, SHORT, 6),
        (0x011A, RATIONAL, [(72, 1)]),
        (0x011B, RATIONAL, [(72, 1)]),
        (0x0128, SHORT, 2),
    ]
    # The thumbnail's own offset is a value of the directory before it, so the block is laid out twice.
    offset = len(tiff(order, [first, second + [(0x0201, LONG, 0), (0x0202, LONG, 0)]]))
    second += [(0x0201, LONG, offset), (0x0202, LONG, len(thumbnail))]
    return tiff(order, [first, second]) + thumbnail


def orientation_exif(order, orientation):
    return tiff(order, [[(0x0112, SHORT, orientation)]])


def xmp(title, rating):
    """An XMP packet (ISO 16684-1) with Dublin Core, a rating and an unknown namespace."""
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:t="http://example.org/test-images/1.0/"
    xmp:CreatorTool="test-images 1" xmp:CreateDate="2024-06-21T18:42:07+02:00"
    xmp:Rating="{rating}" t:unknown="kept">
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
   <dc:subject><rdf:Bag><rdf:li>lake</rdf:li><rdf:li>Fl\u00fcgel</rdf:li></rdf:Bag></dc:subject>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>""".encode("utf-8")


def iptc(title, keywords):
    """Image resources of APP13 with an IPTC-IIM record and the digest that readers compare."""

    def data_set(record, number, value):
        return struct.pack(">BBBH", 0x1C, record, number, len(value)) + value

    record = data_set(1, 90, b"\x1b%G") + data_set(2, 0, b"\0\4")
    record += data_set(2, 5, title.encode("utf-8"))
    for keyword in keywords:
        record += data_set(2, 25, keyword.encode("utf-8"))
    record += data_set(2, 55, b"20240621") + data_set(2, 80, b"Nobody")

    def resource(identifier, value):
        return (
            b"8BIM"
            + struct.pack(">HHI", identifier, 0, len(value))
            + value
            + b"\0" * (len(value) % 2)
        )

    return resource(0x0404, record) + resource(0x0425, hashlib.md5(record).digest())


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def inverse(m):
    def minor(i, j):
        rows = [[m[r][c] for c in range(3) if c != j] for r in range(3) if r != i]
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]

    determinant = sum((-1) ** j * m[0][j] * minor(0, j) for j in range(3))
    return [[(-1) ** (i + j) * minor(j, i) / determinant for j in range(3)] for i in range(3)]


def icc(description, primaries):
    """An ICC 4.2 matrix profile with sRGB's curve, from chromaticities; exact fractions throughout."""
    chromaticities = [(Fraction(x), Fraction(y)) for x, y in primaries]
    columns = [(x / y, Fraction(1), (1 - x - y) / y) for x, y in chromaticities]
    wx, wy = Fraction("0.3127"), Fraction("0.3290")
    white = [wx / wy, Fraction(1), (1 - wx - wy) / wy]
    d50 = [Fraction("0.9642"), Fraction(1), Fraction("0.8249")]
    m = [[columns[c][r] for c in range(3)] for r in range(3)]
    weights = [sum(row[k] * white[k] for k in range(3)) for row in inverse(m)]
    m = [[m[r][c] * weights[c] for c in range(3)] for r in range(3)]
    bradford = [
        [Fraction(text) for text in row.split()]
        for row in (".8951 .2664 -.1614", "-.7502 1.7135 .0367", ".0389 -.0685 1.0296")
    ]
    cone = lambda w: [sum(row[k] * w[k] for k in range(3)) for row in bradford]
    gains = [to / source for to, source in zip(cone(d50), cone(white))]
    scale = [[gains[i] if i == j else Fraction(0) for j in range(3)] for i in range(3)]
    adaptation = product(inverse(bradford), product(scale, bradford))
    adapted = product(adaptation, m)

    def fixed(*values):
        return b"".join(
            struct.pack(">i", int((value * 65536 + Fraction(1, 2)) // 1)) for value in values
        )

    def localized(text):
        raw = text.encode("utf-16-be")
        return b"mluc" + struct.pack(">IIIHHII", 0, 1, 12, 0x656E, 0x5553, len(raw), 28) + raw

    curve = (
        b"para"
        + struct.pack(">IHH", 0, 3, 0)
        + fixed(
            Fraction("2.4"),
            1 / Fraction("1.055"),
            Fraction("0.055") / Fraction("1.055"),
            1 / Fraction("12.92"),
            Fraction("0.04045"),
        )
    )
    tags = [
        (b"desc", localized(description)),
        (b"cprt", localized("CC0-1.0")),
        (b"wtpt", b"XYZ \0\0\0\0" + fixed(*d50)),
        (b"chad", b"sf32\0\0\0\0" + fixed(*[v for row in adaptation for v in row])),
    ]
    for index, name in enumerate("rgb"):
        tags.append(
            (
                name.encode() + b"XYZ",
                b"XYZ \0\0\0\0" + fixed(*[adapted[r][index] for r in range(3)]),
            )
        )
    tags += [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")]

    table, body, offsets = b"", b"", {}
    start = 128 + 4 + 12 * len(tags)
    for name, payload in tags:
        if payload not in offsets:
            offsets[payload] = start + len(body)
            body += payload + b"\0" * (-len(payload) % 4)
        table += struct.pack(">4sII", name, offsets[payload], len(payload))
    head = struct.pack(
        ">I4sI4s4s4s", start + len(body), b"\0" * 4, 0x04200000, b"mntr", b"RGB ", b"XYZ "
    )
    head += struct.pack(">6H", 2024, 6, 21, 0, 0, 0) + b"acsp" + b"\0" * 28 + fixed(*d50)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body


SRGB = (("0.64", "0.33"), ("0.30", "0.60"), ("0.15", "0.06"))
DISPLAY_P3 = (("0.680", "0.320"), ("0.265", "0.690"), ("0.150", "0.060"))


def srgb_profile():
    return icc("test-images sRGB", SRGB)


def display_p3_profile():
    return icc("test-images Display P3", DISPLAY_P3)
