// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension [FilterOperation] {
  /// Returns equivalent operations that need less work: without identity steps, with color steps
  /// merged, and with crops and downscaling first.
  ///
  /// Samples are equal up to the rounding of floats. Expects all rotations first.
  ///
  /// - Parameter source: The input of the first operation.
  func simplified(for source: SubgraphResult) -> [FilterOperation] {
    guard let channels = ChannelLayout(rawValue: source.planes) else { return self }
    let size = source.shape.size
    let hoisted = joined(channels: channels, source: size).withCropsFirst(source: size)
    let fades = contains { if case .fade = $0 { true } else { false } }
    guard !channels.hasAlpha, !fades else {
      return hoisted.joined(channels: channels, source: size)
    }
    return hoisted.withLinearStepsReordered(source: size).joined(channels: channels, source: size)
  }

  /// Returns the same operations without identity steps, and with neighboring color steps merged.
  ///
  /// - Parameters:
  ///   - channels: The channels that the decoder delivers.
  ///   - source: The size of the image before the first operation.
  func joined(channels: ChannelLayout, source: PixelSize) -> [FilterOperation] {
    var fusion = ColorFusion(isGray: channels.colorCount == 1, hasAlpha: channels.hasAlpha)
    for operation in withoutIdentityGeometry(source: source) { fusion.add(operation) }
    return fusion.operations
  }

  private func withoutIdentityGeometry(source: PixelSize) -> [FilterOperation] {
    var size = source
    return filter { operation in
      let before = size
      size = operation.outputSize(of: before)
      return !operation.planned.isIdentity(on: before)
    }
  }
}
