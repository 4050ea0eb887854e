# SPDX-License-Identifier: Apache-2.0
"""Reads libraries on full disks: everything can be read, and nothing is lost by a failed change.

As a program in a user namespace, library_disks.py MOUNT OUTSIDE BINARY IMAGE OTHER mounts a small disk,
fills it and prints the problems, one a line.
"""

import errno
import json
import os
import shutil
import subprocess
import sys

SIZE = "3m"

# Commands that only read; words in braces represent identifiers and paths elsewhere.
READS = [
    ["asset", "list", "--json"],
    ["asset", "show", "{photo}", "--json"],
    ["asset", "list", "--where", "favorite==NO", "--sort", "filename:desc", "--json"],
    ["album", "list", "--json"],
    ["album", "show", "Lisbon", "--json"],
    ["moment", "list", "--json"],
    ["changes", "--json"],
    ["show", "{photo}", "--json"],
    ["library", "check", "--json"],
    ["library", "check", "--deep", "--json"],
    ["asset", "export", "--all", "-o", "{out}"],
    ["thumbnail", "{photo}", "-o", "{out}/thumbnail.jpg"],
    ["library", "backup", "{out}/backup", "--deep"],
]
CHANGES = [
    ["asset", "set", "{photo}", "--title", "x"],
    ["asset", "delete", "{photo}", "--yes"],
    ["album", "create", "Porto"],
    ["apply", "{photo}", "--filter", "invert"],
    ["asset", "import", "{other}"],
]


class Library:
    """A library with a photo in an album, and a folder on another disk."""

    def __init__(self, binary, folder, image, other, outside):
        self.binary, self.folder, self.outside = binary, folder, outside
        self.names = {"other": other, "out": outside}
        self.run(["library", "create", folder], is_opened=False)
        self.run(["asset", "import", "-q", image])
        listed = json.loads(self.run(["asset", "list", "--json"]))
        self.names["photo"] = listed["identifier"]
        self.run(["album", "create", "Lisbon", "{photo}"])

    def run(self, words, code=0, is_opened=True, **environment):
        words = [word.format(**self.names) for word in words]
        result = subprocess.run(
            [self.binary, *words, *(["--library", self.folder] if is_opened else [])],
            capture_output=True, timeout=120, env={**os.environ, **environment})
        if result.returncode != code:
            error = result.stderr.decode(errors="replace").strip()
            raise RuntimeError(f"exit {result.returncode} instead of {code}: {error}")
        return result.stdout

    def read(self, words, **environment):
        """The output of a command and the names of its files, or the failure."""
        shutil.rmtree(self.outside, ignore_errors=True)
        os.mkdir(self.outside)
        try:
            output = self.run(words, **environment)
        except RuntimeError as error:
            return str(error)
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.outside)
                 for name in names]
        # The names of a backup's log and index depend on which of its processes ended last.
        return output, sorted(name for name in files if not name.endswith(("-wal", "-shm")))

    def reads(self, commands=READS, **environment):
        """The results of commands that only read."""
        return {" ".join(words): self.read(words, **environment) for words in commands}

    def differences(self, before, **environment):
        """The reads that fail, or have other results than before."""
        now = self.reads([name.split(" ") for name in before], **environment)
        return [f"{name}: {now[name] if isinstance(now[name], str) else 'another result'}"
                for name in before if now[name] != before[name]]

    def remove_shared(self):
        """Removes the empty log and the shared memory of readers, whose room others could use."""
        for name in ("library.db-wal", "library.db-shm"):
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                assert name == "library.db-shm" or os.path.getsize(path) == 0
                os.remove(path)

    def changes(self):
        """The changes that do not fail with the exit code of a full disk."""
        for words in CHANGES:
            try:
                self.run(words, code=74)
            except RuntimeError as error:
                yield f"{' '.join(words)}: {error}"


def fill(folder):
    with open(os.path.join(folder, "fill"), "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            assert error.errno == errno.ENOSPC


def real_disk(mount, outside, binary, image, other):
    """The problems on a disk that is really full; the process has its own mounts."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", mount], check=True)
    library = Library(binary, os.path.join(mount, "library"), image, other, outside)
    before = library.reads()
    yield from (f"before: {name}: {read}" for name, read in before.items() if isinstance(read, str))
    library.remove_shared()
    fill(mount)
    yield from library.differences(before)
    shared = os.path.join(library.folder, "library.db-shm")
    if os.path.exists(shared) and os.path.getsize(shared) >= 32 << 10:
        yield "the disk had room for shared memory"
    yield from library.changes()
    os.remove(os.path.join(mount, "fill"))
    # What failed has left nothing behind and lost nothing.
    yield from (f"with room again: {problem}" for problem in library.differences(before))


def injected(work, preload, binary, image, other):
    """The problems if every call that changes the library fails, also the creation of files."""
    library = Library(binary, os.path.join(work, "full-library"), image, other,
                      os.path.join(work, "full-outside"))
    # The full-text index is examined through a connection that needs a log.
    before = library.reads([words for words in READS if words[:3] != ["library", "check", "--deep"]])
    library.remove_shared()
    problems = library.differences(
        before, LD_PRELOAD=preload, FAULTS_BELOW=library.folder, FAULTS_AT="1",
        FAULTS_ERRNO=str(errno.ENOSPC), FAULTS_ON="1")
    shutil.rmtree(library.folder)
    return problems


def add(checks, work, preload, binary, images):
    """Adds the results to the checks."""
    checks.add("reads while nothing can be created", injected(work, preload, binary, *images[:2]))
    if subprocess.run(["unshare", "-Urm", "true"], capture_output=True).returncode != 0:
        checks.skipped += 1
        print("skipped: reads on a full disk, because user namespaces are not allowed here")
        return
    mount, outside = os.path.join(work, "full-disk"), os.path.join(work, "outside")
    os.mkdir(mount)
    result = subprocess.run(
        ["unshare", "-Urm", sys.executable, "-B", os.path.realpath(__file__), mount, outside,
         binary, *images[:2]], capture_output=True, timeout=600)
    problems = result.stdout.decode().splitlines()
    if result.returncode != 0:
        problems.append(result.stderr.decode().strip())
    checks.add("reads on a full disk", problems)


if __name__ == "__main__":
    for line in real_disk(*sys.argv[1:]):
        print(line)
