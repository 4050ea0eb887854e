# SPDX-License-Identifier: Apache-2.0
"""Rows of the looks: fixed chains of catalog filters, composed of parts of several programs."""

from harness.rows import F, T1, call, node, row
from references import chromium, looks

ROWS = [
    row(
        f"look.{name}",
        f"amount={amount}",
        {"amount": amount},
        call(looks.look, name, amount),
        F(0.02),
    )
    for name in looks.LOOKS
    for amount in (1, 0.4)
]
ROWS += [
    row(
        f"look.{name}",
        f"version 2 amount={amount}",
        {},
        call(looks.look, name, amount, version=2),
        # As vibrance.
        F(0.1),
        nodes=[node(f"look.{name}", version=2, amount=amount)],
    )
    for name in looks.SECOND
    for amount in (1, 0.4)
]
ROWS += [
    row("look.tonal", "CSS", {"amount": 1}, call(chromium.css, "grayscale(1)"), T1),
    row("look.mono", "CSS", {"amount": 1}, call(chromium.css, "grayscale(1) contrast(0.85)"), T1),
]
