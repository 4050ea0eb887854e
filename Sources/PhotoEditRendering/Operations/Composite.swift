// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Composite: PlannedOperation {
  var step: FilterOperation { .merge(self) }
  var preservesGray: Bool { parts.isEmpty || rule == .guide }
  var copies: Int { above == .top ? -1 : 0 }
  var canBeRotated: Bool { parts.isEmpty }

  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? {
    // The other image is not cropped.
    parts.isEmpty ? CroppedStep(step: step, region: region) : nil
  }

  func fuse(into fusion: inout ColorFusion) {
    fusion.savedImages += copies
    fusion.append(step, isGray: above == .top && fusion.isGray)
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    var merging = MergeStep(self, firstRow: builder.current.firstRow)
    var needsColor = false
    if case .part(let index) = above {
      merging.above = builder.current.read(builder.parts[index])
      needsColor = builder.parts[index].colorPlanes == 3
    } else {
      builder.savedImages -= 1
    }
    if let mask { merging.mask = builder.current.read(builder.parts[mask]) }
    if builder.colorPlanes == 1 && needsColor { builder.expand() }
    builder.current.steps.append(.merge(merging))
  }
}
