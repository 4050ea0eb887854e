// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// One commit while it is applied: the open transaction, its number, and what it has touched.
///
/// Every operation goes through it, so that each object's earlier state is kept for those who hold
/// results of before, each change is in the history once, and manifests on disk follow.
final class Commit {
  let database: LibraryDatabase
  let files: CommitFiles
  /// Seconds since 1970.
  let date: Double
  let token: String?
  /// The only assets that this program may change; nil for all.
  private let visible: Set<String>?
  /// The commit behind which this one is numbered, besides those of the library.
  private let precedent: Int64
  private var number: Int64?
  private var touched: [ObjectKey: Touch] = [:]
  private var changed: Set<LocalIdentifier> = []
  private var created: Set<LocalIdentifier> = []
  private var deleted: Set<LocalIdentifier> = []
  private var contentChanged: Set<LocalIdentifier> = []
  /// The order of the albums whose indexes this commit has used.
  var memberLists: [Int64: PositionedList] = [:]
  /// Whether files are to be removed after the commit.
  private(set) var hasLeftovers = false
  /// Whether manifests are to be written after the commit.
  private(set) var hasStaleManifests = false

  struct ObjectKey: Hashable {
    let objectClass: ObjectClass
    let row: Int64
  }

  /// What became of an object; the numbers are the history's.
  enum Kind: Int64 {
    case inserted = 1
    case updated = 2
    case deleted = 3
  }

  struct Touch {
    var kind: Kind
    var isContent: Bool
  }

  init(
    _ database: LibraryDatabase, _ files: CommitFiles, date: Date, token: String? = nil,
    visible: Set<String>? = nil, after precedent: Int64 = 0
  ) {
    self.database = database
    self.files = files
    self.date = date.timeIntervalSince1970
    self.token = token
    self.visible = visible
    self.precedent = precedent
  }

  /// Whether anything changed at all; nothing is recorded otherwise.
  var isEmpty: Bool { number == nil }

  /// The number of the commit; the first call makes its record.
  func change() throws(LibraryError) -> Int64 {
    if let number { return number }
    let newest = precedent > 0 ? try database.version() : 0
    try database.run(
      "INSERT INTO change (id, date, token) VALUES (?, ?, ?)",
      [precedent > newest ? .integer(precedent + 1) : .null, .real(date), .init(token)])
    let number = database.connection.lastInsertedRow
    self.number = number
    return number
  }

  // MARK: Who may do what in one block

  /// Notes that a request makes an asset, which its block may use whatever this program sees.
  func willCreate(_ identifier: LocalIdentifier) {
    created.insert(identifier)
    changed.insert(identifier)
  }

  /// Notes that a request changes an object; refuses one that the block deletes.
  func willChange(_ identifier: LocalIdentifier) throws(LibraryError) {
    guard !deleted.contains(identifier) else { throw .deletedAndChanged("\(identifier)") }
    try checkVisible(identifier)
    changed.insert(identifier)
  }

  /// Notes that a request deletes an object; refuses one that the block changes.
  func willDelete(_ identifier: LocalIdentifier) throws(LibraryError) {
    guard !changed.contains(identifier) else { throw .deletedAndChanged("\(identifier)") }
    try checkVisible(identifier)
    deleted.insert(identifier)
  }

  /// Refuses what this program does not even see.
  private func checkVisible(_ identifier: LocalIdentifier) throws(LibraryError) {
    guard visible == nil || identifier.objectClass == .asset else {
      throw .denied("change albums and folders")
    }
    guard isVisible(identifier) else { throw .noObject("\(identifier)") }
  }

  /// Whether this program may change an asset: one that it sees, or made in this block.
  func isVisible(_ asset: LocalIdentifier) -> Bool {
    visible?.contains("\(asset)") != false || created.contains(asset)
  }

  /// Whether a request of this block deletes an object.
  func deletes(_ identifier: LocalIdentifier) -> Bool { deleted.contains(identifier) }

  /// Notes that a request changes the content of an asset, which one commit does once.
  func claimContent(of identifier: LocalIdentifier) throws(LibraryError) {
    guard contentChanged.insert(identifier).inserted else {
      throw .contentChangedTwice("\(identifier)")
    }
  }

  // MARK: Recording

