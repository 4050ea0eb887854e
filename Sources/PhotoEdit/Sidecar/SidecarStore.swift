// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEditStorage

/// Keeps the edit of one photo or movie in files beside it; needs no library and no server.
///
/// For "photo.jpg": the rendering "photo.edited.jpg", the record "photo.jpg.aae", and, after an
/// edit over somebody else's, the base "photo.base.jpg". The original is only ever read.
public struct SidecarStore: EditingStore {
  /// How many superseded states are kept.
  public static let defaultJournalDepth = 20

  /// How often a look without the lock is repeated for commits of other processes.
  static let maximumAttempts = 100

  private(set) var paths: SidecarPaths
  /// Where the rendering is to go, when it is not to go where it went before.
  let requestedRendering: String?
  /// Whether a file in the rendering's place that is not ours may be replaced.
  let replacesForeignFiles: Bool
  /// Whether a photo that changed since it was edited is taken as a new original.
  let acceptsChangedOriginal: Bool
  let journalDepth: Int
  let photoDigests = PhotoDigests()
  /// How a movie is looked at; nil where the store keeps a photo.
  package var movieReader: MovieReader?

  /// Makes the store of one photo; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - photo: The original.
  ///   - rendering: Where the rendering goes; nil means where it was, or "photo.edited.jpg".
  ///   - replacesForeignFiles: Whether a file in that place that is not ours may be replaced.
  public init(
    photo: URL, rendering: URL? = nil, replacesForeignFiles: Bool = false,
    journalDepth: Int = SidecarStore.defaultJournalDepth
  ) {
    self.init(
      path: photo.path, rendering: rendering?.path, replacesForeignFiles: replacesForeignFiles,
      journalDepth: journalDepth)
  }

  package init(
    path: String, rendering: String? = nil, replacesForeignFiles: Bool = false,
    acceptsChangedOriginal: Bool = false, journalDepth: Int = SidecarStore.defaultJournalDepth,
    contentExtension: String = "jpg", stateFolder: String? = nil
  ) {
    paths = SidecarPaths(
      photo: path, contentExtension: contentExtension, stateFolder: stateFolder)
    requestedRendering = rendering
    self.replacesForeignFiles = replacesForeignFiles
    self.acceptsChangedOriginal = acceptsChangedOriginal
    self.journalDepth = max(0, journalDepth)
  }

  /// The same store with the edit in a folder of a state directory; nil for beside the photo.
  package func kept(in stateFolder: String?) -> SidecarStore {
    stateFolder == nil ? self : with(contentExtension: paths.contentExtension, in: stateFolder)
  }

  /// The same store for contents of another extension.
  package func with(contentExtension: String) -> SidecarStore {
    with(contentExtension: contentExtension, in: paths.isInState ? paths.folder : nil)
  }

  private func with(contentExtension: String, in stateFolder: String?) -> SidecarStore {
    var store = self
    store.paths = SidecarPaths(
      photo: paths.photo, contentExtension: contentExtension, stateFolder: stateFolder)
    return store
  }

  public func describeMovie(at path: String) throws(EditingError) -> EditedMovie {
    guard let movieReader else { throw .photosAlone(path) }
    return try movieReader(path)
  }

  public var assetName: String { paths.photo }

  /// Where the sidecar is, or will be.
  package var sidecarPath: String { paths.sidecar }

  /// Where the next rendering goes.
  package func renderingPath(after state: EditState) throws(EditingError) -> String {
    if let requestedRendering { return requestedRendering }
    return try consistently(state.sidecar) { document throws(EditingError) in
      try renderingPath(after: document)
    }
  }

  func renderingPath(after document: SidecarDocument?) throws(EditingError) -> String {
    if let requestedRendering { return requestedRendering }
    guard let document, let recorded = document.rendering else { return paths.rendering }
    return try target(recorded, document)
  }

  /// Where the current rendering is; beside the photo when both were renamed together.
  func currentPath(_ document: SidecarDocument?) -> String {
    guard let document, let recorded = document.rendering else { return paths.rendering }
    let path = paths.resolved(recorded)
    let isGone = entry(at: path) == nil && paths.isHere(path)
    return isGone && entry(at: paths.rendering) == .file ? paths.rendering : path
  }

  public func makeStagingFolder() throws(EditingError) -> StagingFolder {
    try makeStateFolder()
    // Renderings go beside the photo or where the user wants them, whatever the sidecar names.
    let folder = FileSystem.folder(of: requestedRendering ?? paths.rendering)
    return try filing { () throws(FileError) in try StagingFolder(in: folder) }
  }

  public func state() throws(EditingError) -> EditState { state(of: try load()) }

  func state(of stored: Stored) -> EditState {
    let document = stored.document
    let record = document?.record ?? stored.foreign?.record
    // A photo without an edit may change as it likes: the next edit records it anew.
    let original = EditState.Content(
      path: paths.photo,
      digest: acceptsChangedOriginal || document?.record == nil ? nil : document?.original)
    var state = EditState(
      original: original, record: record, base: original, current: original,
      isForeign: document?.record == nil && stored.foreign != nil,
      revision: (document?.revision ?? "none") + ":"
        + (document?.record == nil ? stored.foreign?.record.current.hex ?? "" : ""),
      undoable: document?.undo.map(\.record) ?? [], redoable: document?.redo.map(\.record) ?? [],
      notices: stored.notices)
    state.originalPixels = document?.originalPixels
    state.isMovie = movieReader != nil
    state.sidecar = document
    guard let record else { return state }
    if let foreign = stored.foreign, state.isForeign {
      state.current = EditState.Content(path: foreign.rendering, digest: record.current)
      if !foreign.isBasedOnOriginal { state.base = nil }
      return state
    }
    state.current = content(record.current, at: currentPath(document))
    if let base = record.base { state.base = content(base, at: paths.base) }
    return state
  }

  /// A content in its place, or still waiting for it after a commit that was interrupted.
  private func content(_ digest: Digest, at path: String) -> EditState.Content {
    let pending = paths.pending(path, digest)
    return EditState.Content(path: entry(at: pending) == .file ? pending : path, digest: digest)
  }
}
