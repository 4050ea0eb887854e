# SPDX-License-Identifier: Apache-2.0
"""Limits of file sizes, descriptors and memory: a command fails, and the library stays as it was."""

import os

import subjects
from cases import Case

NAME = "limits"
OPERATIONS = {
    "import": lambda library: ["asset", "import", library.incoming + "/new.jpg", "-q"],
    "edit": lambda library: ["apply", library.names[1], "--filter", "invert", "-q"],
    "second-edit": lambda library: ["apply", library.names[0], "--filter", "invert", "-q"],
    "revert": lambda library: ["revert", library.names[0], "-q"],
    "album": lambda library: ["album", "create", "Porto", library.names[2], "-q"],
    "delete": lambda library: ["asset", "delete", library.names[0], "--yes", "-q"],
    "repair": lambda library: ["library", "repair", "-q"],
}
# Messages are written to a file, too.
FILE_SIZES = (1, 100, 512, 1000, 2000, 2500, 4096, 8192, 12_000, 16_384, 33_000, 65_536, 140_000, 300_000)
DESCRIPTORS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 64)
MEBIBYTES = (40, 64, 80, 100, 128, 160, 200, 256, 320, 400, 512, 768, 1024)


def limited(base, name, operation, limit):
    """A command with a limit: its library is in the old or in the new state, as it reports."""
    library = subjects.copied(base, name)
    # Swift ends the process if there is no memory.
    may_be_killed = limit.startswith("--as")
    result = library.run(OPERATIONS[operation](library), {}, limits=(limit,), may_be_killed=may_be_killed)
    found = library.state()
    if found is None:
        library.problems.append("the library cannot be read")
    elif operation == "repair":
        if found != library.expected:
            library.problems.append(f"after the repair: {found} instead of {library.expected}")
    elif result.code == 0 and found == library.expected:
        library.problems.append("success was reported without the change")
    elif result.code > 0 and found != library.expected and b"reopen the library" not in result.stderr:
        library.problems.append(f"failure {result.code} was reported, and the change was made: {result.error()}")
    if result.code > 0 and not result.stderr.strip():
        library.problems.append(f"failure {result.code} without a message")
    library.do("asset", "set", library.names[2], "--favorite", "yes", "-q")
    library.problems += library.findings()
    if lost := library.originals_before - library.kept():
        library.problems.append(f"{len(lost)} originals are missing or changed")
    return library.end()


def cases(setting):
    base = subjects.prepared(setting)
    limits = [("file-size", "--fsize", number) for number in FILE_SIZES]
    limits += [("descriptors", "--nofile", number) for number in DESCRIPTORS]
    limits += [("memory", "--as", number << 20) for number in MEBIBYTES]
    names = list(OPERATIONS)
    for index, (kind, option, number) in enumerate(limits):
        # Without --nightly, each limit meets one operation, in turn.
        for operation in names if setting.is_nightly else [names[index % len(names)]]:
            name = f"{operation}-with-{kind}-{number}"
            yield Case(name, limited, base, name, operation, f"{option}={number}")
