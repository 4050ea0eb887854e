// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The clock of deadlines, which is never set.
enum MonotonicClock {
  /// The milliseconds since the start of the machine.
  static var milliseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }

  /// The seconds since the start of the machine.
  static var seconds: Int { milliseconds / 1000 }
}
