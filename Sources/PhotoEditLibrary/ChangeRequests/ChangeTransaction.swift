// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// A commit while it is applied: the open transaction, its number, and the objects it touched.
///
/// Every operation goes through it, so that the previous state of each object is saved for holders
/// of older results, each change is in the history once, and manifests on disk are updated.
final class ChangeTransaction {
  let database: LibraryDatabase
  let files: TransactionFiles
  /// Seconds since 1970.
  let date: Double
  let token: String?
  /// Returns the places by which locations get names.
  let placeIndex: @Sendable () -> PlaceIndex?
  private let updatesSearch: Bool
  /// The only assets that this program may change; nil for all.
  private let visible: Set<String>?
  /// A commit that this one must follow, in addition to those in the library.
  private let precedent: Int64
  private var number: Int64?
  private var touched: [ObjectKey: Touch] = [:]
  private var changed: Set<LocalIdentifier> = []
  private var created: Set<LocalIdentifier> = []
  private var deleted: Set<LocalIdentifier> = []
  private var contentChanged: Set<LocalIdentifier> = []
  /// The contents of the albums whose indexes this commit has used.
  var memberLists: [Int64: PositionedList] = [:]
  /// The rows of assets that this commit deletes permanently.
  var purged: [Int64] = []
  /// Indicates whether files must be removed after the commit.
  private(set) var hasLeftovers = false
  private(set) var hasStaleManifests = false

  struct ObjectKey: Hashable {
    let objectClass: ObjectClass
    let row: Int64
  }

  struct Touch {
    var kind: ChangeKind
    var isContent: Bool
  }

  init(
    _ database: LibraryDatabase, _ files: TransactionFiles, date: Date, token: String? = nil,
    visible: Set<String>? = nil, after precedent: Int64 = 0,
    placeIndex: @escaping @Sendable () -> PlaceIndex? = { PlaceIndex.installed },
    updatesSearch: Bool = true
  ) {
    self.updatesSearch = updatesSearch
    self.placeIndex = placeIndex
    self.database = database
    self.files = files
    self.date = date.timeIntervalSince1970
    self.token = token
    self.visible = visible
    self.precedent = precedent
  }

  /// Indicates whether nothing changed, so that nothing is recorded.
  var isEmpty: Bool { number == nil }

  /// Returns the number of the commit; the first call inserts its record.
  func change() throws(LibraryError) -> Int64 {
    if let number { return number }
    let newest = precedent > 0 ? try database.version() : 0
    try database.run(
      "INSERT INTO change (id, date, token) VALUES (?, ?, ?)",
      [
        precedent > newest ? .integer(precedent.addingSaturated(1)) : .null, .real(date),
        .init(token),
      ])
    let number = database.connection.lastInsertedRow
    self.number = number
    return number
  }

  // MARK: Conflicts within a block

  /// Registers an asset that a request creates, which its block may use even with limited access.
  func willCreate(_ identifier: LocalIdentifier) {
    created.insert(identifier)
    changed.insert(identifier)
  }

  /// Registers an object that a request changes; throws an error if the block deletes it.
  func willChange(_ identifier: LocalIdentifier) throws(LibraryError) {
    guard !deleted.contains(identifier) else { throw .deletedAndChanged("\(identifier)") }
    try checkVisible(identifier)
    changed.insert(identifier)
  }

  /// Registers an object that a request deletes; throws an error if the block changes it.
  func willDelete(_ identifier: LocalIdentifier) throws(LibraryError) {
    guard !changed.contains(identifier) else { throw .deletedAndChanged("\(identifier)") }
    try checkVisible(identifier)
    deleted.insert(identifier)
  }

  /// Throws an error for an object that is not visible to this program.
  private func checkVisible(_ identifier: LocalIdentifier) throws(LibraryError) {
    guard visible == nil || identifier.objectClass == .asset else {
      throw .denied("change albums and folders")
    }
    guard isVisible(identifier) else { throw .noObject("\(identifier)") }
  }

