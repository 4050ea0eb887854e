# SPDX-License-Identifier: Apache-2.0
"""Examines whether the sections notice a program that misbehaves."""

import os
import tempfile

import cases

# A section, the harm that the stand-in does, and the beginning of the name of the case that notices it.
TRIALS = [
    ("syncs", "unsynced", "file-edit"),
    ("folders", "escape", "names-of-files-0"),
    ("clocks", "lie", "a-day-back"),
    ("limits", "lie", "import-with-memory-1073741824"),
    ("databases", "lie", "lost"),
    ("mutations", "crash", "photo-64.jpg-0"),
    ("mutations", "hang", "photo-64.jpg-0"),
    ("mutations", "memory", "photo-64.jpg-0"),
    ("mutations", "touch", "photo-64.jpg-0"),
    ("processes", "lie", "writers"),
]


def trial(section, harm, name):
    """Why a harm is not noticed, or what is found without one."""
    # A hang is the same after a shorter time, but only the stand-in hangs for sure.
    seconds = 5 if harm == "hang" else cases.SECONDS
    os.environ["STAND_IN"] = "none"
    with tempfile.TemporaryDirectory(prefix="photoedit-self-test-") as work:
        stand_in = cases.Program(os.path.join(cases.HERE, "stand-in"))
        setting = cases.Setting(os.path.realpath(work), stand_in, 1, False)
        # Which operation a limit meets depends on the level.
        setting.is_nightly = section.NAME == "limits"
        case = next(case for case in section.cases(setting) if case.name.startswith(name))
        if found := case.outcome():
            return f"without a harm: {found}"
        for left in os.listdir(setting.work):
            if left == case.name:
                os.rename(os.path.join(setting.work, left), os.path.join(setting.work, "first"))
        os.environ["STAND_IN"] = harm
        stand_in.seconds = seconds
        outcome = case.outcome()
        return None if isinstance(outcome, list) and outcome else f"not noticed: {outcome}"


def main(sections, program):
    os.environ["STAND_IN_FOR"] = os.path.abspath(program.path)
    failed = 0
    for name, harm, case in TRIALS:
        if problem := trial(sections[name], harm, case):
            failed += 1
            print(f"FAILED {name}, {harm}: {problem}", flush=True)
    print(f"{len(TRIALS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0
