// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension ChannelCurves: PlannedOperation {
  var step: FilterOperation { .curves(self) }
  var preservesGray: Bool { isUniform }
  // The mean of steps is not the step of the mean.
  var canBeScaled: Bool { !channels.contains(where: \.jumps) }

  func mayFollow(_ resampling: Resampling) -> Bool {
    resampling.kernel == .nearest || simplified.matrix != nil
  }

  func fuse(into fusion: inout ColorFusion) { fusion.add(simplified) }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if builder.colorPlanes == 1 && !isUniform { builder.expand() }
    let channels = Array(channels.prefix(builder.colorPlanes))
    // Neighboring curves become one, so that a table can hold them all.
    if case .curves(let before)? = builder.current.steps.last {
      builder.current.steps[builder.current.steps.count - 1] = .curves(
        zip(before, channels).map { $0.followed(by: $1) })
    } else if builder.current.cropsBytes {
      // Bytes are loaded through a table anyway; curves before the crop are merged into it.
      builder.current.steps.insert(.curves(channels), at: 0)
    } else {
      builder.current.steps.append(.curves(channels))
    }
  }
}

extension Stage {
  /// Indicates whether rows of bytes have only been cropped so far.
  fileprivate var cropsBytes: Bool {
    guard inputMapping == .rows, case .packed(let layout) = input.format,
      layout.bytesPerSample == 1,
      case .cropColumns? = steps.first
    else { return false }
    return steps.count == 1
  }
}
