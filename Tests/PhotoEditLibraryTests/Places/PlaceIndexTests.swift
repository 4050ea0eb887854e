// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Places near a location", .seeded)
struct PlaceIndexTests {
  @Test(arguments: [
    (38.72, -9.14, "Lisbon, PT"), (38.79, -9.39, "Sintra, Lisbon, PT"),
    // The nearest place is in another cell.
    (39.001, -9.1, "Lisbon, PT"), (38.7, -8.999, "Lisbon, PT"),
    (-16.8, 179.999, "Western, Fiji, FJ"), (-16.8, -179.999, "Western, Fiji, FJ"),
    (-16.8, 180, "Western, Fiji, FJ"), (-16.8, -180, "Western, Fiji, FJ"),
    (-16.8, -179.91, "Eastern, Fiji, FJ"),
    // Many degrees of longitude away, but few kilometers.
    (90, 0, "Ice Camp, NO"), (89.9, -80, "Ice Camp, NO"), (89.8, 60, "Ice Camp, NO"),
    (0.05, 0, "Buoy, ST"),
  ])
  func `the nearest place is found`(
    _ latitude: Double, _ longitude: Double, _ text: String
  ) throws {
    let index = try PlaceFile.sample.index()
    #expect(index.count == 7)
    #expect(index.nearest(latitude: latitude, longitude: longitude)?.text == text)
  }

  @Test(arguments: [
    (0, 0), (-0.0, -0.0), (-90, 0), (45, 45), (38.7263, -8.5), (39.3, -9.1484), (91, 0), (0, 181),
    (.nan, 0), (0, .infinity),
  ])
  func `an invalid location, and one far from places, has no place`(
    _ latitude: Double, _ longitude: Double
  ) throws {
    let index = try PlaceFile.sample.index()
    #expect(index.nearest(latitude: latitude, longitude: longitude) == nil)
  }

  @Test func `the nearest place is that of a search through all places`() throws {
    var numbers = SeededNumbers(61)
    let centers = [(0, 0), (895_000, 0), (-895_000, 900_000), (600_000, 1_795_000)]
    let members = (0..<2_000).map { number -> PlaceFile.Member in
      let (latitude, longitude) = centers[number % centers.count]
      let aside = (longitude + numbers.below(40_000) + 3_600_000) % 3_600_000
      return (
        min(900_000, max(-900_000, latitude + numbers.below(20_000) - 10_000)),
        aside > 1_800_000 ? aside - 3_600_000 : aside, "\(number)", "", "XX"
      )
    }
    let index = try PlaceFile(members).index()
    for number in 0..<400 {
      let (latitude, longitude) = centers[number % centers.count]
      let aside = Double(longitude + numbers.below(40_000)) / 10_000
      let point = (
        latitude: min(90, max(-90, Double(latitude + numbers.below(20_000) - 10_000) / 10_000)),
        longitude: aside > 180 ? aside - 360 : aside
      )
      let distances = members.map {
        MomentBoundary.distance(point, (Double($0.latitude) / 1e4, Double($0.longitude) / 1e4))
      }
      let found = index.nearest(latitude: point.latitude, longitude: point.longitude)
      let distance = found.flatMap { Int($0.name) }.map { distances[$0] }
      let nearest = distances.min() ?? 0
      if nearest < PlaceIndex.farthest - 0.01 {
        #expect(abs((distance ?? .infinity) - nearest) < 0.01, "\(point)")
      } else if nearest > PlaceIndex.farthest + 0.01 {
        #expect(found == nil, "\(point)")
      }
    }
  }

  // MARK: Damaged files

  @Test func `a truncated file is rejected`() throws {
    let bytes = PlaceFile.sample.bytes
    for count in 0..<bytes.count {
      let error = #expect(throws: PlaceFileError.self) { try PlaceIndex(Array(bytes[..<count])) }
      #expect(error == (count < 8 ? .unknownFormat : .damaged))
    }
  }

  @Test func `random bytes are rejected, or searched without a crash`() throws {
    var numbers = SeededNumbers(62)
    let bytes = PlaceFile.sample.bytes
    var opened = 0
    for round in 0..<3_000 {
      var damaged = bytes
      for _ in 0...numbers.below(6) {
        // Half of the files keep their header.
        let first = round % 2 == 0 ? 32 : 0
        damaged[first + numbers.below(bytes.count - first)] = UInt8(numbers.below(256))
      }
      if round % 5 == 0 {
        for index in 32..<bytes.count { damaged[index] = UInt8(numbers.below(256)) }
      }
      let index: PlaceIndex
      do throws(PlaceFileError) { index = try PlaceIndex(damaged) } catch { continue }
      opened += 1
      for point in [(38.7, -9.1), (-16.8, 180), (90, 0), (0.05, 0), (-90, 0)] {
        let place = index.nearest(latitude: point.0, longitude: point.1)
        #expect(place.map { $0.text.utf8.count <= 2_000 } ?? true)
      }
    }
    #expect(opened > 1_000)
    #expect(throws: PlaceFileError.unknownFormat) {
      try PlaceIndex((0..<4_096).map { _ in UInt8(numbers.below(256)) })
    }
  }

  @Test func `a missing file is accepted, and another file is an error with its path`() throws {
    let folder = try TemporaryFolder()
    #expect(try PlaceIndex.open(folder.path("none.bin")) == nil)
    let file = try folder.write(Array("not places".utf8), to: "a.bin")
    let error = #expect(throws: LibraryError.self) { try PlaceIndex.open(file) }
    #expect(error?.code == .invalidResource && "\(error!)".contains("a.bin"))
    let good = try folder.write(PlaceFile.sample.bytes, to: "b.bin")
    #expect(try PlaceIndex.open(good)?.count == 7)
  }
}

extension PlaceFile {
  func index() throws -> PlaceIndex { try PlaceIndex(bytes) }
}
