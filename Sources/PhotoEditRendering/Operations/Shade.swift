// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Shade: PlannedOperation {
  var step: FilterOperation { .shade(self) }

  func turned(by turn: Orientation, from size: PixelSize) -> FilterOperation {
    .shade(turned(by: turn, size: size))
  }

  func cut(to region: Region, from size: PixelSize) -> CutStep? {
    CutStep(step: .shade(cut(to: region)), region: region)
  }

  func scale(in scaling: inout PreviewScaling) {
    scaling.operations.append(.shade(scaled(origin: scaling.origin, step: scaling.step)))
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    builder.current.steps.append(.shade(self, firstRow: builder.current.firstRow))
  }
}
