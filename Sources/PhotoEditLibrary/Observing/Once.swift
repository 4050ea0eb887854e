// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Runs a body only at the first call.
final class Once: Sendable {
  private let body: Guarded<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) { self.body = Guarded(body) }

  func run() {
    let body = body.withLock { body in
      let mine = body
      body = nil
      return mine
    }
    body?()
  }
}
