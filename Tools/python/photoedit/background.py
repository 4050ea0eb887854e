# SPDX-License-Identifier: Apache-2.0
"""Calls beside an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from .native import Cancellation

Result = TypeVar("Result")


async def background(call: Callable[..., Result], *arguments: Any, **options: Any) -> Result:
    """Runs a call that takes a `cancellation` on a thread: `await background(image.render, …)`.

    If the task is canceled, the call is, too, and its end is awaited.
    """
    cancellation = Cancellation()
    work = asyncio.ensure_future(
        asyncio.to_thread(call, *arguments, cancellation=cancellation, **options))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        cancellation.cancel()
        await asyncio.wait([work])
        work.exception()
        raise
