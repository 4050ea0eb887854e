// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension BlurKernel: PlannedOperation {
  var step: FilterOperation { .blur(self) }
  var mixesNeighbors: Bool { true }

  func cut(to region: Region, from size: PixelSize) -> CutStep? {
    // The grid lies about the middle of the picture, and would lie elsewhere in a smaller one;
    // columns and rows that nobody wants are left out where it leads back to pixels.
    CoarseGaussian(self) == nil
      ? CutStep(step, region: region, reach: radius, from: size) : nil
  }

  /// A cut behind it leaves out columns between the two directions already.
  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if let gaussian = CoarseGaussian(self) { return builder.add(gaussian) }
    if builder.hasAlpha { builder.current.steps.append(.premultiply) }
    builder.current.steps.append(.blurRow(self))
    if case .crop(let region)? = rest.first, region.width != builder.size.width {
      builder.current.steps.append(.cropColumns(region.x..<region.maxX))
      builder.size.width = region.width
    }
    builder.endStage()
    builder.begin(
      with: .blur(self, fromPlane: builder.savedPlanes),
      from: builder.stages[builder.stages.count - 1].output)
    if builder.hasAlpha { builder.current.steps.append(.unpremultiply) }
  }
}
