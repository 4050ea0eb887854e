// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

extension TestLibrary {
  /// Adds a photo with its file.
  func addPhoto(_ image: String = "jpeg-17x31.jpg") throws -> Asset {
    let bytes = try TestImages.bytes(image)
    let insertion = PhotoInsertion(library.layout, image, bytes, at: library.configuration.clock())
    try library.performChangesAndWait { try $0.add(insertion) }
    return try #require(try asset(insertion.identifier.description))
  }

  /// The current state of an asset.
  func refetched(_ asset: Asset) throws -> Asset {
    try #require(try self.asset(asset.localIdentifier))
  }

  func store(_ asset: Asset) throws -> AssetEditingStore { try library.editingStore(for: asset) }

  /// The resource rows of an asset by type.
  func resources(_ asset: Asset) throws -> [AssetResourceType: ResourceRecord] {
    try library.read { database throws(LibraryError) in
      Dictionary(
        uniqueKeysWithValues: try database.resources(of: asset.row).map { ($0.type, $0) })
    }
  }

  /// File names in the folder of an asset, except for its manifest.
  func files(_ asset: Asset) throws -> [String] {
    let identifier = try #require(LocalIdentifier(asset.localIdentifier))
    return try FileSystem.names(
      in: library.layout.path(library.layout.assetFolder(identifier.uuid))
    ).filter { $0 != "asset.json" }
  }

  /// Digests of the original, base, current version and adjustment data on disk.
  func digests(_ asset: Asset) throws -> [SHA256Digest?] {
    let resources = try resources(asset)
    let types: [AssetResourceType] = [
      .photo, .adjustmentBasePhoto, .fullSizePhoto, .adjustmentData,
    ]
    return try types.map { type in
      guard let resource = resources[type] else { return nil }
      let digest = try FileBytes.digest(of: library.layout.path(resource.file))
      #expect(digest.bytes == resource.digest)
      return digest
    }
  }

  /// The digests of all files in the library except for the database, by path.
  func inventory(below folder: String? = nil) throws -> [String: SHA256Digest] {
    let root = library.layout.root
    var found: [String: SHA256Digest] = [:]
    for name in try FileSystem.names(in: folder ?? root) {
      let path = (folder ?? root) + "/" + name
      if try FileSystem.entry(at: path) == .folder {
        found.merge(try inventory(below: path)) { first, _ in first }
      } else if !name.hasPrefix("library.db") {
        found[String(path.dropFirst(root.count + 1))] = try FileBytes.digest(of: path)
      }
    }
    return found
  }

  /// Expects that every file has a row and every row has its file.
  func checkFiles(_ asset: Asset) throws {
    // Files of a change block are removed with the block, on the writer's queue.
    try library.openWriter().queue.sync {}
    let versions = try library.reader.versions(
      of: try #require(LocalIdentifier(asset.localIdentifier)))
    #expect(try files(asset).sorted() == versions.files.map(FileSystem.lastName).sorted())
    #expect(try FileSystem.names(in: library.layout.staging) == [])
  }
}

/// Inserts a photo in the same way as a creation request.
final class PhotoInsertion: ChangeOperation {
  var record: PhotoProperties
  let identifier = LocalIdentifier(new: .asset)
  private let layout: LibraryLayout
  private let bytes: [UInt8]

  init(_ layout: LibraryLayout, _ name: String, _ bytes: [UInt8], at date: Date) {
    self.layout = layout
    self.bytes = bytes
    record = PhotoProperties(
      originalFilename: FileSystem.lastName(of: name), addedAt: date)
    (record.pixelWidth, record.pixelHeight) = (17, 31)
    record.fileSize = bytes.count
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    let row = try commit.insert(record, as: identifier)
    let digest = SHA256Digest(of: bytes)
    let file = layout.file(
      .photo, of: identifier.uuid, digest: digest, fileExtension: "jpg")
    let path = try commit.files.newPath()
    let content = FileBytes(bytes)
    do throws(FileError) { try OpenFile(creating: path).write(content.buffer) } catch {
      throw LibraryError(error)
    }
    try commit.place(path, at: file)
    try commit.put(
      ResourceRecord(
        type: .photo, file: file, digest: digest.bytes, size: bytes.count,
        uniformType: "public.jpeg", filename: record.originalFilename), of: row)
  }
}

/// Another program that edits the same photos and stores its own adjustment data.
enum EditorB {
  static let identifier = "com.example.retouch"

  static func data(_ text: String) throws -> AdjustmentData {
    try AdjustmentData(formatIdentifier: identifier, formatVersion: "1.0", data: Data(text.utf8))
  }

  /// Options that accept the adjustment data of this editor.
  static var options: EditingInputRequestOptions {
    var options = EditingInputRequestOptions()
    options.canHandleAdjustmentData = { $0.formatIdentifier == identifier }
    return options
  }

  static func output(
    _ library: PhotoLibrary, _ asset: Asset, _ text: String
  ) async throws -> EditingOutput {
    let input = try await library.contentEditingInput(for: asset, options: options)
    let output = try await library.contentEditingOutput(for: input)
    output.adjustmentData = try data(text)
    try Data(rendering(text)).write(to: output.renderedContentURL)
    return output
  }

  /// Runs a complete editing session and commits it in a change block.
  static func edit(_ library: PhotoLibrary, _ asset: Asset, _ text: String) async throws {
    let output = try await output(library, asset, text)
    try await library.performChanges {
      try $0.change(asset).setContentEditingOutput(output)
    }
  }

  /// A small JPEG with orientation `up` that differs for each text, which is its comment.
  static func rendering(_ text: String) throws -> [UInt8] {
    let comment = Array(text.utf8)
    let length = comment.count + 2
    let bytes = try TestImages.bytes("jpeg-17x1.jpg")
    return bytes[..<2] + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 255)] + comment
      + bytes[2...]
  }
}

/// The library error that a closure throws, or nil.
func libraryError(_ body: () async throws -> Void) async throws -> LibraryError? {
  do {
    try await body()
    return nil
  } catch let error as LibraryError {
    return error
  } catch let error as EditingError {
    return LibraryError(error)
  }
}
