# SPDX-License-Identifier: Apache-2.0
"""The example for Node.js."""

import json
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from case import GRAPH, PROGRAM, Case

EXAMPLE = Path(__file__).resolve().parents[2] / "Tools" / "examples" / "node"


@unittest.skipIf(shutil.which("node") is None, "node is not installed (Debian package nodejs)")
class NodeTests(Case):
    def run_script(self, script: str) -> str:
        """The output of a script in the folder, next to the module."""
        shutil.copy(EXAMPLE / "photoedit.mjs", self.folder)
        (self.folder / "script.mjs").write_text(script, encoding="utf-8")
        result = subprocess.run(["node", "script.mjs"], cwd=self.folder, capture_output=True,
                                check=False, text=True, timeout=60)  # fmt: skip
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_the_example_runs(self) -> None:
        self.photo(to="photo.jpg")
        text = (EXAMPLE / "README.md").read_text(encoding="utf-8")
        (script,) = re.findall(r"```js\n(.*?)```", text, re.DOTALL)
        self.run_script(script.replace("'photoedit'", json.dumps(PROGRAM)))
        self.assertTrue((self.folder / "copy.jpg").read_bytes().startswith(b"\xff\xd8\xff"))

    def test_answers_belong_to_their_requests(self) -> None:
        self.photo(to="photo.jpg")
        output = self.run_script(f"""
            import {{ Worker }} from './photoedit.mjs';
            const worker = new Worker({json.dumps(PROGRAM)});
            const graph = {json.dumps(GRAPH)};
            const names = ['a.jpg', 'b.jpg'];
            const reports = await Promise.allSettled([
                ...names.map((name) => worker.render('photo.jpg', name, graph)),
                worker.render('missing.jpg', 'c.jpg', graph)]);
            await worker.close();
            console.log(JSON.stringify(reports.map((one) => one.value?.id ?? one.reason.message)));
            """)
        answers = json.loads(output)
        self.assertEqual(answers[:2], ["a.jpg", "b.jpg"])
        self.assertIn("missing.jpg", answers[2])

    def test_a_worker_that_ends_is_noticed(self) -> None:
        output = self.run_script("""
            import { Worker } from './photoedit.mjs';
            const worker = new Worker('false');
            worker.description.catch(() => {});
            await worker.render('a', 'b', {}).catch((error) => console.log(error.message));
            """)
        self.assertEqual(output, "the worker has ended\n")


if __name__ == "__main__":
    unittest.main()
