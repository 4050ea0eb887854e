// SPDX-License-Identifier: Apache-2.0
import Filters
import Pixels

extension [FilterOperation] {
  /// The same recipe with less to do: nothing neutral, colour steps joined, cuts and shrinking early.
  ///
  /// Samples are equal up to the rounding of floats. Expects all turns first.
  ///
  /// - Parameter source: Size and layout as the decoder delivers them.
  func simplified(for source: StripShape) -> [FilterOperation] {
    guard case .packed(let layout) = source.format else { return self }
    func fused(_ operations: [FilterOperation]) -> [FilterOperation] {
      var fusion = ColorFusion(
        isGray: layout.channels.colorCount == 1, hasAlpha: layout.channels.hasAlpha)
      for operation in operations { fusion.add(operation) }
      return fusion.operations
    }
    let cut = fused(withoutNeutralGeometry(source: source.size)).withCropsFirst(source: source.size)
    guard !layout.channels.hasAlpha else { return fused(cut) }
    return fused(cut.withLinearStepsReordered(source: source.size))
  }

  private func withoutNeutralGeometry(source: PixelSize) -> [FilterOperation] {
    var size = source
    return filter { operation in
      let before = size
      size = operation.outputSize(of: before)
      switch operation {
      case .orient(let turn): return turn != .up
      case .crop(let region): return region != Region(before)
      case .resample(let resampling): return resampling.span != nil || resampling.size != before
      default: return true
      }
    }
  }
}
