// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Adjustment data of other programs in a library")
struct AdjustmentFileTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// A record with keys and a layout that photoedit does not write.
  private static func record(baseVersion: Int = 0) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>vendorKey</key><array><integer>7</integer></array>
      \t<key>adjustmentBaseVersion</key><integer>\(baseVersion)</integer>
      \t<key>adjustmentData</key><data>AAEC
      Aw==</data>
      \t<key>adjustmentEditorBundleID</key><string>com.example.mobile</string>
      \t<key>adjustmentFormatIdentifier</key><string>com.example.photo</string>
      \t<key>adjustmentFormatVersion</key><string>1.6</string>
      \t<key>adjustmentRenderTypes</key><integer>3</integer>
      \t<key>adjustmentTimestamp</key><date>2020-05-05T10:00:00Z</date>
      </dict>
      </plist>\n
      """.utf8)
  }

  private func edited(_ record: [UInt8]) throws -> Asset {
    try folder.create([
      (.photo, try ImageFile().jpeg()), (.fullSizePhoto, EditorB.rendering("theirs")),
      (.adjustmentData, record),
    ])
  }

  private func bytes(_ asset: Asset) throws -> [UInt8]? {
    try folder.files(of: folder.refetched(asset))[.adjustmentData]
      .map { try FileBytes.reading($0).array }
  }

  private func exported(_ asset: Asset, to name: String) throws -> [UInt8] {
    try FileSystem.createFolder(folder.folder.path(name))
    var exporter = Exporter(
      library, to: URL(filePath: folder.folder.path(name)), version: .all)
    let file = try #require(
      exporter.export(folder.refetched(asset)).first { $0.type == .adjustmentData })
    return try FileBytes.reading(file.path).array
  }

  @Test(arguments: [0, 1])
  func `an undone edit restores the other program's file byte for byte`(
    baseVersion: Int
  ) async throws {
    let record = Self.record(baseVersion: baseVersion)
    let asset = try edited(record)
    let store = try folder.store(asset)
    let before = try store.state()
    try await PhotoEditor(store).apply([Sepia(amount: 0.5)])
    let own = try bytes(asset)
    #expect(own != record)
    let undone = try await store.undo()
    #expect(try bytes(asset) == record && exported(asset, to: "a") == record)
    #expect(undone == (try store.state()), "the state of the commit is that of the files")
    #expect(undone.record?.adjustment == before.record?.adjustment)
    #expect(undone.base == before.base && undone.current.digest == before.current.digest)
    #expect(undone.redoable.count == 1 && undone.notices == [])
    let redone = try await store.redo()
    #expect(redone.record?.editor == "org.photoedit" && redone.undoable.count == 1)
    try await EditorB.edit(library, folder.refetched(asset), "over it")
    try await store.undo(steps: 2)
    #expect(try bytes(asset) == record)
    try await store.revert()
    #expect(try bytes(asset) == nil)
    try await store.undo()
    #expect(try bytes(asset) == record && exported(asset, to: "b") == record)
    #expect(try folder.check().findings == [])
    try folder.checkFiles(asset)
  }

  @Test func `a file that is not readable as adjustment data is restored as well`() async throws {
    let asset = try edited(Self.record())
    // Libraries of earlier versions may contain such files.
    let list = Array("<plist><dict><key>other</key><string>x</string></dict></plist>".utf8)
    let path = try #require(folder.files(of: asset)[.adjustmentData])
    try FileSystem.remove(path)
    try Data(list).write(to: URL(filePath: path))
    try library.performChangesAndWait {
      try $0.add(
        Rows([
          """
          UPDATE resource SET digest = x'\(SHA256Digest(of: list).hex)', size = \(list.count)
          WHERE type = 7
          """
        ]))
    }
    let store = try folder.store(asset)
    try await PhotoEditor(store).apply([Sepia(amount: 0.5)])
    #expect(try bytes(asset) != list)
    try await store.undo()
    #expect(try bytes(asset) == list)
  }

  @Test func `a lost file is replaced by what the journal has of it`() async throws {
    let asset = try edited(Self.record())
    let store = try folder.store(asset)
    let path = try #require(folder.files(of: asset)[.adjustmentData])
    try await PhotoEditor(store).apply([Sepia(amount: 0.5)])
    try FileSystem.remove(path)
    let undone = try await store.undo()
    #expect(undone.record?.adjustment.formatIdentifier == "com.example.photo")
    #expect(try bytes(asset).flatMap { AdjustmentData(fileBytes: $0) } == undone.record?.adjustment)
    #expect(try folder.check().findings == [])
  }

  @Test(arguments: [true, false], [true, false])
  func `a rebuilt database keeps the file`(hasManifest: Bool, isUndone: Bool) async throws {
    let record = Self.record()
    let asset = try edited(record)
    let store = try folder.store(asset)
    try await PhotoEditor(store).apply([Sepia(amount: 0.5)])
    if isUndone { try await store.undo() }
    try library.synchronize()
    for suffix in ["", "-wal", "-shm"] {
      try FileSystem.remove(library.layout.database + suffix)
    }
    let uuid = try #require(LocalIdentifier(asset.localIdentifier)).uuid
    if !hasManifest {
      try FileSystem.remove(library.layout.path(library.layout.assetFolder(uuid)) + "/asset.json")
    }
    #expect(try LibraryRepair().run(at: library.url).isSound)
    let again = try PhotoLibrary(at: library.url)
    let found = try #require(try again.fetchAssets().first)
    let rebuilt = try again.editingStore(for: found)
    if !isUndone { try await rebuilt.undo() }
    let resource = try #require(
      try again.assetResources(for: found).first { $0.type == .adjustmentData })
    #expect(resource.digest == SHA256Digest(of: record))
    #expect(try rebuilt.state().redoable.count == 1)
    #expect(try await rebuilt.redo().record?.editor == "org.photoedit")
  }
}
