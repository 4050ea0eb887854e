// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Photos of bursts: names of files, and picked photos")
struct BurstTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test func `names of bursts are recognized`() {
    let names: [(String, String?, Bool)] = [
      ("00015IMG_00015_BURST20171111030039_COVER.jpg", "BURST20171111030039", true),
      ("00000IMG_00000_BURST20171111030039.jpg", "BURST20171111030039", false),
      ("00100lPORTRAIT_00100_BURST20200618061508398.jpg", "BURST20200618061508398", false),
      ("20231207_101605_031.jpg", "20231207_101605", false),
      ("20231207_101605.jpg", nil, false), ("20231207_101605_31.jpg", nil, false),
      ("IMG_BURST2017.jpg", nil, false), ("BURST20171111030039.jpg", nil, false),
      ("20231207_101605_031_COVER.jpg", nil, false),
    ]
    for (name, identifier, isCover) in names {
      let burst = NamedBurst(name)
      #expect(burst?.identifier == identifier, "\(name)")
      #expect(burst == nil || burst?.isCover == isCover, "\(name)")
    }
  }

  @Test func `photos named as a burst are imported as one, with the cover shown`() throws {
    let source = try TemporaryFolder()
    for index in 0..<3 {
      let cover = index == 1 ? "_COVER" : ""
      try source.write(
        try ImageFile().jpeg(index + 1),
        to: "0000\(index)IMG_0000\(index)_BURST20171111030039\(cover).jpg")
    }
    try source.write(try ImageFile().jpeg(9), to: "20231207_101605_031.jpg")
    #expect(Importer(library.library).run([source.path]).assetCount == 4)
    let shown = try library.library.fetchAssets(FetchOptions<Asset>()).map(\.originalFilename)
    #expect(
      Set(shown) == ["00001IMG_00001_BURST20171111030039_COVER.jpg", "20231207_101605_031.jpg"])
    #expect(try library.assets().filter { $0.burstIdentifier != nil }.count == 3)
  }

  @Test func `picked photos of a burst are shown, and the others can be deleted`() throws {
    var frames: [Asset] = []
    for seed in 1...4 {
      var file = ImageFile()
      file.exif = [.text(0x9003, "2024:05:01 12:00:0\(seed)"), ImageFile.appleNote(burst: "B")]
      frames.append(try library.create([(.photo, try file.jpeg(seed))]))
    }
    func shown() throws -> [String] {
      try library.library.fetchAssets(FetchOptions<Asset>()).map(\.localIdentifier)
    }
    let names = frames.map(\.localIdentifier)
    #expect(try shown() == [names[0]])
    try library.library.performChangesAndWait { try $0.pick([frames[1], frames[3]]) }
    #expect(Set(try shown()) == [names[1], names[3]])
    let first = try #require(try library.asset(names[1]))
    #expect(first.representsBurst && first.burstSelectionTypes.contains(.userPick))
    try library.library.performChangesAndWait { try $0.pick([frames[3]]) }
    #expect(try shown() == [names[3]])
    try library.library.performChangesAndWait { changes in
      try changes.pick([frames[3]], deleting: [frames[0], frames[1], frames[2]])
    }
    #expect(try library.library.fetchTrashedAssets().count == 3)
    let plain = try library.create([(.photo, try ImageFile().jpeg(9))])
    #expect(throws: LibraryError.self) {
      try library.library.performChangesAndWait { try $0.pick([plain]) }
    }
    #expect(try library.check().findings == [])
  }
}
