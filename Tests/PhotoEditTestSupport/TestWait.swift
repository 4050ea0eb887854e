// SPDX-License-Identifier: Apache-2.0

/// The time after which something that a test waits for counts as hanging.
///
/// It is longer than any wait on a busy machine where thousands of tests run at once.
package enum TestWait {
  package static let seconds = 300.0
  package static let duration: Duration = .seconds(seconds)
}
