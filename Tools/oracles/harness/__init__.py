# SPDX-License-Identifier: Apache-2.0
"""Compares photoedit with other programs on the same images."""
