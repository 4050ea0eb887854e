// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Resampling: PlannedOperation {
  var step: FilterOperation { .resample(self) }
  var mixesNeighbors: Bool { true }

  func isIdentity(on size: PixelSize) -> Bool { span == nil && self.size == size }

  func rotated(by rotation: Orientation, from size: PixelSize) -> FilterOperation {
    .resample(rotated(by: rotation))
  }

  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? {
    let cropped = cropped(to: region, source: size)
    guard let from = cropped.window?.from else { return nil }
    // The image can already be a part of the source, cropped for an earlier window.
    let offset = window?.from ?? Region(size)
    return CroppedStep(
      step: .resample(cropped),
      region: Region(
        x: from.x - offset.x, y: from.y - offset.y, width: from.width, height: from.height))
  }

  func scale(in scaling: inout PreviewScaling) { scaling.resample(self) }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    let (columns, rows) = weights(source: builder.size)
    if builder.hasAlpha { builder.current.steps.append(.premultiply) }
    if let columns { builder.current.steps.append(.resampleRow(columns)) }
    builder.size.width = computedSize.width
    if let rows {
      builder.endStage()
      builder.begin(with: .resample(rows), from: builder.stages[builder.stages.count - 1].output)
      builder.size.height = computedSize.height
    }
    if builder.hasAlpha { builder.current.steps.append(.unpremultiply) }
  }
}
