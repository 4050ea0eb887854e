// SPDX-License-Identifier: Apache-2.0

/// The storage of one photo's versions and adjustment data.
///
/// The rules of editing (the version that a session receives, the versions after a commit, the
/// reasons for rejection) are the same for every store; a store only reads, stages, and commits
/// atomically.
public protocol EditingStore: Sendable {
  /// The name of the photo in messages; also distinguishes the outputs of different photos.
  var assetName: String { get }

  /// The identifier of the program in its edits, in reverse-DNS notation; `org.photoedit` unless a
  /// store has another one.
  var client: String { get }

  /// Reads the stored state.
  ///
  /// - Throws: `EditingError` if the record is damaged or from a newer version.
  func state() throws(EditingError) -> EditState

  /// Completes a change whose process ended after its commit, such as a rendering without its name.
  ///
  /// The stored state is the same before and after; what fails is left to the next call. Commands
  /// call it before they read the state, because there may be nothing else for them to do.
  func finishInterruptedChange()

  /// Throws early if a commit would be rejected because of the destination of its rendering.
  ///
  /// - Parameter state: The stored state.
  func checkDestination(after state: EditState) throws(EditingError)

  /// Creates a folder for a session's unfinished files, from which they can be renamed into place.
  func makeStagingFolder() throws(EditingError) -> StagingFolder

  /// Performs a change atomically.
  ///
  /// - Parameter revision: The `EditState.revision` of the state that the change is based on.
  /// - Throws: `EditingError.Code.operationInterrupted` if the state has changed since.
  func perform(_ change: EditChange, expecting revision: String) throws(EditingError) -> EditState

  /// Performs several steps of undo or redo.
  ///
  /// The stores of this package commit once and render only the last state. A store without an
  /// implementation of its own commits each step.
  ///
  /// - Parameter steps: The number of steps, at least 1; ignored for other changes.
  /// - Throws: As `perform(_:expecting:)`. `changeNotSupported` if there are fewer steps.
  func perform(
    _ change: EditChange, steps: Int, expecting revision: String
  ) throws(EditingError) -> EditState

  /// Reads the properties of a video in the store without decoding frames.
  ///
  /// - Throws: `EditingError` if the file is not a video, or if the store supports only photos.
  func describeMovie(at path: String) throws(EditingError) -> MovieDescription
}

extension EditingStore {
  /// The identifier of photoedit.
  public var client: String { EditRecord.photoedit }

  /// Does nothing, because the store commits its files together with its state.
  public func finishInterruptedChange() {}

  /// Never throws, because the store chooses the destination itself.
  public func checkDestination(after state: EditState) throws(EditingError) {}

  public func perform(
    _ change: EditChange, steps: Int, expecting revision: String
  ) throws(EditingError) -> EditState {
    var state = try perform(change, expecting: revision)
    guard change.step != nil else { return state }
    for _ in 1..<max(1, steps) { state = try perform(change, expecting: state.revision) }
    return state
  }
}

/// The stored state of one photo.
public struct EditState: Sendable, Hashable {
  /// The file of a version and its expected contents.
  public struct Content: Sendable, Hashable {
    /// The path of the file, which is only to be read: it may be the original itself.
    public var path: String
    /// The SHA-256 of the file; nil if it was never recorded.
    public let digest: SHA256Digest?

    /// Creates a reference to a file.
    public init(path: String, digest: SHA256Digest?) {
      self.path = path
      self.digest = digest
    }
  }

  /// The videos paired with the stills of a Live Photo; nil for a version that is a plain still.
  public struct Movies: Sendable, Hashable {
    /// The video paired with the original.
    public var original: Content?
    /// The video paired with the input of the most recent edit.
    public var base: Content?
    /// The video paired with the output of the most recent edit.
    public var current: Content?
  }

  /// The original; for an edited photo, its digest is the recorded one.
  public var original: Content
  /// SHA-256 of the original's pixels when it was edited; nil if it was never recorded.
  package var originalPixels: SHA256Digest?
  /// The capture date, location, and subtypes from a library; nil if they are read from the file.
  package var facts: MediaProperties?
  /// The values of fields of texts from a library, which may be empty; the others are read from the
  /// file.
  package var textFields: [TextField: String] = [:]
  /// Indicates whether the versions are videos.
  public var isMovie = false
  /// The videos paired with the versions of a Live Photo.
  public var movies = Movies()
  /// The record of the most recent edit; nil for an unedited photo.
  public var record: EditRecord?
  /// The input of the most recent edit; nil if it is missing.
  public var base: Content?
  /// The output of the most recent edit, or the original.
  public var current: Content
  /// Indicates whether the record is a third-party record in a separate file.
  public var isThirdParty: Bool
  /// An identifier of the state that changes with every commit.
  public var revision: String
  /// Earlier states, the latest last; nil means the original.
  public var undoable: [EditRecord?]
  /// Undone states, the next one last.
  public var redoable: [EditRecord?]
  /// Notices about irregularities that had no effect.
  public var notices: [String]
  /// Indicates whether the store does not own the original and so does not control how long it
  /// exists.
  package var isOriginalExternal = true
  /// The sidecar, if any, from which this state was read.
  var sidecar: SidecarDocument?

  /// The records of the other states.
  package var journal: EditJournal<EditRecord?> { EditJournal(undo: undoable, redo: redoable) }

  /// Indicates whether the photo is edited.
  public var isEdited: Bool { record != nil }

  package init(
    original: Content, record: EditRecord?, base: Content?, current: Content, isThirdParty: Bool,
    revision: String, journal: EditJournal<SidecarDocument.JournalEntry>?, notices: [String],
    isOriginalExternal: Bool = true
  ) {
    self.original = original
    self.record = record
    self.base = base
    self.current = current
    self.isThirdParty = isThirdParty
    self.revision = revision
    undoable = journal?.undo.map(\.record) ?? []
    redoable = journal?.redo.map(\.record) ?? []
    self.notices = notices
    self.isOriginalExternal = isOriginalExternal
  }
}

/// A change of one photo's versions.
public enum EditChange: Sendable {
  /// Commits a rendering, already in a staging folder of the same store, with its record.
  ///
  /// `input` is the digest of the image that was rendered; nil if it is not known. `movie` is the
  /// staged video paired with the rendering of a Live Photo. `content` is the contents of a staged
  /// image as read for its check, so that a store need not read it again; nil if it was not read.
  case edit(
    staged: String, EditRecord, SessionKind, input: SHA256Digest? = nil, movie: String? = nil,
    content: FileBytes? = nil)
  /// Reverts to the original in one step.
  case revert
  /// Restores the state before the last change.
  case undo
  /// Restores the state that was undone last.
  case redo

  /// The step through the journal; nil for a change that adds a state.
  package var step: EditStep? {
    switch self {
    case .undo: .undo
    case .redo: .redo
    case .edit, .revert: nil
    }
  }
}
