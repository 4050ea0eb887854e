// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditPlatform
import PhotoEditSQLite
import PhotoEditStorage

/// The database of an Apple Photos library, read from a copy.
///
/// Tables and columns are found by their names, since the numbers in the names of the join tables
/// differ between versions, and columns come and go. A missing column counts as empty.
///
/// - Source: RhetTbull/osxphotos:osxphotos/_constants.py and photosdb/photosdb.py; libraries of
///   Photos 5 (model version 13703).
struct PhotosDatabase {
  struct Item {
    var row: Int64
    var uuid = ""
    var folder = ""
    var file = ""
    var originalName: String?
    /// The capture date in seconds since 2001 in UTC.
    var date: Double?
    /// Seconds by which the clock at the place of capture was ahead of UTC.
    var utcOffset: Int?
    var title: String?
    var caption: String?
    var keywords: [String] = []
    var people: [String] = []
    var latitude: Double?
    var longitude: Double?
    var isFavorite = false
    var isHidden = false
    var isTrashed = false
    var isEdited = false
    var isVideo = false
    var burst: String?
    /// 2 not selected, 4 selected by the camera, 8 selected by the user, 16 representative.
    var burstPick = 0
  }

  /// An album or folder of the user.
  struct Collection {
    var row: Int64
    /// Identifies it among all libraries.
    var source: String
    var isFolder: Bool
    /// Indicates whether other people can add photos, which only they have as originals.
    var isShared: Bool
    var title: String
    var parent: Int64?
    var members: [Int64] = []
  }

  private(set) var items: [Item] = []
  private(set) var collections: [Collection] = []
  /// The version of the schema; nil if unknown.
  private(set) var modelVersion: Int?

  /// The parts of the library that were not read, one clause each, because a table exceeds a limit.
  private(set) var omissions: [String] = []

  private let connection: Connection
  private let path: String
  /// The columns of each table, by its name; views and virtual tables are not read.
  private var columns: [String: Set<String>] = [:]

  /// The maximum number of bytes of the database and of its log, each.
  private static let maximumBytes = 16 << 30
  /// The maximum numbers of photos and videos, and of albums and folders.
  private static let maximumItems = 2_000_000
  private static let maximumCollections = 100_000

  /// Reads the database of a library.
  ///
  /// The database and its write-ahead log are copied first: SQLite would write to the folder of the
  /// original. Each table is read once, and rows are joined in memory by their keys, so that the
  /// time depends only on the number of rows. A table that exceeds a limit is omitted.
  ///
  /// - Throws: `LibraryError` with `invalidResource` if the schema is not recognized, or if the
  ///   table of assets exceeds a limit.
  init(
    library: OpenFolder, limits: ReadingLimits = ReadingLimits()
  ) throws(LibraryError) {
    let main = "database/Photos.sqlite"
    path = library.path(of: main)
    let staging = try inFiles(StagingFolder(in: FileSystem.temporaryFolder))
    defer { staging.discard() }
    let copy = staging.file("Photos.sqlite")
    try translating(LibraryError.init) { () throws(FileError) in
      try Self.copy(try library.open(main), to: copy)
      if try library.entry(main + "-wal") == .file {
        try Self.copy(try library.open(main + "-wal"), to: copy + "-wal")
      }
    }
    let path = path
    let damage = { (error: DatabaseError) in
      LibraryError(
        .invalidResource, path: path, "cannot be read: \(error.message)",
        file: error.code == .tooBig
          ? FileError(.tooLarge, path: path, reason: error.message) : nil)
    }
    connection = try translating(damage, Connection(copy, .readWrite, limits: limits))
    try translating(damage, read())
    guard !isUnknown else {
      throw LibraryError(
        .invalidResource, path: path, "unknown schema: no table of assets was found")
    }
  }

  private static func copy(_ file: borrowing OpenFile, to copy: String) throws(FileError) {
    _ = try file.acceptedSize(maximumBytes: maximumBytes)
    try FileSystem.copy(file, to: copy)
  }

  private var isUnknown = false

  // MARK: Tables

