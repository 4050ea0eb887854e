// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Merge: PlannedOperation {
  var step: FilterOperation { .merge(self) }
  var keepsGray: Bool { parts.isEmpty }
  var copies: Int { above == .top ? -1 : 0 }
  var canBeTurned: Bool { parts.isEmpty }

  func cut(to region: Region, from size: PixelSize) -> CutStep? {
    // The other image is not cropped.
    parts.isEmpty ? CutStep(step: step, region: region) : nil
  }

  func fuse(into fusion: inout ColorFusion) {
    fusion.savedPictures += copies
    fusion.append(step, isGray: above == .top && fusion.isGray)
  }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    var merging = MergeStep(self, firstRow: builder.current.firstRow)
    var needsColor = false
    if case .part(let index) = above {
      merging.above = builder.current.read(builder.parts[index])
      needsColor = builder.parts[index].colorPlanes == 3
    } else {
      builder.savedPictures -= 1
    }
    if let mask { merging.mask = builder.current.read(builder.parts[mask]) }
    if builder.colorPlanes == 1 && needsColor { builder.expand() }
    builder.current.steps.append(.merge(merging))
  }
}
