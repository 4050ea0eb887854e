// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Change blocks")
struct ChangeBlockTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  @Test func `L2: a block that throws changes nothing`() throws {
    struct Stop: Error {}
    let asset = try folder.addAsset()
    #expect(throws: Stop.self) {
      try folder.library.performChangesAndWait { changes in
        try changes.change(asset).setFavorite(true)
        throw Stop()
      }
    }
    #expect(try folder.asset(asset.localIdentifier)?.isFavorite == false)
  }

  @Test func `L4: a request that outlives its block is refused`() throws {
    let asset = try folder.addAsset()
    let request = try folder.library.performChangesAndWait { try $0.change(asset) }
    let error = #expect(throws: LibraryError.self) { try request.setFavorite(true) }
    #expect(error?.code == .changeNotSupported)
  }

  @Test func `L3: a block inside a block is an error and no hang`() throws {
    try folder.library.performChangesAndWait { _ in
      let error = #expect(throws: LibraryError.self) {
        try folder.library.performChangesAndWait { _ in }
      }
      #expect(error?.code == .changeNotSupported)
    }
  }

  @Test func `L5: the last setter wins`() throws {
    let asset = try folder.addAsset()
    try folder.library.performChangesAndWait { changes in
      try changes.change(asset).setTitle("one")
      try changes.change(asset).setTitle("two")
    }
    #expect(try folder.asset(asset.localIdentifier)?.title == "two")
  }

  @Test func `K8: equal values change nothing`() throws {
    let asset = try folder.addAsset()
    let version = try folder.library.read { db throws(LibraryError) in try db.version() }
    try folder.library.performChangesAndWait { changes in
      try changes.change(asset).setFavorite(false)
    }
    #expect(try folder.library.read { db throws(LibraryError) in try db.version() } == version)
    #expect(try folder.asset(asset.localIdentifier)?.modificationDate == asset.modificationDate)
  }

  @Test func `K7: properties are set, and the date of the change with them`() async throws {
    let asset = try folder.addAsset()
    let date = Date(timeIntervalSince1970: 5.25)
    let place = try #require(GeoPoint(latitude: -33.5, longitude: 151, altitude: 3))
    try await folder.library.performChanges { changes in
      let request = try changes.change(asset)
      try request.setFavorite(true)
      try request.setHidden(true)
      try request.setCreationDate(date)
      try request.setLocation(place)
    }
    let after = try #require(try folder.asset(asset.localIdentifier))
    #expect(after.isFavorite && after.isHidden)
    #expect(after.creationDate == date && after.location == place)
    #expect(after.modificationDate > asset.modificationDate)
    #expect(after.contentModificationDate == asset.contentModificationDate)
  }
}
