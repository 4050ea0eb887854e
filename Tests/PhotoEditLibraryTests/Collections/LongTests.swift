// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Whether tests that take minutes are to run: `PHOTOEDIT_LONG_TESTS` is set.
let longTests = ProcessInfo.processInfo.environment["PHOTOEDIT_LONG_TESTS"] != nil

extension SeededNumbers {
  /// A number from 0 to below a limit; 0 when there is none.
  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }
}
