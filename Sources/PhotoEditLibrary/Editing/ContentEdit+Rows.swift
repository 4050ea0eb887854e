// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPixels
import PhotoEditSQLite
import PhotoEditStorage

/// Updates the adjustment data, rows and files inside the transaction.
extension ContentEdit {
  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    // An asset created by the block is not visible yet, but may have an initial edit.
    if !isBirth { try commit.willChange(identifier) }
    try commit.claimContent(of: identifier)
    guard var versions = try AssetVersions(identifier, in: commit.database) else {
      throw .noObject("\(identifier)")
    }
    guard versions.readRecord(library.layout) || isRevert else {
      throw LibraryError(.missingRecord(library.layout.path(versions.recordFile?.file ?? "")))
    }
    try translating({ LibraryError($0 as EditingError) }, check(versions, commit))
    if isRevert, !versions.hasAdjustments {
      stateAfter = try versions.checked(library.layout)
      return
    }
    try commit.touchAsset(versions.row, isContent: true)
    var document =
      versions.problem == nil ? versions.document ?? newDocument(versions) : newDocument(versions)
    let next = try advance(&document, versions)
    if next != nil, versions.record == nil { document.originalSize = versions.size }
    try write(&document, next, versions, to: commit)
  }

  private var isStep: Bool {
    if case .change(let change, _) = request { change.step != nil } else { false }
  }

  private var isRevert: Bool {
    if case .change(.revert, _) = request { true } else { false }
  }

  private var isBirth: Bool {
    if case .output(let output) = request { output.isForNewAsset } else { false }
  }

  private func newDocument(_ versions: AssetVersions) -> SidecarDocument {
    SidecarDocument(
      original: versions.original.flatMap { SHA256Digest(bytes: $0.digest) } ?? SHA256Digest(of: [])
    )
  }

  /// Checks that the state is still the one that was prepared, and that the change is allowed.
  private func check(_ versions: AssetVersions, _ commit: ChangeTransaction) throws(EditingError) {
    let name = "\(identifier)"
    guard versions.sourceType == .userLibrary else {
      throw .contentNotEditable(name, "the asset is shared or synced")
    }
    if isRevert { return try checkPrepared(versions) }
    if let problem = versions.problem { throw problem }
    let revision = "\(versions.contentRevision)"
    switch request {
    case .output:
      try checkKind(versions)
      if let expected = checked?.revision {
        guard expected == revision else { throw .editedByAnotherProcess(name) }
      } else {
        guard commit.isInserted(versions.row), versions.record == nil else {
          throw EditingError(
            .changeNotSupported,
            "\(name) is not a new, unedited asset of this change block and cannot accept "
              + "this output",
            hint: "request an editing input first")
        }
      }
    case .change(let change, let expected):
      if case .edit = change { try checkKind(versions) }
      guard expected == nil || expected == revision,
        preparedRevision == nil || preparedRevision == revision
      else { throw .editedByAnotherProcess(name) }
    }
  }

  /// Checks a revert, which is possible from any state that `prepare` has seen.
  private func checkPrepared(_ versions: AssetVersions) throws(EditingError) {
    if case .change(_, let expected?) = request, expected != "\(versions.contentRevision)" {
      throw .editedByAnotherProcess("\(identifier)")
    }
    if versions.hasAdjustments, restored == nil {
      throw .editedByAnotherProcess("\(identifier)")
    }
  }

  private func checkKind(_ versions: AssetVersions) throws(EditingError) {
    let name = "\(identifier)"
    guard versions.mediaType.hasEditableContent else {
      throw .contentNotEditable(name, "it is not a photo or video")
    }
    guard let staged, staged.isMovie == (versions.mediaType == .video) else {
      throw EditingError(
        .changeNotSupported,
        "the rendering has a different media type from \(name) (\(versions.mediaType))",
        hint: "request an editing input for this asset")
    }
    guard stagedMovie == nil || versions.resources[.pairedVideo] != nil else {
      throw EditingError(
        .changeNotSupported, "\(name) is not a Live Photo, so its rendering cannot include a video")
    }
  }

  /// Advances the journal; returns the edit that becomes the current one.
  private func advance(
    _ document: inout SidecarDocument, _ versions: AssetVersions
  ) throws(LibraryError) -> EditRecord? {
    let superseded = versions.recordWithMovies
    let old = SidecarDocument.JournalEntry(superseding: superseded)
    func restored(by step: EditStep) throws(LibraryError) -> EditRecord? {
      guard let entry = document.journal.move(step, steps, from: old) else {
        throw LibraryError(step.unavailable(for: "\(identifier)"))
      }
      return entry.record
    }
    var next: EditRecord?
    switch request {
    case .output:
      next = checked?.record(
        after: superseded, date: library.configuration.clock(),
        client: library.configuration.client)
    case .change(.edit(_, let record, _, _, _, _), _):
      next = record
      next?.consumeVideo(after: superseded)
      next?.currentMovie = stagedMovie?.digest
    case .change(.revert, _): break
    case .change(.undo, _): next = try restored(by: .undo)
    case .change(.redo, _): next = try restored(by: .redo)
    }
    if !isStep, next?.repeats(superseded) != true { document.journal.append(old) }
    document.journal.trim(to: library.configuration.journalDepth)
    // A newer engine may render the same filter graph slightly differently.
    if let staged { next?.current = staged.digest }
    return next
  }

  // MARK: Rows and files

  private func write(
    _ document: inout SidecarDocument, _ next: EditRecord?, _ before: AssetVersions,
    to commit: ChangeTransaction
  ) throws(LibraryError) {
    var after = before
    (after.record, after.isBaseUnknown, after.problem, after.notices) = (next, false, nil, [])
    let storedFiles = try stageResources(next, before, &after, commit)
    document.record = next
    restoreFile(of: &document, storedFiles, &after)
    keep(document, storedFiles, &after)
    document.rendering = after.current.map { FileSystem.lastName(of: $0.file) }
    document.revision = UUID().uuidString
    try writeRecord(document, &after, commit)
    (after.document, after.record) = (document, document.record)
    try writeRows(before, after, commit)
    for file in before.files.subtracting(after.files).sorted() {
      try commit.deleteAfterCommit(file)
    }
    let contents = try AssetVersions(identifier, in: commit.database)
    guard let contents else { throw .noObject("\(identifier)") }
    stateAfter = try after.moved(to: contents).checked(library.layout)
  }

  /// Sets the resources of the next edit; returns the file of every version.
  private func stageResources(
    _ next: EditRecord?, _ before: AssetVersions, _ after: inout AssetVersions,
    _ commit: ChangeTransaction
  ) throws(LibraryError) -> [SHA256Digest: (file: String, size: Int)] {
    var storedFiles = before.contents
    for type in [
      after.currentType, after.baseType, .adjustmentData, .fullSizePairedVideo,
      .adjustmentBasePairedVideo,
    ] { after.resources[type] = nil }
    if let staged {
      let file = library.layout.file(
        after.currentType, of: identifier.uuid, digest: staged.digest,
        fileExtension: staged.isMovie ? "mov" : "jpg")
      try commit.place(staged.path, at: file)
      storedFiles[staged.digest] = (file, staged.byteCount)
    }
    if let stagedMovie {
      let file = library.layout.file(
        .fullSizePairedVideo, of: identifier.uuid, digest: stagedMovie.digest,
        fileExtension: "mov")
      try commit.place(stagedMovie.path, at: file)
      storedFiles[stagedMovie.digest] = (file, stagedMovie.byteCount)
    }
    guard let next else { return storedFiles }
    func resource(
      _ type: AssetResourceType, _ digest: SHA256Digest
    ) throws(LibraryError) -> ResourceRecord {
      guard let storedFile = storedFiles[digest] else {
        throw LibraryError(.missingContent("\(identifier)", recorded: digest))
      }
      let stem = FileSystem.splitName(before.original?.filename ?? "photo").stem
      return ResourceRecord(
        type: type, file: storedFile.file, digest: digest.bytes, size: storedFile.size,
        uniformType: type.isMovie ? "com.apple.quicktime-movie" : "public.jpeg",
        filename: stem + (type.isMovie ? ".mov" : ".jpg"))
    }
    after.resources[after.currentType] = try resource(after.currentType, next.current)
    if let base = next.base {
      after.resources[after.baseType] = try resource(after.baseType, base)
    }
    for (type, movie) in [
      (.fullSizePairedVideo, next.currentMovie), (.adjustmentBasePairedVideo, next.baseMovie),
    ] as [(AssetResourceType, SHA256Digest?)] {
      if let movie { after.resources[type] = try resource(type, movie) }
    }
    return storedFiles
  }

  /// Uses the file in which another program stored the next edit as adjustment data again.
  ///
  /// If the file is lost or damaged, the record that the journal has of it is written instead.
  private func restoreFile(
    of document: inout SidecarDocument,
    _ storedFiles: [SHA256Digest: (file: String, size: Int)], _ after: inout AssetVersions
  ) {
    guard let record = document.record, let digest = record.file else { return }
    guard let stored = storedFiles[digest],
      (try? library.layout.digest(of: stored.file)) == digest
    else {
      document.record?.file = nil
      return
    }
    after.resources[.adjustmentData] = Self.adjustmentData(stored.file, digest, stored.size)
    after.isBaseUnknown = AssetVersions.isBaseUnknown(library.layout.path(stored.file), record)
  }

  private static func adjustmentData(
    _ file: String, _ digest: SHA256Digest, _ size: Int
  ) -> ResourceRecord {
    ResourceRecord(
      type: .adjustmentData, file: file, digest: digest.bytes, size: size,
      uniformType: "com.apple.photos.apple-adjustment-envelope", filename: "Adjustments.plist")
  }

  /// Keeps the files that undo and redo cannot render again: bases, renderings of third-party
  /// edits, and the paired videos of both; also the adjustment data of other programs.
  private func keep(
    _ document: SidecarDocument, _ storedFiles: [SHA256Digest: (file: String, size: Int)],
    _ after: inout AssetVersions
  ) {
    let visible = Set(after.resources.values.map(\.file))
    var retained: [String: AssetVersions.JournalFile] = [:]
    for record in document.journal.states.compactMap(\.record) {
      let digests = [
        record.base, record.canBeRenderedAgain ? nil : record.current, record.baseMovie,
        record.currentMovie, record.file,
      ]
      for digest in digests.compactMap({ $0 }) {
        guard let storedFile = storedFiles[digest], !visible.contains(storedFile.file) else {
          continue
        }
        retained[storedFile.file] = AssetVersions.JournalFile(
          file: storedFile.file, kind: .content, digest: digest.bytes, size: storedFile.size)
      }
    }
    after.journal = retained.values.sorted { $0.file < $1.file }
  }

  private func writeRecord(
    _ document: SidecarDocument, _ after: inout AssetVersions, _ commit: ChangeTransaction
  ) throws(LibraryError) {
    guard document.record != nil || !document.journal.states.isEmpty else { return }
    let folder = library.layout.path(library.layout.assetFolder(identifier.uuid))
    let bytes = FileBytes(
      try translating(
        { LibraryError($0 as EditingError) }, document.encoded(for: folder + "/adjustmentData.aae"))
    )
    let path = try commit.files.newPath()
    try translating(LibraryError.init) { () throws(FileError) in
      let file = try OpenFile(creating: path)
      try file.write(bytes.buffer)
      try file.sync()
    }
    let digest = bytes.digest()
    let file = library.layout.file(
      .adjustmentData, of: identifier.uuid, digest: digest, fileExtension: "aae")
    try commit.place(path, at: file)
    if document.record == nil || document.record?.file != nil {
      after.journal.append(
        .init(file: file, kind: .record, digest: digest.bytes, size: bytes.count))
    } else {
      after.resources[.adjustmentData] = Self.adjustmentData(file, digest, bytes.count)
    }
  }

  private func writeRows(
    _ before: AssetVersions, _ after: AssetVersions, _ commit: ChangeTransaction
  ) throws(LibraryError) {
    let (database, row) = (commit.database, DatabaseValue.integer(before.row))
    for type in before.resources.keys where after.resources[type] == nil {
      try database.run(
        "DELETE FROM resource WHERE asset = ? AND type = ?", [row, .init(type.rawValue)])
    }
    for resource in after.resources.values.sorted(by: { $0.type.rawValue < $1.type.rawValue })
    where before.resources[resource.type] != resource {
      try commit.put(resource, of: before.row)
    }
    try database.run("DELETE FROM journalFile WHERE asset = ?", [row])
    for file in after.journal {
      try database.run(
        "INSERT INTO journalFile (asset, file, kind, digest, size) VALUES (?, ?, ?, ?, ?)",
        [row, .text(file.file), .integer(file.kind.rawValue), .blob(file.digest), .init(file.size)])
    }
    let size = staged?.size ?? restored?.size ?? before.size
    let duration = staged?.duration ?? restored?.duration
    try database.run(
      """
      UPDATE asset SET pixelWidth = ?, pixelHeight = ?, duration = coalesce(?, duration),
        hasAdjustments = ?, contentRevision = contentRevision + 1, modificationDate = ?, contentModificationDate = ?
      WHERE id = ?
      """,
      [
        .init(size.width), .init(size.height), .init(duration),
        .init(after.record != nil), .real(commit.date), .real(commit.date), row,
      ])
    // A rendering without its video is a plain still; the original keeps its paired video.
    if before.resources[.pairedVideo] != nil {
      let live = Int64(MediaSubtype.photoLive.rawValue)
      let isLive = after.record == nil || after.resources[.fullSizePairedVideo] != nil
      let (clear, set) = isLive ? (live, live) : (live, 0)
      let style: PlaybackStyle = isLive ? .livePhoto : .image
      try database.run(
        "UPDATE asset SET mediaSubtypes = (mediaSubtypes & ~?) | ?, playbackStyle = ? WHERE id = ?",
        [.integer(clear), .integer(set), .init(style.rawValue), row])
    }
  }
}

extension AssetVersions {
  /// Returns the same versions with the values of rows that were read again.
  fileprivate func moved(to rows: AssetVersions) -> AssetVersions {
    var moved = rows
    (moved.document, moved.record, moved.isBaseUnknown) = (document, record, isBaseUnknown)
    return moved
  }
}
