// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension PixelMap: PlannedOperation {
  var step: FilterOperation { .map(self) }
  var keepsGray: Bool { mapping.keepsGray }
  var canBeTurned: Bool { !mapping.dependsOnPlace }
  var canBeScaled: Bool { !mapping.dependsOnPlace }

  func cut(to region: Region, from size: PixelSize) -> CutStep? {
    CutStep(step: .map(cut(to: region)), region: region)
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if builder.colorPlanes == 1 && !keepsGray { builder.expand() }
    builder.current.steps.append(.map(self, firstRow: builder.current.firstRow))
  }
}
