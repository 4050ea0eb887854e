// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import Testing

@testable import PhotoEditRendering

@Suite("Baking a graph into a cube")
struct BakingTests {
  private func cube(_ filters: [any Filter], size: Int = 9) throws -> ColorLUT3D {
    try Renderer.cube(try FilterGraph(filters), size: size)
  }

  /// The largest difference between the cube entries and a function of their colors.
  private func worst(
    _ cube: ColorLUT3D, _ function: (SIMD3<Double>) -> SIMD3<Double>
  ) -> Double {
    var worst = 0.0
    let last = Double(cube.size - 1)
    for blue in 0..<cube.size {
      for green in 0..<cube.size {
        for red in 0..<cube.size {
          let color = SIMD3(Double(red), Double(green), Double(blue)) / last
          let difference = SIMD3<Double>(cube[red, green, blue]) - function(color)
          worst = max(worst, abs(difference.x), abs(difference.y), abs(difference.z))
        }
      }
    }
    return worst
  }

  @Test func `an empty graph gives the identity cube`() throws {
    #expect(worst(try cube([]), { $0 }) == 0)
    #expect(worst(try cube([Saturate(1)], size: 2), { $0 }) == 0)
  }

  @Test func `entries match the filter, also above white and below black`() throws {
    #expect(worst(try cube([Brightness(0.7)]), { $0 + 0.7 }) < 1e-6)
    #expect(worst(try cube([Contrast(3)]), { $0 * 3 - 1 }) < 1e-6)
    let exposed = try cube([Exposure(ev: 2)], size: 33)
    #expect(exposed[32, 32, 32].x > 1.5)
  }

  @Test func `red, green and blue keep their order`() throws {
    let luma = try cube([Grayscale(.luma601)])
    let weights = LumaWeights.rec601
    let expected: (SIMD3<Double>) -> SIMD3<Double> = { color in
      SIMD3(repeating: (color * SIMD3(weights[0], weights[1], weights[2])).sum())
    }
    #expect(worst(luma, expected) < 1e-6)
    let matrix = ColorMatrix([0, 1, 0, 0, 1, 0, 0, 0, 1])
    #expect(worst(try cube([matrix]), { SIMD3($0.y, $0.y, $0.z) }) < 1e-6)
  }

  @Test func `opacity is part of the cube`() throws {
    let graph = try FilterGraph(
      json: Array(
        """
        {"format":"org.photoedit.filter-graph","version":"1.0","nodes":[
        {"id":"a","filter":"invert","v":1,"params":{"amount":1},"opacity":0.25}]}
        """.utf8))
    let cube = try Renderer.cube(graph, size: 5)
    let expected: (SIMD3<Double>) -> SIMD3<Double> = { color in 0.25 + color * 0.5 }
    #expect(worst(cube, expected) < 1e-6)
  }

  @Test func `every node that cannot be baked is listed`() throws {
    let graph = try FilterGraph([
      Sepia(amount: 1), Vignette(amount: 1), GaussianBlur(sigma: 2), Flip(.horizontal), Contrast(2),
    ])
    do throws(BakingError) {
      _ = try Renderer.cube(graph)
      Issue.record("the graph was baked")
    } catch {
      guard case .notPointwise(let blockingReasons) = error else { throw error }
      #expect(blockingReasons.map(\.node) == ["n2", "n3", "n4"])
      #expect(blockingReasons.map(\.filter) == ["vignette", "gaussianBlur", "flip"])
      #expect(
        "\(error)".contains("node 'n3' (gaussianBlur): it reads neighboring pixels; node 'n4'"))
    }
  }

  @Test func `nodes without effect do not prevent baking`() throws {
    var graph = try FilterGraph([GaussianBlur(sigma: 0), Crop(), Brightness(0.1)])
    #expect(graph.unbakeableNodes.isEmpty)
    try graph.append(GaussianBlur(sigma: 4))
    #expect(graph.unbakeableNodes.count == 1)
    try graph.setEnabled(false, node: "n4")
    #expect(worst(try Renderer.cube(graph, size: 3), { $0 + 0.1 }) < 1e-6)
  }

  @Test(arguments: [1, 130, 0, -5]) func `sizes over the limits are rejected`(_ size: Int) throws {
    #expect(throws: BakingError.self) { try cube([], size: size) }
  }

  @Test func `colors that are not finite are rejected`() throws {
    let graph = try FilterGraph(Array(repeating: Contrast(4), count: 80))
    do throws(BakingError) {
      _ = try Renderer.cube(graph)
      Issue.record("the graph was baked")
    } catch {
      guard case .table = error else { throw error }
    }
  }
}
