// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPixels
import PhotoEditSQLite
import PhotoEditStorage

/// The versions of one asset at one point in time, read from its rows and its edit file.
struct AssetVersions {
  let row: Int64
  let identifier: LocalIdentifier
  let mediaType: MediaType
  let sourceType: SourceType
  let contentRevision: Int64
  let hasAdjustments: Bool
  /// The size of the current version with the orientation applied.
  let size: PixelSize
  let facts: MediaProperties
  /// The texts and the date by which fields of texts are filled in.
  let textFields: [TextField: String]
  var resources: [AssetResourceType: ResourceRecord] = [:]
  /// Files that only undo and redo need, and the adjustment data of a reverted photo.
  var journal: [JournalFile] = []
  /// The document written by photoedit; nil for a photo that it never edited.
  var document: SidecarDocument?
  /// The most recent edit, regardless of which program wrote its adjustment data.
  var record: EditRecord?
  /// Indicates whether the adjustment data does not identify its base.
  var isBaseUnknown = false
  /// The reason why the adjustment data cannot be read; only a revert is allowed then.
  var problem: EditingError?
  var notices: [String] = []

  /// A file of an asset other than its resources.
  struct JournalFile: Hashable, Sendable {
    /// The purpose of the file; the raw values are stored.
    enum Kind: Int64, Sendable {
      /// A version that an earlier or undone state needs.
      case content = 0
      /// The journal of edits while the asset is unedited, or while its adjustment data is the
      /// file of another program.
      case record = 1
    }

    var file: String
    var kind: Kind
    var digest: [UInt8]
    /// The size in bytes.
    var size: Int
  }

  /// Reads the rows of an asset; nil if it does not exist, is in the trash or was deleted.
  init?(_ identifier: LocalIdentifier, in database: LibraryDatabase) throws(LibraryError) {
    let columns =
      "id, mediaType, sourceType, contentRevision, hasAdjustments, pixelWidth, pixelHeight, "
      + "mediaSubtypes, creationDate, latitude, longitude, altitude, title, caption, utcOffset"
    let found = try database.first(
      "SELECT \(columns) FROM asset WHERE uuid = ? AND state = 0", [.blob(identifier.bytes)]
    ) { row in
      (
        row.int(0), MediaType(rawValue: Int(row.int(1))) ?? .unknown,
        SourceType(rawValue: Int(row.int(2))), row.int(3), row.bool(4),
        PixelSize(width: max(0, Int(row.int(5))), height: max(0, Int(row.int(6)))),
        MediaProperties(
          creationDate: row.date(8), location: row.location(9),
          subtypes: MediaSubtype(rawValue: Int(row.int(7)))),
        Self.textFields(row, title: 12, caption: 13, date: 8, utcOffset: 14)
      )
    }
    guard let found else { return nil }
    (row, mediaType, sourceType, contentRevision, hasAdjustments, size, facts, textFields) =
      found
    self.identifier = identifier
    for resource in try database.resources(of: row) { resources[resource.type] = resource }
    journal = try database.journalFiles(of: row)
  }

  /// Reads the values that the library has instead of those of the file.
  private static func textFields(
    _ row: Row, title: Int, caption: Int, date: Int, utcOffset: Int
  ) -> [TextField: String] {
    var fields: [TextField: String] = [:]
    // A property that the user removed is empty.
    fields[.title] = row.optionalText(title) ?? ""
    fields[.caption] = row.optionalText(caption) ?? ""
    if let date = row.date(date) {
      let clock = date.addingTimeInterval(Double(row.optionalInt(utcOffset) ?? 0))
      fields.setDate(clock.timeIntervalSince1970)
    }
    return fields
  }

  // MARK: Versions

  var originalType: AssetResourceType { mediaType == .video ? .video : .photo }
  var currentType: AssetResourceType { mediaType == .video ? .fullSizeVideo : .fullSizePhoto }
  var baseType: AssetResourceType {
    mediaType == .video ? .adjustmentBaseVideo : .adjustmentBasePhoto
  }

  var original: ResourceRecord? { resources[originalType] }
  var current: ResourceRecord? { resources[currentType] }
  var base: ResourceRecord? { resources[baseType] }

