// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Runs a body only at the first call.
final class OneShot: Sendable {
  private let body: LockedValue<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) { self.body = LockedValue(body) }

  func run() {
    let body = body.withLock { body in
      let mine = body
      body = nil
      return mine
    }
    body?()
  }
}
