// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Problematic strings")
struct NaughtyStringsTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  /// Some strings of each kind, and the naughty-strings corpus if it is available.
  private static var texts: [String] {
    let own = [
      "'; DROP TABLE asset; --", "\" OR 1=1", "%s%n", "a\0b", "\u{202E}txt.gpj", "é", "e\u{301}",
      "👩‍👩‍👧‍👦", "../../etc/passwd", "-rf", "\u{1B}[31m", "NULL", "", " ", "\r\n",
      String(repeating: "x", count: 10_000),
    ]
    guard let corpora = Corpora.path,
      let data = try? Data(contentsOf: URL(filePath: corpora + "/naughty-strings/blns.txt"))
    else { return own }
    return own + String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func isSame(_ first: String?, _ second: String) -> Bool {
    first.map { $0.utf8.elementsEqual(second.utf8) } ?? false
  }

  @Test func `titles, captions and file names are stored unchanged`() throws {
    for text in Self.texts {
      let asset = try folder.addAsset { record in
        record.originalFilename = text
        record.burstIdentifier = text
        record.representsBurst = true
      }
      try folder.library.performChangesAndWait { changes in
        let request = try changes.change(asset)
        try request.setTitle(text)
        try request.setCaption(text)
      }
      let after = try #require(try folder.asset(asset.localIdentifier))
      #expect(isSame(after.title, text) && isSame(after.caption, text))
      #expect(isSame(after.originalFilename, text) && isSame(after.burstIdentifier, text))
      let burst = try folder.library.fetchAssets(withBurstIdentifier: text)
      #expect(burst.contains(asset))
    }
    let facts = try folder.library.statistics()
    #expect(facts.assets == Self.texts.count)
  }

  @Test func `texts that are not identifiers match no object`() throws {
    _ = try folder.addAsset()
    for text in Self.texts {
      #expect(try folder.library.fetchAssets(withLocalIdentifiers: [text]).isEmpty)
      #expect(try folder.library.fetchAssetCollections(withLocalIdentifiers: [text]).isEmpty)
      if !text.isEmpty {
        #expect(try folder.library.identifiers(.asset, startingWith: text + "!").isEmpty)
      }
    }
  }
}
