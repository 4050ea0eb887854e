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

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if let gaussian = CoarseGaussian(self) { return builder.add(gaussian) }
    if builder.hasAlpha { builder.current.steps.append(.premultiply) }
    // An image that was just saved is written once.
    let keepsInput = builder.current.steps.last == .save
    if keepsInput {
      builder.current.steps.removeLast()
      builder.savedImages -= 1
    }
    let fromPlane = builder.savedPlanes
    builder.endStageBeforePlanes()
    builder.current.inputMapping = .blur(self, fromPlane: fromPlane, keepsInput: keepsInput)
    if keepsInput { builder.savedImages += 1 }
    if builder.hasAlpha { builder.current.steps.append(.unpremultiply) }
  }
}
