// SPDX-License-Identifier: Apache-2.0
public import PhotoEdit
import PhotoEditMovieFiles
import PhotoEditSQLite
public import PhotoEditStorage

/// Stores the edits of one asset in its library; one commit changes files and rows together.
///
/// The rules are those of every `EditingStore`. Adjustment data is stored in an AAE file of the
/// asset, readable by any AAE reader, which contains the journal of earlier states as well as the
/// current state.
public struct AssetEditingStore: EditingStore {
  let library: PhotoLibrary
  let identifier: LocalIdentifier

  /// The local identifier of the asset.
  public var assetName: String { identifier.description }

  /// The client of the library.
  public var client: String { library.configuration.client }

  public func state() throws(EditingError) -> EditState {
    try library.reader.editing(library.reader.versions(of: identifier)).checkedState(library.layout)
  }

  public func makeStagingFolder() throws(EditingError) -> StagingFolder {
    try library.reader.editing(library.makeStagingFolder())
  }

  /// Reads the properties of a video in the library without decoding frames.
  public func describeMovie(at path: String) throws(EditingError) -> MovieDescription {
    let (movie, facts) = try translating({ EditingError($0 as MovieError, path: path) }) {
      () throws(MovieError) in
      let movie = try OpenedMovie(path)
      return (movie, VideoProperties(try movie.info()))
    }
    var description = MovieDescription(
      size: facts.size, duration: facts.duration,
      uniformTypeIdentifier: facts.content.uniformType, facts: facts.media)
    description.file.object = movie
    return description
  }

  public func perform(
    _ change: EditChange, expecting revision: String
  ) throws(EditingError) -> EditState {
    try perform(change, steps: 1, expecting: revision)
  }

  public func perform(
    _ change: EditChange, steps: Int, expecting revision: String
  ) throws(EditingError) -> EditState {
    let edit = ContentEdit(
      library.reader, identifier, .change(change, expecting: revision), steps: steps)
    return try translating(EditingError.init) { () throws(LibraryError) in
      try library.performChangesAndWait { changes throws(LibraryError) in try changes.add(edit) }
      if let state = edit.stateAfter { return state }
      return try library.reader.versions(of: identifier).checked(library.layout)
    }
  }
}

extension AssetVersions {
  /// Returns the state; throws an error if the adjustment data cannot be read.
  func checkedState(_ layout: LibraryLayout) throws(EditingError) -> EditState {
    if let problem { throw problem }
    return try state(layout)
  }

  /// Returns the same state, with errors as `LibraryError`.
  func checked(_ layout: LibraryLayout) throws(LibraryError) -> EditState {
    try translating({ LibraryError($0 as EditingError) }, checkedState(layout))
  }
}

extension PhotoLibrary {
  /// Returns the store of an asset's edits, for sessions, filter graphs, undo and revert.
  public func editingStore(for asset: Asset) throws(LibraryError) -> AssetEditingStore {
    guard let identifier = LocalIdentifier(asset.localIdentifier, as: .asset) else {
      throw .otherLibrary(asset.localIdentifier)
    }
    return AssetEditingStore(library: self, identifier: identifier)
  }

  /// Creates a folder for unfinished files that can be renamed into the library.
  func makeStagingFolder() throws(LibraryError) -> StagingFolder {
    _ = try openWriter()
    return try inFiles(layout.makeStagingFolder())
  }
}

extension LibraryReader {
  /// Reads the rows and the adjustment data of an asset as of one commit.
  func versions(of identifier: LocalIdentifier) throws(LibraryError) -> AssetVersions {
    guard canSee(identifier) else { throw .noObject("\(identifier)") }
    var last: Int64?
    while true {
      let found = try read { database throws(LibraryError) in
        try AssetVersions(identifier, in: database)
      }
      guard var versions = found else { throw .noObject("\(identifier)") }
      if versions.readRecord(layout) { return versions }
      // Another process may have replaced the adjustment data between reading the rows and the
      // file.
      guard last != versions.contentRevision else {
        versions.problem = .missingRecord(layout.path(versions.recordFile?.file ?? ""))
        return versions
      }
      last = versions.contentRevision
    }
  }

  /// Evaluates a library operation for callers of the editing interface.
  func editing<Value>(
    _ body: @autoclosure () throws(LibraryError) -> Value
  ) throws(EditingError) -> Value {
    try translating(EditingError.init, body)
  }
}

extension EditingError {
  /// Converts a library error for clients of the editing interface.
  init(_ error: LibraryError) {
    let code: Code =
      switch error.code {
      case .identifierNotFound, .libraryVolumeOffline: .missingResource
      case .accessRestricted: .accessUserDenied
      default: error.code
      }
    self.init(code, path: error.path, error.message, hint: error.hint, file: error.file)
  }

  static func missingRecord(_ path: String) -> EditingError {
    EditingError(
      .missingResource, path: path, "the adjustment data is missing",
      hint: "revert to the original, or run 'photoedit library check'")
  }

  static func contentNotEditable(_ name: String, _ reason: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, "the content of \(name) cannot be edited: \(reason)")
  }
}

extension AssetChangeRequest {
  /// Sets the output of an editing session as the current version of the asset.
  ///
  /// The rendering is checked after the block has returned. If the commit fails, the output remains
  /// usable. Throws `changeNotSupported` if a block changes the content of an asset twice.
  public func setContentEditingOutput(_ output: EditingOutput) throws(LibraryError) {
    try context.add(ContentEdit(context.library.reader, identifier, .output(output)))
  }

  /// Reverts to the original in one step; an unedited asset is not changed.
  public func revertAssetContentToOriginal() throws(LibraryError) {
    try context.add(
      ContentEdit(context.library.reader, identifier, .change(.revert, expecting: nil)))
  }
}

extension EditingOutput {
  /// Creates the output for an edit of an asset that the same block creates.
  ///
  /// - Parameter media: The media type of the asset.
  /// - Throws: `LibraryError` with `changeNotSupported` after the block has returned.
  public convenience init(
    placeholder: ObjectPlaceholder, in context: ChangeContext, media: EditingMediaType = .photo
  ) throws(LibraryError) {
    try context.checkOpen()
    guard placeholder.identifier.objectClass == .asset else {
      throw .otherLibrary(placeholder.localIdentifier)
    }
    self.init(
      newAsset: placeholder.localIdentifier, media,
      staging: try context.library.makeStagingFolder())
  }
}

extension ChangeContext {
  /// Sets the initial edit of an asset that this block creates.
  public func setContentEditingOutput(
    _ output: EditingOutput, for placeholder: ObjectPlaceholder
  ) throws(LibraryError) {
    try add(ContentEdit(library.reader, placeholder.identifier, .output(output)))
  }
}

extension ChangeTransaction {
  func isInserted(_ row: Int64) -> Bool {
    touchedObjects[ObjectKey(objectClass: .asset, row: row)]?.kind == .inserted
  }
}
