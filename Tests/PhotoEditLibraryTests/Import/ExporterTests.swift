// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Exporting assets")
struct ExporterTests {
  private let library: TestLibrary
  private let target: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    target = try TemporaryFolder()
  }

  private func export(
    _ assets: [Asset], _ version: Exporter.Version = .current, overwrites: Bool = false
  ) throws -> [Exporter.File] {
    try library.export(assets, to: target, version, overwrites: overwrites)
  }

  private func named(_ name: String, seed: Int = 0) throws -> Asset {
    let bytes = try ImageFile().jpeg(seed)
    let made = try library.library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      try request.addResource(
        .photo, data: bytes, options: AssetResourceCreationOptions(originalFilename: name))
      return request.placeholder
    }
    return try #require(try library.asset(made.localIdentifier))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: target.path).sorted()
  }

  @Test func `the original is exported byte for byte under its own name`() throws {
    let bytes = try ImageFile().jpeg(9)
    let asset = try named("Sommer 2024.JPEG", seed: 9)
    let files = try export([asset], .original)
    #expect(files.map(\.path) == [target.path("Sommer 2024.JPEG")])
    #expect(files.first?.digest == SHA256Digest(of: bytes))
    #expect(try digest(files[0].path) == SHA256Digest(of: bytes))
  }

  @Test func `the current version exports the rendering, all versions get distinct names`() throws {
    let asset = try library.editedLivePhoto()
    let stem = FileSystem.splitName(asset.originalFilename).stem
    #expect(try export([asset]).map(\.type) == [.fullSizePhoto, .fullSizePairedVideo])
    #expect(Set(try names()) == ["\(stem).jpg", "\(stem).mov"])
    let all = try export([asset], .all, overwrites: true)
    #expect(all.count == 8)
    #expect(
      Set(try names()) == [
        "\(stem).jpg", "\(stem).mov", "\(stem).jpg.aae", "\(stem).edited.jpg",
        "\(stem).edited.mov", "\(stem).base.jpg", "\(stem).base.mov", "\(stem).jpg.xmp",
      ])
  }

  @Test func `a full export can be imported with the same bytes and edits`() throws {
    let assets = [
      try library.editedLivePhoto(), try named("plain.jpg"),
      try library.create([
        (.photo, try ImageFile().jpeg(4)), (.alternatePhoto, ImageFile.dng()),
      ]),
      try library.create([
        (.video, MovieFile().bytes), (.fullSizeVideo, MovieFile.live(nil, seed: 8)),
        (.adjustmentData, ImageFile.record(seed: 2)),
      ]),
    ]
    _ = try export(assets, .all)
    let other = try TestLibrary()
    let report = Importer(other.library).run([target.path])
    #expect(report.assetCount == 4 && report.count(.imported) == report.files.count)
    func digests(_ library: TestLibrary) throws -> Set<[AssetResourceType: SHA256Digest]> {
      Set(
        try library.assets().map { asset in
          try library.files(of: asset).filter { $0.key != .sidecar }.mapValues { try digest($0) }
        })
    }
    #expect(try digests(other) == digests(library))
    #expect(
      try Set(other.assets().map(\.hasAdjustments)) == Set(library.assets().map(\.hasAdjustments)))
  }

  @Test func `an edit with Apple's names keeps its bytes there and back`() throws {
    let edits: [(String, AssetResourceType, [UInt8])] = [
      ("IMG_0001.JPG", .photo, try ImageFile().jpeg(1)),
      ("river.jpg", .photo, try ImageFile().jpeg(2)),
      ("IMG_0002.MOV", .video, MovieFile().bytes),
    ]
    for (index, (name, type, original)) in edits.enumerated() {
      let isPhoto = type == .photo
      let rendering = isPhoto ? try ImageFile().jpeg(10 + index) : MovieFile.live(nil, seed: 8)
      try library.library.performChangesAndWait { changes throws(LibraryError) in
        let asset = try changes.createAsset()
        var options = AssetResourceCreationOptions()
        options.originalFilename = name
        try asset.addResource(type, data: original, options: options)
        try asset.addResource(isPhoto ? .fullSizePhoto : .fullSizeVideo, data: rendering)
        try asset.addResource(
          .adjustmentData, data: ImageFile.record("com.apple.photo", seed: index))
      }
    }
    var exporter = Exporter(library.library, to: URL(filePath: target.path), version: .all)
    exporter.usesAppleNames = true
    for asset in try library.assets() { _ = try exporter.export(asset) }
    let found = try names().filter { !$0.hasSuffix(".xmp") }
    #expect(
      Set(found) == [
        "IMG_0001.JPG", "IMG_0001.AAE", "IMG_E0001.JPG", "river.jpg", "river.AAE",
        "river.edited.jpg", "IMG_0002.MOV", "IMG_0002.AAE", "IMG_E0002.MOV",
      ])
    let other = try TestLibrary()
    #expect(Importer(other.library).run([target.path]).assetCount == 3)
    func digests(_ library: TestLibrary) throws -> Set<[AssetResourceType: SHA256Digest]> {
      Set(
        try library.assets().map { asset in
          try library.files(of: asset).filter { $0.key != .sidecar }.mapValues { try digest($0) }
        })
    }
    #expect(try digests(other) == digests(library))
    #expect(try other.assets().allSatisfy { $0.hasAdjustments })
  }

  @Test func `an exported edit can be resumed in another library`() async throws {
    let (own, others) = (try library.addPhoto(), try library.addPhoto("photo-64.jpg"))
    _ = try await PhotoEditor(library.store(own)).apply([Exposure(ev: 0.5)])
    _ = try await PhotoEditor(library.store(others)).apply([Exposure(ev: 0.5)])
    try await EditorB.edit(library.library, others, "one")
    _ = try export([library.refetched(own), library.refetched(others)], .all)
    let second = try TestLibrary()
    let report = Importer(second.library).run([target.path])
    #expect(report.assetCount == 2 && report.count(.imported) == report.files.count)
    let assets = try second.assets()
    #expect(assets.allSatisfy { $0.hasAdjustments })
    for asset in assets {
      let files = try second.files(of: asset)
      if files[.adjustmentBasePhoto] == nil {
        let next = try await PhotoEditor(second.store(asset)).apply([Invert(amount: 1)])
        #expect(next.kind == .resumed)
        #expect(next.graph.nodes.map(\.filter) == ["exposure", "invert"])
      } else {
        let input = try await second.library.contentEditingInput(
          for: asset, options: EditorB.options)
        #expect(input.adjustmentData == (try EditorB.data("one")) && input.version == .base)
      }
    }
  }

  @Test func `files are overwritten only on request, links never`() throws {
    let asset = try named("a.jpg")
    try target.write([1], to: "a.jpg")
    let error = #expect(throws: LibraryError.self) { try export([asset]) }
    #expect(error?.file?.kind == .exists && error?.path == target.path("a.jpg"))
    #expect(try Data(contentsOf: target.url("a.jpg")) == Data([1]))
    #expect(try export([asset], overwrites: true).count == 1)
    #expect(try names() == ["a.jpg"], "no partial file is left")
    #expect(unlink(target.path("a.jpg")) == 0)
    let otherPath = try library.folder.write([7], to: "elsewhere")
    #expect(symlink(otherPath, target.path("a.jpg")) == 0)
    #expect(throws: LibraryError.self) { try export([asset], overwrites: true) }
    #expect(try Data(contentsOf: URL(filePath: otherPath)) == Data([7]))
  }

  @Test func `names that differ only in case or Unicode normalization are numbered`() throws {
    let names = ["IMG_1.JPG", "img_1.jpg", "caf\u{E9}.jpg", "cafe\u{301}.jpg"]
    let assets = try names.enumerated().map { try named($1, seed: $0 + 1) }
    let files = try export(assets)
    #expect(
      files.map { FileSystem.lastName(of: $0.path) } == [
        "IMG_1.JPG", "img_1 (2).jpg", "caf\u{E9}.jpg", "cafe\u{301} (2).jpg",
      ])
  }

  @Test(arguments: [false, true])
  func `an export never overwrites its own files`(
    isEditedFirst: Bool
  ) throws {
    let bytes = (try ImageFile().jpeg(1), try ImageFile().jpeg(2))
    let options = AssetResourceCreationOptions(originalFilename: "a.jpg")
    let made = try library.library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      try request.addResource(.photo, data: bytes.0, options: options)
      try request.addResource(.fullSizePhoto, data: bytes.1)
      try request.addResource(.adjustmentData, data: ImageFile.record())
      return request.placeholder
    }
    let edited = try #require(try library.asset(made.localIdentifier))
    let plain = try named("a.edited.jpg", seed: 5)
    let files = try export(
      isEditedFirst ? [edited, plain] : [plain, edited], .all, overwrites: true)
    #expect(files.count == 6 && Set(files.map(\.path)).count == 6)
    for file in files { #expect(try digest(file.path) == file.digest, "\(file.path)") }
  }

  @Test(arguments: [
    "../../etc/passwd.jpg", "/etc/passwd.jpg", "..", ".", "", ".hidden.jpg", "-rf.jpg", "~root.jpg",
    "@file.jpg", "a|b.jpg", "line\nbreak.jpg", "nul\u{0}nul.jpg", "\u{1B}[31mred.jpg",
    "\u{202E}gpj.exe.jpg", "CON.jpg", "com1.jpg", "dot. .jpg", "a\\b.jpg",
    String(repeating: "x", count: 255) + ".jpg", String(repeating: "é", count: 200) + ".jpg",
  ])
  func `dangerous file names are sanitized`(_ name: String) throws {
    let asset = try library.addAssetFile(named: name)
    #expect(asset.originalFilename == name, "the library keeps the name unchanged")
    let files = try export([asset])
    let made = FileSystem.lastName(of: files[0].path)
    #expect(try names() == [made])
    #expect(made.hasSuffix(".jpg") && made.utf8.count <= 255)
    #expect(!made.hasPrefix(".") && !made.hasPrefix("-") && !made.contains("/"))
    for scalar in made.unicodeScalars {
      #expect(scalar.value >= 0x20 && scalar.value != 0x202E && scalar.value != 0x7F)
    }
  }

  @Test func `a damaged library file is not exported`() throws {
    let asset = try named("a.jpg")
    let file = try #require(try library.files(of: asset)[.photo])
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: URL(filePath: file))
    let error = #expect(throws: LibraryError.self) { try export([asset]) }
    #expect(error?.code == .invalidResource && error?.path == file)
    #expect(try names().isEmpty)
  }
}

extension TestLibrary {
  /// Creates an asset with the given original filename, which may be empty.
  fileprivate func addAssetFile(named name: String) throws -> Asset {
    let asset = try create([(.photo, try ImageFile().jpeg())])
    let identifier = asset.localIdentifier
    try library.performChangesAndWait { changes in
      try changes.add(Rename(asset.row, name))
    }
    guard let renamed = try self.asset(identifier) else {
      throw LibraryError.noObject(identifier)
    }
    return renamed
  }
}

/// Sets the stored filename of an asset, as an untrusted library could contain it.
private final class Rename: ChangeOperation {
  private let row: Int64
  private let name: String

  init(_ row: Int64, _ name: String) { (self.row, self.name) = (row, name) }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.touchAsset(row)
    try commit.database.run(
      "UPDATE asset SET originalFilename = ? WHERE id = ?", [.text(name), .integer(row)])
    try commit.database.run(
      "UPDATE resource SET filename = ? WHERE asset = ?", [.text(name), .integer(row)])
  }
}
