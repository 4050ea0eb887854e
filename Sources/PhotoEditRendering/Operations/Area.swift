// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension AreaOperation: PlannedOperation {
  var step: FilterOperation { .area(self) }
  var preservesGray: Bool { facts.preservesGray }
  var canBeRotated: Bool { facts.rotatedArea(by: .right) != nil }
  var canBeScaled: Bool { false }

  func rotated(by rotation: Orientation, from size: PixelSize) -> FilterOperation {
    .area(facts.rotatedArea(by: rotation) ?? self)
  }

  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? {
    if case .warp(let warp) = self {
      return CroppedStep(step: .area(.warp(warp.cropped(to: region))), region: Region(size))
    }
    return facts.neighbors.map { CroppedStep(step, region: region, reach: $0, from: size) }
  }

  /// Plans the operation as a separate pass.
  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    precondition(
      builder.savedImages == 0 || !facts.movesPixels, "a copy would not fit the result")
    if builder.colorPlanes == 1 && !preservesGray { builder.expand() }
    if builder.hasAlpha { builder.current.steps.append(.premultiply) }
    builder.endStage()
    let planes = builder.stages[builder.stages.count - 1].output
    builder.begin(with: .rows, from: planes)
    builder.appendStage(
      .area(self, fromPlane: builder.savedPlanes),
      output: StripShape(size: facts.outputSize(of: builder.size), format: planes.format))
    if builder.hasAlpha { builder.current.steps.append(.unpremultiply) }
  }
}
