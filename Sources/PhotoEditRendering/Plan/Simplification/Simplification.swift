// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension [FilterOperation] {
  /// The same recipe with less to do: nothing neutral, colour steps joined, cuts and shrinking early.
  ///
  /// Samples are equal up to the rounding of floats. Expects all turns first.
  ///
  /// - Parameter source: What the first operation works on.
  func simplified(for source: PartResult) -> [FilterOperation] {
    guard let channels = ChannelLayout(rawValue: source.planes) else { return self }
    let size = source.shape.size
    let cut = joined(channels: channels, source: size).withCropsFirst(source: size)
    let fades = contains { if case .fade = $0 { true } else { false } }
    guard !channels.hasAlpha, !fades else { return cut.joined(channels: channels, source: size) }
    return cut.withLinearStepsReordered(source: size).joined(channels: channels, source: size)
  }

  /// The same recipe without neutral steps, and with neighbouring colour steps joined.
  ///
  /// - Parameters:
  ///   - channels: What the decoder delivers.
  ///   - source: Size of the picture before the first operation.
  func joined(channels: ChannelLayout, source: PixelSize) -> [FilterOperation] {
    var fusion = ColorFusion(isGray: channels.colorCount == 1, hasAlpha: channels.hasAlpha)
    for operation in withoutNeutralGeometry(source: source) { fusion.add(operation) }
    return fusion.operations
  }

  private func withoutNeutralGeometry(source: PixelSize) -> [FilterOperation] {
    var size = source
    return filter { operation in
      let before = size
      size = operation.outputSize(of: before)
      return !operation.planned.isNeutral(on: before)
    }
  }
}
