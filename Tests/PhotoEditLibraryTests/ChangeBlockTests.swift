// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Change blocks")
struct ChangeBlockTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  @Test(.requirement("atomic-change-block")) func `a block that throws changes nothing`() throws {
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

  @Test(.requirement("requests-only-in-their-block"))
  func `a request used after its block has returned is rejected`() throws {
    let asset = try folder.addAsset()
    let request = try folder.library.performChangesAndWait { try $0.change(asset) }
    let error = #expect(throws: LibraryError.self) { try request.setFavorite(true) }
    #expect(error?.code == .changeNotSupported)
  }

  @Test(.requirement("synchronous-changes-never-deadlock"))
  func `a nested change block fails instead of hanging`() throws {
    try folder.library.performChangesAndWait { _ in
      let error = #expect(throws: LibraryError.self) {
        try folder.library.performChangesAndWait { _ in }
      }
      #expect(error?.code == .changeNotSupported)
    }
  }

  @Test(.requirement("requests-apply-in-order")) func `the last setter wins`() throws {
    let asset = try folder.addAsset()
    try folder.library.performChangesAndWait { changes in
      try changes.change(asset).setTitle("one")
      try changes.change(asset).setTitle("two")
    }
    #expect(try folder.asset(asset.localIdentifier)?.title == "two")
  }

  @Test(.requirement("equal-values-change-nothing"))
  func `setting an equal value changes nothing`() throws {
    let asset = try folder.addAsset()
    let version = try folder.library.read { db throws(LibraryError) in try db.version() }
    try folder.library.performChangesAndWait { changes in
      try changes.change(asset).setFavorite(false)
    }
    #expect(try folder.library.read { db throws(LibraryError) in try db.version() } == version)
    #expect(try folder.asset(asset.localIdentifier)?.modificationDate == asset.modificationDate)
  }

  @Test(.requirement("set-asset-properties"))
  func `setting properties advances the modification date`() async throws {
    let asset = try folder.addAsset()
    let date = Date(timeIntervalSince1970: 5.25)
    let coordinate = try #require(LocationCoordinate(latitude: -33.5, longitude: 151, altitude: 3))
    try await folder.library.performChanges { changes in
      let request = try changes.change(asset)
      try request.setFavorite(true)
      try request.setHidden(true)
      try request.setCreationDate(date)
      try request.setLocation(coordinate)
    }
    let after = try #require(try folder.asset(asset.localIdentifier))
    #expect(after.isFavorite && after.isHidden)
    #expect(after.creationDate == date && after.location == coordinate)
    #expect(after.modificationDate > asset.modificationDate)
    #expect(after.contentModificationDate == asset.contentModificationDate)
  }
}
