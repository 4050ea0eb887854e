// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Finding and merging duplicates")
struct DuplicateTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  private func groups(_ method: DuplicateSearch.Method) throws -> [[String]] {
    try DuplicateSearch(library.library).groups(by: method).map { group in
      [group.keeper.localIdentifier] + group.duplicates.map(\.localIdentifier).sorted()
    }
  }

  @Test func `copies are found by bytes, by pixels and by their looks`() throws {
    let bytes = try ImageFile().jpeg(1)
    let first = try library.create([(.photo, bytes)])
    let copy = try library.create([(.photo, bytes)])
    // The same pixels with other metadata.
    let tagged = try library.create([(.photo, try ImageFile().jpeg(2))])
    // The same picture in another size.
    let other = try library.create([(.photo, try TestImages.bytes("photo-1024.jpg"))])
    let movie = try library.create([(.video, MovieFile().bytes)])
    _ = try library.create([(.photo, try TestImages.bytes("hald-8.png"))])
    let names = [first, copy, tagged, other].map(\.localIdentifier)
    #expect(try groups(.digest) == [[names[0], names[1]]])
    #expect(try groups(.pixels) == [[names[0]] + [names[1], names[2]].sorted()])
    let similar = try groups(.similar)
    #expect(similar.contains { Set(names).isSubset(of: $0) }, "\(similar)")
    #expect(!similar.contains { $0.contains(movie.localIdentifier) })
    // The stored digests lead to the same result, and the library is in order with them.
    #expect(FileSystem.itemExists(library.library.layout.path("cache/pixel-digests")))
    #expect(try groups(.pixels) == [[names[0]] + [names[1], names[2]].sorted()])
    #expect(try library.check().findings == [])
  }

  @Test(arguments: [
    // Recorded with the function phash of ImageHash 4.3.2.
    ("photo-1024.jpg", "b3b6a5685d5ac286"), ("photo-64.jpg", "b7a6a5685c5ac296"),
    ("photo-portrait.jpg", "b0b6b43d4c0be2b3"), ("orientation-6.jpg", "b16787da8698d926"),
    ("jpeg-gray.jpg", "b7b391182d68e1ab"),
  ])
  func `hashes are those of a common library`(_ name: String, _ hash: String) throws {
    let bytes = try TestImages.bytes(name)
    _ = try library.create([(.photo, bytes)])
    #expect(try groups(.similar).isEmpty)
    let entries = PixelDigestCache(library.library.layout).entries
    #expect(entries["\(SHA256Digest(of: bytes))".suffix(64).description]?.hash == hash)
  }

  @Test func `merging keeps albums, keywords and the favorite flag, and can be undone`() throws {
    let bytes = try ImageFile().jpeg(1)
    let first = try library.create([(.photo, bytes)])
    let second = try library.create([(.photo, bytes)])
    let third = try library.create([(.photo, try ImageFile().jpeg(3))])
    try library.library.performChangesAndWait { changes in
      try changes.change(first).addKeywords(["a"])
      try changes.change(second).addKeywords(["b"])
      try changes.change(second).setFavorite(true)
      try changes.createAlbum(title: "Lake").addAssets([third, second])
    }
    // A photo in an album is kept.
    let found = try DuplicateSearch(library.library).groups(by: .digest)
    let group = try #require(found.first)
    #expect(group.keeper == second && group.duplicates == [first])
    try library.library.performChangesAndWait { try $0.merge([second], into: first) }
    let merged = try #require(try library.asset(first.localIdentifier))
    #expect(merged.keywords == ["a", "b"] && merged.isFavorite)
    let album = try #require(try library.library.fetchAssetCollections(with: .album).first)
    let members = try library.library.fetchAssets(in: album).map(\.localIdentifier)
    #expect(members == [third.localIdentifier, first.localIdentifier])
    let trash = try library.library.fetchTrashedAssets()
    #expect(trash.map(\.localIdentifier) == [second.localIdentifier])
    try library.library.performChangesAndWait { try $0.restore(trash) }
    #expect(try library.assets().count == 3)
    #expect(try groups(.digest).count == 1)
    #expect(try library.check().findings == [])
  }

  @Test func `an image without structure resembles no other`() throws {
    let flat = ImageBuffer(
      size: PixelSize(width: 40, height: 30), layout: RowLayout(channels: .rgb))
    #expect(PerceptualHash(flat) == nil)
    var tree = HashTree()
    for (index, bits) in [0, 1, 0xFF, 0xFFFF, 0].enumerated() {
      tree.insert(index, PerceptualHash(bits: UInt64(bits)))
    }
    #expect(tree.values(within: 0, of: PerceptualHash(bits: 0)).sorted() == [0, 4])
    #expect(tree.values(within: 8, of: PerceptualHash(bits: 0)).sorted() == [0, 1, 2, 4])
  }
}
