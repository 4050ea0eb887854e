// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary

@Suite("Access to the history")
struct HistoryAccessTests {
  private let owner: TestLibrary

  init() throws { owner = try TestLibrary() }

  private func library(_ level: String) throws -> PhotoLibrary {
    try #"{"schemaVersion": 1, "clients": {"org.example.app": \#(level)}}"#.write(
      toFile: owner.library.layout.policy, atomically: true, encoding: .utf8)
    var configuration = PhotoLibrary.Configuration()
    configuration.client = "org.example.app"
    return try PhotoLibrary(at: owner.library.url, configuration: configuration)
  }

  @Test(
    .requirement("no-access-reads-empty"),
    arguments: [
      (#""none""#, LibraryError.Code.accessRestricted), (#""addOnly""#, .accessRestricted),
      (#""ask""#, .accessUserDenied), (#""all""#, .accessRestricted),
    ])
  func `a client without read access gets no tokens and no history`(
    level: String, code: LibraryError.Code
  ) throws {
    let token = try owner.library.currentChangeToken
    _ = try owner.addAsset()
    let library = try library(level)
    func expectRefusal(_ body: () throws -> Void) {
      let error = #expect(throws: LibraryError.self, performing: body)
      #expect(error?.code == code)
    }
    expectRefusal { _ = try library.currentChangeToken }
    expectRefusal { _ = try library.fetchPersistentChanges() }
    expectRefusal { _ = try library.fetchPersistentChanges(since: token) }
  }

  @Test(.requirement("no-access-reads-empty"))
  func `revoking access ends iteration over the history`() throws {
    let asset = try owner.addAsset()
    try owner.addCommits(LibraryReader.historyBatch.commits, of: asset)
    let library = try library(#""readWrite""#)
    let changes = try library.fetchPersistentChanges()
    var count = 0
    for _ in changes {
      count += 1
      if count == 1 { _ = try self.library(#""none""#) }
    }
    #expect(count == LibraryReader.historyBatch.commits)
    #expect(changes.failure?.code == .accessRestricted)
  }

  @Test(.requirement("limited-access"))
  func `a limited client gets only the changes of its selected assets`() throws {
    let (own, other) = (try owner.addAsset(), try owner.addAsset())
    _ = try owner.addAlbum([own, other])
    try owner.library.performChangesAndWait { try $0.delete([own, other]) }
    let library = try library(
      #"{"level": "limited", "assets": ["\#(own.localIdentifier)"]}"#)
    let changes = Array(try library.fetchPersistentChanges())
    #expect(changes.count == 4)
    #expect(
      try changes.map { try $0.changeDetails(for: .asset).insertedLocalIdentifiers }
        == [[own.localIdentifier], [], [], []])
    #expect(
      try changes.map { try $0.changeDetails(for: .asset).deletedLocalIdentifiers }
        == [[], [], [], [own.localIdentifier]])
    #expect(try changes.allSatisfy { try $0.changeDetails(for: .assetCollection).isEmpty })
  }

  @Test(.requirement("limited-access"))
  func `a changed selection invalidates the tokens of a limited client`() throws {
    let assets = try owner.addAssets(2)
    func limited(_ asset: Asset) throws -> PhotoLibrary {
      try library(#"{"level": "limited", "assets": ["\#(asset.localIdentifier)"]}"#)
    }
    let token = try limited(assets[0]).currentChangeToken
    #expect(Array(try limited(assets[0]).fetchPersistentChanges(since: token)).isEmpty)
    // The newly selected asset was never reported as inserted.
    let error = #expect(throws: LibraryError.self) {
      try limited(assets[1]).fetchPersistentChanges(since: token)
    }
    #expect(error?.code == .persistentChangeTokenExpired)
  }
}
