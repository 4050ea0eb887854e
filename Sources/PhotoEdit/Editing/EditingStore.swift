// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// The place where one photo's versions and its adjustment data live.
///
/// The rules of editing (who gets which version, what a commit makes of the versions, what is
/// refused) are the same for every store; a store only reads, stages and flips atomically.
public protocol EditingStore: Sendable {
  /// What the photo is called in messages; also tells the output of one photo from another's.
  var assetName: String { get }

  /// Reads what is stored.
  ///
  /// - Throws: `EditingError` when the record is damaged or from a newer version.
  func state() throws(EditingError) -> EditState

  /// Refuses early what a commit would refuse for the place of its rendering.
  ///
  /// - Parameter state: What is stored.
  func checkPlace(after state: EditState) throws(EditingError)

  /// Makes a folder for a session's unfinished files, where they can be renamed into place.
  func makeStagingFolder() throws(EditingError) -> StagingFolder

  /// Makes a change, wholly or not at all.
  ///
  /// - Parameter revision: `EditState.revision` of the state that the change builds on.
  /// - Throws: `EditingError.Code.operationInterrupted` when the state has moved on since.
  func perform(_ change: EditChange, expecting revision: String) throws(EditingError) -> EditState

  /// Looks at a movie of the store; no frame is read.
  ///
  /// - Throws: `EditingError` when it is none, or when the store keeps photos alone.
  func describeMovie(at path: String) throws(EditingError) -> EditedMovie
}

extension EditingStore {
  /// Refuses nothing: the place is the store's own.
  public func checkPlace(after state: EditState) throws(EditingError) {}
}

/// What a store holds of one photo.
public struct EditState: Sendable, Hashable {
  /// A version's file and what must be in it.
  public struct Content: Sendable, Hashable {
    /// Where the bytes are.
    public var path: String
    /// Their SHA-256; nil where it was never recorded.
    public let digest: Digest?

    /// Makes a reference to a file.
    public init(path: String, digest: Digest?) {
      self.path = path
      self.digest = digest
    }
  }

  /// The movies around the stills of a Live Photo; nil where a version is a plain still.
  public struct Movies: Sendable, Hashable {
    /// The movie that came with the original.
    public var original: Content?
    /// The movie around the input of the most recent edit.
    public var base: Content?
    /// The movie around its output.
    public var current: Content?
  }

  /// The original; its digest is the recorded one once the photo was edited.
  public var original: Content
  /// SHA-256 of the pixels of the original when it was edited; nil where it was never recorded.
  package var originalPixels: Digest?
  /// What a library says of the taking; nil where the file itself is asked.
  package var facts: MediaFacts?
  /// Whether the versions are movies.
  public var isMovie = false
  /// The movies around the versions of a Live Photo.
  public var movies = Movies()
  /// The most recent edit; nil for a photo that is not edited.
  public var record: EditRecord?
  /// The input of the most recent edit; nil when it is gone.
  public var base: Content?
  /// The output of the most recent edit, or the original.
  public var current: Content
  /// Whether the record was written by another program, in a file of its own.
  public var isForeign: Bool
  /// Changes with every commit.
  public var revision: String
  /// Earlier states, the latest last; nil stands for the original.
  public var undoable: [EditRecord?]
  /// Undone states, the next one last.
  public var redoable: [EditRecord?]
  /// What was odd and did not matter.
  public var notices: [String]
  /// Whether the original belongs to somebody else, who alone decides how long it stays.
  package var isOriginalForeign = true
  /// The sidecar this state was read from, or nil if there is none.
  var sidecar: SidecarDocument?

  /// Whether there is an edit.
  public var isEdited: Bool { record != nil }

  package init(
    original: Content, record: EditRecord?, base: Content?, current: Content, isForeign: Bool,
    revision: String, undoable: [EditRecord?], redoable: [EditRecord?], notices: [String],
    isOriginalForeign: Bool = true
  ) {
    self.original = original
    self.record = record
    self.base = base
    self.current = current
    self.isForeign = isForeign
    self.revision = revision
    self.undoable = undoable
    self.redoable = redoable
    self.notices = notices
    self.isOriginalForeign = isOriginalForeign
  }
}

/// A change of one photo's versions.
public enum EditChange: Sendable {
  /// A rendering, already in a staging folder of the same store, with its record.
  ///
  /// `input` is the digest of the picture that it was made from; nil when it is not known. `movie`
  /// is the staged movie around the rendering of a Live Photo. `content` is what was read of a staged
  /// picture when it was checked, so that a store need not read it again; nil when nobody did.
  case edit(
    staged: String, EditRecord, SessionKind, input: Digest? = nil, movie: String? = nil,
    content: FileBytes? = nil)
  /// Back to the original in one step.
  case revert
  /// Back to the state before the last change.
  case undo
  /// Forward to the state that was undone last.
  case redo
}
