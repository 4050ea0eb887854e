# SPDX-License-Identifier: Apache-2.0
"""Damaged, lost, newer and strange databases: reported or harmless, and repaired from the files."""

import os
import shutil
import sqlite3

import subjects
from cases import Case, differences, inventory

NAME = "databases"
READS = (["asset", "list", "--json"], ["asset", "list", "a", "--json"], ["album", "list", "--json"],
         ["changes", "--json"], ["library", "check", "--json"])  # fmt: skip
PAGE = 4096
# What the names of the files of a database end with.
FILES = ("", "-wal", "-shm")


def damage(path, kind, random):
    """Damages a database file."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if kind == "first-pages":
        data[random.randrange(min(len(data), 4 * PAGE))] = random.randrange(256)
    elif kind == "header":
        data[random.randrange(100)] ^= 1 << random.randrange(8)
    elif kind == "bits":
        for _ in range(random.choice((1, 4, 64, 1024))):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    elif kind == "page":
        start = random.randrange(len(data) // PAGE) * PAGE
        data[start:start + PAGE] = random.choice((bytes(PAGE), random.randbytes(PAGE)))
    elif kind == "swapped-pages":
        one, two = (random.randrange(len(data) // PAGE) * PAGE for _ in range(2))
        data[one:one + PAGE], data[two:two + PAGE] = data[two:two + PAGE], data[one:one + PAGE]
    elif kind == "truncated":
        del data[random.randrange(len(data)):]
    elif kind == "log":
        with open(path + "-wal", "wb") as file:
            file.write(random.choice((b"\x37\x7f\x06\x82" + bytes(28), b"")) + random.randbytes(2000))
    with open(path, "wb") as file:
        file.write(data)


KINDS = ("first-pages", "header", "bits", "page", "swapped-pages", "truncated", "log")


def damaged(base, name, kind, random):
    """Every command ends, no original is lost, and a repair makes the library sound."""
    library = subjects.copied(base, name)
    damage(os.path.join(library.folder, "library.db"), kind, random)
    for words in READS:
        library.run(words, {})
    library.run(["asset", "import", library.incoming + "/new.jpg", "-q"], {})
    repair(library)
    # A changed byte may be a valid text, but a photo is neither lost nor added.
    listed = [library.lines("asset", "list", "--include-hidden", "--include-bursts", *options) or []
              for options in ([], ["--trashed"])]  # fmt: skip
    names = {asset["identifier"] for assets in listed for asset in assets}
    if lost := [name for name in library.names if name not in names]:
        library.problems.append(f"{len(lost)} photos are not in the repaired library")
    return library.end()


def remove(library, endings):
    for ending in endings:
        path = os.path.join(library.folder, "library.db" + ending)
        if os.path.exists(path):
            os.remove(path)


def repair(library):
    result = library.run(["library", "repair", "-q"], {})
    if result.code == 65 and "move the file away" in result.error():
        # The number of another program: only a person knows that it is a damaged library.
        remove(library, FILES)
        result = library.run(["library", "repair", "-q"], {})
    if result.code not in (0, 1):
        library.problems.append(f"the repair ends with {result.code}: {result.error()}")
    if lost := library.originals_before - library.kept():
        library.problems.append(f"{len(lost)} originals are missing or changed")
    library.problems += [finding for finding in library.findings() if "'isError': True" in finding]


def lost(base, name, endings):
    """A database that is removed: everything comes back from the files."""
    library = subjects.copied(base, name)
    remove(library, endings)
    repair(library)
    if "" in endings and library.state() != library.expected:
        library.problems.append(f"rebuilt: {library.state()} instead of {library.expected}")
    return library.end()


def refused(base, name, change, code):
    """A database that this version must not write: refused, and no file changes."""
    library = subjects.copied(base, name)
    change(os.path.join(library.folder, "library.db"))
    before = inventory(library.root)
    log = os.path.join(library.folder, "library.db-wal")
    was_empty = not os.path.exists(log) or os.path.getsize(log) == 0
    for words in (["asset", "import", library.incoming + "/new.jpg", "-q"], ["album", "create", "New", "-q"],
                  ["asset", "delete", library.names[0], "--yes", "-q"], ["library", "create", library.folder, "-q"]):
        result = library.run(words, {}) if words[1] != "create" or words[0] != "library" else (
            library.setting.program.run(words))
        if result.code == 0:
            library.problems.append(f"{' '.join(words[:2])} succeeds")
        elif code is not None and result.code not in (code, 73):
            library.problems.append(f"{' '.join(words[:2])} ends with {result.code} instead of {code}")
    # Readers of a write-ahead log create and remove it and its index, if it has no content.
    after = inventory(library.root)
    if was_empty and (not os.path.exists(log) or os.path.getsize(log) == 0):
        for path in (log, os.path.join(library.folder, "library.db-shm")):
            before.pop(path, None)
            after.pop(path, None)
    library.problems += differences(before, after)
    return library.end()


def execute(*statements):
    def change(path):
        base = sqlite3.connect(path)
        for statement in statements:
            base.execute(statement)
        base.commit()
        base.close()
    return change


def replace(write):
    def change(path):
        os.remove(path)
        write(path)
    return change


def empty(path):
    open(path, "wb").close()


def text(path):
    with open(path, "w") as file:
        file.write("not a database\n" * 1000)


def strange(path):
    execute("CREATE TABLE asset (id INTEGER PRIMARY KEY, x)", "INSERT INTO asset (x) VALUES (1)")(path)


STRANGE = {
    "of-a-newer-version": (execute("PRAGMA user_version = 10000"), 65),
    "of-another-program": (execute("PRAGMA application_id = 1"), None),
    "of-another-kind": (replace(strange), None),
    "empty-file": (replace(empty), None),
    "text-file": (replace(text), None),
    "folder": (replace(os.mkdir), None),
}


def rot(base, name, random):
    """A changed bit of an original or a rendering: found by a deep check, and never repaired away."""
    library = subjects.copied(base, name)
    files = sorted(os.path.join(root, file) for root, _, names in os.walk(library.folder + "/assets")
                   for file in names if not file.endswith(".json"))  # fmt: skip
    path = random.choice(files)
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    os.chmod(path, 0o600)
    with open(path, "wb") as file:
        file.write(data)
    if library.run(["library", "check", "--deep", "-q"], {}).code != 1:
        library.problems.append(f"a deep check does not find the change of {os.path.basename(path)}")
    library.run(["library", "repair", "-q"], {})
    return library.end()


def hostile(base, name):
    """Triggers and views in a database do nothing beside what the program does."""
    library = subjects.copied(base, name)
    execute(
        "CREATE TRIGGER more AFTER INSERT ON asset BEGIN DELETE FROM member; END",
        "CREATE VIEW more_assets AS SELECT load_extension('/tmp/x.so')",
    )(os.path.join(library.folder, "library.db"))
    library.run(["asset", "list", "--json"], {})
    library.run(["asset", "import", library.incoming + "/new.jpg", "-q"], {})
    library.run(["library", "check", "-q"], {})
    repair(library)
    return library.end()


def cases(setting):
    base = subjects.prepared(setting)
    yield Case("lost", lost, base, "lost", FILES)
    yield Case("lost-log", lost, base, "lost-log", FILES[1:])
    yield Case("triggers", hostile, base, "triggers")
    for name, (change, code) in STRANGE.items():
        yield Case(name, refused, base, name, change, code)
    for number in range(setting.count(6, 300)):
        name = f"rot-{number}"
        yield Case(name, rot, base, name, setting.random(name))
    for number in range(setting.count(10, 400)):
        for kind in KINDS:
            name = f"{kind}-{number}"
            yield Case(name, damaged, base, name, kind, setting.random(name))