  /// Returns whether this program may change an asset: it is visible or was created in this block.
  func isVisible(_ asset: LocalIdentifier) -> Bool {
    visible?.contains("\(asset)") != false || created.contains(asset)
  }

  func deletes(_ identifier: LocalIdentifier) -> Bool { deleted.contains(identifier) }

  /// Registers a change to the content of an asset, of which there is at most one per commit.
  func claimContent(of identifier: LocalIdentifier) throws(LibraryError) {
    guard contentChanged.insert(identifier).inserted else {
      throw .contentChangedTwice("\(identifier)")
    }
  }

  // MARK: Recording

  /// Saves an asset's previous row, once per commit; must be called before the row changes.
  func touchAsset(
    _ row: Int64, _ kind: ChangeKind = .updated, isContent: Bool = false
  ) throws(LibraryError) {
    let change = try change()
    if kind != .inserted, touched[ObjectKey(objectClass: .asset, row: row)] == nil {
      try database.run(Self.keepAsset, [.integer(change), .integer(row)])
    }
    note(.asset, row, kind, isContent: isContent)
    try noteStale(.asset, row)
  }

  /// Saves the previous row of an album or folder, once per commit; must be called before the row
  /// or its members change.
  func touchCollection(
    _ objectClass: ObjectClass, _ row: Int64, _ kind: ChangeKind = .updated
  ) throws(LibraryError) {
    let change = try change()
    if kind != .inserted, touched[ObjectKey(objectClass: objectClass, row: row)] == nil {
      try database.run(Self.keepCollection, [.integer(change), .integer(row)])
    }
    note(objectClass, row, kind, isContent: false)
    try noteStale(objectClass, row)
  }

  private func note(_ objectClass: ObjectClass, _ row: Int64, _ kind: ChangeKind, isContent: Bool) {
    let key = ObjectKey(objectClass: objectClass, row: row)
    guard let before = touched[key] else {
      touched[key] = Touch(kind: kind, isContent: isContent)
      return
    }
    // Inserted and updated in one commit counts as inserted.
    let merged: ChangeKind = before.kind == .inserted && kind == .updated ? .inserted : kind
    touched[key] = Touch(kind: merged, isContent: before.isContent || isContent)
  }

  /// Marks the manifest of an object as out of date, so that it is written again.
  func noteStale(_ objectClass: ObjectClass, _ row: Int64) throws(LibraryError) {
    hasStaleManifests = true
    try database.run(
      "INSERT OR IGNORE INTO staleManifest (class, object) VALUES (?, ?)",
      [.integer(Int64(objectClass.rawValue)), .integer(row)])
  }

  /// Records the previous and the new position of an album member.
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

  func deleteAfterCommit(_ file: String) throws(LibraryError) {
    hasLeftovers = true
    try database.run("INSERT OR IGNORE INTO leftover (file) VALUES (?)", [.text(file)])
  }

  /// Schedules the move of a staged file to its path in the library.
  func place(_ staged: String, at file: String) throws(LibraryError) {
    files.place(staged, at: file)
    // An earlier commit may have scheduled its deletion, which has not happened yet.
    try database.run("DELETE FROM leftover WHERE file = ?", [.text(file)])
  }

  /// Writes the history of all touched objects; the last step before the files are moved.
  func finish() throws(LibraryError) {
    guard let number else { return }
    for (key, touch) in touched {
      let values: [DatabaseValue] = [
        .integer(number), .integer(Int64(key.objectClass.rawValue)), .integer(key.row),
        .integer(touch.kind.rawValue), .init(touch.isContent),
      ]
      try database.run(
        """
        INSERT INTO changedObject (change, class, object, kind, isContent)
        VALUES (?, ?, ?, ?, ?)
        """, values)
      // A new row already has the number.
      if touch.kind == .inserted { continue }
      let table = key.objectClass == .asset ? "asset" : "collection"
      try database.run(
        "UPDATE \(table) SET lastChange = ? WHERE id = ?", [.integer(number), .integer(key.row)])
    }
    if updatesSearch { try updateSearch(number) }
    for row in purged { try database.clearPurged(row) }
  }

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
