# SPDX-License-Identifier: Apache-2.0
"""Runs a script with the pinned programs."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
VENV = ROOT / ".build" / "oracles-venv"
FOLDER = ROOT / "Tests" / "Oracles"


def enter(script):
    """Restarts the script in the environment, which is created on first use."""
    subprocess.run([str(HERE / "setup")], check=True)
    if Path(sys.prefix).resolve() != VENV.resolve():
        python = VENV / "bin" / "python"
        # -I ignores user packages and PYTHONPATH; -B writes no caches to the clone.
        os.execv(python, [str(python), "-IB", str(Path(script).resolve()), *sys.argv[1:]])
    sys.path.insert(0, str(HERE))
    # The package "colour" warns at every start that it cannot draw plots.
    warnings.filterwarnings("ignore", module="colour")
