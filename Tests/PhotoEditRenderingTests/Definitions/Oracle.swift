// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

/// The result of another program for a small gray image, as recorded by `Tools/oracles/record`.
struct Oracle<Case: Decodable & Sendable>: Decodable, Sendable {
  let tool: String
  let version: String
  let call: String
  /// Rows of levels.
  let source: [[Int]]
  let cases: [Case]

  init(_ name: String) throws {
    let path = "\(TestImages.packageRoot)/Tests/Oracles/\(name).json"
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
    try #require(!cases.isEmpty && !tool.isEmpty && !version.isEmpty && !call.isEmpty)
  }

  func image() throws -> ImageSource {
    try Charts.source(
      Charts.image(source[0].count, source.count, .gray) { x, y, _ in source[y][x] })
  }
}

/// The largest difference between a raster's gray plane and reference levels.
func difference(_ raster: Raster, levels: [Double]) throws -> Double {
  try #require(raster.planes.count == 1)
  return try FloatDifference(levels.map { Float($0 / 255) }, raster.planes[0]).maximum
}
