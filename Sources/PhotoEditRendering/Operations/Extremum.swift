// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

extension ChannelExtremum: PlannedOperation {
  var step: FilterOperation { .extremum(self) }

  func fuse(into fusion: inout ColorFusion) {
    // Mixed with a copy in color, the result has color again.
    if !fusion.isGray { fusion.append(step, isGray: fusion.savedImages == 0) }
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    guard builder.colorPlanes == 3 else { return }
    let producesOnePlane = builder.savedImages == 0
    builder.current.steps.append(.extremum(self, producesOnePlane: producesOnePlane))
    if producesOnePlane { builder.colorPlanes = 1 }
  }
}
