// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Places of assets")
struct AssetPlaceTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary(placeIndex: PlaceFile.sample.index()) }

  private static let lisbon = (38.72, -9.14)
  private static let sintra = (38.79, -9.39)

  private func file(_ point: (Double, Double)?, stated: String? = nil) throws -> [UInt8] {
    var file = ImageFile()
    func degrees(_ value: Double) -> [(Int, Int)] {
      [(Int((abs(value) * 10_000).rounded()), 10_000), (0, 1), (0, 1)]
    }
    if let point {
      file.gps = [
        .text(1, point.0 < 0 ? "S" : "N"), .fractions(2, degrees(point.0)),
        .text(3, point.1 < 0 ? "W" : "E"), .fractions(4, degrees(point.1)),
      ]
    }
    if let stated { file.xmp = "photoshop:City=\"\(stated)\"" }
    return try file.jpeg()
  }

  private func move(_ asset: Asset, to point: (Double, Double)?) throws -> Asset {
    try library.performChangesAndWait { changes in
      try changes.change(asset).setLocation(
        point.flatMap { LocationCoordinate(latitude: $0.0, longitude: $0.1) })
    }
    return try #require(try folder.asset(asset.localIdentifier))
  }

  private func found(_ text: String) throws -> [Asset] {
    try library.fetchAssets(FetchOptions(predicate: .words(text))).map { $0 }
  }

  @Test func `an imported location gets a place that searches find`() throws {
    let asset = try folder.create([(.photo, try file(Self.sintra))])
    #expect(asset.place == "Sintra, Lisbon, PT")
    #expect(try found("sintra") == [asset] && found("lisbon") == [asset])
    #expect(try folder.create([(.photo, try file((45, 45)))]).place == nil)
    #expect(try folder.create([(.photo, try file(nil))]).place == nil)
    #expect(try folder.check().isSound)
  }

  @Test func `the place follows the location, unless the file states it`() throws {
    let plain = try folder.create([(.photo, try file(Self.sintra))])
    #expect(try move(plain, to: Self.lisbon).place == "Lisbon, PT")
    #expect(try found("sintra").isEmpty)
    #expect(try move(plain, to: nil).place == nil)
    #expect(try found("lisbon").isEmpty)
    #expect(try move(plain, to: Self.sintra).place == "Sintra, Lisbon, PT")
    let stated = try folder.create([(.photo, try file(Self.sintra, stated: "Colares"))])
    #expect(stated.place == "Colares")
    #expect(try move(stated, to: Self.lisbon).place == "Colares")
    let title = try folder.create([(.photo, try file(Self.sintra))])
    try library.performChangesAndWait { try $0.change(title).setTitle("T") }
    #expect(try folder.asset(title.localIdentifier)?.place == "Sintra, Lisbon, PT")
  }

  @Test func `a repair finds places again and keeps those that files state`() throws {
    let older = try TestLibrary()
    let plain = try older.create([(.photo, try file(Self.sintra))])
    let stated = try older.create([(.photo, try file(Self.lisbon, stated: "Colares"))])
    #expect(plain.place == nil && stated.place == "Colares")
    try older.library.synchronize()
    var repair = LibraryRepair()
    repair.recomputesPlaceNames = true
    repair.placeIndex = { nil }
    let error = #expect(throws: LibraryError.self) { try repair.run(at: older.library.url) }
    #expect(error?.code == .missingResource)
    repair.placeIndex = { () throws(LibraryError) in try? PlaceFile.sample.index() }
    let report = try repair.run(at: older.library.url)
    #expect(report.isSound && report.actions.contains("places were found for 1 assets"))
    #expect(try older.asset(plain.localIdentifier)?.place == "Sintra, Lisbon, PT")
    #expect(try older.asset(stated.localIdentifier)?.place == "Colares")
    let words = FetchOptions<Asset>(predicate: .words("sintra"))
    #expect(try older.library.fetchAssets(words).count == 1)
    // Another file of places has other names.
    let other = PlaceFile([(387_900, -93_900, "Cintra", "", "PT")])
    repair.placeIndex = { () throws(LibraryError) in try? other.index() }
    #expect(try repair.run(at: older.library.url).isSound)
    #expect(try older.asset(plain.localIdentifier)?.place == "Cintra, PT")
    #expect(try older.asset(stated.localIdentifier)?.place == "Colares")
  }

  @Test func `export templates name the place of the location or the one in the file`() throws {
    let template = try ExportTemplate("{place.country}/{place.city}/{name}")
    let values = try ExportValues(library, template, needsAlbums: false)
    func path(_ point: (Double, Double)?, _ stated: String? = nil) throws -> [String] {
      let asset = try folder.create([(.photo, try file(point, stated: stated))])
      return values.paths(of: asset, number: 1).map { path in
        path.split(separator: "/").dropLast().joined(separator: "/")
      }
    }
    #expect(try path(Self.sintra) == ["PT/Sintra"])
    #expect(try path(Self.sintra, "Colares") == ["_/Colares"])
    #expect(try path(nil) == ["_/_"])
  }
}