  /// Keeps an asset's row as it was, once for the commit; call it before the row changes.
  func touchAsset(
    _ row: Int64, _ kind: Kind = .updated, isContent: Bool = false
  ) throws(LibraryError) {
    let change = try change()
    if kind != .inserted, touched[ObjectKey(objectClass: .asset, row: row)] == nil {
      try database.run(Self.keepAsset, [.integer(change), .integer(row)])
    }
    note(.asset, row, kind, isContent: isContent)
    try noteStale(.asset, row)
  }

  /// Keeps an album's or folder's row as it was, once for the commit; call it before the row or
  /// its members change.
  func touchCollection(
    _ objectClass: ObjectClass, _ row: Int64, _ kind: Kind = .updated
  ) throws(LibraryError) {
    let change = try change()
    if kind != .inserted, touched[ObjectKey(objectClass: objectClass, row: row)] == nil {
      try database.run(Self.keepCollection, [.integer(change), .integer(row)])
    }
    note(objectClass, row, kind, isContent: false)
    try noteStale(objectClass, row)
  }

  private func note(_ objectClass: ObjectClass, _ row: Int64, _ kind: Kind, isContent: Bool) {
    let key = ObjectKey(objectClass: objectClass, row: row)
    guard let before = touched[key] else {
      touched[key] = Touch(kind: kind, isContent: isContent)
      return
    }
    // Inserted and updated in one commit is inserted.
    let merged: Kind = before.kind == .inserted && kind == .updated ? .inserted : kind
    touched[key] = Touch(kind: merged, isContent: before.isContent || isContent)
  }

  /// Says that the manifest of an object on disk is to be written again.
  func noteStale(_ objectClass: ObjectClass, _ row: Int64) throws(LibraryError) {
    hasStaleManifests = true
    try database.run(
      "INSERT OR IGNORE INTO staleManifest (class, object) VALUES (?, ?)",
      [.integer(Int64(objectClass.rawValue)), .integer(row)])
  }

  /// Records where a member of an album was and where it is now.
  func noteMember(
    album: Int64, asset: Int64, before: Int64?, after: Int64?
  ) throws(LibraryError) {
    try database.run(
      """
      INSERT INTO memberHistory (change, album, asset, before, after) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (album, change, asset) DO UPDATE SET after = excluded.after
      """,
      [.integer(try change()), .integer(album), .integer(asset), .init(before), .init(after)])
  }

  /// Says that a file of the library is needed no more once this is committed.
  func leave(_ file: String) throws(LibraryError) {
    hasLeftovers = true
    try database.run("INSERT OR IGNORE INTO leftover (file) VALUES (?)", [.text(file)])
  }

  /// Plans to put a staged file in its place.
  func place(_ staged: String, at file: String) throws(LibraryError) {
    files.place(staged, at: file)
    // An earlier commit may have given it up and nobody removed it yet.
    try database.run("DELETE FROM leftover WHERE file = ?", [.text(file)])
  }

  /// Writes the history of everything that was touched; the last step before the files.
  func finish() throws(LibraryError) {
    guard let number else { return }
    for (key, touch) in touched {
      let values: [SQLValue] = [
        .integer(number), .integer(Int64(key.objectClass.rawValue)), .integer(key.row),
        .integer(touch.kind.rawValue), .init(touch.isContent),
      ]
      try database.run(
        """
        INSERT INTO changedObject (change, class, object, kind, isContent)
        VALUES (?, ?, ?, ?, ?)
        """, values)
      // A new row has the number already.
      if touch.kind == .inserted { continue }
      let table = key.objectClass == .asset ? "asset" : "collection"
      try database.run(
        "UPDATE \(table) SET lastChange = ? WHERE id = ?", [.integer(number), .integer(key.row)])
    }
  }

  /// What the commit touched.
  var touchedObjects: [ObjectKey: Touch] { touched }

  private static let keepAsset = {
    let columns = Asset.storedColumns.joined(separator: ", ")
    return """
      INSERT INTO assetHistory (change, id, \(columns), state)
      SELECT ?, id, \(columns), state FROM asset WHERE id = ?
      """
  }()

  private static let keepCollection = {
    let columns =
      "uuid, class, subtype, title, parent, position, creationDate, modificationDate, state"
    return """
      INSERT INTO collectionHistory (change, id, \(columns))
      SELECT ?, id, \(columns) FROM collection WHERE id = ?
      """
  }()
}
