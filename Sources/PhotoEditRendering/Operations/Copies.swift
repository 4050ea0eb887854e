// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// Keeps a copy of the picture.
struct SaveStep: PlannedOperation {
  var step: FilterOperation { .save }
  var copies: Int { 1 }

  func fuse(into fusion: inout ColorFusion) {
    fusion.append(step, isGray: fusion.isGray)
    fusion.savedPictures += 1
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if builder.colorPlanes == 1 && !rest.keepsGrayUntilMerged { builder.expand() }
    builder.current.steps.append(.save)
    builder.savedPictures += 1
  }
}

extension ArraySlice<FilterOperation> {
  /// Whether a gray picture is still gray when the copy saved before is merged again.
  fileprivate var keepsGrayUntilMerged: Bool {
    var depth = 1
    for operation in self {
      let planned = operation.planned
      if !planned.keepsGray { return false }
      depth += planned.copies
      if depth == 0 { return true }
    }
    return true
  }
}

/// Mixes the picture with the copy.
struct MixStep: PlannedOperation {
  let opacity: Double

  var step: FilterOperation { .mix(opacity: opacity) }
  var copies: Int { -1 }

  func fuse(into fusion: inout ColorFusion) {
    fusion.savedPictures -= 1
    if !fusion.closeBlock(opacity) { fusion.append(step, isGray: fusion.isGray) }
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    builder.current.steps.append(.mix(opacity))
    builder.savedPictures -= 1
  }
}

extension Sharpening: PlannedOperation {
  var step: FilterOperation { .sharpen(self) }
  var copies: Int { -1 }

  func fuse(into fusion: inout ColorFusion) {
    fusion.savedPictures -= 1
    // Nothing lies between: the difference to be added is zero.
    if case .save? = fusion.operations.last {
      fusion.removeLast()
    } else {
      fusion.append(step, isGray: fusion.isGray)
    }
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    builder.current.steps.append(.sharpen(self))
    builder.savedPictures -= 1
  }
}
