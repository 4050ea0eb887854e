#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for photoedit whose worker fails at marked photos; the rest is photoedit itself."""

import ctypes
import json
import os
import resource
import subprocess
import sys
import time

PROGRAM = os.environ["PHOTOEDIT_REAL"]
MARKER = b"photoedit-test-"


def misbehave(action: bytes) -> None:
    if action == b"abort":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.abort()
    elif action == b"sleep":
        time.sleep(1 << 20)
    elif action == b"memory":
        resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
        try:
            bytearray(1 << 30)
        except MemoryError:
            os._exit(70)


def main() -> None:
    if sys.argv[1:2] != ["worker"]:
        os.execv(PROGRAM, [PROGRAM, *sys.argv[1:]])
    ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
    child = subprocess.Popen(
        [PROGRAM, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    hello = json.loads(child.stdout.readline())
    hello["engine"] = int(os.environ.get("PHOTOEDIT_TEST_ENGINE", hello["engine"]))
    print(json.dumps(hello), flush=True)
    log = os.environ.get("PHOTOEDIT_TEST_LOG")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            with open(request["input"], "rb") as file:
                _, found, rest = file.read().rpartition(MARKER)
        except OSError:
            found = b""
        if found:
            misbehave(rest.split(b"\n")[0])
        child.stdin.write(line)
        child.stdin.flush()
        answer = child.stdout.readline()
        if log:
            with open(log, "a", encoding="utf-8") as file:
                file.write(request["id"] + "\n")
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    child.stdin.close()
    sys.exit(child.wait())


main()
