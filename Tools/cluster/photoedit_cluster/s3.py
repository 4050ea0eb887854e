# SPDX-License-Identifier: Apache-2.0
"""A prefix of an S3 bucket. boto3 finds the credentials by its own chain."""

import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

import boto3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError, ClientError, HTTPClientError, IncompleteReadError, NoCredentialsError)

from .failure import (
    BUSY, CONFIGURATION, INPUT_OUTPUT, MISSING, NO_PERMISSION, Failure, repeated)
from .store import check_size

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

Result = TypeVar("Result")

_BUSY = {409, 429, 500, 502, 503, 504}
_STATUS = {403: (NO_PERMISSION, "noPermission"), 401: (NO_PERMISSION, "noPermission"),
           404: (MISSING, "missing")}


class _Existing(Exception):
    """The name exists (412)."""


class S3Store:
    """Objects under a prefix; conditional writes keep the first one of each name."""

    def __init__(self, bucket: str, prefix: str) -> None:
        self._bucket, self._prefix = bucket, prefix + "/" if prefix else ""
        self.url = f"s3://{bucket}/{prefix}".rstrip("/")
        # Repetitions are those of `repeated`; two layers would multiply them.
        self._client: S3Client = boto3.session.Session().client("s3", config=Config(
            retries={"total_max_attempts": 1}, connect_timeout=10, read_timeout=60,
            max_pool_connections=64))
        self._writer = uuid.uuid4().hex

    def path(self, name: str) -> str | None:
        return None

    def get(self, name: str, limit: int) -> bytes:
        return b"".join(self.blocks(name, limit))

    def blocks(self, name: str, limit: int) -> Iterator[bytes]:
        answer = self._called(name, lambda: self._client.get_object(
            Bucket=self._bucket, Key=self._prefix + name))
        body = answer["Body"]
        check_size(name, answer.get("ContentLength", 0), limit)
        size = 0
        while block := self._called(name, lambda: body.read(1 << 20)):
            size += len(block)
            check_size(name, size, limit)
            yield block

    def put_once(self, name: str, data: bytes) -> bool:
        # A connection may break after the object was written: the repetition finds its own object.
        token = f"{self._writer}-{uuid.uuid4().hex}"
        is_repetition = False

        def put() -> bool:
            nonlocal is_repetition
            try:
                self._called(name, lambda: self._client.put_object(
                    Bucket=self._bucket, Key=self._prefix + name, Body=data, IfNoneMatch="*",
                    Metadata={"photoedit-writer": token}))
                return True
            except _Existing:
                return is_repetition and self._token(name) == token
            finally:
                is_repetition = True

        return repeated(put)

    def replace(self, name: str, data: bytes) -> None:
        self._called(name, lambda: self._client.put_object(
            Bucket=self._bucket, Key=self._prefix + name, Body=data))

    def exists(self, name: str) -> bool:
        try:
            self._token(name)
            return True
        except Failure as failure:
            if failure.exit == MISSING:
                return False
            raise

    def _token(self, name: str) -> str:
        head = self._called(name, lambda: self._client.head_object(
            Bucket=self._bucket, Key=self._prefix + name))
        return head["Metadata"].get("photoedit-writer", "")

    def list(self, prefix: str) -> Iterator[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=self._prefix + prefix)
        iterator = iter(pages)
        while page := self._called(prefix, lambda: next(iterator, None)):
            for entry in page.get("Contents", []):
                yield entry["Key"].removeprefix(self._prefix)

    def delete(self, name: str) -> None:
        self._called(name, lambda: self._client.delete_object(
            Bucket=self._bucket, Key=self._prefix + name))

    def _called(self, name: str, action: Callable[[], Result]) -> Result:
        """Calls boto3; its errors become failures."""
        where = f"{self.url}/{name}"
        try:
            return action()
        except ClientError as error:
            status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
            code = error.response.get("Error", {}).get("Code", "")
            if status == 412:
                raise _Existing from error
            if status in _BUSY or code in ("SlowDown", "RequestTimeout"):
                raise Failure(BUSY, "storeBusy", f"{where}: the store answers {status}") from error
            exit_code, short = _STATUS.get(status, (INPUT_OUTPUT, "store"))
            raise Failure(
                exit_code, short, f"{where}: the store answers {status} {code}") from error
        except NoCredentialsError as error:
            raise Failure(NO_PERMISSION, "noCredentials", f"{where}: {error}") from error
        except (HTTPClientError, IncompleteReadError, OSError) as error:
            raise Failure(BUSY, "connection", f"{where}: {type(error).__name__}") from error
        except BotoCoreError as error:
            raise Failure(CONFIGURATION, "store", f"{where}: {error}") from error
