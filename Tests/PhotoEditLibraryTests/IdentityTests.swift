// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Library availability and identifiers")
struct IdentityTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  @Test(.requirement("library-availability"))
  func `a missing library folder is reported, and nothing is created in its place`() throws {
    let asset = try folder.addAsset()
    #expect(folder.library.unavailabilityReason == nil)
    let root = folder.library.url.path
    #expect(rename(root, root + "-away") == 0)
    #expect(folder.library.unavailabilityReason?.code == .libraryVolumeOffline)
    let error = #expect(throws: LibraryError.self) {
      try folder.library.performChangesAndWait { try $0.change(asset).setFavorite(true) }
    }
    #expect(error?.code == .libraryVolumeOffline)
    #expect(access(root, F_OK) != 0)
    #expect(rename(root + "-away", root) == 0)
    #expect(folder.library.unavailabilityReason == nil)
    #expect(try folder.asset(asset.localIdentifier)?.isFavorite == false)
  }

  @Test(.requirement("library-availability"))
  func `a library that has replaced the open one is not written to`() throws {
    let asset = try folder.addAsset()
    let root = folder.library.url.path
    #expect(rename(root, root + "-away") == 0)
    let other = try PhotoLibrary.create(at: URL(filePath: root))
    #expect(folder.library.unavailabilityReason?.code == .switchingSystemPhotoLibrary)
    #expect(throws: LibraryError.self) {
      try folder.library.performChangesAndWait { try $0.change(asset).setFavorite(true) }
    }
    #expect(try other.statistics().commits == 0)
  }

  @Test(.requirement("portable-identifiers"))
  func `an original has the same portable identifier in every library`() throws {
    let jpeg = try TestImages.bytes("inputs/photo-64.jpg")
    let (first, other) = (try folder.create([(.photo, jpeg)]), try TestLibrary())
    let second = try other.create([(.photo, jpeg)])
    let mine = try folder.library.portableIdentifiers(
      forLocalIdentifiers: [first.localIdentifier, "nobody"])
    let portable = try #require(mine[first.localIdentifier]).get()
    let theirs = try other.library.localIdentifiers(for: [portable])
    #expect(try theirs[portable]?.get() == second.localIdentifier)
    guard case .failure(let error) = mine["nobody"] else {
      Issue.record("an unknown identifier has a portable one")
      return
    }
    #expect(error.code == .identifierNotFound)
  }

  @Test(.requirement("portable-identifiers"))
  func `an ambiguous portable identifier reports both assets`() throws {
    let jpeg = try TestImages.bytes("inputs/photo-64.jpg")
    let assets = [try folder.create([(.photo, jpeg)]), try folder.create([(.photo, jpeg)])]
    let portable = try #require(
      folder.library.portableIdentifiers(
        forLocalIdentifiers: [assets[0].localIdentifier])[assets[0].localIdentifier]
    ).get()
    let found = try folder.library.localIdentifiers(for: [portable, .init(rawValue: "x")])
    guard case .failure(let several) = found[portable],
      case .failure(let none) = found[.init(rawValue: "x")]
    else {
      Issue.record("both lookups must fail")
      return
    }
    #expect(several.code == .multipleIdentifiersFound)
    #expect(several.identifiers == assets.map(\.localIdentifier))
    #expect(none.code == .identifierNotFound)
  }
}
