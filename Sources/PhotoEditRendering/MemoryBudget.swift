// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
package import PhotoEditPixels
import PhotoEditStorage

/// The memory that the renderings of a process share.
///
/// Each says beforehand how much it takes, and waits until that fits beside what others have taken.
/// One that fits alone is therefore never refused for others, and nobody waits while holding some.
package final class MemoryBudget: Sendable {
  /// The budget of this process.
  package static let process = MemoryBudget()

  /// Bytes that are taken.
  private let taken = Guarded(0)

  package init() {}

  /// Runs a body that takes some memory, as soon as others leave so much of it.
  ///
  /// - Parameters:
  ///   - bytes: What the body takes.
  ///   - limits: What all bodies may take together.
  /// - Throws: `CodecError.limitExceeded` where the body alone would take more.
  package func holding<Result>(
    _ bytes: Int, of limits: ImageLimits, _ body: () throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    try codec { () throws(CodecError) in try limits.check(memory: bytes) }
    taken.wait { taken -> Void? in
      guard taken == 0 || taken <= limits.maximumMemoryBytes - bytes else { return nil }
      taken += bytes
      return ()
    }
    defer { taken.change { $0 -= bytes } }
    return try body()
  }
}
