# SPDX-License-Identifier: Apache-2.0
"""Kills and failures while a library is repaired or its database is migrated."""

import glob
import json
import os
import shutil
import sqlite3
import subprocess

from libraries import Library, digest, faults

PHOTO, SECOND, THIRD = "{photo}", "{second}", "{third}"
# Commands before and after the older database is copied.
BEFORE = [
    ["apply", PHOTO, "--filter", "sepia:amount=0.5", "-q"],
    ["album", "create", "Lisbon", PHOTO, SECOND],
]
AFTER = [
    ["apply", PHOTO, "--filter", "invert", "-q"],
    ["apply", SECOND, "--filter", "sepia", "-q"],
    ["asset", "set", SECOND, "--title", "hours of work", "-q"],
    ["album", "create", "Porto", SECOND],
    ["asset", "delete", THIRD, "--yes", "-q"],
]
# The columns that the migrations after an older version add, and the statements that reverse them.
# The form of the full-text index, which one of them replaces, follows from that of the current version.
NEW_COLUMNS = ["regions", "userFields", "exposureTime"]
OLDER, CURRENT = 4, 7
OLDER_VERSION = "\n".join([
    *(f"ALTER TABLE {table} DROP COLUMN {column};"
      for table in ("asset", "assetHistory") for column in NEW_COLUMNS),
    "INSERT INTO asset_text (rowid, title) SELECT id, title FROM asset;",
    f"DELETE FROM migration WHERE id > {OLDER}; PRAGMA user_version = {OLDER};",
])


def older_index(base):
    """The statements that replace the full-text index by one that stores texts and positions."""
    (index,) = base.execute("SELECT sql FROM sqlite_master WHERE name = 'asset_text'").fetchone()
    older = index.replace("  content = '', columnsize = 0, detail = none,\n", "")
    older = older.replace("prefix = '1 2 3'", "prefix = '2 3'")
    assert "content" not in older and "'2 3'" in older, index
    return "DROP TABLE asset_text;\n" + older + ";\n"


class Operation:
    """A command on a prepared library; after any fault, repeating it must succeed."""

    def __init__(self, work, preload, binary, images):
        self.work, self.preload, self.binary = work, preload, binary
        self.base = os.path.join(work, self.name.replace(" ", "-").replace(":", ""))
        library = Library(binary, self.base)
        os.makedirs(library.incoming)
        made = subprocess.run([binary, "library", "create", library.folder], capture_output=True)
        assert made.returncode == 0, made.stderr
        result = library.run(["asset", "import", *images[:3], "-q"], {})
        assert result.returncode == 0, result.stderr
        assets = {a["originalFilename"]: a["identifier"] for a in library.lines("asset", "list")}
        keys = ("photo", "second", "third")
        self.names = {key: assets[os.path.basename(p)] for key, p in zip(keys, images)}
        self.prepare(library)
        self.files = self.contents(library)
        done = self.copy("done")
        report = os.path.join(work, "repair-report")
        result = done.run(self.command, {}, LD_PRELOAD=preload, FAULTS_BELOW=done.root,
                          FAULTS_REPORT=report)
        assert result.returncode == 0, (self.name, result.stderr, result.stdout)
        assert done.state() == self.expected, (self.name, done.state(), self.expected)
        with open(report) as file:
            self.calls = int(file.read())
        assert self.calls >= 8, (self.name, self.calls)
        shutil.rmtree(done.root)

    def change(self, library, commands):
        for arguments in commands:
            result = library.run(arguments, self.names)
            assert result.returncode == 0, (self.name, arguments, result.stderr)

    def copy(self, name):
        folder = f"{self.base}-{name}"
        shutil.copytree(self.base, folder)
        return Library(self.binary, folder)

    @staticmethod
    def contents(library):
        """The digests of all originals and renderings, anywhere in the library."""
        return {
            digest(os.path.join(root, name))
            for root, _, files in os.walk(library.folder)
            for name in files
            if not name.startswith("library.db") and not name.endswith(".json")
            and name != "generation"
        }

    def check(self, call, fault):
        library = self.copy(f"{fault[0].replace(' ', '-')}-{call}")
        result = library.run(self.command, {}, **faults(self.preload, library.root, call, fault))
        problems = []
        if fault[1] is None and result.returncode != -9:
            problems.append(f"was not killed but ended with {result.returncode}")
        if fault[1] is not None and result.returncode < 0:
            problems.append(f"died of signal {-result.returncode}")
        problems += self.problems_between(library)
        is_finished = self.is_finished(library)
        again = library.run(self.command, {})
        if not is_finished and again.returncode != 0:
            problems.append(f"the repeated command fails: {(again.stderr + again.stdout).decode().strip()}")
        found = library.state()
        if found != self.expected:
            problems.append(f"the state is {found} instead of {self.expected}")
        if not self.files <= self.contents(library):
            problems.append("a file is missing from the library")
        problems += [finding for finding in library.findings() if "'isError': True" in finding]
        problems += self.problems_of(library)
        shutil.rmtree(library.root)
        return f"{self.name}, {fault[0]} at call {call} of {self.calls}", problems

    def is_finished(self, library):
        """Whether the command had made its change, and is refused when it is repeated."""
        return False

    def problems_between(self, library):
        """Problems found immediately after the fault."""
        return []

    def problems_of(self, library):
        """Further problems after the repeated command."""
        return []

    def databases(self, library):
        return [os.path.join(library.folder, name) for name in os.listdir(library.folder)
                if name.startswith("library.db")]


