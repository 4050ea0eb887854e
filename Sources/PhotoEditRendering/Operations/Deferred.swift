// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// An operation that is replaced by others before planning.
protocol DeferredOperation: PlannedOperation {}

extension DeferredOperation {
  var preservesGray: Bool { false }
  var canBeRotated: Bool { false }
  var canBeScaled: Bool { false }
  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? { nil }
  func fuse(into fusion: inout ColorFusion) {
    preconditionFailure("deferred operation was not lowered")
  }
  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    preconditionFailure("deferred operation was not lowered")
  }
}

extension Layer: DeferredOperation {
  var step: FilterOperation { .layer(self) }
}

extension HistogramAdjustment: DeferredOperation {
  var step: FilterOperation { .adapt(self) }
}
