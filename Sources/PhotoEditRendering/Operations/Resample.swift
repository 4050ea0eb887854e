// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Resampling: PlannedOperation {
  var step: FilterOperation { .resample(self) }
  var mixesNeighbors: Bool { true }

  func isNeutral(on size: PixelSize) -> Bool { span == nil && self.size == size }

  func turned(by turn: Orientation, from size: PixelSize) -> FilterOperation {
    .resample(turned(by: turn))
  }

  func cut(to region: Region, from size: PixelSize) -> CutStep? {
    let cut = cut(to: region, source: size)
    guard let from = cut.window?.from else { return nil }
    // The image can already be a part of the source, cropped for an earlier window.
    let offset = window?.from ?? Region(size)
    return CutStep(
      step: .resample(cut),
      region: Region(
        x: from.x - offset.x, y: from.y - offset.y, width: from.width, height: from.height))
  }

  func scale(in scaling: inout PreviewScaling) { scaling.resample(self) }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    let (columns, rows) = weights(source: builder.size)
    if builder.hasAlpha { builder.current.steps.append(.premultiply) }
    if let columns { builder.current.steps.append(.resampleRow(columns)) }
    builder.size.width = madeSize.width
    if let rows {
      builder.endStage()
      builder.begin(with: .resample(rows), from: builder.stages[builder.stages.count - 1].output)
      builder.size.height = madeSize.height
    }
    if builder.hasAlpha { builder.current.steps.append(.unpremultiply) }
  }
}
