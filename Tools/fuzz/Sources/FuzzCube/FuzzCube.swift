// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditFilters

/// Reads a `.cube` file; what is read must be written, and read back as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let file = try? CubeFile(bytes) else { return 0 }
  let written = file.bytes()
  guard let again = try? CubeFile(written) else {
    preconditionFailure("a table that was read is written so that it is not read")
  }
  precondition(again.table == file.table && again.cube == file.cube, "a table changed")
  precondition(again.bytes() == written, "the written form is not stable")
  for color: SIMD3<Double> in [[0.1, 0.5, 0.9], [-1, 2, .nan], [.infinity, -.infinity, 1]] {
    for interpolation in LookupCube.Interpolation.allCases {
      let made = file.cube?(color, interpolation) ?? file.table?(color) ?? color
      precondition(
        (0..<3).allSatisfy { made[$0].isFinite || !color[$0].isFinite }, "an entry is not finite")
    }
  }
  return 0
}
