# SPDX-License-Identifier: Apache-2.0
"""Rendering of photos on many machines, in shards that any engine can run."""
