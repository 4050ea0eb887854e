# SPDX-License-Identifier: Apache-2.0
"""Large photos and large libraries for measurements."""

import sqlite3

# The number of distinct photos that the assets of a large library share: of 12 MP, and small ones.
LARGE, SMALL = 48, 400


def large_photo(work, megapixels):
    """Writes a JPEG of a number of megapixels with structure at every scale."""
    import numpy
    from PIL import Image
    height = round((megapixels * 1e6 / (4 / 3)) ** 0.5)
    width = round(height * 4 / 3)
    small = Image.open(work.photo("photo-1024.jpg")).resize((width, height), Image.BICUBIC)
    noise = numpy.random.default_rng(7).normal(0, 6, (height, width, 1))
    pixels = numpy.clip(numpy.asarray(small, numpy.float32) + noise, 0, 255).astype("uint8")
    path = work.path / f"photo-{megapixels}.jpg"
    Image.fromarray(pixels).save(path, quality=92)
    return path


def copies(photo, folder, count):
    """Writes copies of a JPEG that differ in a comment, and thus in their digests."""
    jpeg = photo.read_bytes()
    for number in range(count):
        path = folder / f"{photo.stem}-{number:04}.jpg"
        path.write_bytes(jpeg[:2] + b"\xff\xfe\x00\x0a" + b"%08d" % number + jpeg[2:])
        yield path


def large_library(work, count, newest=1_767_225_600, span=25 * 31_556_952):
    """Creates a library whose assets share some hundred photos; the newest ones have 12 MP.

    The photos are imported. The rows of the other assets are copies of theirs, with own
    identifiers and dates: importing a million files would take hours.
    """
    path = work.path / "library"
    work.run("library", "create", path)
    folder = work.folder("originals")
    landscape, portrait = work.photo(), work.photo("photo-portrait.jpg")
    for photo, number in ((large_photo(work, 12), LARGE), (landscape, SMALL // 2),
                          (portrait, SMALL // 2)):
        work.run("asset", "import", "-L", path, *copies(photo, folder, number))
    step = span / count
    database = sqlite3.connect(path / "library.db")
    # A library that is lost with the machine's power can be generated again.
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -400000")
    with database:
        own = {"id", "uuid", "creationDate", "addedDate"}
        others = ", ".join(f"asset.{row[1]}" for row in database.execute("PRAGMA table_info(asset)")
                           if row[1] not in own)
        database.execute("UPDATE asset SET creationDate = ?1 - id * ?2, addedDate = ?1 - id * ?2",
                         (newest, step))
        database.execute(
            f"""WITH RECURSIVE number(n) AS (
                  VALUES (?3) UNION ALL SELECT n + 1 FROM number WHERE n < ?4)
                INSERT INTO asset (id, uuid, creationDate, addedDate, {others.replace('asset.', '')})
                SELECT n, randomblob(16), ?1 - n * ?2, ?1 - n * ?2, {others}
                FROM number JOIN asset ON asset.id = 1 + (n - 1) % (?3 - 1)""",
            (newest, step, LARGE + SMALL + 1, count))
        database.execute(
            """INSERT INTO resource SELECT asset.id, type, file, digest, size, uniformType, filename
               FROM asset JOIN resource ON resource.asset = 1 + (asset.id - 1) % ?1
               WHERE asset.id > ?1""", (LARGE + SMALL,))
        database.execute("DELETE FROM asset_day")
        database.execute(
            """INSERT INTO asset_day SELECT day, visibility, mediaType, count(*) FROM asset
               WHERE day IS NOT NULL GROUP BY 1, 2, 3""")
    database.close()
    return path


def last_commit(path):
    """The time of the last commit, in seconds since 1970."""
    database = sqlite3.connect(f"file:{path / 'library.db'}?mode=ro", uri=True)
    try:
        return database.execute("SELECT date FROM change ORDER BY id DESC LIMIT 1").fetchone()[0]
    finally:
        database.close()