  /// Reads the names of the tables and their columns.
  private mutating func readSchema() throws(DatabaseError) {
    // Only a stored table has a root page.
    let tables = try connection.all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name", []
    ) { $0.text(0) }
    for table in tables where table.hasPrefix("Z") && columns[table] == nil {
      columns[table] = Set(
        try connection.all("SELECT name FROM pragma_table_info(?)", [.text(table)]) { $0.text(0) })
    }
  }

  /// Returns whether a table exists and has all of several columns.
  private func has(_ table: String, _ names: String...) -> Bool {
    columns[table]?.isSuperset(of: names) == true
  }

  /// Returns a join table and its columns by the patterns of their names; "#" is a number.
  private func join(
    _ pattern: String, _ columnPatterns: String...
  ) -> (table: String, columns: [String])? {
    for (table, names) in columns.sorted(by: { $0.key < $1.key })
    where Self.matches(table, pattern) {
      let found = columnPatterns.compactMap { pattern in
        names.sorted().first { Self.matches($0, pattern) }
      }
      if found.count == columnPatterns.count { return (table, found) }
    }
    return nil
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return name == pattern }
    let digits = name.dropFirst(parts[0].count).dropLast(parts[1].count)
    return name.hasPrefix(parts[0]) && name.hasSuffix(parts[1]) && !digits.isEmpty
      && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Passes the rows of a table to a closure, once and in any order; a missing column is null.
  ///
  /// - Throws: `DatabaseError` with the name of the table.
  private func each(
    _ table: String, _ names: [String], _ body: (Row) -> Void
  ) throws(DatabaseError) {
    let known = columns[table] ?? []
    let list = names.map { known.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
    do throws(DatabaseError) {
      try connection.each("SELECT \(list) FROM \(table)", [], body)
    } catch {
      throw DatabaseError(error.code, "the table \(table) \(error.message)", sql: error.sql)
    }
  }

  /// Reads a part of the library; omits and notes it if a table exceeds a limit.
  ///
  /// - Parameters:
  ///   - part: The part, in the plural.
  ///   - body: Reads the part, and changes the properties only at its end.
  private mutating func readPart(
    _ part: String, _ body: (inout PhotosDatabase) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    do throws(DatabaseError) { try body(&self) } catch {
      guard error.code == .tooBig else { throw error }
      omissions.append("\(part) are not imported: \(error.message)")
    }
  }

  // MARK: Reading

  private mutating func read() throws(DatabaseError) {
    try readSchema()
    guard let assets = ["ZASSET", "ZGENERICASSET"].first(where: { columns[$0] != nil }),
      has(assets, "Z_PK", "ZUUID", "ZFILENAME")
    else {
      isUnknown = true
      return
    }
    modelVersion = try? readVersion()
    try readItems(assets)
    let rows = Dictionary(items.enumerated().map { ($1.row, $0) }) { first, _ in first }
    var others: [Int64: Int] = [:]
    try readPart("titles, captions and keywords") { database throws(DatabaseError) in
      others = try database.readDescriptions(rows)
    }
    try readPart("keywords") { database throws(DatabaseError) in
      try database.readKeywords(others)
    }
    try readPart("people") { database throws(DatabaseError) in try database.readPeople(rows) }
    try readPart("albums") { database throws(DatabaseError) in
      try database.readCollections(rows)
    }
  }

  private func readVersion() throws(DatabaseError) -> Int? {
    guard has("Z_METADATA", "Z_PLIST") else { return nil }
    var bytes: [UInt8]?
    try each("Z_METADATA", ["Z_PLIST"]) { bytes = bytes ?? $0.blob(0) }
    return bytes.flatMap { try? PropertyList(bytes: $0) }?.integer("PLModelVersion")
  }

  private mutating func readItems(_ table: String) throws(DatabaseError) {
    // Photos 10 renamed the column and distinguishes several types of edits.
    let edited = has(table, "ZADJUSTMENTSSTATE") ? "ZADJUSTMENTSSTATE" : "ZHASADJUSTMENTS"
    let names = [
      "Z_PK", "ZUUID", "ZDIRECTORY", "ZFILENAME", "ZDATECREATED", "ZLATITUDE", "ZLONGITUDE",
      "ZFAVORITE", "ZHIDDEN", "ZTRASHEDSTATE", edited, "ZKIND", "ZAVALANCHEUUID",
      "ZAVALANCHEPICKTYPE",
    ]
    var found: [Item] = []
    try each(table, names) { row in
      guard found.count <= Self.maximumItems else { return }
      var item = Item(row: row.int(0))
      item.uuid = row.text(1)
      item.folder = row.optionalText(2) ?? ""
      item.file = row.optionalText(3) ?? ""
      item.date = row.optionalReal(4)
      // -180 for both means no location, as does zero.
      if let latitude = row.optionalReal(5), let longitude = row.optionalReal(6),
        abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0
      {
        (item.latitude, item.longitude) = (latitude, longitude)
      }
      (item.isFavorite, item.isHidden) = (row.bool(7), row.bool(8))
      (item.isTrashed, item.isEdited) = (row.bool(9), row.bool(10))
      item.isVideo = row.int(11) == 1
      (item.burst, item.burstPick) = (row.optionalText(12), Int(row.int(13)))
      found.append(item)
    }
    guard found.count <= Self.maximumItems else {
      throw DatabaseError(
        .tooBig, "the table \(table) has more than \(Self.maximumItems) rows")
    }
    items = found.sorted { $0.row < $1.row }
  }

  /// Reads titles, captions and time zones.
  ///
  /// - Returns: The positions in `items` by the keys of the table of additional attributes.
  private mutating func readDescriptions(
    _ rows: [Int64: Int]
  ) throws(DatabaseError) -> [Int64: Int] {
    let table = "ZADDITIONALASSETATTRIBUTES"
    guard has(table, "Z_PK", "ZASSET") else { return [:] }
    var others: [Int64: Int] = [:]
    var captioned: [Int64: Int] = [:]
    var changed = items
    let names = [
      "Z_PK", "ZASSET", "ZORIGINALFILENAME", "ZTITLE", "ZTIMEZONEOFFSET", "ZASSETDESCRIPTION",
    ]
    try each(table, names) { row in
      guard let index = rows[row.int(1)] else { return }
      others[row.int(0)] = index
      (changed[index].originalName, changed[index].title) = (
        row.optionalText(2), row.optionalText(3)
      )
      // Some clocks before 1972 differed by seconds.
      changed[index].utcOffset = row.optionalInt(4).flatMap {
        $0.magnitude < 16 * 3600 && $0 % 60 == 0 ? Int($0) : nil
      }
      if let caption = row.optionalInt(5) { captioned[caption] = index }
    }
    let captions = "ZASSETDESCRIPTION"
    if has(captions, "ZLONGDESCRIPTION") {
      // The reference between the two tables was reversed in Photos 11.
      let isReferring = has(captions, "ZASSETATTRIBUTES")
      let key = isReferring ? "ZASSETATTRIBUTES" : "Z_PK"
      try each(captions, [key, "ZLONGDESCRIPTION"]) { row in
        guard let index = (isReferring ? others : captioned)[row.int(0)] else { return }
        changed[index].caption = row.optionalText(1)
      }
    }
    items = changed
    return others
  }

  /// - Parameter others: The positions in `items` by the keys of the additional attributes.
  private mutating func readKeywords(_ others: [Int64: Int]) throws(DatabaseError) {
    guard let pairs = join("Z_#KEYWORDS", "Z_#ASSETATTRIBUTES", "Z_#KEYWORDS"),
      has("ZKEYWORD", "Z_PK", "ZTITLE")
    else { return }
    let titles = try texts("ZKEYWORD", ["ZTITLE"])
    var keywords: [Int: Set<String>] = [:]
    try each(pairs.table, pairs.columns) { row in
      guard let index = others[row.int(0)], let title = titles[row.int(1)] else { return }
      keywords[index, default: []].insert(title)
    }
    for (index, titles) in keywords { items[index].keywords = titles.sorted() }
  }

  private mutating func readPeople(_ rows: [Int64: Int]) throws(DatabaseError) {
    let (table, people) = ("ZDETECTEDFACE", "ZPERSON")
    // Photos 9 renamed both references.
    guard let asset = ["ZASSETFORFACE", "ZASSET"].first(where: { has(table, $0) }),
      let person = ["ZPERSONFORFACE", "ZPERSON"].first(where: { has(table, $0) }),
      has(people, "Z_PK")
    else { return }
    let names = try texts(people, ["ZDISPLAYNAME", "ZFULLNAME"])
    var found: [Int: [String]] = [:]
    try each(table, [asset, person]) { row in
      guard let index = rows[row.int(0)], let name = names[row.int(1)] else { return }
      let known = found[index] ?? []
      guard known.count < KeywordPath.maximumCount, !known.contains(name) else { return }
      found[index, default: []].append(name)
    }
    for (index, names) in found { items[index].people = names }
  }

  /// Returns the first text that is not empty among columns of each row, by its key.
  private func texts(
    _ table: String, _ names: [String]
  ) throws(DatabaseError) -> [Int64: String] {
    var texts: [Int64: String] = [:]
    try each(table, ["Z_PK"] + names) { row in
      texts[row.int(0)] = (1...names.count).lazy.map { row.text($0) }.first { !$0.isEmpty }
    }
    return texts
  }

  private enum Kind {
    static let album = 2
    static let folder = 4000
    static let shared = 1505
  }

  private struct FoundCollection {
    var collection: Collection
    var position: Int64
    var sortKey: Int64
    var isAscending: Bool
  }

  private mutating func readCollections(_ rows: [Int64: Int]) throws(DatabaseError) {
    let table = "ZGENERICALBUM"
    guard has(table, "Z_PK", "ZKIND", "ZTITLE") else { return }
    var found: [FoundCollection] = []
    let names = [
      "Z_PK", "ZKIND", "ZTITLE", "ZPARENTFOLDER", "ZCUSTOMSORTKEY", "ZCUSTOMSORTASCENDING",
      "ZTRASHEDSTATE", "Z_FOK_PARENTFOLDER", "ZUUID",
    ]
    try each(table, names) { row in
      let kind = Int(row.int(1))
      guard [Kind.album, Kind.folder, Kind.shared].contains(kind), row.int(6) == 0,
        found.count <= Self.maximumCollections
      else { return }
      found.append(
        FoundCollection(
          collection: Collection(
            row: row.int(0), source: row.optionalText(8) ?? "",
            isFolder: kind == Kind.folder, isShared: kind == Kind.shared,
            title: row.optionalText(2) ?? "", parent: row.optionalInt(3)),
          position: row.int(7), sortKey: row.int(4), isAscending: row.isNull(5) || row.bool(5)))
    }
    guard found.count <= Self.maximumCollections else {
      throw DatabaseError(
        .tooBig, "the table \(table) has more than \(Self.maximumCollections) albums")
    }
    found.sort { ($0.position, $0.collection.row) < ($1.position, $1.collection.row) }
    let members = try readMembers(of: Set(found.map(\.collection.row)))
    let (items, path) = (items, path)
    collections = found.map { found in
      var collection = found.collection
      collection.members = members[collection.row] ?? []
      if collection.source.isEmpty { collection.source = "\(path) \(collection.row)" }
      // An album is in its own order, by date or by title.
      func sorted(_ isLess: (Item, Item) -> Bool) {
        collection.members = collection.members.compactMap { rows[$0] }
          .sorted { isLess(items[$0], items[$1]) }.map { items[$0].row }
        if !found.isAscending { collection.members.reverse() }
      }
      switch found.sortKey {
      case 1: sorted { ($0.date ?? 0, $0.row) < ($1.date ?? 0, $1.row) }
      case 5: sorted { ($0.title ?? "", $0.row) < ($1.title ?? "", $1.row) }
      default: break
      }
      return collection
    }
  }

  private func readMembers(
    of collections: Set<Int64>
  ) throws(DatabaseError) -> [Int64: [Int64]] {
    guard let pairs = join("Z_#ASSETS", "Z_#ALBUMS", "Z_#ASSETS") else { return [:] }
    let order = columns[pairs.table]?.sorted().first { Self.matches($0, "Z_FOK_#ASSETS") }
    var members: [Int64: [(position: Int64, asset: Int64)]] = [:]
    try each(pairs.table, pairs.columns + [order ?? pairs.columns[1]]) { row in
      guard collections.contains(row.int(0)) else { return }
      members[row.int(0), default: []].append((row.int(2), row.int(1)))
    }
    return members.mapValues { $0.sorted { $0 < $1 }.map(\.asset) }
  }
}
