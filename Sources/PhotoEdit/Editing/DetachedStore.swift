// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditStorage

/// A store that writes one rendering of a photo or a video to a separate file and records nothing.
///
/// A session begins with the unchanged file, by the same rules as for every other store. There is
/// nothing to resume, to undo, or to revert.
public struct DetachedStore: EditingStore {
  /// The file that is rendered.
  private let source: String
  private let rendering: String
  private let replacesFiles: Bool
  /// The function that reads the properties of a video; nil for a photo.
  package var movieReader: MovieReader?

  /// Creates the store for one rendering; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - photo: The file to render.
  ///   - rendering: The destination of the rendering.
  ///   - replacesFiles: Whether an existing file at the destination is replaced.
  public init(photo: URL, rendering: URL, replacesFiles: Bool = false) {
    self.init(path: photo.path, rendering: rendering.path, replacesFiles: replacesFiles)
  }

  package init(path: String, rendering: String, replacesFiles: Bool) {
    source = path
    self.rendering = rendering
    self.replacesFiles = replacesFiles
  }

  public var assetName: String { source }

  public func state() throws(EditingError) -> EditState { state(current: source) }

  private func state(current: String) -> EditState {
    let original = EditState.Content(path: source, digest: nil)
    var state = EditState(
      original: original, record: nil, base: original,
      current: EditState.Content(path: current, digest: nil), isThirdParty: false, revision: "none",
      journal: nil, notices: [])
    state.isMovie = movieReader != nil
    return state
  }

  public func makeStagingFolder() throws(EditingError) -> StagingFolder {
    try mapFileErrors(StagingFolder(in: FileSystem.folder(of: rendering)))
  }

  public func perform(
    _ change: EditChange, expecting revision: String
  ) throws(EditingError) -> EditState {
    guard case .edit(let staged, _, _, _, _, _) = change else {
      throw EditingError(.changeNotSupported, path: source, "has no stored edit")
    }
    if FileSystem.isSameFile(source, rendering) { throw .isOriginal(rendering) }
    try translating(EditingError.init) { () throws(FileError) in
      try OpenFile(reading: staged).sync()
      try FileSystem.publish(staged, as: rendering, replacing: replacesFiles, like: source)
      try FileSystem.syncFolder(FileSystem.folder(of: rendering))
    }
    return state(current: rendering)
  }

  public func describeMovie(at path: String) throws(EditingError) -> MovieDescription {
    guard let movieReader else { throw .photosAlone(path) }
    return try movieReader(path)
  }
}
