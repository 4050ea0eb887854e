// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Change tokens", .seeded)
struct ChangeTokenTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  /// Expects a fetch since a token to fail with an expired-token error.
  private func expectExpired(
    _ library: PhotoLibrary, _ token: PersistentChangeToken, _ words: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: LibraryError.self, sourceLocation: location) {
      try library.fetchPersistentChanges(since: token)
    }
    #expect(error?.code == .persistentChangeTokenExpired, sourceLocation: location)
    #expect(error?.message.contains(words) == true, "\(error as Any)", sourceLocation: location)
    #expect(error?.hint?.contains("currentChangeToken") == true, sourceLocation: location)
  }

  @Test func `a token round-trips through text, bytes and JSON`() throws {
    for count in 0..<3 {
      if count > 0 { _ = try folder.addAsset() }
      let token = try folder.library.currentChangeToken
      #expect(try PersistentChangeToken(token.description) == token)
      #expect(try PersistentChangeToken(bytes: token.bytes) == token)
      let json = try JSONEncoder().encode([token])
      #expect(try JSONDecoder().decode([PersistentChangeToken].self, from: json) == [token])
      #expect(token.description.count == 52 && token.bytes.count == 39)
      #expect(
        token.description.allSatisfy {
          $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
        })
    }
  }

  @Test func `a token is valid in another object of the same library`() throws {
    let token = try folder.library.currentChangeToken
    _ = try folder.addAsset()
    let again = try PhotoLibrary(at: folder.library.url)
    #expect(try again.fetchPersistentChanges(since: token).map(\.date).count == 1)
  }

  @Test func `malformed tokens are rejected without a crash`() throws {
    _ = try folder.addAsset()
    let token = try folder.library.currentChangeToken
    let good = Array(token.description.utf8)
    var random = SeededNumbers(8)
    var texts = ["", "A", "token", String(repeating: "A", count: 52), "é", "\u{0}", good.hex]
    texts.append(String(repeating: "A", count: 1_000_000))
    for _ in 0..<2_000 {
      var bytes = good
      switch random.below(4) {
      case 0: bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(7))
      case 1: bytes.remove(at: random.below(bytes.count))
      case 2: bytes.insert(UInt8(random.below(256)), at: random.below(bytes.count))
      default: bytes = (0..<random.below(80)).map { _ in UInt8(random.below(256)) }
      }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    for text in texts where text != token.description {
      let error = #expect(throws: LibraryError.self) { try PersistentChangeToken(text) }
      #expect(error?.code == .persistentChangeTokenExpired, "\(text)")
    }
    let bytes = token.bytes
    let wrong: [[UInt8]] = [[], [1], bytes + [0], bytes.dropLast(), bytes.reversed()]
    for bytes in wrong {
      #expect(throws: LibraryError.self) { try PersistentChangeToken(bytes: bytes) }
    }
  }

  @Test func `a token with a valid checksum but unknown numbers is rejected`() throws {
    _ = try folder.addAsset()
    let token = try folder.library.currentChangeToken
    func altered(_ number: Int64, _ date: UInt64) -> PersistentChangeToken {
      PersistentChangeToken(HistoryMark(number: number, date: date), in: token.library)
    }
    expectExpired(folder.library, altered(2, token.mark.date), "at commit 1")
    expectExpired(folder.library, altered(.max, token.mark.date), "at commit 1")
    expectExpired(folder.library, altered(1, 0), "different commit")
    expectExpired(folder.library, altered(0, token.mark.date), "different commit")
    #expect(throws: LibraryError.self) {
      try PersistentChangeToken(bytes: altered(-1, 0).bytes)
    }
  }

  @Test func `a token of another library is rejected`() throws {
    _ = try folder.addAsset()
    let other = try TestLibrary()
    _ = try other.addAsset()
    expectExpired(folder.library, try other.library.currentChangeToken, "another library")
  }

  @Test func `a token newer than the backup that was restored is rejected`() throws {
    let shared = try folder.library.currentChangeToken
    _ = try folder.addAsset()
    let backup = URL(filePath: folder.folder.path + "/backup")
    _ = try LibraryBackup().run(of: folder.library, to: backup)
    let kept = try folder.library.currentChangeToken
    _ = try folder.addAsset()
    let lost = try folder.library.currentChangeToken

    let restored = try PhotoLibrary(at: backup)
    #expect(try restored.fetchPersistentChanges(since: shared).map(\.date).count == 1)
    #expect(try restored.fetchPersistentChanges(since: kept).map(\.date) == [])
    expectExpired(restored, lost, "restored from a backup")
    // The backup continues with another commit of the same number.
    try restored.insertRows([PhotoProperties(originalFilename: "b", addedAt: Date())])
    expectExpired(restored, lost, "different commit")
    #expect(try restored.fetchPersistentChanges(since: kept).map(\.date).count == 1)
  }

  @Test func `a token from before a repair without a database is rejected`() throws {
    _ = try folder.addAsset()
    let token = try folder.library.currentChangeToken
    let database = folder.library.layout.database
    let url = folder.library.url
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: database + suffix)
    }
    _ = try LibraryRepair().run(at: url)
    expectExpired(try PhotoLibrary(at: url), token, "another library")
  }
}

extension [UInt8] {
  fileprivate var hex: String { map { String($0, radix: 16) }.joined() }
}
