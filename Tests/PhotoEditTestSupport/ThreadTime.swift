// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The processor time of one thread, which other tests on a busy machine do not lengthen.
public enum ThreadTime {
  /// Seconds of processor time that some work takes on this thread.
  public static func measure(_ work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
