// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditSQLite
import PhotoEditStorage

/// A file with the metadata of one asset, stored next to its files for rebuilding the database.
///
/// It contains the columns of the asset's row by name, and every file with its type and digest.
struct AssetManifest: Hashable {
  static let format = "org.photoedit.asset"
  static let version = 1
  static let name = "asset.json"

  var uuid: UUID
  /// The row of the asset, which determines the order of assets with the same date.
  var row: Int64
  /// 0 for an asset in the library, 1 for a trashed one.
  var state: Int64
  /// The columns of the row by name, except the identifier.
  var properties: [String: DatabaseValue]
  /// The files by type, with file names relative to the asset's folder.
  var resources: [ResourceRecord]
  var journal: [AssetVersions.JournalFile]
  /// The last commit that changed the asset; nil in manifests of the first version.
  var commit: ManifestCommit?
}

extension AssetManifest {
  // MARK: Rows

  init?(_ row: Int64, in database: LibraryDatabase) throws(LibraryError) {
    let columns = ["uuid", "state", ManifestCommit.columns(of: "asset")] + PhotoProperties.columns
    let found = try database.first(
      "SELECT \(columns.joined(separator: ", ")) FROM asset WHERE id = ? AND state < 2",
      [.integer(row)]
    ) { row in
      (
        LocalIdentifier(bytes: row.blob(0), .asset)?.uuid, row.int(1), ManifestCommit(row, 2),
        Dictionary(
          uniqueKeysWithValues: PhotoProperties.columns.enumerated().map { ($1, row.value($0 + 4)) }
        )
      )
    }
    guard let found, let uuid = found.0 else { return nil }
    self.uuid = uuid
    self.row = row
    state = found.1
    commit = found.2
    properties = found.3
    resources = try database.resources(of: row)
    journal = try database.journalFiles(of: row)
    for i in resources.indices { resources[i].file = FileSystem.lastName(of: resources[i].file) }
    for i in journal.indices { journal[i].file = FileSystem.lastName(of: journal[i].file) }
  }

  // MARK: Comparison

  /// Returns whether another manifest has the same content, ignoring commit and row.
  func matches(_ other: AssetManifest) -> Bool {
    var (own, others) = (self, other)
    (own.row, own.commit) = (others.row, others.commit)
    // Compared as JSON, in which 1 and 1.0 are equal.
    others.journal.sort { $0.file < $1.file }
    own.journal.sort { $0.file < $1.file }
    others.resources.sort { $0.type.rawValue < $1.type.rawValue }
    own.resources.sort { $0.type.rawValue < $1.type.rawValue }
    return own.json == others.json
  }

  /// Returns whether this is from a later commit than another state of the asset.
  ///
  /// Without commits the later modification date is decisive, then the number of content changes.
  func isLater(than other: AssetManifest) -> Bool {
    if let commit, let others = other.commit, let isLater = commit.isLater(than: others) {
      return isLater
    }
    return (lastDate, number("contentRevision")) > (other.lastDate, other.number("contentRevision"))
  }

  private var lastDate: Double {
    ["modificationDate", "contentModificationDate", "trashedDate"].map(number).max() ?? 0
  }

  private func number(_ column: String) -> Double {
    switch properties[column] {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: 0
    }
  }

  // MARK: JSON

  var json: JSONValue {
    var files: [JSONValue] = resources.map {
      [
        "type": .string("\($0.type)"), "name": .string($0.file), "digest": .hex($0.digest),
        "size": .number(Double($0.size)), "uniformType": .string($0.uniformType),
        "filename": .string($0.filename),
      ]
    }
    files += journal.map {
      [
        "type": $0.kind == .record ? "journalRecord" : "journalVersion",
        "name": .string($0.file), "digest": .hex($0.digest), "size": .number(Double($0.size)),
      ]
    }
    return [
      "format": .string(Self.format), "version": .number(Double(Self.version)),
      "identifier": .string(uuid.uuidString), "row": .number(Double(row)),
      "state": .number(Double(state)), "commit": commit?.json ?? .null,
      "properties": .object(properties.compactMapValues { JSONValue($0) }),
      "files": .array(files), "knownDamage": .bool(hasKnownDamage),
    ]
  }

