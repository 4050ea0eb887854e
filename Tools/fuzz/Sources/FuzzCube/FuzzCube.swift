// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditFilters

/// Parses a `.cube` file; a parsed table must survive a round trip.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let file = try? CubeFile(bytes) else { return 0 }
  let written = file.bytes()
  guard let again = try? CubeFile(written) else {
    preconditionFailure("a written table cannot be read")
  }
  precondition(again.table == file.table && again.cube == file.cube, "the table changed")
  precondition(again.bytes() == written, "the written form is not stable")
  for color: SIMD3<Double> in [[0.1, 0.5, 0.9], [-1, 2, .nan], [.infinity, -.infinity, 1]] {
    for interpolation in ColorLUT3D.Interpolation.allCases {
      let made = file.cube?(color, interpolation) ?? file.table?(color) ?? color
      precondition(
        (0..<3).allSatisfy { made[$0].isFinite || !color[$0].isFinite }, "an entry is not finite")
    }
  }
  return 0
}
