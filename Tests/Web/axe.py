# SPDX-License-Identifier: Apache-2.0
"""axe-core, which checks a page against WCAG; its package is installed on first use."""

import hashlib
import pathlib
import subprocess
import sys

from harness import ROOT, Skipped

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")
FOLDER = ROOT / ".build" / "axe"
RUN = """
axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'],
}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => {
  const [reason] = [...node.any, ...node.all, ...node.none].map(({ message }) => message);
  return `${id}: ${node.target.join(' ')}: ${reason ?? ''}`;
})))
"""


def source():
    """The script; without network, the check that needs it is skipped."""
    digest = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    stamp = FOLDER / "requirements.sha256"
    if not stamp.exists() or stamp.read_text() != digest:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--retries", "1", "--timeout", "20", "--no-cache-dir", "--require-hashes", "--no-deps",
             "--upgrade", "--target", FOLDER, "-r", REQUIREMENTS],
            capture_output=True, text=True)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
            if "hash" in done.stderr.lower():
                raise AssertionError(f"the package has another digest: {reason}")
            raise Skipped(f"axe-core cannot be installed: {reason}")
        stamp.write_text(digest)
    return (FOLDER / "axe_core_python" / "axe.min.js").read_text()


def violations(page, script):
    """The violations of WCAG 2.1 A and AA in the shown page."""
    def evaluate(expression):
        # The policy of the page does not apply to the debugger.
        answer = page.driver.execute_cdp_cmd("Runtime.evaluate", {
            "expression": expression, "awaitPromise": True, "returnByValue": True})
        if "exceptionDetails" in answer:
            raise AssertionError(f"axe-core: {answer['exceptionDetails']}")
        return answer["result"].get("value")
    evaluate(f"{script}; undefined")
    return evaluate(RUN)
