// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage

/// The file `.photoedit-export.json` in the folder of an export: the state of each exported file.
///
/// A file that still has the recorded size and modification time is known without reading it.
struct ExportRecord {
  static let name = ".photoedit-export.json"
  private static let maximumBytes = 1 << 30
  private static let version = 1

  struct Entry: Hashable {
    var asset: String
    /// The version and the template of the export.
    var scheme: String
    /// The path from the template, before a number was added.
    var base: String
    /// The path without the ending that depends on the role of the file.
    var stem: String
    /// The state of the asset: its content, its properties and its albums.
    var state: String
    var size: Int
    /// The seconds and nanoseconds of the modification time.
    var modified: [Int]
    var digest: String
  }

  /// The entries by path relative to the folder.
  var entries: [String: Entry] = [:]

  init() {}

  /// Reads the record of a folder; an absent one is empty.
  ///
  /// Entries with names that lead out of the folder are ignored: anyone can write the record.
  init(in folder: OpenFolder) throws(LibraryError) {
    let path = folder.path(of: Self.name)
    guard try inFiles(folder.entry(Self.name)) != nil else { return }
    let bytes = try inFiles(folder.reading(Self.name, maximumBytes: Self.maximumBytes))
    let limits = JSONLimits(
      maximumBytes: Self.maximumBytes, maximumArrayCount: .max, maximumObjectCount: .max)
    guard let json = try? JSONValue(parsing: bytes.array, limits: limits),
      json["schemaVersion"]?.integerValue == Self.version, let files = json["files"]?.objectValue
    else {
      throw LibraryError(
        .invalidResource, path: path, "not an export record",
        hint: "remove it to start the export over")
    }
    for (name, file) in files {
      guard OpenFolder.isBeneath(name), let entry = Entry(file),
        OpenFolder.isBeneath(entry.stem)
      else { continue }
      entries[name] = entry
    }
  }

  func save(in folder: OpenFolder) throws(LibraryError) {
    let limits = JSONLimits(
      maximumBytes: Self.maximumBytes, maximumArrayCount: .max, maximumObjectCount: .max)
    let json: JSONValue = [
      "schemaVersion": .number(Double(Self.version)), "files": .object(entries.mapValues(\.json)),
    ]
    guard let bytes = try? json.canonicalBytes(limits: limits) else {
      throw LibraryError(.internalError, "cannot encode the export record")
    }
    try folder.withPathByDescriptor { place throws(LibraryError) in
      do throws(FileError) {
        let path = place + "/" + Self.name
        guard try [nil, .file].contains(FileSystem.entry(at: path)) else {
          throw FileError(.exists, path: path, reason: "is not a regular file")
        }
        let staging = try StagingFolder(in: place)
        defer { staging.discard() }
        let staged = staging.file("record")
        let file = try OpenFile(creating: staged)
        try file.write(bytes + [0x0A])
        try file.sync()
        try FileSystem.publish(staged, as: path, replacing: true, like: nil)
      } catch {
        throw LibraryError(error).naming(folder.path, insteadOf: place)
      }
    }
  }

  /// Returns whether a file still has the recorded size and modification time.
  static func isUnchanged(_ entry: Entry, _ name: String, in folder: OpenFolder) -> Bool {
    guard let version = folder.version(of: name) else { return false }
    return version.size == entry.size && version.modified == entry.modified
  }
}

extension ExportRecord.Entry {
  fileprivate init?(_ json: JSONValue) {
    guard let asset = json["asset"]?.stringValue, let scheme = json["scheme"]?.stringValue,
      let base = json["base"]?.stringValue, let stem = json["stem"]?.stringValue,
      let state = json["state"]?.stringValue,
      let size = json["size"]?.integerValue, let digest = json["digest"]?.stringValue,
      let modified = json["modified"]?.arrayValue?.compactMap(\.integerValue), modified.count == 2
    else { return nil }
    self.init(
      asset: asset, scheme: scheme, base: base, stem: stem, state: state, size: size,
      modified: modified, digest: digest)
  }

  fileprivate var json: JSONValue {
    [
      "asset": .string(asset), "scheme": .string(scheme), "base": .string(base),
      "stem": .string(stem), "state": .string(state), "size": .number(Double(size)),
      "modified": .array(modified.map { .number(Double($0)) }), "digest": .string(digest),
    ]
  }
}
