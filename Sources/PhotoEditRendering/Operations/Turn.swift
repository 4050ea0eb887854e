// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Orientation: PlannedOperation {
  var step: FilterOperation { .orient(self) }

  func isNeutral(on size: PixelSize) -> Bool { self == .up }

  func cut(to region: Region, from size: PixelSize) -> CutStep? { nil }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    precondition(builder.savedPictures == 0, "a copy would not match the rotated image")
    builder.endStageUnlessEmpty()
    let turned = StripShape(
      size: applied(to: builder.size), format: builder.current.input.format)
    builder.appendStage(.turn(self), output: turned)
  }
}
