# SPDX-License-Identifier: Apache-2.0
"""Kills and failures while a library is made, and while many files come into it."""

import os
import shutil
import subprocess

import materials
from libraries import Library, faults


class Creation:
    """The making of a library: whatever happens, making it again or using it works afterwards."""

    def __init__(self, work, preload, binary, images):
        self.work, self.preload, self.binary, self.images = work, preload, binary, images
        self.name = "library: creation"
        done = Library(binary, os.path.join(work, "creation-done"))
        report = os.path.join(work, "creation-report")
        result = self.create(done, LD_PRELOAD=preload, FAULTS_BELOW=done.place,
                             FAULTS_REPORT=report)
        assert result.returncode == 0, (self.name, result.stderr)
        with open(report) as file:
            self.calls = int(file.read())
        assert self.calls >= 8, (self.name, self.calls)

    def create(self, library, **environment):
        os.makedirs(library.incoming, exist_ok=True)
        return subprocess.run([self.binary, "library", "create", library.folder, "-q"],
                              capture_output=True, timeout=60,
                              env={**os.environ, **environment})

    def check(self, call, fault):
        name = f"creation-{fault[0].replace(' ', '-')}-{call}"
        library = Library(self.binary, os.path.join(self.work, name))
        result = self.create(library, **faults(self.preload, library.place, call, fault))
        problems = []
        if fault[1] is None and result.returncode != -9:
            problems.append(f"was not killed but ended with {result.returncode}")
        if fault[1] is not None and result.returncode < 0:
            problems.append(f"died of signal {-result.returncode}")
        is_there = library.lines("library", "info") is not None
        if result.returncode == 0 and not is_there:
            problems.append("success was reported without a library")
        if not is_there:
            again = self.create(library)
            if again.returncode != 0:
                problems.append(f"cannot be made again: {again.stderr.decode().strip()}")
        imported = library.run(["asset", "import", self.images[0], "-q"], {})
        if imported.returncode != 0:
            problems.append(f"the first import fails: {imported.stderr.decode().strip()}")
        problems += library.findings()
        shutil.rmtree(library.place)
        return f"{self.name}, {fault[0]} at call {call} of {self.calls}", problems


class Batches:
    """An import of more than one commit: each is whole or absent, and a second run does the rest."""

    COUNT = 103

    def __init__(self, work, preload, binary, images):
        self.work, self.preload, self.binary = work, preload, binary
        self.name = "library: import in batches"
        self.source = os.path.join(work, "batches-source")
        os.makedirs(self.source)
        for number in range(self.COUNT):
            target = os.path.join(self.source, f"{number:03}.jpg")
            materials.numbered(images[0], target, number)
        report = os.path.join(work, "batches-report")
        done = self.library("done")
        result = self.run(done, LD_PRELOAD=preload, FAULTS_BELOW=done.place, FAULTS_REPORT=report)
        assert result.returncode == 0 and len(self.imported(done)) == self.COUNT, result.stderr
        assert len(done.lines("changes")) >= 2, "it was one commit"
        with open(report) as file:
            self.calls = int(file.read())

    def library(self, name):
        library = Library(self.binary, os.path.join(self.work, f"batches-{name}"))
        os.makedirs(library.incoming)
        made = subprocess.run([self.binary, "library", "create", library.folder, "-q"],
                              capture_output=True)
        assert made.returncode == 0, made.stderr
        return library

    def run(self, library, **environment):
        return library.run(["asset", "import", self.source, "-q"], {}, **environment)

    def imported(self, library):
        assets = library.lines("asset", "list")
        return None if assets is None else sorted(asset["originalFilename"] for asset in assets)

    def check(self, call, fault):
        library = self.library(f"{fault[0].replace(' ', '-')}-{call}")
        result = self.run(library, **faults(self.preload, library.place, call, fault))
        problems = []
        if fault[1] is None and result.returncode != -9:
            problems.append(f"was not killed but ended with {result.returncode}")
        found = self.imported(library)
        # A file that cannot be read is left out by itself; a kill leaves out whole commits.
        if found is None or (fault[1] is None and len(found) not in (0, 100, self.COUNT)):
            problems.append(f"a part of a commit: {found if found is None else len(found)}")
        if result.returncode == 0 and len(found or []) != self.COUNT:
            problems.append("success was reported without the change")
        again = self.run(library)
        if again.returncode != 0 or self.imported(library) != sorted(os.listdir(self.source)):
            problems.append(f"a second run does not do the rest: {again.stderr.decode().strip()}")
        # A manifest that was not finished waits for the next upkeep.
        problems += [finding for finding in library.findings() if "'isError': True" in finding]
        shutil.rmtree(library.place)
        return f"{self.name}, {fault[0]} at call {call} of {self.calls}", problems
