// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Region: PlannedOperation {
  var step: FilterOperation { .crop(self) }

  func isIdentity(on size: PixelSize) -> Bool { self == Region(size) }

  func rotated(by rotation: Orientation, from size: PixelSize) -> FilterOperation {
    .crop(rotation.inverse.storedRegion(self, stored: rotation.applied(to: size)))
  }

  func cropped(to region: Region, from size: PixelSize) -> CroppedStep? {
    CroppedStep(
      step: nil,
      region: Region(
        x: x + region.x, y: y + region.y, width: region.width, height: region.height))
  }

  func scale(in scaling: inout PreviewScaling) { scaling.crop(to: self) }

  func plan(in builder: inout PlanBuilder, before rest: ArraySlice<FilterOperation>) {
    if width != builder.size.width { builder.current.steps.append(.cropColumns(x..<maxX)) }
    builder.current.firstRow += y
    builder.size = size
  }
}
