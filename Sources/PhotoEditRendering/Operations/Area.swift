// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension AreaOperation: PlannedOperation {
  var step: FilterOperation { .area(self) }
  var keepsGray: Bool { facts.keepsGray }
  var canBeTurned: Bool { facts.turnedArea(by: .right) != nil }
  var canBeScaled: Bool { false }

  func turned(by turn: Orientation, from size: PixelSize) -> FilterOperation {
    .area(facts.turnedArea(by: turn) ?? self)
  }

  func cut(to region: Region, from size: PixelSize) -> CutStep? {
    facts.neighbors.map { CutStep(step, region: region, reach: $0, from: size) }
  }

  /// Plans the operation as a separate pass.
  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    precondition(
      builder.savedPictures == 0 || !facts.movesPixels, "a copy would not fit the result")
    if builder.colorPlanes == 1 && !keepsGray { builder.expand() }
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
