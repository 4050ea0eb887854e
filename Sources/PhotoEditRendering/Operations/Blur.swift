// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension BlurKernel: PlannedOperation {
  var step: FilterOperation { .blur(self) }
  var mixesNeighbors: Bool { true }

  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? {
    // The grid is centered on the image, and would be elsewhere in a smaller one; unneeded columns
    // and rows are skipped where the grid is enlarged to pixels again.
    CoarseGaussian(self) == nil
      ? CroppedStep(step, region: region, reach: radius, from: size) : nil
  }

  /// Plans both directions; a crop after the blur already drops columns between them.
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