  /// Reads a manifest; returns nil for any other JSON and for one of a newer version.
  init?(_ json: JSONValue) {
    guard json["format"]?.stringValue == Self.format,
      let version = json["version"]?.integerValue, version <= Self.version,
      let uuid = json["identifier"]?.stringValue.flatMap({ UUID(uuidString: $0) }),
      let row = json["row"]?.integerValue, row > 0, row < 1 << 52,
      let state = json["state"]?.integerValue, (0...1).contains(state),
      let properties = json["properties"]?.objectValue, let files = json["files"]?.arrayValue
    else { return nil }
    self.uuid = uuid
    self.row = Int64(row)
    self.state = Int64(state)
    commit = ManifestCommit(json["commit"])
    self.properties = [:]
    for name in PhotoProperties.columns {
      self.properties[name] = properties[name].flatMap { DatabaseValue($0) } ?? .null
    }
    resources = []
    journal = []
    for file in files {
      guard let type = file["type"]?.stringValue,
        let name = file["name"]?.stringValue, LibraryLayout.isPlainName(name),
        let digest = file["digest"]?.stringValue.flatMap({ SHA256Digest($0) }),
        let size = file["size"]?.integerValue, size >= 0
      else { return nil }
      if type == "journalRecord" || type == "journalVersion" {
        journal.append(
          .init(
            file: name, kind: type == "journalRecord" ? .record : .content,
            digest: digest.bytes, size: size))
      } else if let type = AssetResourceType(name: type) {
        resources.append(
          ResourceRecord(
            type: type, file: name, digest: digest.bytes, size: size,
            uniformType: file["uniformType"]?.stringValue ?? "public.data",
            filename: file["filename"]?.stringValue ?? name))
      }
    }
    guard !hasRepeats else { return nil }
  }

  /// Indicates whether an image of the asset was damaged at import.
  private var hasKnownDamage: Bool {
    guard case .integer(let traits)? = properties["traits"] else { return false }
    return AssetTraits(rawValue: Int(traits)).contains(.knownDamage)
  }

  /// Indicates whether a resource type or a journal file name occurs twice, which is invalid.
  var hasRepeats: Bool {
    Set(resources.map(\.type)).count < resources.count
      || Set(journal.map(\.file)).count < journal.count
  }
}

extension AssetResourceType {
  /// Parses the name of a type as used in file names and manifests.
  init?(name: String) {
    guard let type = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = type
  }
}

extension LibraryLayout {
  /// Returns whether a name is a plain file name that does not lead out of its folder.
  static func isPlainName(_ name: String) -> Bool {
    let bytes = name.utf8
    return !bytes.isEmpty && bytes.count <= 255 && name != "." && name != ".."
      && !bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0)
  }
}

extension JSONValue {
  /// Creates JSON from a column value; returns nil for NULL and for blobs, which do not occur.
  init?(_ value: DatabaseValue) {
    switch value {
    case .null, .blob: return nil
    case .integer(let number): self = .number(Double(number))
    case .real(let number): self = .number(number)
    case .text(let text): self = .string(text)
    }
  }

  /// Returns bytes as hexadecimal digits.
  static func hex(_ bytes: [UInt8]) -> JSONValue {
    .string(SHA256Digest(bytes: bytes)?.hex ?? "")
  }
}

extension DatabaseValue {
  /// Creates a column value from JSON; returns nil for JSON that is not a valid column value.
  init?(_ json: JSONValue) {
    switch json {
    case .number(let number):
      self = json.integerValue.map { .integer(Int64($0)) } ?? .real(number)
    case .string(let text): self = .text(text)
    case .null, .bool, .array, .object: return nil
    }
  }
}
