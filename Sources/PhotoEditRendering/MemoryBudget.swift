// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
package import PhotoEditPixels
import PhotoEditStorage

/// The memory shared by the renderings of a process.
///
/// Each rendering reserves its memory in advance and waits until it fits next to the other
/// reservations. A rendering that fits alone is therefore never rejected because of others, and no
/// rendering waits while holding memory.
package final class MemoryBudget: Sendable {
  /// The budget of this process.
  package static let process = MemoryBudget()

  /// The reserved bytes.
  private let reserved = LockedValue(0)

  package init() {}

  /// Runs a body that needs some memory, as soon as that much is available.
  ///
  /// - Parameters:
  ///   - bytes: The memory that the body needs.
  ///   - limits: The limit for all bodies together.
  /// - Throws: `CodecError.limitExceeded` if the body alone would exceed the limit.
  package func holding<Result>(
    _ bytes: Int, of limits: ImageLimits, _ body: () throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    try codec { () throws(CodecError) in try limits.check(memory: bytes) }
    reserved.wait { reserved -> Void? in
      guard reserved == 0 || reserved <= limits.maximumMemoryBytes - bytes else { return nil }
      reserved += bytes
      return ()
    }
    defer { reserved.change { $0 -= bytes } }
    return try body()
  }
}
