// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The schedule of maintenance: small tasks run immediately, larger ones during pauses.
final class MaintenanceSchedule: Sendable {
  struct State {
    /// The number of commits through this object.
    var commits = 0
    var isPlanned = false
  }

  let state = LockedValue(State())

  /// The time in seconds without a commit after which background maintenance starts.
  static let pause = 0.5
}
