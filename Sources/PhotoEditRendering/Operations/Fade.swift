// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// A step that multiplies alpha.
struct FadeStep: PlannedOperation {
  let share: Double

  var step: FilterOperation { .fade(share) }

  func fuse(into fusion: inout ColorFusion) {
    fusion.hasAlpha = true
    fusion.append(step, isGray: fusion.isGray)
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if !builder.hasAlpha {
      builder.current.steps.append(.addAlpha)
      builder.hasAlpha = true
    }
    builder.current.steps.append(.fade(share))
  }
}
