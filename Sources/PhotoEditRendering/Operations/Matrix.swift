// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

extension ColorTransform: PlannedOperation {
  var step: FilterOperation { .matrix(self) }
  var preservesGray: Bool { onGray != nil }
  // One plane is faster to sample than three.
  func mayFollow(_ resampling: Resampling) -> Bool { !producesGray }

  func fuse(into fusion: inout ColorFusion) { fusion.add(self) }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if self == .identity { return }
    if builder.colorPlanes == 1 {
      if let (scale, offset) = onGray {
        if scale == 1 && offset == 0 { return }
        let line = ChannelCurves(ToneCurve([.affine(scale: scale, offset: offset)]))
        return line.plan(in: &builder, before: rest)
      }
      builder.expand()
    }
    var matrix = self
    if case .matrix(let before)? = builder.current.steps.last {
      matrix = before.followed(by: matrix)
      builder.current.steps.removeLast()
    }
    if matrix.producesGray && builder.savedImages == 0 {
      builder.current.steps.append(.weightedSum(matrix.rows[0], bias: matrix.bias[0]))
      builder.colorPlanes = 1
    } else {
      builder.current.steps.append(.matrix(matrix))
    }
  }
}
