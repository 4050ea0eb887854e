// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditSQLite

/// A file with the content of one album or folder, for rebuilding the database.
///
/// Members are in order, one identifier per line.
struct CollectionManifest: Hashable {
  static let format = "org.photoedit.collection"
  static let version = 1

  var uuid: UUID
  var row: Int64
  var objectClass: ObjectClass
  var subtype: Int64
  var title: String
  /// The folder that contains it; nil at the top level.
  var parent: UUID?
  /// The position among its parent's children.
  var position: Int64
  /// The creation date in seconds since 1970.
  var creationDate: Double
  var modificationDate: Double
  var members: [UUID]
  /// The trashed assets, each with the number of members that preceded it.
  var trashed: [TrashedMember]
  /// The last commit that changed it; nil in manifests of the first version.
  var commit: ManifestCommit?

  struct TrashedMember: Hashable {
    var uuid: UUID
    var index: Int
  }
}

extension CollectionManifest {
  // MARK: Rows

  /// Reads an album or folder; returns nil if it does not exist.
  init?(_ row: Int64, in database: LibraryDatabase) throws(LibraryError) {
    func uuid(_ row: Row, _ column: Int) -> UUID? {
      LocalIdentifier(bytes: row.blob(column), .assetCollection)?.uuid
    }
    let found = try database.first(
      """
      SELECT c.uuid, c.class, c.subtype, c.title, p.uuid, c.position, c.creationDate,
        c.modificationDate, \(ManifestCommit.columns(of: "c"))
      FROM collection c LEFT JOIN collection p ON p.id = c.parent
      WHERE c.id = ? AND c.state = 0
      """, [.integer(row)]
    ) { row -> CollectionManifest? in
      guard let own = uuid(row, 0), let objectClass = ObjectClass(rawValue: Int(row.int(1)))
      else { return nil }
      return CollectionManifest(
        uuid: own, row: 0, objectClass: objectClass, subtype: row.int(2), title: row.text(3),
        parent: uuid(row, 4), position: row.int(5), creationDate: row.real(6),
        modificationDate: row.real(7), members: [], trashed: [], commit: ManifestCommit(row, 8))
    }
    guard let found, var manifest = found else { return nil }
    manifest.row = row
    manifest.members = try database.all(
      """
      SELECT a.uuid FROM member m JOIN asset a ON a.id = m.asset
      WHERE m.album = ? ORDER BY m.position
      """, [.integer(row)]
    ) { uuid($0, 0) }.compactMap { $0 }
    manifest.trashed = try database.all(
      """
      SELECT a.uuid,
        (SELECT count(*) FROM member m WHERE m.album = t.album AND m.position < t.position)
      FROM trashedMember t JOIN asset a ON a.id = t.asset
      WHERE t.album = ? ORDER BY t.position
      """, [.integer(row)]
    ) { row in uuid(row, 0).map { TrashedMember(uuid: $0, index: Int(row.int(1))) } }
    .compactMap { $0 }
    self = manifest
  }

  // MARK: Comparison

  /// Returns whether another manifest has the same content, ignoring commit and row.
  func matches(_ other: CollectionManifest) -> Bool {
    var own = self
    (own.row, own.commit) = (other.row, other.commit)
    return own == other
  }

  /// Returns whether this is from a later commit than another state; without commits the later date
  /// is decisive.
  func isLater(than other: CollectionManifest) -> Bool {
    if let commit, let others = other.commit, let isLater = commit.isLater(than: others) {
      return isLater
    }
    return modificationDate > other.modificationDate
  }

  // MARK: JSON

  var text: String {
    let header: JSONValue = [
      "format": .string(Self.format), "version": .number(Double(Self.version)),
      "identifier": .string(uuid.uuidString), "row": .number(Double(row)),
      "class": .number(Double(objectClass.rawValue)), "subtype": .number(Double(subtype)),
      "title": .string(title), "position": .number(Double(position)),
      "parent": parent.map { .string($0.uuidString) } ?? .null,
      "creationDate": .number(creationDate), "modificationDate": .number(modificationDate),
      "commit": commit?.json ?? .null,
      "trashed": .array(
        trashed.map { [.string($0.uuid.uuidString), .number(Double($0.index))] }),
    ]
    // Written without an intermediate JSON value, since there may be a million members.
    var text = "{\n\"collection\": " + header.prettyPrinted() + ",\n\"members\": ["
    text.reserveCapacity(text.utf8.count + members.count * 40 + 8)
    for (i, member) in members.enumerated() {
      text += i == 0 ? "\n\"" : ",\n\""
      text += member.uuidString
      text += "\""
    }
    return text + "\n]}\n"
  }

  /// Reads a manifest; returns nil for any other JSON and for one of a newer version.
  init?(_ json: JSONValue) {
    guard let header = json["collection"], header["format"]?.stringValue == Self.format,
      let version = header["version"]?.integerValue, version <= Self.version,
      let uuid = header["identifier"]?.stringValue.flatMap({ UUID(uuidString: $0) }),
      let row = header["row"]?.integerValue, row > 0, row < 1 << 52,
      let objectClass = header["class"]?.integerValue.flatMap({ ObjectClass(rawValue: $0) }),
      objectClass != .asset, let subtype = header["subtype"]?.integerValue,
      let title = header["title"]?.stringValue, let position = header["position"]?.integerValue,
      let created = header["creationDate"]?.numberValue,
      let modified = header["modificationDate"]?.numberValue,
      let members = json["members"]?.arrayValue
    else { return nil }
    self.init(
      uuid: uuid, row: Int64(row), objectClass: objectClass, subtype: Int64(subtype),
      title: title, parent: header["parent"]?.stringValue.flatMap { UUID(uuidString: $0) },
      position: Int64(position), creationDate: created, modificationDate: modified,
      members: members.compactMap { $0.stringValue.flatMap { UUID(uuidString: $0) } },
      trashed: (header["trashed"]?.arrayValue ?? []).compactMap { pair in
        guard let pair = pair.arrayValue, pair.count == 2, let index = pair[1].integerValue,
          let uuid = pair[0].stringValue.flatMap({ UUID(uuidString: $0) })
        else { return nil }
        return TrashedMember(uuid: uuid, index: max(0, index))
      }, commit: ManifestCommit(header["commit"]))
  }
}
