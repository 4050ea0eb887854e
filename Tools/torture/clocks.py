# SPDX-License-Identifier: Apache-2.0
"""Wrong clocks: the order of changes, edits and tokens does not depend on the time of day.

A library and a photo with a sidecar are changed with a right clock, then with a wrong one, and then with
the right one again, which is a jump back or forward for the files.
"""

import json
import os
import shutil
import time

import libraries
import materials
from cases import INPUTS, Case, shim

NAME = "clocks"
DAY = 86_400
# Each with the time of day in seconds since 1970, or before or after now.
CLOCKS = {
    "a-day-back": lambda now: now - DAY,
    "ten-years-back": lambda now: now - 3653 * DAY,
    "the-year-1970": lambda now: 5,
    "before-1970": lambda now: -400 * DAY,
    "the-year-2001": lambda now: 978_307_200,
    "the-end-of-32-bits": lambda now: (1 << 31) - 2,
    "the-year-2106": lambda now: (1 << 32) + 1,
    "an-hour-ahead": lambda now: now + 3600,
    "the-year-9999": lambda now: 253_402_300_000,
    "the-year-20000": lambda now: 568_971_820_800,
}  # fmt: skip
JUMPS = {"jump-back": -3600, "jump-ahead": 3600, "jump-of-years": -20 * 365 * DAY}


class Library(libraries.Library):
    """A library whose commands must succeed."""

    def __init__(self, setting, root, preload):
        super().__init__(setting.program.path, root)
        self.setting, self.preload, self.problems = setting, preload, []
        self.clock = {}

    def run(self, arguments, names, **environment):
        words = [word.format(incoming=self.incoming, **names) for word in arguments]
        result = self.setting.program.run(
            [*words, "--library", self.folder], environment={**self.clock, **environment})
        self.problems += result.problems()
        result.returncode = result.code
        return result

    def do(self, *words):
        result = self.run(words, {})
        if result.code != 0:
            self.problems.append(f"{' '.join(words[:2])} ends with {result.code}: {result.error()}")
        return result


def changed(setting, name, preload, clock, expected, is_far_ahead):
    """Everything that depends on an order, with a right, a wrong and the right clock again."""
    library = Library(setting, setting.folder(name), preload)
    os.makedirs(library.incoming)
    photos = []
    for number in range(4):
        photos.append(os.path.join(library.incoming, f"{number}.jpg"))
        materials.numbered(os.path.join(INPUTS, "photo-64.jpg"), photos[-1], number)
    edited = os.path.join(library.incoming, "edited.jpg")
    shutil.copy(photos[0], edited)
    library.do("library", "create", library.folder)
    library.do("asset", "import", photos[0], photos[1], "-q")
    first, second = [asset["identifier"] for asset in library.lines("asset", "list")]
    library.do("apply", first, "--filter", "exposure:ev=0.1", "-q")
    sidecar(library, edited, "0.1")
    tokens, identifiers = [library.token()], {first, second}

    for step, environment in enumerate((clock, {}, clock), start=2):
        library.clock = environment
        library.do("apply", first, "--filter", f"exposure:ev=0.{step}", "--update", "-q")
        sidecar(library, edited, f"0.{step}")
        library.do("album", "create", f"album {step}", second, "-q")
        library.do("asset", "set", second, "--title", f"title {step}", "-q")
        if step < 4:
            library.do("asset", "import", photos[step], "-q")
        tokens.append(library.token())
        shown = library.lines("asset", "show", second)[0]
        if shown["title"] != f"title {step}":
            library.problems.append(f"step {step}: an older title is shown: {shown['title']}")
        for path, options in ((edited, []), (first, ["--library", library.folder])):
            shown = setting.program.run(["show", path, "--json", *options], environment=environment)
            if f'"ev":0.{step}' not in shown.stdout.decode():
                library.problems.append(f"step {step}: an older edit is shown: {shown.stdout[:200]!r}")
        if environment and expected is not None:
            committed = library.lines("changes")[-1]["date"]
            if not committed.startswith(expected):
                library.problems.append(f"the clock is not wrong: {committed} instead of {expected}")
    library.clock = {}
    library.problems += order(library, tokens, is_far_ahead)
    library.do("asset", "delete", second, "--yes", "-q")
    library.do("asset", "restore", second, "-q")
    library.do("undo", first, "-q")
    if '"ev":0.3' not in library.do("show", first, "--json").stdout.decode():
        library.problems.append("undo leads to another edit than the one before")
    found = {asset["identifier"] for asset in library.lines("asset", "list")}
    if len(found) != 4 or not identifiers <= found:
        library.problems.append(f"there are {len(found)} photos instead of 4")
    library.problems += library.findings()
    library.problems += library.differences_after_rebuild()
    shutil.rmtree(library.root)
    return library.problems


def sidecar(library, path, value):
    result = library.setting.program.run(
        ["apply", path, "--filter", f"exposure:ev={value}", "--update", "-q"], environment=library.clock)
    if result.code != 0:
        library.problems.append(f"apply to a file ends with {result.code}: {result.error()}")


def order(library, tokens, is_far_ahead):
    """The problems of the history: each token leads to exactly the later commits."""
    lines = library.lines("changes") or []
    all_tokens = [line["token"] for line in lines]
    problems = [] if len({*all_tokens}) == len(all_tokens) else ["a token is used twice"]
    for number, token in enumerate(tokens):
        result = library.run(["changes", "--since", token, "--json"], {})
        later = [json.loads(line)["token"] for line in result.stdout.splitlines()]
        # The history of a month is kept, so a clock that is far ahead ends it.
        if is_far_ahead and (result.code == 65 or token not in all_tokens and later == all_tokens):
            continue
        if token not in all_tokens or later != all_tokens[all_tokens.index(token) + 1:]:
            problems.append(f"token {number} of {len(tokens)} does not lead to the later changes: "
                            f"exit {result.code}, {len(later)} of {len(all_tokens)}")  # fmt: skip
    titles = [json.dumps(line["albums"]) for line in lines if line["albums"]["inserted"]]
    if len(titles) != 3 and not is_far_ahead:
        problems.append(f"{len(titles)} albums in the history instead of 3")
    return problems


def cases(setting):
    preload = shim(setting, "clock")
    now = int(time.time())
    for name, at in CLOCKS.items():
        clock = {"LD_PRELOAD": preload, "CLOCK_OFFSET": str(at(now) - now)}
        year = time.gmtime(at(now)).tm_year
        expected = f"{year:04}-" if 1970 < year <= 9999 else None
        yield Case(name, changed, setting, name, preload, clock, expected, at(now) - now > 20 * DAY)
    for name, seconds in JUMPS.items():
        # At other readings, the jump is in other parts of a command.
        for after in range(1, 40, 1 if setting.is_nightly else 39):
            clock = {"LD_PRELOAD": preload, "CLOCK_JUMP": str(seconds), "CLOCK_AFTER": str(after)}
            own = f"{name}-at-reading-{after}"
            yield Case(own, changed, setting, own, preload, clock, None, False)
