// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension PixelMap: PlannedOperation {
  var step: FilterOperation { .map(self) }
  var preservesGray: Bool { mapping.preservesGray }
  var canBeRotated: Bool { !mapping.dependsOnPosition }
  var canBeScaled: Bool { !mapping.dependsOnPosition }

  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? {
    CroppedStep(step: .map(cropped(to: region)), region: region)
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if builder.colorPlanes == 1 && !preservesGray { builder.expand() }
    builder.current.steps.append(.map(self, firstRow: builder.current.firstRow))
  }
}
