// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditFilters

@Suite("Color lookup tables and cubes")
struct LookupTests {
  private static let rough: ColorLUT3D? = {
    var state: UInt64 = 3
    let entries = (0..<64).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return SIMD3(
        Float(state >> 56) / 255, Float(state >> 48 & 255) / 255, Float(state >> 40 & 255) / 255)
    }
    return try? ColorLUT3D(size: 4, entries: entries)
  }()

  @Test(arguments: ColorLUT3D.Interpolation.allCases)
  func `table entries are reproduced exactly`(_ interpolation: ColorLUT3D.Interpolation) throws {
    let cube = try #require(Self.rough)
    for index in 0..<64 {
      let (r, g, b) = (index % 4, index / 4 % 4, index / 16)
      let color = SIMD3(Double(r) / 3, Double(g) / 3, Double(b) / 3)
      let (found, expected) = (cube(color, interpolation), SIMD3<Double>(cube[r, g, b]))
      for channel in 0..<3 { #expect(abs(found[channel] - expected[channel]) < 1e-12) }
    }
  }

  @Test func `the two interpolations agree along edges and differ inside`() throws {
    let cube = try #require(Self.rough)
    let edge: SIMD3<Double> = [0.5, 1 / 3, 2 / 3]
    let inside: SIMD3<Double> = [0.5, 0.2, 0.9]
    #expect((cube(edge, .trilinear) - cube(edge, .tetrahedral)).max() < 1e-12)
    #expect(cube(inside, .trilinear) != cube(inside, .tetrahedral))
  }

  @Test func `tetrahedral interpolation is linear along the diagonal`() throws {
    let cube = try #require(Self.rough)
    let middle = (SIMD3<Double>(cube[1, 1, 1]) + SIMD3<Double>(cube[2, 2, 2])) * 0.5
    let found = cube([0.5, 0.5, 0.5], .tetrahedral)
    for channel in 0..<3 { #expect(abs(found[channel] - middle[channel]) < 1e-12) }
  }

  @Test func `a domain defines the range of the entries`() throws {
    let domain = try LookupDomain(lower: [0, -1, 0], upper: [2, 1, 1])
    let entries = (0..<8).map { SIMD3(Float($0 & 1), Float($0 >> 1 & 1), Float($0 >> 2)) }
    let cube = try ColorLUT3D(size: 2, entries: entries, domain: domain)
    #expect(cube([1, 0, 0.5], .tetrahedral) == [0.5, 0.5, 0.5])
    #expect(cube([.nan, .infinity, -.infinity], .trilinear) == [0, 1, 0])
    let table = try ColorLUT1D(entries: [[0, 0, 0], [1, 1, 1]], domain: domain)
    #expect(table([1, 0, 0.5]) == [0.5, 0.5, 0.5])
    #expect(table([.nan, .infinity, -.infinity]) == [0, 1, 0])
  }

  @Test func `invalid tables are rejected`() {
    #expect(throws: LUTFileError.self) { try ColorLUT1D(entries: [[0, 0, 0]]) }
    #expect(throws: LUTFileError.self) { try ColorLUT1D(entries: [[0, 0, 0], [0, .nan, 0]]) }
    #expect(throws: LUTFileError.self) { try ColorLUT3D(size: 1, entries: [[0, 0, 0]]) }
    #expect(throws: LUTFileError.self) { try ColorLUT3D(size: 2, entries: [[0, 0, 0]]) }
    #expect(throws: LUTFileError.self) { try ColorLUT3D(size: 257, entries: []) }
    #expect(throws: LUTFileError.self) {
      try ColorLUT3D(size: 2, entries: Array(repeating: [0, .infinity, 0], count: 8))
    }
    #expect(throws: LUTFileError.self) {
      try LookupDomain(lower: [0, 0, 0], upper: [1, 1, 1e-32])
    }
    #expect(throws: LUTFileError.self) { try LookupDomain(lower: [0, 0, 0], upper: [1, .nan, 1]) }
  }

  @Test(arguments: [2, 3, 4])
  func `the pixels of a Hald CLUT are its cube`(_ level: Int) throws {
    let (side, size) = (level * level * level, level * level)
    var samples: [Float] = []
    for pixel in 0..<side * side {
      let steps = [pixel % size, pixel / size % size, pixel / (size * size)]
      samples += steps.map { Float($0) / Float(size - 1) }
    }
    let cube = try ColorLUT3D(haldWidth: side, height: side, samples: samples)
    #expect(cube.size == size && cube.domain == .unit)
    let color: SIMD3<Double> = [0.2, 0.7, 0.4]
    for channel in 0..<3 {
      #expect(abs(cube(color, .tetrahedral)[channel] - color[channel]) < 1e-6)
    }
  }

  @Test(arguments: [(1, 1), (8, 27), (9, 9), (0, 0), (4913, 4913), (512, 64)])
  func `an image of another size is not a Hald CLUT`(_ width: Int, _ height: Int) {
    #expect(throws: LUTFileError.hald(width: width, height: height)) {
      try ColorLUT3D(haldWidth: width, height: height, samples: [])
    }
    #expect(ColorLUT3D.haldLevel(width: width, height: height) == nil)
  }

  @Test func `a Hald CLUT requires all its samples`() {
    #expect(throws: LUTFileError.self) { try ColorLUT3D(haldWidth: 8, height: 8, samples: [0, 0]) }
    #expect(ColorLUT3D.haldLevel(width: 512, height: 512) == 8)
    #expect(ColorLUT3D.haldLevel(width: 4096, height: 4096) == 16)
  }
}
