// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Orientation: PlannedOperation {
  var step: FilterOperation { .orient(self) }

  func isIdentity(on size: PixelSize) -> Bool { self == .up }

  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? { nil }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    precondition(builder.savedImages == 0, "a copy would not match the rotated image")
    builder.endStageUnlessEmpty()
    let rotated = StripShape(
      size: applied(to: builder.size), format: builder.current.input.format)
    builder.appendStage(.rotation(self), output: rotated)
  }
}