  private var isOriginalBase: Bool { record?.base == nil }

  /// The file of the record: the journal, or the adjustment data if that contains the journal.
  var recordFile: (file: String, digest: [UInt8])? {
    if let file = journal.first(where: { $0.kind == .record }) { return (file.file, file.digest) }
    return resources[.adjustmentData].map { ($0.file, $0.digest) }
  }

  var files: Set<String> { Set(resources.values.map(\.file) + journal.map(\.file)) }

  /// The most recent edit with the paired videos of its base and its rendering.
  var recordWithMovies: EditRecord? {
    var record = record
    func digest(_ type: AssetResourceType) -> SHA256Digest? {
      resources[type].flatMap { SHA256Digest(bytes: $0.digest) }
    }
    record?.currentMovie = digest(.fullSizePairedVideo)
    record?.baseMovie = digest(.adjustmentBasePairedVideo)
    return record
  }

  /// All versions and the adjustment data by digest, with their files and sizes in bytes.
  var contents: [SHA256Digest: (file: String, size: Int)] {
    var contents: [SHA256Digest: (file: String, size: Int)] = [:]
    for file in journal where file.kind == .content {
      if let digest = SHA256Digest(bytes: file.digest) { contents[digest] = (file.file, file.size) }
    }
    for type in [
      .adjustmentData, .adjustmentBasePairedVideo, .fullSizePairedVideo, baseType, currentType,
    ] {
      guard let resource = resources[type], let digest = SHA256Digest(bytes: resource.digest) else {
        continue
      }
      contents[digest] = (resource.file, resource.size)
    }
    return contents
  }

  // MARK: Adjustment data

  /// Reads the adjustment data.
  ///
  /// - Returns: False if the file in the rows does not exist, which happens briefly while another
  ///   process replaces it.
  mutating func readRecord(_ layout: LibraryLayout) -> Bool {
    let current = current.flatMap { SHA256Digest(bytes: $0.digest) }
    let base = base.flatMap { SHA256Digest(bytes: $0.digest) }
    guard let journalFile = recordFile else {
      if let current { record = EditRecord(unreadable: current, base: base) }
      return true
    }
    guard layout.isFile(journalFile.file) else { return false }
    let path = layout.path(journalFile.file)
    do throws(EditingError) {
      switch try EditFile(reading: path, current: current, base: base) {
      case .document(let found): try adopt(found, current, base, path, layout)
      case .thirdParty(let found, let isBasedOnOriginal):
        record = found
        record?.file = SHA256Digest(bytes: journalFile.digest)
        isBaseUnknown = !isBasedOnOriginal && base == nil
      case .unreadable(let reason):
        guard let current else { return true }
        try checkUntouched(path, journalFile.digest)
        record = EditRecord(unreadable: current, base: base)
        record?.file = SHA256Digest(bytes: journalFile.digest)
        isBaseUnknown = true
        notices.append("\(journalFile.file): \(reason)")
      }
    } catch {
      if error.code == .missingResource { return false }
      problem = error
    }
    return true
  }

  private mutating func adopt(
    _ found: SidecarDocument, _ current: SHA256Digest?, _ base: SHA256Digest?, _ path: String,
    _ layout: LibraryLayout
  ) throws(EditingError) {
    document = found
    guard let current else {
      // Adjustment data that was imported without its rendering is not an edit of this asset.
      document?.record = nil
      return
    }
    guard let known = found.record, known.current == current, known.base == base else {
      // Rendering and adjustment data belong to different edits, so the edit cannot be resumed.
      document = nil
      record = EditRecord(unreadable: current, base: base)
      isBaseUnknown = true
      notices.append("\(path): the adjustment data does not match the rendering")
      return
    }
    record = known
    guard known.file != nil, let file = resources[.adjustmentData] else { return }
    // The part of the other program's file that the record does not repeat.
    guard layout.isFile(file.file) else { throw .missingRecord(layout.path(file.file)) }
    isBaseUnknown = Self.isBaseUnknown(layout.path(file.file), known)
  }

