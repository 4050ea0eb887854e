// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

@testable import PhotoEdit
@testable import PhotoEditContainers
@testable import PhotoEditFilters

/// Parses an AAE file and its adjustment data; translated geometry must be renderable.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = try? BinaryPropertyList.value(of: bytes)
  let size = PixelSize(width: 640, height: 480)
  if let edit = try? AppleEdit(bytes) { check(edit, size) }
  // The fuzzer cannot construct a base64-encoded deflate stream by itself.
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
  precondition(translation.mapped.isEmpty, "no Apple setting has an equivalent filter")
  guard (try? translation.graph.lowered(size: size)) != nil else {
    preconditionFailure("a translation cannot be rendered")
  }
}
