// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditRendering
import PhotoEditStorage

/// An editor of photos and videos with filter graphs: resumes the stored graph, changes it, renders
/// once, and commits.
public struct PhotoEditor: Sendable {
  /// The store of the edited photo or video.
  public let store: any EditingStore
  /// The options for rendering.
  public var options: RenderOptions
  /// The renderers by medium; a Live Photo that is rendered as a still becomes a still.
  public var renderers: [EditingMediaType: any MediaRenderer] = [
    .photo: StillRenderer(), .livePhoto: StillRenderer(),
  ]
  /// The format identifier under which graphs are stored; graphs stored under another one are not
  /// understood.
  public var formatIdentifier = FilterGraph.formatIdentifier
  /// The filters that edits may contain; a stored edit with any other is not understood.
  public var catalog = FilterCatalog.builtIn
  /// The date of the edit; also the modification date in the rendering.
  public var date = Date()
  /// The offset from UTC, in seconds, of the local time in the metadata.
  public var utcOffset = 0

  /// Indicates whether a rendering that loses source data is committed anyway.
  public var allowsLosses = true

  /// Creates an editor for one photo or video.
  public init(_ store: any EditingStore, options: RenderOptions = RenderOptions()) {
    self.store = store
    self.options = options
  }

  /// The outcome of an edit.
  public typealias Outcome = EditingSession.Outcome

  /// The part of the stored edit that a new edit keeps.
  public enum ResumePolicy: Sendable {
    /// The stored graph if it is understood, otherwise the current rendering.
    case resuming
    /// The base with an empty graph, regardless of the stored graph.
    case base
  }

  /// Begins an edit: reads the stored state and chooses the version to render; blocks the calling
  /// thread.
  ///
  /// - Throws: `EditingError`; also for a destination that a commit could not write to.
  public func begin(_ start: ResumePolicy = .resuming) throws(EditingError) -> EditingSession {
    try begin(start, at: try store.state())
  }

  private func begin(
    _ start: ResumePolicy, at state: EditState
  ) throws(EditingError) -> EditingSession {
    try store.checkDestination(after: state)
    var request = EditingInputRequestOptions()
    request.limits = options.limits
    let isCancelled = options.isCancelled
    request.progressHandler = { _ in !isCancelled() }
    var stored: StoredGraph?
    var blockingReasons: [String] = []
    switch start {
    case .base: request.canHandleAdjustmentData = { _ in true }
    case .resuming:
      stored = state.record.map { StoredGraph($0, formatIdentifier, catalog) }
      blockingReasons = stored?.blockingReasons ?? []
      if state.record != nil && state.base == nil {
        let what = state.isMovie ? "video" : "image"
        blockingReasons.append("the \(what) that it is based on is missing")
      }
      let canHandle = blockingReasons.isEmpty
      request.canHandleAdjustmentData = { _ in canHandle }
    }
    let input = try store.openInput(request, of: state, keepsFile: false)
    let resumed = input.adjustmentData == nil ? nil : stored?.resumable
    let initial = try resumed == nil ? input.initialGraph(options) : InitialGraph()
    return EditingSession(
      editor: self, input: input, graph: resumed ?? initial.graph, notices: initial.notices,
      blockingReasons: blockingReasons)
  }

  // MARK: Stored graphs

  /// Returns the reasons why an edit cannot be resumed, because of its graph or of attachments.
  public static func blockingReasons(
    of record: EditRecord, _ identifier: String = FilterGraph.formatIdentifier,
    catalog: FilterCatalog = .builtIn
  ) -> [String] {
    StoredGraph(record, identifier, catalog).blockingReasons
  }

  /// Returns the reasons why the graph in a record cannot be resumed; empty if it can.
  public static func blockingReasons(
    of data: AdjustmentData, _ identifier: String = FilterGraph.formatIdentifier,
    catalog: FilterCatalog = .builtIn
  ) -> [String] {
    StoredGraph(data, identifier, catalog).blockingReasons
  }

  /// Adds filters to the stored graph or to a new one, renders, and commits.
  ///
  /// - Throws: `EditingError`; nothing has changed then.
  @discardableResult
  public func apply(_ filters: [any Filter]) async throws(EditingError) -> Outcome {
    try await inBackground { cancellation throws(EditingError) in
      var editor = self
      editor.options = options.stopping(for: cancellation)
      let session = try editor.begin()
      return try session.commit(
        translating(
          { EditingError(.changeNotSupported, "\($0 as ParameterError)") },
          session.graph.applying(filters)))
    }
  }

  /// Returns the graph of a photo's edit and the attachments stored with it.
  ///
  /// - Throws: `EditingError` if the photo is not edited, or if the edit is not understood.
  package static func storedGraph(
    of store: any EditingStore
  ) throws(EditingError) -> (graph: FilterGraph, assets: [SHA256Digest: Data]) {
    guard let record = try store.state().record else { throw .notEdited(store.assetName) }
    let stored = StoredGraph(record)
    if let reason = stored.blockingReasons.first { throw .notResumable(store.assetName, reason) }
    return (stored.resumable ?? FilterGraph(), record.assets)
  }

  /// Begins a change of the stored graph.
  ///
  /// - Throws: `EditingError` if the photo is not edited, or if the edit is not understood.
  package func beginAdjusting() throws(EditingError) -> EditingSession {
    let state = try store.state()
    guard state.isEdited else { throw .notEdited(store.assetName) }
    let session = try begin(.resuming, at: state)
    if let reason = session.blockingReasons.first {
      throw .notResumable(store.assetName, reason)
    }
    return session
  }
}

extension RenderOptions {
  /// Returns a copy of the options that also stops when a cancellation is requested.
  func stopping(for cancellation: Cancellation) -> RenderOptions {
    var options = self
    options.isCancelled = { [isCancelled] in isCancelled() || cancellation.isCancelled }
    return options
  }

  /// Returns a copy of the options that also finds the given files.
  func finding(_ files: [SHA256Digest: Data]) -> RenderOptions {
    if files.isEmpty { return self }
    var options = self
    let others = assetFiles
    options.assetFiles = { digest in files[digest].map { Array($0) } ?? others(digest) }
    return options
  }
}
