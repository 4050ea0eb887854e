// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
package import PhotoEditStorage

/// A store that keeps the edit of one photo or video in files next to it, without a library or a
/// server.
///
/// For "photo.jpg": the rendering "photo.edited.jpg", the sidecar "photo.jpg.aae", and, after an
/// edit that is based on a third-party one, the base "photo.base.jpg". The original is only read.
public struct SidecarStore: EditingStore {
  /// The default number of superseded states to keep.
  public static let defaultJournalDepth = 20

  /// The maximum number of attempts to read without the lock while other processes commit.
  static let maximumAttempts = 100

  private(set) var paths: SidecarPaths
  /// The path at which to write the rendering; nil for the previous or default path.
  let requestedRendering: String?
  /// Indicates whether a file at the rendering's path may be replaced if photoedit did not create
  /// it.
  let replacesExternalFiles: Bool
  /// Indicates whether a photo that changed since it was edited is accepted as a new original.
  let acceptsChangedOriginal: Bool
  let journalDepth: Int
  let photoDigests = PhotoDigests()
  /// The identifier of the program in its edits, in reverse-DNS notation.
  public var client = EditRecord.photoedit
  /// The folder that all files of the edit must be in, unless they are in a state directory; nil if
  /// the sidecar may also name others.
  private var boundary: OpenFolder?
  /// The function that reads the properties of a video; nil if the store keeps a photo.
  package var movieReader: MovieReader?

  /// Creates the store of one photo; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - photo: The original.
  ///   - rendering: The path of the rendering; nil means the previous path, or "photo.edited.jpg".
  ///   - replacesExternalFiles: Whether a file at that path that photoedit did not create may be
  ///     replaced.
  public init(
    photo: URL, rendering: URL? = nil, replacesExternalFiles: Bool = false,
    journalDepth: Int = SidecarStore.defaultJournalDepth
  ) {
    self.init(
      path: photo.path, rendering: rendering?.path, replacesExternalFiles: replacesExternalFiles,
      journalDepth: journalDepth)
  }

  package init(
    path: String, rendering: String? = nil, replacesExternalFiles: Bool = false,
    acceptsChangedOriginal: Bool = false, journalDepth: Int = SidecarStore.defaultJournalDepth,
    contentExtension: String = "jpg", stateFolder: String? = nil
  ) {
    paths = SidecarPaths(
      photo: path, contentExtension: contentExtension, stateFolder: stateFolder)
    requestedRendering = rendering
    self.replacesExternalFiles = replacesExternalFiles
    self.acceptsChangedOriginal = acceptsChangedOriginal
    self.journalDepth = max(0, journalDepth)
  }

  /// Returns the same store with the edit in a folder of a state directory; nil for the photo's
  /// folder.
  package func stored(in stateFolder: String?) -> SidecarStore {
    stateFolder == nil ? self : with(contentExtension: paths.contentExtension, in: stateFolder)
  }

  /// Returns the same store, which throws if a file of the edit is outside of a folder, is a link, or
  /// is reached through one.
  ///
  /// Elsewhere, a rendering that the user wrote to another folder is read there if it has the
  /// recorded digest.
  package func held(beneath folder: OpenFolder) -> SidecarStore {
    var store = self
    store.boundary = folder
    return store
  }

  /// Checks the files that belong to an edit in a held store, apart from the photo itself.
  private func check(_ files: [String]) throws(EditingError) {
    guard let boundary else { return }
    try translating(EditingError.init) { () throws(FileError) in
      for file in files where file != paths.photo {
        try self.boundary(of: file, boundary).checkFile(at: file)
      }
    }
  }

  /// Opens a file of the edit for reading; in a held store, beneath the folder that it must be in.
  ///
  /// The photo itself may be a link that the user named.
  package func open(_ path: String) throws(FileError) -> OpenFile {
    guard let boundary, path != paths.photo else { return try OpenFile(reading: path) }
    return try self.boundary(of: path, boundary).open(at: path)
  }

  /// Returns the folder that a file of a held edit must be in.
  ///
  /// - Throws: `FileError` of the kind `missing` if it is the folder of an edit in a state directory
  ///   that does not exist before the first one.
  private func boundary(
    of path: String, _ boundary: OpenFolder
  ) throws(FileError) -> OpenFolder {
    paths.isInState && path.utf8.starts(with: (paths.folder + "/").utf8)
      ? try OpenFolder(paths.folder) : boundary
  }

  /// Returns the same store for contents with another file extension.
  package func with(contentExtension: String) -> SidecarStore {
    with(contentExtension: contentExtension, in: paths.isInState ? paths.folder : nil)
  }

  private func with(contentExtension: String, in stateFolder: String?) -> SidecarStore {
    var store = self
    store.paths = SidecarPaths(
      photo: paths.photo, contentExtension: contentExtension, stateFolder: stateFolder)
    return store
  }

  public func describeMovie(at path: String) throws(EditingError) -> MovieDescription {
    guard let movieReader else { throw .photosAlone(path) }
    return try movieReader(path)
  }

  public var assetName: String { paths.photo }

  /// The path of the sidecar, even if it does not exist yet.
  package var sidecarPath: String { paths.sidecar }

  /// Returns the path for the next rendering.
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

  /// Returns the path of the current rendering; next to the photo if both were renamed together.
  func currentPath(_ document: SidecarDocument?) -> String {
    guard let document, let recorded = document.rendering else { return paths.rendering }
    let path = paths.resolved(recorded)
    let isMissing = entry(at: path) == nil && paths.isHere(path)
    return isMissing && entry(at: paths.rendering) == .file ? paths.rendering : path
  }

  public func makeStagingFolder() throws(EditingError) -> StagingFolder {
    try createStateFolder()
    // Renderings go next to the photo or to the path chosen by the user, never to a path that only
    // the sidecar names.
    let folder = FileSystem.folder(of: requestedRendering ?? paths.rendering)
    return try mapFileErrors(StagingFolder(in: folder))
  }

  public func state() throws(EditingError) -> EditState {
    try check(paths.thirdPartySidecars)
    let state = state(of: try load())
    try check([state.current.path] + (state.base.map { [$0.path] } ?? []))
    return state
  }

  func state(of stored: LoadedSidecar) -> EditState {
    let document = stored.document
    let record = document?.record ?? stored.thirdParty?.record
    // An unedited photo may change; the next edit records it again.
    let original = EditState.Content(
      path: paths.photo,
      digest: acceptsChangedOriginal || document?.record == nil ? nil : document?.original)
    var state = EditState(
      original: original, record: record, base: original, current: original,
      isThirdParty: document?.record == nil && stored.thirdParty != nil,
      revision: (document?.revision ?? "none") + ":"
        + (document?.record == nil ? stored.thirdParty?.record.current.hex ?? "" : ""),
      journal: document?.journal, notices: stored.notices)
    state.originalPixels = document?.originalPixels
    state.isMovie = movieReader != nil
    state.sidecar = document
    guard let record else { return state }
    if let thirdParty = stored.thirdParty, state.isThirdParty {
      state.current = EditState.Content(path: thirdParty.rendering, digest: record.current)
      if !thirdParty.isBasedOnOriginal { state.base = nil }
      return state
    }
    state.current = content(record.current, at: currentPath(document))
    if let base = record.base { state.base = content(base, at: paths.base) }
    return state
  }

  /// Returns contents at their path, or at their pending path after an interrupted commit.
  private func content(_ digest: SHA256Digest, at path: String) -> EditState.Content {
    let pending = paths.pending(path, digest)
    return EditState.Content(path: entry(at: pending) == .file ? pending : path, digest: digest)
  }
}