class RepairOfOlder(Operation):
    """A database older than the files: the library can be opened at any time."""

    name = "library: repair with an older database"
    command = ["library", "repair", "-q"]

    def prepare(self, library):
        self.change(library, BEFORE)
        saved = {path: open(path, "rb").read() for path in self.databases(library)}
        self.change(library, AFTER)
        self.expected = library.state()
        for path in self.databases(library):
            os.remove(path)
        for path, data in saved.items():
            with open(path, "wb") as file:
                file.write(data)

    def problems_between(self, library):
        listed = library.run(["asset", "list"], {})
        return [] if listed.returncode == 0 else [f"cannot be opened: {listed.stderr.decode()}"]


class RepairOfLost(Operation):
    """A missing database: it is rebuilt atomically."""

    name = "library: repair without a database"
    command = ["library", "repair", "-q"]

    def prepare(self, library):
        self.change(library, BEFORE + AFTER)
        self.expected = library.state()
        for path in self.databases(library):
            os.remove(path)

    def problems_between(self, library):
        listed = library.run(["asset", "list"], {})
        if listed.returncode == 0 or not os.path.exists(library.folder + "/library.db"):
            return []
        return [f"a database that cannot be opened: {listed.stderr.decode()}"]


class RepairOfDamaged(RepairOfLost):
    """A damaged database: it is saved or set aside."""

    name = "library: repair of a damaged database"

    def prepare(self, library):
        self.change(library, BEFORE + AFTER)
        self.expected = library.state()
        base = sqlite3.connect(library.folder + "/library.db")
        base.executescript("DROP TABLE member;")
        base.close()

    def problems_between(self, library):
        return []


class Migration(Operation):
    """A database of an older version: the library can be opened at any time, and a backup exists."""

    name = "library: migration"
    command = ["asset", "list", "-q"]

    def prepare(self, library):
        self.change(library, BEFORE + AFTER)
        self.expected = library.state()
        base = sqlite3.connect(library.folder + "/library.db")
        base.executescript(older_index(base) + OLDER_VERSION)
        base.close()
        # Manifests of that version do not have the properties either.
        for path in glob.glob(library.folder + "/assets/*/*/asset.json"):
            with open(path) as file:
                manifest = json.load(file)
            for column in NEW_COLUMNS:
                manifest["properties"].pop(column, None)
            with open(path, "w") as file:
                json.dump(manifest, file, indent=2, sort_keys=True, ensure_ascii=False)

    @staticmethod
    def version(path):
        base = sqlite3.connect(path)
        version = base.execute("PRAGMA user_version").fetchone()[0]
        is_intact = base.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        base.close()
        return version if is_intact else "damaged"

    def problems_between(self, library):
        # Examining a copy leaves the library unchanged.
        copy = library.root + "-copy"
        shutil.copytree(library.folder, copy)
        version = self.version(copy + "/library.db")
        folder = copy + "/backups"
        backups = [self.version(os.path.join(folder, name))
                   for name in (os.listdir(folder) if os.path.isdir(folder) else [])]
        shutil.rmtree(copy)
        # Each step is a transaction of its own.
        is_known = version in range(OLDER, CURRENT + 1)
        problems = [] if is_known else [f"the database is of version {version}"]
        if version != OLDER and OLDER not in backups:
            problems.append("it was migrated without a backup")
        if any(backup != OLDER for backup in backups):
            problems.append(f"the backups are of versions {backups}")
        return problems


class Backup(Operation):
    """A backup to a new folder: it exists whole or not, and a killed one is continued."""

    name = "library: backup"
    command = ["library", "backup", "{incoming}/backup", "--no-hardlinks", "-q"]

    def prepare(self, library):
        self.change(library, BEFORE + AFTER)
        self.expected = library.state()

    def backup(self, library):
        backup = Library(self.binary, library.root)
        backup.folder = library.incoming + "/backup"
        return backup

    def is_finished(self, library):
        return os.path.exists(self.backup(library).folder + "/library.db")

    def problems_between(self, library):
        return self.problems_of(library) if self.is_finished(library) else []

    def problems_of(self, library):
        backup = self.backup(library)
        problems = [] if backup.state() == self.expected else ["the backup has another state"]
        if not self.files <= self.contents(backup):
            problems.append("a file is missing from the backup")
        return problems + [f"in the backup: {finding}" for finding in backup.findings()]


# Each operation with the interval between tested calls without --long.
OPERATIONS = [(RepairOfOlder, 12), (RepairOfLost, 12), (RepairOfDamaged, 30), (Migration, 6),
              (Backup, 12)]
