// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
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

  /// Photos with equal names, and those that a default list shows.
  struct Named: CustomTestStringConvertible {
    let testDescription: String
    /// The names, the models of the cameras, and the dates, if they are known.
    let photos: [(name: String, model: String?, date: String?)]
    let shown: Set<String>
  }

  private static let named: [Named] = [
    Named(
      testDescription: "a burst of a phone",
      photos: (1...3).map { ("20231207_101605_00\($0).jpg", "S9", "2023:12:07 10:16:0\($0)") },
      shown: ["20231207_101605_001.jpg"]),
    Named(
      testDescription: "a burst of which one photo lost its metadata",
      photos: [
        ("IMG_20180409_102543_BURST1.jpg", "Mi", "2018:04:09 10:25:43"),
        ("IMG_20180409_102543_BURST2.jpg", nil, nil),
        ("IMG_20180409_102543_BURST3.jpg", nil, "2018:04:09 10:25:44"),
      ], shown: ["IMG_20180409_102543_BURST1.jpg"]),
    Named(
      testDescription: "scans of three years",
      photos: (1...3).map { ("20210510_101530_00\($0).jpg", "Scan", "195\($0):06:07 12:00:00") },
      shown: Set((1...3).map { "20210510_101530_00\($0).jpg" })),
    Named(
      testDescription: "scans with one date",
      photos: (1...2).map { ("20210510_101530_00\($0).jpg", "Scan", "1951:06:07 12:00:00") },
      shown: Set((1...2).map { "20210510_101530_00\($0).jpg" })),
    Named(
      testDescription: "numbers of which nothing else is known",
      photos: (1...2).map { ("20210510_101530_00\($0).jpg", nil, nil) },
      shown: Set((1...2).map { "20210510_101530_00\($0).jpg" })),
    Named(
      testDescription: "hours between",
      photos: (1...3).map {
        ("IMG_20220510_101530_BURST00\($0).jpg", "P30", "2022:05:10 1\($0):15:30")
      }, shown: Set((1...3).map { "IMG_20220510_101530_BURST00\($0).jpg" })),
    Named(
      testDescription: "two cameras in one folder, and a photo of either",
      photos: [
        ("20231207_101605_001.jpg", "S9", "2023:12:07 10:16:05"),
        ("20231207_101605_002.jpg", "S9", "2023:12:07 10:16:06"),
        ("20231207_101605_003.jpg", "A50", "2023:12:07 10:16:05"),
        ("20231207_101605_004.jpg", "A50", "2023:12:07 10:16:06"),
        ("20231207_101605_005.jpg", nil, "2023:12:07 10:16:07"),
      ],
      shown: ["20231207_101605_001.jpg", "20231207_101605_003.jpg", "20231207_101605_005.jpg"]),
    Named(
      testDescription: "a camera in two folders",
      photos: (1...4).map {
        ("\($0 < 3 ? "a" : "b")/20231207_101605_00\($0).jpg", "S9", "2023:12:07 10:16:05")
      }, shown: ["20231207_101605_001.jpg", "20231207_101605_003.jpg"]),
    Named(
      testDescription: "unknown cameras in two folders",
      photos: (1...4).map {
        ("\($0 < 3 ? "a" : "b")/IMG_20180409_102543_BURST\($0).jpg", nil, nil)
      },
      shown: ["IMG_20180409_102543_BURST1.jpg", "IMG_20180409_102543_BURST3.jpg"]),
  ]

  @Test(arguments: named, [1, 100])
  func `photos with equal names are a burst if folder, camera and time agree`(
    _ named: Named, _ batchSize: Int
  ) throws {
    let source = try TemporaryFolder()
    for folder in ["a", "b"] { try FileSystem.createFolder(source.path(folder)) }
    for (index, photo) in named.photos.enumerated() {
      var file = ImageFile()
      if let model = photo.model { file.main = [.text(0x0110, model)] }
      if let date = photo.date { file.exif = [.text(0x9003, date)] }
      try source.write(try file.jpeg(index), to: photo.name)
    }
    var options = Importer.Options()
    options.batchSize = batchSize
    #expect(
      Importer(library.library, options: options).run([source.path]).assetCount
        == named.photos.count)
    let shown = try library.library.fetchAssets(FetchOptions<Asset>()).map(\.originalFilename)
    #expect(Set(shown) == named.shown && shown.count == named.shown.count)
    let all = try library.assets().filter { $0.burstIdentifier == nil || $0.representsBurst }
    #expect(Set(all.map(\.originalFilename)) == named.shown)
  }

  @Test func `albums of a Google Takeout export contain photos of the bursts of its years`() throws
  {
    let source = try TemporaryFolder()
    let json = Array(#"{"title": "x", "photoTakenTime": {"timestamp": "1700000000"}}"#.utf8)
    for (folder, frames) in [("Album", 1...2), ("Photos from 2023", 1...5)] {
      try FileSystem.createFolder(source.path(folder))
      try source.write(json, to: folder + "/x.json")
      for frame in frames {
        var file = ImageFile()
        file.main = [.text(0x0110, "S9")]
        file.exif = [.text(0x9003, "2023:12:07 10:16:05")]
        try source.write(try file.jpeg(frame), to: "\(folder)/20231207_101605_00\(frame).jpg")
      }
    }
    #expect(Importer(library.library).run([source.path]).assetCount == 5)
    #expect(Set(try library.assets().map(\.burstIdentifier)).count == 1)
    #expect(try library.library.fetchAssets(FetchOptions<Asset>()).count == 1)
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
