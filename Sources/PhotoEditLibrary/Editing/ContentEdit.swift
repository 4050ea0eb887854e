// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditSQLite
import PhotoEditStorage

/// A change to the versions of one asset within a commit: an edit, a revert, an undo or a redo.
///
/// Slow steps, such as checking or repeating a rendering, are done before the transaction; their
/// preconditions are checked again inside it.
final class ContentEdit: ChangeOperation {
  enum Request {
    /// The output of a session, not checked yet.
    case output(EditingOutput)
    /// A change that is based on a certain revision; nil for any revision.
    case change(EditChange, expecting: String?)
  }

  let library: LibraryReader
  let identifier: LocalIdentifier
  let request: Request
  let steps: Int
  /// The output, once it is claimed.
  private(set) var checked: ValidatedOutput?
  /// The rendering that becomes the current version, unless it is already in the library.
  private(set) var staged: StagedVersion?
  /// The paired video of that rendering, if both are a Live Photo.
  private(set) var stagedMovie: StagedVersion?
  /// The version that becomes the current one, if it is not a new rendering.
  private(set) var restored: RestoredVersion?
  private(set) var preparedRevision: String?
  var stateAfter: EditState?

  init(
    _ library: LibraryReader, _ identifier: LocalIdentifier, _ request: Request, steps: Int = 1
  ) {
    self.library = library
    self.identifier = identifier
    self.request = request
    self.steps = max(1, steps)
  }

  // MARK: Before the transaction

  func checkAccess(_ access: LibraryAccess) throws(LibraryError) {
    if case .output(let output) = request, output.isForNewAsset {
      return try access.check(.addOnly)
    }
    try access.check(.readWrite)
    guard library.canSee(identifier) else { throw .noObject("\(identifier)") }
  }

  func prepare(_ files: TransactionFiles) throws(LibraryError) {
    try translating(LibraryError.init) { () throws(EditingError) in
      switch request {
      case .output(let output):
        let checked = try output.checked(for: identifier.description)
        self.checked = checked
        try stage(checked, of: output, in: files)
      case .change(.edit(let path, let record, _, _, let movie, let content), _):
        let staged = try library.stage(path, content, in: files)
        guard staged.digest == record.current else {
          throw .changedContent(path, recorded: record.current)
        }
        self.staged = staged
        if let movie { try stageMovie(movie, around: staged, at: path, nil, in: files) }
      case .change(.revert, _): try prepareReturn(to: nil, files)
      case .change(.undo, let revision):
        try prepareStep(.undo, expecting: revision, files)
      case .change(.redo, let revision):
        try prepareStep(.redo, expecting: revision, files)
      }
    }
  }

  private func stage(
    _ checked: ValidatedOutput, of output: EditingOutput, in files: TransactionFiles
  ) throws(EditingError) {
    let staged = try library.stage(
      checked.path, checked.rendering, isMovie: output.media == .movie, in: files)
    guard staged.digest == checked.digest else {
      throw .changedContent(checked.path, recorded: checked.digest)
    }
    self.staged = staged
    guard let movie = checked.movie else { return }
    try stageMovie(movie.path, around: staged, at: checked.path, movie.digest, in: files)
  }

  private func stageMovie(
    _ path: String, around still: StagedVersion, at stillPath: String, _ digest: SHA256Digest?,
    in files: TransactionFiles
  ) throws(EditingError) {
    let movie = try library.stage(path, isMovie: true, in: files)
    if let digest, movie.digest != digest { throw .changedContent(path, recorded: digest) }
    try LivePhotoPair(still: still, movie: movie).check(stillPath, path)
    stagedMovie = movie
  }

  private func prepareStep(
    _ step: EditStep, expecting revision: String?, _ files: TransactionFiles
  ) throws(EditingError) {
    let versions = try library.editing(library.versions(of: identifier))
    if let problem = versions.problem { throw problem }
    preparedRevision = "\(versions.contentRevision)"
    guard revision == nil || revision == preparedRevision else {
      throw .editedByAnotherProcess(identifier.description)
    }
    guard let entry = versions.document?.journal[step, steps] else {
      throw step.unavailable(for: identifier.description)
    }
    try prepareReturn(to: entry.record, files, versions)
  }

  /// Checks that a version that becomes current again is available, or renders it again.
  private func prepareReturn(
    to record: EditRecord?, _ files: TransactionFiles, _ known: AssetVersions? = nil
  ) throws(EditingError) {
    let versions: AssetVersions
    if let known {
      versions = known
    } else {
      versions = try library.editing(library.versions(of: identifier))
      guard versions.hasAdjustments else { return }
    }
    guard let record else {
      restored = try original(versions)
      return
    }
    for movie in [record.currentMovie, record.baseMovie].compactMap({ $0 }) {
      try checkStored(movie, versions)
    }
    if let stored = versions.contents[record.current] {
      let path = library.layout.path(stored.file)
      if try isUnchanged(path, record.current) {
        restored = try RestoredVersion(reading: path, versions.mediaType)
        return
      }
      guard record.canBeRenderedAgain else {
        throw FileSystem.itemExists(path)
          ? .changedContent(path, recorded: record.current)
          : .missingContent(path, recorded: record.current)
      }
    }
    try renderAgain(record, versions, files)
  }

