// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

@testable import PhotoEdit
@testable import PhotoEditContainers
@testable import PhotoEditFilters

/// Reads an AAE, and what would be its adjustment data; geometry must give filters that work.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = try? BinaryPropertyList.value(of: bytes)
  let size = PixelSize(width: 640, height: 480)
  if let edit = try? AppleEdit(bytes) { check(edit, size) }
  // The fuzzer will not find a deflate stream in base 64 by itself.
  var list = PropertyList()
  list.values["adjustmentFormatIdentifier"] = .string("com.apple.photo")
  list.values["adjustmentData"] = .data(.init(bytes))
  if let edit = try? AppleEdit(list) { check(edit, size) }
  if let record = try? AppleAdjustments(json: bytes) {
    for adjustment in record.adjustments { _ = adjustment.settingsText }
  }
  return 0
}

private func check(_ edit: AppleEdit, _ size: PixelSize) {
  let translation = edit.translation(for: .init(size: size))
  precondition(translation.mapped.isEmpty, "nothing of Apple's is known to mean the same")
  guard (try? translation.graph.lowered(size: size)) != nil else {
    preconditionFailure("a translation cannot be rendered")
  }
}
