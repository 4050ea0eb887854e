// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Albums from folders and from Picasa")
struct FolderAlbumTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// The names of the photos in each album, by the titles of its folders and its own.
  private func albums() throws -> [String: [String]] {
    let library = library.library
    var found: [String: [String]] = [:]
    for album in try library.fetchAssetCollections(with: .album) {
      let above = try library.fetchCollectionLists(containing: .assets(album)).map {
        $0.localizedTitle ?? ""
      }
      let path = (above + [album.localizedTitle ?? ""]).joined(separator: "/")
      found[path, default: []] += try library.fetchAssets(in: album).map(\.originalFilename)
    }
    return found
  }

  @Test func `the photos of each folder are in an album with its name`() throws {
    let names = ["top.jpg", "Rome/a.jpg", "Rome/b.jpg", "2016/Paris/c.jpg", "2016/d.jpg"]
    for (index, name) in names.enumerated() {
      try write(try ImageFile().jpeg(index), "Trips/" + name)
    }
    try write(Array("text".utf8), "Trips/Empty/note.txt")
    let expected = [
      "Trips": ["top.jpg"], "Rome": ["a.jpg", "b.jpg"], "2016": ["d.jpg"], "2016/Paris": ["c.jpg"],
    ]
    #expect(run(folder: "Trips").assetCount == 5)
    #expect(try albums().isEmpty)
    for _ in 1...2 {
      _ = run(folder: "Trips") { $0.makesFolderAlbums = true }
      #expect(try albums() == expected, "also for photos of the library, and only once")
    }
    try write(try ImageFile().jpeg(9), "Trips/Rome/new.jpg")
    _ = run([source.path("Trips/Rome/new.jpg")]) { $0.makesFolderAlbums = true }
    #expect(try albums()["Rome"] == ["a.jpg", "b.jpg", "new.jpg"])
  }

  @Test func `albums are identified by their paths below the named folder`() throws {
    for (index, year) in ["2019", "2020"].enumerated() {
      try write(try ImageFile().jpeg(index), "Trips/\(year)/Rome/\(year).jpg")
    }
    for year in ["2019", "2020"] {
      _ = run(folder: "Trips/" + year) { $0.makesFolderAlbums = true }
    }
    #expect(try albums() == ["Rome": ["2019.jpg", "2020.jpg"]])
    _ = run(folder: "Trips") { $0.makesFolderAlbums = true }
    #expect(try albums()["2019/Rome"] == ["2019.jpg"])
    #expect(try albums()["2020/Rome"] == ["2020.jpg"])
  }

  @Test func `links to photos of the import put these into albums`() throws {
    for (index, name) in ["ALL/a.jpg", "ALL/b.jpg", "Lake/c.jpg", "z/Elsewhere.jpg"].enumerated() {
      try write(try ImageFile().jpeg(index), "in/" + name)
    }
    try FileManager.default.createDirectory(
      atPath: source.path("in/Rome/Old"), withIntermediateDirectories: true)
    for (name, target) in [
      ("Lake/a.jpg", "../ALL/a.jpg"), ("Rome/Old/b.jpg", source.path("in/ALL/b.jpg")),
      ("Rome/Old/a renamed.jpg", "../../ALL/a.jpg"), ("Lake/gone.jpg", "../nowhere.jpg"),
      ("Lake/folder", "../ALL"), ("Lake/out.jpg", "../../out.jpg"), ("Lake/x.txt", "../../x.txt"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: source.path("in/" + name), withDestinationPath: target)
    }
    try write(try ImageFile().jpeg(9), "out.jpg")
    try write(Array("text".utf8), "x.txt")
    let report = run(folder: "in") { $0.makesFolderAlbums = true }
    #expect(report.assetCount == 4 && report.count(.skipped) == 7)
    #expect(
      try albums() == [
        "ALL": ["a.jpg", "b.jpg"], "Lake": ["c.jpg", "a.jpg"], "Rome/Old": ["a.jpg", "b.jpg"],
        "z": ["Elsewhere.jpg"],
      ])
    let lost = report.files.filter(\.isLoss).map(\.path)
    #expect(lost == [source.path("in/Lake/out.jpg")], "a photo outside of the import")
    #expect(lines(report)["in/Lake/a.jpg"]?.reason?.hasPrefix("a link to ") == true)
  }

  @Test func `an archive has an album for each of its folders`() throws {
    let files = [("top.jpg", 1), ("Rome/a.jpg", 2)].map { ($0.0, $0.1) }
    let archive = ArchiveFile(try files.map { ($0.0, try ImageFile().jpeg($0.1)) })
    try write(archive.tar, "Trips.tar")
    _ = run([source.path("Trips.tar")]) { $0.makesFolderAlbums = true }
    #expect(try albums() == ["Trips": ["top.jpg"], "Rome": ["a.jpg"]])
  }

  @Test func `folders whose names look the same are one album`() throws {
    let names = ["Cafe\u{301}/a.jpg", "Caf\u{E9}/b.jpg"]
    for (index, name) in names.enumerated() { try write(try ImageFile().jpeg(index), name) }
    _ = run { $0.makesFolderAlbums = true }
    #expect(try library.library.fetchAssetCollections(with: .album).count == 1)
    #expect(try Set(albums().values.first ?? []) == ["a.jpg", "b.jpg"])
  }

  // MARK: Picasa

  @Test func `a folder that has a name in Picasa is an album of that name`() throws {
    try write(Array("[Picasa]\nname=By the lake\n".utf8), "Trips/2005/.picasa.ini")
    try write(try ImageFile().jpeg(1), "Trips/2005/a.jpg")
    try write(try ImageFile().jpeg(2), "Trips/2006/b.jpg")
    _ = run(folder: "Trips")
    #expect(try albums().isEmpty, "not unless folders become albums")
    _ = run(folder: "Trips") { $0.makesFolderAlbums = true }
    #expect(try albums() == ["By the lake": ["a.jpg"], "2006": ["b.jpg"]])
  }

  private static let ini = """
    [Picasa]
    name=Lake
    [a.jpg]
    star=yes
    caption=At the = lake
    keywords=Summer,Boat, ,Summer
    albums=id1,id2,unknown
    faces=rect64(3f845bcb59418507),8e62398ebda8c1a5;rect64(1),ffffffffffffffff;
    rotate=rotate(1)
    crop=rect64(1)
    backuphash=1234
    [A.JPG]
    star=yes
    [b.jpg]
    rotate=rotate(0)
    [gone.jpg]
    star=yes
    [.album:id1]
    name=Best of 2005
    token=id1
    [.album:id2]
    date=1
    [Contacts2]
    8e62398ebda8c1a5=Ann Example;;
    """

  @Test func `Picasa may write a name in another case, if only one photo has it`() throws {
    let ini = ["a.JPG", "b.jpg", "B.jpg", "c.JPG"].map { "[\($0)]\ncaption=\($0)" }
    try write(Array(ini.joined(separator: "\n").utf8), ".picasa.ini")
    for (index, name) in ["A.jpg", "B.JPG", "c.jpg", "C.jpg"].enumerated() {
      try write(try ImageFile().jpeg(index), name)
    }
    let report = run()
    let captions = Dictionary(
      try library.assets().map { ($0.originalFilename, $0.caption) }, uniquingKeysWith: { $1 })
    #expect(captions == ["A.jpg": "a.JPG", "B.JPG": nil, "c.jpg": nil, "C.jpg": nil])
    let reason = lines(report)[".picasa.ini"]?.reason
    #expect(reason == "describes 1 file; 3 more are not in this folder")
  }

  @Test(arguments: [".picasa.ini", "Picasa.ini", ".picasa.ini in a ZIP"])
  func `stars, captions, keywords, people and albums of Picasa are taken`(_ name: String) throws {
    let text = Array(Self.ini.replacing("\n", with: "\r\n").utf8)
    let photos = ["a.jpg", "b.jpg"].enumerated().map { ($0.element, $0.offset) }
    let files =
      try photos.map { ("x/" + $0.0, try ImageFile().jpeg($0.1)) }
      + [("x/" + name.prefix { $0 != " " }, text)]
    if name.hasSuffix("ZIP") {
      try write(ArchiveFile(files).zip, "x.zip")
    } else {
      for (name, bytes) in files { try write(bytes, name) }
    }
    let report = run(name.hasSuffix("ZIP") ? [source.path("x.zip")] : nil)
    let assets = try library.assets()
    #expect(assets.map(\.isFavorite) == [true, false])
    #expect(assets[0].caption == "At the = lake")
    #expect(assets[0].keywords == ["Boat", "Summer"] && assets[0].people == ["Ann Example"])
    #expect(try albums() == ["Best of 2005": ["a.jpg"]])
    let photo = report.files.first { $0.path.hasSuffix("/a.jpg") }
    #expect(photo?.reason == "edited in Picasa (crop, rotation); its edit cannot be read")
    #expect(report.files.first { $0.path.hasSuffix("/b.jpg") }?.reason == nil)
    let line = report.files.first { $0.path.lowercased().hasSuffix("picasa.ini") }
    #expect(line?.outcome == .read)
    #expect(line?.reason == "describes 2 files; 2 more are not in this folder")
  }

  @Test func `files of Picasa in other encodings are read, with a note`() throws {
    try write(try ImageFile().jpeg(1), "latin/été.jpg")
    let latin = "[Picasa]\n[été.jpg]\ncaption=Straße – 5 €\n"
    let windows: [Unicode.Scalar: UInt8] = ["–": 0x96, "€": 0x80]
    let bytes = latin.unicodeScalars.map { windows[$0] ?? UInt8(truncatingIfNeeded: $0.value) }
    try write(bytes, "latin/Picasa.ini")
    try write(try ImageFile().jpeg(2), "wide/b.jpg")
    let wide = "[b.jpg]\ncaption=Łódź\n".utf16.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
    }
    try write([0xFF, 0xFE] + wide, "wide/.picasa.ini")
    try write(try ImageFile().jpeg(3), "mark/c.jpg")
    try write([0xEF, 0xBB, 0xBF] + Array("[c.jpg]\ncaption=Ähre\n".utf8), "mark/.picasa.ini")
    let report = lines(run())
    #expect(try Set(library.assets().map(\.caption)) == ["Straße – 5 €", "Łódź", "Ähre"])
    #expect(report["latin/Picasa.ini"]?.reason?.contains("Windows-1252") == true)
    #expect(report["mark/.picasa.ini"]?.reason == "describes 1 file")
  }

  @Test func `other companions in Windows-1252 are read`() throws {
    func latin(_ text: String) -> [UInt8] {
      text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
    try write(try ImageFile().jpeg(1), "a.jpg")
    let packet =
      #"<?xml version="1.0" encoding="ISO-8859-1"?>"# + ImageFile.packet("dc:title=\"Über\"")
    try write(latin(packet.replacing("\u{FEFF}", with: "")), "a.jpg.xmp")
    try write(try ImageFile().jpeg(2), "t/b.jpg")
    let json = #"{"title": "b.jpg", "description": "Él", "photoTakenTime": {"timestamp": "1"}}"#
    try write(latin(json), "t/b.jpg.json")
    _ = run()
    #expect(try Set(library.assets().map { $0.title ?? $0.caption }) == ["Über", "Él"])
  }

  @Test func `the newer file of Picasa takes precedence`() throws {
    try write(try ImageFile().jpeg(1), "a.jpg")
    try write(Array("[a.jpg]\ncaption=new\n".utf8), ".picasa.ini")
    try write(Array("[a.jpg]\ncaption=old\nstar=yes\n".utf8), "Picasa.ini")
    _ = run()
    #expect(try library.assets().map(\.caption) == ["new"])
  }

  @Test(arguments: [
    "", "text", "[", "=", "[]\n=", "[a.jpg", "[.album:]\nname=", "[a.jpg]\nfaces=;,",
  ])
  func `any text is read without trapping`(_ text: String) throws {
    _ = PicasaFile(text)
    try write(try ImageFile().jpeg(1), "a.jpg")
    try write(Array(text.utf8), ".picasa.ini")
    #expect(run().assetCount == 1)
  }
}