  /// Returns whether a file has the recorded content; throws an error if that cannot be read.
  private func isUnchanged(
    _ path: String, _ digest: SHA256Digest
  ) throws(EditingError) -> Bool {
    do throws(FileError) {
      return try FileBytes.digest(of: path, followsLinks: false) == digest
    } catch {
      guard [.missing, .notRegular].contains(error.kind) else { throw EditingError(error) }
      return false
    }
  }

  /// Checks that a file that cannot be rendered again exists and is unchanged.
  private func checkStored(_ digest: SHA256Digest, _ versions: AssetVersions) throws(EditingError) {
    guard let stored = versions.contents[digest] else {
      throw .missingContent("\(identifier)", recorded: digest)
    }
    let path = library.layout.path(stored.file)
    guard try !isUnchanged(path, digest) else { return }
    throw FileSystem.itemExists(path)
      ? .changedContent(path, recorded: digest) : .missingContent(path, recorded: digest)
  }

  /// Returns the properties of the original, which must exist for a revert.
  private func original(_ versions: AssetVersions) throws(EditingError) -> RestoredVersion {
    guard let original = versions.original else { throw .missingOriginal("\(identifier)") }
    let path = try PhotoEdit.mapFileErrors(library.layout.unlinkedPath(original.file))
    guard let version = FileVersion(path) else { throw .missingOriginal(path) }
    guard version.size == original.size else {
      throw EditingError(
        .invalidResource, path: path,
        "the original has \(version.size) bytes, but had \(original.size) when it was imported",
        hint: "restore it from a backup")
    }
    if versions.mediaType == .image, let size = versions.document?.originalSize {
      return RestoredVersion(size: size)
    }
    // An unreadable original is still the original.
    return (try? RestoredVersion(reading: path, versions.mediaType))
      ?? RestoredVersion(size: versions.size)
  }

  private func renderAgain(
    _ record: EditRecord, _ versions: AssetVersions, _ files: TransactionFiles
  ) throws(EditingError) {
    guard let graph = record.repeatableGraph else {
      throw .missingContent("\(identifier)", recorded: record.current)
    }
    let layout = library.layout
    let (file, digest): (String?, SHA256Digest?)
    if let base = record.base {
      (file, digest) = (versions.contents[base]?.file, base)
    } else {
      (file, digest) = (versions.original?.file, versions.document?.original)
    }
    guard let file, let digest else {
      throw .missingContent("\(identifier)", recorded: record.base ?? record.current)
    }
    let path = layout.path(file)
    let bytes = try PhotoEdit.mapFileErrors(layout.read(file))
    guard bytes.digest() == digest else { throw .changedContent(path, recorded: digest) }
    let jpeg = FileBytes(try record.renderedAgain(graph, from: bytes, path: path))
    let destination = try library.stagedPath(files)
    try library.write(jpeg, to: destination)
    staged = try StagedVersion(still: jpeg, at: destination)
  }

  // MARK: After the transaction

  func finish() {
    if case .output(let output) = request { output.staging.discard() }
  }

  func rollBack() {
    stateAfter = nil
    if checked != nil, case .output(let output) = request { output.release() }
    checked = nil
  }
}

extension LibraryReader {
  fileprivate func stagedPath(_ files: TransactionFiles) throws(EditingError) -> String {
    try editing(files.newPath())
  }

  /// Stages a rendering in the commit's folder, leaving its source in place for another attempt.
  ///
  /// - Parameter content: The bytes of an image, read when it was checked and written again here;
  ///   any other file is hard-linked, or copied if other code may still write to it, and read from
  ///   there.
  fileprivate func stage(
    _ path: String, _ content: FileBytes? = nil, isMovie: Bool? = nil, in files: TransactionFiles
  ) throws(EditingError) -> StagedVersion {
    let destination = try stagedPath(files)
    do throws(EditingError) {
      if let content, isMovie != true {
        try write(content, to: destination)
        return try StagedVersion(still: content, at: destination)
      }
      try translating(EditingError.init) { () throws(FileError) in
        let source = try OpenFile(reading: path)
        // The staging folder with its name is removed after the commit.
        let isExclusive =
          try FileVersion(of: source).names == 1 && source.isOpenInAnotherProcess() == false
        if isExclusive {
          try FileSystem.duplicate(path, to: destination)
        } else {
          try FileSystem.copy(source, to: destination)
        }
        chmod(destination, 0o600)
        try OpenFile(reading: destination).sync()
      }
      return try StagedVersion(reading: destination, isMovie: isMovie)
    } catch {
      // The staging path means nothing to the caller; errors name the source.
      throw EditingError(error.code, path: path, error.message, hint: error.hint, file: error.file)
    }
  }

  fileprivate func write(_ content: FileBytes, to destination: String) throws(EditingError) {
    try translating(EditingError.init) { () throws(FileError) in
      let file = try OpenFile(creating: destination)
      // The buffer is valid only as long as its owner.
      defer { withExtendedLifetime(content) {} }
      try file.write(content.buffer)
      try file.sync()
    }
  }
}

extension EditingError {
  static func missingOriginal(_ path: String) -> EditingError {
    EditingError(
      .missingResource, path: path, "the original is missing, so the edit cannot be reverted",
      hint: "restore it from a backup; the current version can still be edited")
  }
}
