// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension RadialGain: PlannedOperation {
  var step: FilterOperation { .radialGain(self) }

  func rotated(by rotation: Orientation, from size: PixelSize) -> FilterOperation {
    .radialGain(rotated(by: rotation, size: size))
  }

  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? {
    CroppedStep(step: .radialGain(cropped(to: region)), region: region)
  }

  func scale(in scaling: inout PreviewScaling) {
    scaling.operations.append(.radialGain(scaled(origin: scaling.origin, step: scaling.step)))
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    builder.current.steps.append(.radialGain(self, firstRow: builder.current.firstRow))
  }
}
