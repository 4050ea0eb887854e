// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@Suite("Orientation")
struct OrientationTests {
  /// The displayed image for stored rows, computed by mapping every pixel.
  private func oriented(_ stored: [String], _ orientation: Orientation) -> [String] {
    let rows = stored.map(Array.init)
    let size = PixelSize(width: rows[0].count, height: rows.count)
    let shown = orientation.applied(to: size)
    return (0..<shown.height).map { y in
      String(
        (0..<shown.width).map { x in
          let at = orientation.storedPosition(x: x, y: y, stored: size)
          return rows[at.y][at.x]
        })
    }
  }

  // Derived by hand from CIPA DC-008, tag 0x0112, which specifies on which side of the image the
  // first row and the first column of the file are.
  @Test(arguments: [
    (1, ["abc", "def"]),  // row 0 top, column 0 left
    (2, ["cba", "fed"]),  // row 0 top, column 0 right
    (3, ["fed", "cba"]),  // row 0 bottom, column 0 right
    (4, ["def", "abc"]),  // row 0 bottom, column 0 left
    (5, ["ad", "be", "cf"]),  // row 0 left, column 0 top
    (6, ["da", "eb", "fc"]),  // row 0 right, column 0 top
    (7, ["fc", "eb", "da"]),  // row 0 right, column 0 bottom
    (8, ["cf", "be", "ad"]),  // row 0 left, column 0 bottom
  ])
  func `displays stored pixels as defined by Exif`(_ value: Int, _ shown: [String]) throws {
    let orientation = try #require(Orientation(rawValue: value))
    #expect(oriented(["abc", "def"], orientation) == shown)
  }

  @Test func `has exactly the eight values of Exif`() {
    #expect(Orientation.allCases.map(\.rawValue) == Array(1...8))
    for value in [Int.min, -1, 0, 9, 65_535, .max] {
      #expect(Orientation(rawValue: value) == nil)
    }
  }

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func `two orientations compose to one`(_ first: Orientation, _ second: Orientation) {
    let stored = ["abcd", "efgh", "ijkl"]
    let both = oriented(oriented(stored, first), second)
    #expect(oriented(stored, first.followed(by: second)) == both)
  }

  @Test(arguments: Orientation.allCases)
  func `an orientation and its inverse leave the image unchanged`(_ orientation: Orientation) {
    #expect(orientation.followed(by: orientation.inverse) == .up)
    #expect(orientation.inverse.followed(by: orientation) == .up)
    let stored = ["abc", "def"]
    #expect(oriented(oriented(stored, orientation), orientation.inverse) == stored)
  }

  @Test(arguments: Orientation.allCases)
  func `composing with all eight orientations gives each once`(_ first: Orientation) {
    #expect(Set(Orientation.allCases.map { first.followed(by: $0) }).count == 8)
    #expect(first.followed(by: .up) == first)
    #expect(Orientation.up.followed(by: first) == first)
  }

  @Test func `composition is associative`() {
    for a in Orientation.allCases {
      for b in Orientation.allCases {
        for c in Orientation.allCases {
          let left = a.followed(by: b).followed(by: c)
          #expect(left == a.followed(by: b.followed(by: c)), "\(a), \(b), \(c)")
        }
      }
    }
  }

  @Test(arguments: [
    (0, Orientation.up), (1, .right), (2, .down), (3, .left), (4, .up), (-1, .left), (-2, .down),
    (-3, .right), (7, .left), (.max, .left), (.min, .up),
  ])
  func `90° rotations count clockwise and modulo four`(_ turns: Int, _ expected: Orientation) {
    #expect(Orientation(clockwiseRotations: turns) == expected)
  }

  @Test func `a clockwise 90° rotation moves the left column to the top`() {
    #expect(oriented(["abc", "def"], Orientation(clockwiseRotations: 1)) == ["da", "eb", "fc"])
  }

  @Test(arguments: Orientation.allCases)
  func `width and height are exchanged from value five on`(_ orientation: Orientation) {
    let size = PixelSize(width: 3, height: 2)
    #expect(orientation.swapsAxes == (orientation.rawValue >= 5))
    #expect(orientation.applied(to: size) == (orientation.swapsAxes ? size.transposed : size))
  }

  @Test(arguments: Orientation.allCases)
  func `every displayed rectangle is one stored rectangle`(_ orientation: Orientation) {
    let stored = PixelSize(width: 5, height: 4)
    let shown = orientation.applied(to: stored)
    for y in 0..<shown.height {
      for x in 0..<shown.width {
        for height in 1...(shown.height - y) {
          for width in 1...(shown.width - x) {
            let region = Region(x: x, y: y, width: width, height: height)
            let result = orientation.storedRegion(region, stored: stored)
            #expect(
              positions(in: result) == storedPositions(of: region, orientation, stored),
              "\(region) became \(result)")
          }
        }
      }
    }
  }

  private func positions(in region: Region) -> Set<[Int]> {
    var found: Set<[Int]> = []
    for y in region.y..<region.maxY {
      for x in region.x..<region.maxX { found.insert([x, y]) }
    }
    return found
  }

  private func storedPositions(
    of region: Region, _ orientation: Orientation, _ stored: PixelSize
  ) -> Set<[Int]> {
    Set(
      positions(in: region).map { at in
        let position = orientation.storedPosition(x: at[0], y: at[1], stored: stored)
        return [position.x, position.y]
      })
  }
}
