# SPDX-License-Identifier: Apache-2.0
"""Calls beside an event loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from .native import Cancellation

Result = TypeVar("Result")


async def background(call: Callable[..., Result], *arguments: Any, **options: Any) -> Result:
    """Runs a call on a thread: `await background(image.render, …)`.

    If the task is canceled, so is a call that takes a `cancellation`; its end is awaited.
    """
    try:
        takes = "cancellation" in inspect.signature(call).parameters
    except (TypeError, ValueError):
        takes = False
    cancellation = options.get("cancellation") or Cancellation()
    if takes:
        options["cancellation"] = cancellation
    work = asyncio.ensure_future(asyncio.to_thread(call, *arguments, **options))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        cancellation.cancel()
        await asyncio.wait([work])
        work.exception()
        raise
