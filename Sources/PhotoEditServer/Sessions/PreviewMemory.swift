// SPDX-License-Identifier: Apache-2.0

/// The memory that the previews of all editing sessions share.
///
/// A preview waits until its pixels fit next to those of the others; one that is larger than the
/// whole memory is rendered alone.
final class PreviewMemory: Sendable {
  /// The bytes of previews that are rendered at the same time.
  static let maximumBytes = 768 << 20
  /// The bytes of reduced pixels that sessions keep for their next previews.
  static let maximumKeptBytes = 256 << 20
  /// The number of previews that are rendered or wait, each of which occupies a thread.
  static let maximumCount = 12

  private let budget = MemoryBudget()
  private let count = LockedValue(0)

  /// Renders a preview as soon as its pixels fit.
  ///
  /// - Parameters:
  ///   - image: The size of the image, all of whose pixels may be needed for a small part of it.
  ///   - box: The size that the preview fits into.
  /// - Throws: `busy` if too many previews wait.
  func holding<Result>(
    _ image: PixelSize, fitting box: PixelSize, _ render: () throws(RenderError) -> Result
  ) throws(Problem) -> Result {
    let isAdmitted = count.withLock { count in
      guard count < Self.maximumCount else { return false }
      count += 1
      return true
    }
    guard isAdmitted else { throw Problem(.busy, "too many previews are waiting") }
    defer { count.withLock { $0 -= 1 } }
    var limits = ImageLimits()
    limits.maximumMemoryBytes = Self.maximumBytes
    let bytes = Self.bytes(of: image, fitting: box)
    return try rendering(budget.holding(min(bytes, Self.maximumBytes), of: limits, render))
  }

  /// The bytes of a preview: three planes of reduced pixels with 16 bits, and the preview itself,
  /// which may be converted and counted before it is sent.
  static func bytes(of image: PixelSize, fitting box: PixelSize) -> Int {
    6 * image.pixelCount + 16 * min(box.pixelCount, image.pixelCount)
  }
}
