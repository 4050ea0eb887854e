# SPDX-License-Identifier: Apache-2.0
"""Recipes: GNU parallel and the job script of Slurm are run, the job of Kubernetes is validated."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from case import Case

RECIPES = Path(__file__).parents[1] / "recipes"
MakeCase = Callable[..., Case]


def test_gnu_parallel_completes_a_run(make_case: MakeCase) -> None:
    case = make_case(120)
    case.add("damaged", b"\xff\xd8\xff\xe0 no image")
    case.plan("--shard-lines", 20)
    result = subprocess.run(
        [RECIPES / "parallel", case.run], env=case.environment | {"TMPDIR": str(case.scratch)},
        cwd=case.folder, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    report = case.verify(failed=_failed(case))
    assert report["written"] == 120


def test_gnu_parallel_resumes_what_was_left(make_case: MakeCase, stand_in: str) -> None:
    case = make_case(40, stand_in)
    case.plan("--shard-lines", 20)
    environment = case.environment | {"TMPDIR": str(case.scratch)}
    # The first round ends without a program; the second one finds it.
    flag = case.folder / "flag"
    wrapper = case.folder / "sometimes"
    wrapper.write_text(
        f"#!/bin/sh\nif [ \"$1\" = plan ]; then touch {flag}; fi\n"
        f"if [ \"$1\" = worker ] && [ ! -e {flag} ]; then exit 69; fi\nexec {stand_in} \"$@\"\n")
    wrapper.chmod(0o755)
    result = subprocess.run(
        [RECIPES / "parallel", case.run], env=environment | {"PHOTOEDIT": str(wrapper)},
        cwd=case.folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "incomplete" in result.stdout
    case.verify()


def test_the_job_script_of_slurm_runs_every_shard_once(make_case: MakeCase) -> None:
    case = make_case(60)
    case.plan("--shard-lines", 20)
    count = case.shards()
    for element in range(count + 1):
        subprocess.run(
            ["bash", RECIPES / "slurm", case.run], check=True,
            env=case.environment | {
                "SLURM_ARRAY_TASK_ID": str(element), "SLURM_CPUS_PER_TASK": "2",
                "TMPDIR": str(case.scratch)})
    assert case.verify()["written"] == 60
    names = [path.name.split(".")[0] for path in (case.run / "results").iterdir()]
    assert sorted(names) == sorted(f"0-{number}" for number in range(count))


def test_the_job_of_kubernetes_is_valid() -> None:
    import kubernetes_validate
    import yaml
    job = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text())
    for version in ("1.33", kubernetes_validate.latest_version()):
        kubernetes_validate.validate(job, version, strict=True)
    broken = job | {"spec": job["spec"] | {"completionMode": "indexed", "unknown": 1}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, "1.33", strict=True)
    command = job["spec"]["template"]["spec"]["containers"][0]["command"][2]
    assert re.search(r"photoedit-cluster shard RUN", command)


def _failed(case: Case) -> dict[str, int]:
    from photoedit_cluster.run import Run
    run = Run(str(case.run))
    results = [
        line for _, results in run.all_results() for line in results.values()
        if line["status"] == "failed"]
    return {line["code"]: 1 for line in results}
