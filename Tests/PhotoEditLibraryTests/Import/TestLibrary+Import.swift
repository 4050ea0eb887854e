// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

extension TestLibrary {
  /// Creates an asset from bytes.
  func create(
    _ resources: [(AssetResourceType, [UInt8])],
    _ more: (AssetCreationRequest) throws -> Void = { _ in }
  ) throws -> Asset {
    let outcome = try library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      for (type, bytes) in resources { try request.addResource(type, data: bytes) }
      try more(request)
      return request.outcome
    }
    guard let asset = try outcome.created.flatMap({ try asset($0) }) else {
      throw LibraryError.noObject("the new asset")
    }
    return asset
  }

  /// Creates a Live Photo edited twice by another program: six files and adjustment data.
  func editedLivePhoto() throws -> Asset {
    try create([
      (.photo, try ImageFile.live("O", seed: 1)), (.pairedVideo, MovieFile.live("O", seed: 1)),
      (.fullSizePhoto, try ImageFile.live("C", seed: 2)),
      (.fullSizePairedVideo, MovieFile.live("C", seed: 2)),
      (.adjustmentBasePhoto, try ImageFile.live("B", seed: 3)),
      (.adjustmentBasePairedVideo, MovieFile.live("B", seed: 3)),
      (.adjustmentData, ImageFile.record()),
    ])
  }

  /// Creates an asset from files.
  func create(
    files: [(AssetResourceType, String)],
    _ options: AssetResourceCreationOptions = AssetResourceCreationOptions(),
    duplicates: AssetCreationRequest.Duplicates = .allow
  ) throws -> AssetCreationOutcome {
    try library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      for (type, path) in files {
        try request.addResource(type, fileURL: URL(filePath: path), options: options)
      }
      try request.setDuplicates(duplicates)
      return request.outcome
    }
  }

  /// The paths of an asset's files by resource type.
  func files(of asset: Asset) throws -> [AssetResourceType: String] {
    let rows = try library.read { database throws(LibraryError) in
      try database.all("SELECT type, file FROM resource WHERE asset = ?", [.integer(asset.row)]) {
        (AssetResourceType(rawValue: Int($0.int(0))) ?? .photoProxy, $0.text(1))
      }
    }
    return Dictionary(rows.map { ($0.0, library.layout.path($0.1)) }) { first, _ in first }
  }

  /// All assets that are not in the trash, oldest first.
  func assets() throws -> [Asset] {
    try library.read { database throws(LibraryError) in
      try database.all("SELECT \(Asset.selection) FROM asset WHERE state = 0 ORDER BY id") {
        Asset($0)
      }
    }
  }

  /// Runs a deep check and returns its report.
  func check() throws -> LibraryReport {
    try library.synchronize()
    var check = LibraryCheck()
    check.isDeep = true
    return try check.run(at: URL(filePath: folder.path + "/library"))
  }

  /// The paths of all stored files except manifests.
  func storedFiles() throws -> [String] {
    let root = library.layout.root
    return try FileManager.default.subpathsOfDirectory(atPath: root).filter { name in
      !name.hasPrefix("library.db") && name != "generation"
        && (try? FileSystem.entry(at: root + "/" + name)) == .file
        && !name.hasSuffix("asset.json")
    }.sorted()
  }
}

/// The digest of a file.
func digest(_ path: String) throws -> SHA256Digest { try FileBytes.digest(of: path) }
