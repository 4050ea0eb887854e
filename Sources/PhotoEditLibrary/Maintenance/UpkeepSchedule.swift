// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// When upkeep is done: at once for little, in pauses for much.
final class UpkeepSchedule: Sendable {
  struct State {
    /// Counts the commits of this object.
    var commits = 0
    var isPlanned = false
  }

  let state = Guarded(State())

  /// Seconds without a commit after which there is time.
  static let pause = 0.5
}
