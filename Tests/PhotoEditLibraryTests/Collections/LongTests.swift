// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// True if tests that take minutes are enabled with `PHOTOEDIT_LONG_TESTS`.
let longTests = ProcessInfo.processInfo.environment["PHOTOEDIT_LONG_TESTS"] != nil
