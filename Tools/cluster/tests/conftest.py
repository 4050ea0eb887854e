# SPDX-License-Identifier: Apache-2.0
"""The program, photos, stores and clusters of the tests; everything is on 127.0.0.1."""

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, os.path.dirname(__file__))
os.environ["RAY_worker_niceness"] = "0"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Drivers are processes of their own and share the token of the cluster.
os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}

from case import Case  # noqa: E402

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def real() -> str:
    """The program under test."""
    program = os.environ.get("PHOTOEDIT_REAL") or shutil.which("photoedit")
    assert program, "set PHOTOEDIT_REAL to the program photoedit"
    return program


@pytest.fixture(scope="session")
def base(real: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A JPEG of 256×192."""
    path = tmp_path_factory.mktemp("base") / "base.jpg"
    subprocess.run(
        [real, "apply", "-q", "--no-sidecar", "--filter", "resize:width=256", "-o", path,
         ROOT / "TestImages/inputs/photo-1024.jpg"], check=True)
    return path.read_bytes()


@pytest.fixture
def program(real: str, tmp_path: Path) -> str:
    """The program under a name of this test alone, so that its processes can be counted."""
    path = tmp_path / "bin" / "photoedit"
    path.parent.mkdir()
    path.symlink_to(os.path.abspath(real))
    return str(path)


@pytest.fixture
def stand_in(tmp_path: Path) -> str:
    """A program whose worker fails at marked photos."""
    path = tmp_path / "bin" / "photoedit-stand-in"
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(Path(__file__).parent / "worker.py")
    return str(path)


@pytest.fixture
def make_case(
    tmp_path: Path, base: bytes, real: str, program: str,
) -> Callable[..., Case]:
    """The cases of a test."""
    def make(count: int = 300, program: str = program) -> Case:
        folder = tmp_path / "case"
        folder.mkdir()
        return Case(folder, base, count, program, real)
    return make


@pytest.fixture(scope="session")
def bucket() -> Iterator[str]:
    """The endpoint of moto's server with the bucket `photos`."""
    import boto3
    from moto.server import ThreadedMotoServer
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}
    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    endpoint = "http://%s:%d" % server.get_host_and_port()
    boto3.client("s3", endpoint_url=endpoint).create_bucket(Bucket="photos")
    yield endpoint
    server.stop()