  /// Returns whether another program's file does not identify the base of its record.
  static func isBaseUnknown(_ path: String, _ record: EditRecord) -> Bool {
    let file = try? EditFile(reading: path, current: record.current, base: record.base)
    guard case .thirdParty(_, let isBasedOnOriginal)? = file else { return true }
    return !isBasedOnOriginal && record.base == nil
  }

  /// Distinguishes damaged adjustment data from data that was never readable.
  private func checkUntouched(_ path: String, _ recorded: [UInt8]) throws(EditingError) {
    let found = try PhotoEdit.mapFileErrors(FileBytes.digest(of: path, followsLinks: false))
    if let recorded = SHA256Digest(bytes: recorded), found != recorded {
      throw .changedContent(path, recorded: recorded)
    }
  }

  // MARK: Editing state

  /// Returns the versions as the state of an editing store.
  func state(_ layout: LibraryLayout) throws(EditingError) -> EditState {
    guard let original, SHA256Digest(bytes: original.digest) != nil else {
      throw EditingError(
        .missingResource, path: layout.path(layout.assetFolder(identifier.uuid)),
        "the asset has no original", hint: "run 'photoedit library check'")
    }
    func content(_ resource: ResourceRecord) throws(EditingError) -> EditState.Content {
      EditState.Content(
        path: try PhotoEdit.mapFileErrors(layout.unlinkedPath(resource.file)),
        digest: SHA256Digest(bytes: resource.digest))
    }
    let first = try content(original)
    var state = EditState(
      original: first, record: record, base: first, current: first, isThirdParty: false,
      revision: "\(contentRevision)", journal: document?.journal, notices: notices,
      isOriginalExternal: false)
    state.isMovie = mediaType == .video
    state.facts = facts
    state.textFields = textFields
    state.movies.original = try resources[.pairedVideo].map(content)
    guard record != nil else { return state }
    state.movies.current = try resources[.fullSizePairedVideo].map(content)
    if isOriginalBase {
      state.movies.base = state.movies.original
    } else {
      state.movies.base = try resources[.adjustmentBasePairedVideo].map(content)
    }
    if let current { state.current = try content(current) }
    if let base { state.base = try content(base) }
    // Without its base, an edit can only be continued from its rendering.
    if isBaseUnknown || !FileSystem.itemExists(state.base?.path ?? "") { state.base = nil }
    return state
  }
}

extension LibraryDatabase {
  /// Returns the resources of an asset.
  ///
  /// A library may come from an untrusted source: a row with a path outside the asset folders is
  /// ignored here and reported by a check.
  func resources(of asset: Int64) throws(LibraryError) -> [ResourceRecord] {
    try all(
      """
      SELECT type, file, digest, size, uniformType, filename FROM resource
      WHERE asset = ? ORDER BY type
      """, [.integer(asset)]
    ) { row in
      AssetResourceType(rawValue: Int(row.int(0))).map {
        ResourceRecord(
          type: $0, file: row.text(1), digest: row.blob(2), size: Int(row.int(3)),
          uniformType: row.text(4), filename: row.text(5))
      }
    }.compactMap { $0 }.filter { LibraryLayout.isFileOfAsset($0.file) }
  }

  /// Returns the files of an asset that only undo and redo need; see `resources(of:)`.
  func journalFiles(of asset: Int64) throws(LibraryError) -> [AssetVersions.JournalFile] {
    try all(
      "SELECT file, kind, digest, size FROM journalFile WHERE asset = ? ORDER BY file",
      [.integer(asset)]
    ) { row in
      AssetVersions.JournalFile(
        file: row.text(0), kind: .init(rawValue: row.int(1)) ?? .content, digest: row.blob(2),
        size: Int(row.int(3)))
    }.filter { LibraryLayout.isFileOfAsset($0.file) }
  }

  /// Returns the files in rows that are outside the asset folders, and are never opened.
  func externalFiles() throws(LibraryError) -> [String] {
    var external: [String] = []
    try calling(
      connection.each("SELECT file FROM resource UNION ALL SELECT file FROM journalFile") {
        let file = $0.text(0)
        if !LibraryLayout.isFileOfAsset(file) { external.append(file) }
      })
    return external
  }
}
