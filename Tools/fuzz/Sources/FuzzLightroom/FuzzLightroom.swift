// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

@testable import PhotoEdit
@testable import PhotoEditFilters

/// Parses XMP; every translated setting must be used exactly once, and be renderable.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let edit = try? LightroomEdit(xmp: bytes) else { return 0 }
  let size = PixelSize(width: 640, height: 480)
  let translation = edit.translation(for: .init(size: size))
  let used = (translation.mapped + translation.approximated).map(\.name)
  precondition(Set(used).count == used.count, "a setting is used twice")
  guard (try? translation.graph.lowered(size: size)) != nil else {
    preconditionFailure("a translation cannot be rendered")
  }
  return 0
}
