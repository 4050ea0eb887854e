// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// A step that saves a copy of the image.
struct SaveStep: PlannedOperation {
  var step: FilterOperation { .save }
  var copies: Int { 1 }

  func fuse(into fusion: inout ColorFusion) {
    fusion.append(step, isGray: fusion.isGray)
    fusion.savedImages += 1
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if builder.colorPlanes == 1 && !rest.preservesGrayUntilMerged { builder.expand() }
    builder.current.steps.append(.save)
    builder.savedImages += 1
  }
}

extension ArraySlice<FilterOperation> {
  /// Indicates whether a gray image is still gray when the previously saved copy is merged again.
  fileprivate var preservesGrayUntilMerged: Bool {
    var depth = 1
    for operation in self {
      let planned = operation.planned
      if !planned.preservesGray { return false }
      depth += planned.copies
      if depth == 0 { return true }
    }
    return true
  }
}

/// A step that mixes the image with the copy.
struct MixStep: PlannedOperation {
  let opacity: Double

  var step: FilterOperation { .mix(opacity: opacity) }
  var copies: Int { -1 }

  func fuse(into fusion: inout ColorFusion) {
    fusion.savedImages -= 1
    if !fusion.closeBlock(opacity) { fusion.append(step, isGray: fusion.isGray) }
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    builder.current.steps.append(.mix(opacity))
    builder.savedImages -= 1
  }
}

extension Sharpening: PlannedOperation {
  var step: FilterOperation { .sharpen(self) }
  var copies: Int { -1 }

  func fuse(into fusion: inout ColorFusion) {
    fusion.savedImages -= 1
    // There is nothing in between: the difference to be added is zero.
    if case .save? = fusion.operations.last {
      fusion.removeLast()
    } else {
      fusion.append(step, isGray: fusion.isGray)
    }
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    builder.current.steps.append(.sharpen(self))
    builder.savedImages -= 1
  }
}
