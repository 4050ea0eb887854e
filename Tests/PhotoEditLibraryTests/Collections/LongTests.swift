// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Whether tests that take minutes are to run: `PHOTOEDIT_LONG_TESTS` is set.
let longTests = ProcessInfo.processInfo.environment["PHOTOEDIT_LONG_TESTS"] != nil
