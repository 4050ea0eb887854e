# SPDX-License-Identifier: Apache-2.0
"""Compares what photoedit renders with what other programs make of the same picture."""
