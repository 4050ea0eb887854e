// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import Testing

/// A reference definition of a point filter in double precision.
struct Definition: CustomTestStringConvertible, Sendable {
  let name: String
  let filter: any Filter
  let formula: @Sendable (SIMD3<Double>) -> SIMD3<Double>

  init(
    _ name: String, _ filter: any Filter,
    _ formula:
      @escaping @Sendable (SIMD3<Double>) ->
      SIMD3<Double>
  ) {
    self.name = name
    self.filter = filter
    self.formula = formula
  }

  /// All definitions.
  static let all =
    curves + tones + colors + grades + maps + looks + highlights + selective
    + whiteBalances

  /// The same function for every channel.
  init(_ name: String, _ filter: any Filter, channel: @escaping @Sendable (Double) -> Double) {
    self.init(name, filter) { SIMD3(channel($0.x), channel($0.y), channel($0.z)) }
  }

  var testDescription: String { name }

  /// A filter with some of its parameters given.
  static func make(_ argument: String) -> any Filter {
    do {
      return try FilterCatalog.filter(argument: argument)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// A filter in an earlier version.
  static func make(_ name: String, version: Int, _ parameters: String) -> any Filter {
    let document =
      #"{"format":"org.photoedit.filter-graph","version":"1.0","nodes":["#
      + #"{"filter":"\#(name)","v":\#(version),"params":{\#(parameters)}}]}"#
    do {
      return try FilterGraph(json: Array(document.utf8)).nodes[0].resolved()
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The largest difference between a rendering and the formula, in levels.
  func difference(on image: ImageBuffer) throws -> Double {
    let source = image.floatPlanes
    let actual = try raster(Charts.source(image), [filter]).rgb
    var expected = [[Float]](repeating: [], count: 3)
    for i in source[0].indices {
      let pixel = SIMD3(
        Double(source[0][i]), Double(source[source.count == 3 ? 1 : 0][i]),
        Double(source[source.count == 3 ? 2 : 0][i]))
      let result = formula(pixel)
      for channel in 0..<3 { expected[channel].append(Float(result[channel])) }
    }
    return try PhotoEditRenderingTests.difference(expected, actual)
  }

  /// Linear light by IEC 61966-2-1, mirrored below zero.
  static func linear(_ v: Double) -> Double {
    let a = abs(v)
    return (a <= 0.04045 ? a / 12.92 : pow((a + 0.055) / 1.055, 2.4)) * (v < 0 ? -1 : 1)
  }

  /// The inverse of `linear`.
  static func encoded(_ v: Double) -> Double {
    let a = abs(v)
    return (a <= 0.0031308 ? a * 12.92 : 1.055 * pow(a, 1 / 2.4) - 0.055) * (v < 0 ? -1 : 1)
  }

  /// The weighted sum of a pixel's channels.
  static func sum(_ weights: [Double], _ p: SIMD3<Double>) -> Double {
    weights[0] * p.x + weights[1] * p.y + weights[2] * p.z
  }
}
