// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEditFilters
public import PhotoEditRendering
package import PhotoEditStorage

/// Edits a photo or a movie with filter graphs: resumes the stored graph, changes it, renders once,
/// commits.
public struct GraphEditing: Sendable {
  /// The store of what is edited.
  public let store: any EditingStore
  /// How the rendering is made.
  public var options: RenderOptions
  /// Who renders which medium; a Live Photo that is rendered as a still becomes one.
  public var renderers: [EditedMedia: any MediaRenderer] = [
    .photo: StillRenderer(), .livePhoto: StillRenderer(),
  ]
  /// Under which identifier graphs are stored; another one makes this another editor.
  public var formatIdentifier = FilterGraph.formatIdentifier
  /// The moment of the edit; also the date of change in the rendering.
  public var date = Date()
  /// Seconds by which the clock of the metadata is ahead of UTC.
  public var utcOffset = 0

  /// Whether a rendering that cannot hold everything of its source is committed all the same.
  public var allowsLosses = true

  /// Makes an editor for one photo or movie.
  public init(_ store: any EditingStore, options: RenderOptions = RenderOptions()) {
    self.store = store
    self.options = options
  }

  /// What an edit did.
  public typealias Outcome = EditingSession.Outcome

  /// How much of what is stored an edit keeps.
  public enum Start: Sendable {
    /// The stored graph where it is understood, else the current rendering.
    case resuming
    /// The base, with an empty graph, whatever is stored.
    case base
  }

  /// Begins an edit: reads what is stored and decides which version is rendered; blocks.
  ///
  /// - Throws: `EditingError`; also for a place that a commit could not write to.
  public func begin(_ start: Start = .resuming) throws(EditingError) -> EditingSession {
    try begin(start, at: try store.state())
  }

  private func begin(
    _ start: Start, at state: EditState
  ) throws(EditingError) -> EditingSession {
    try store.checkPlace(after: state)
    var request = EditingInputRequestOptions()
    request.limits = options.limits
    let isCancelled = options.isCancelled
    request.progressHandler = { _ in !isCancelled() }
    var obstacles: [String] = []
    switch start {
    case .base: request.canHandleAdjustmentData = { _ in true }
    case .resuming:
      obstacles = state.record.map { Self.obstacles(of: $0, formatIdentifier) } ?? []
      if state.record != nil && state.base == nil {
        let what = state.isMovie ? "movie" : "picture"
        obstacles.append("the \(what) that it began with is not there")
      }
      let canHandle = obstacles.isEmpty
      request.canHandleAdjustmentData = { _ in canHandle }
    }
    let input = try store.openInput(request, of: state, keepsFile: false)
    var graph = FilterGraph()
    if case .resuming = start, let data = input.adjustmentData {
      graph = Self.graph(of: data, formatIdentifier) ?? graph
    }
    return EditingSession(editor: self, input: input, graph: graph, obstacles: obstacles)
  }

  // MARK: What is understood

  /// The graph in a record, when this program can render it.
  static func graph(
    of data: AdjustmentData, _ identifier: String = FilterGraph.formatIdentifier
  ) -> FilterGraph? {
    guard obstacles(of: data, identifier).isEmpty else { return nil }
    do throws(GraphError) { return try FilterGraph(json: Array(data.data)) } catch { return nil }
  }

  /// Why an edit cannot be resumed, be it for its graph or for files that it needs.
  public static func obstacles(
    of record: EditRecord, _ identifier: String = FilterGraph.formatIdentifier
  ) -> [String] {
    let obstacles = obstacles(of: record.adjustment, identifier)
    guard obstacles.isEmpty, let graph = graph(of: record.adjustment, identifier) else {
      return obstacles
    }
    do throws(GraphObstacle) {
      _ = try AssetReader(graph, RenderOptions().finding(record.assets)).contents()
      return []
    } catch {
      return [error.description]
    }
  }

  /// Why the graph in a record cannot be resumed; empty when it can.
  public static func obstacles(
    of data: AdjustmentData, _ identifier: String = FilterGraph.formatIdentifier
  ) -> [String] {
    guard data.formatIdentifier == identifier else {
      return ["it was made by '\(data.formatIdentifier)', which this program does not know"]
    }
    guard FilterGraph.canRead(version: data.formatVersion) else {
      return ["its format version is \(data.formatVersion); this program reads 1.x"]
    }
    do throws(GraphError) {
      return try FilterGraph(json: Array(data.data)).obstacles.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }
}

extension GraphEditing {
  /// Adds filters to the stored graph, or starts one, renders and commits.
  ///
  /// - Throws: `EditingError`; nothing has changed then.
  @discardableResult
  public func apply(_ filters: [any Filter]) async throws(EditingError) -> Outcome {
    try await inBackground { cancellation throws(EditingError) in
      var editor = self
      editor.options = options.stopping(for: cancellation)
      let session = try editor.begin()
      let graph: FilterGraph
      do throws(ParameterError) {
        graph = try session.graph.appending(filters)
      } catch {
        throw EditingError(.changeNotSupported, "\(error)")
      }
      return try session.commit(graph)
    }
  }
}

extension GraphEditing {
  /// The graph of a photo's edit, and the files that are stored with it.
  ///
  /// - Throws: `EditingError` when the photo is not edited, or the edit is not understood.
  package static func storedGraph(
    of store: any EditingStore
  ) throws(EditingError) -> (graph: FilterGraph, assets: [Digest: Data]) {
    guard let record = try store.state().record else { throw .notEdited(store.assetName) }
    if let obstacle = obstacles(of: record).first {
      throw .notResumable(store.assetName, obstacle)
    }
    return (graph(of: record.adjustment) ?? FilterGraph(), record.assets)
  }

  /// Begins a change of the stored graph.
  ///
  /// - Throws: `EditingError` when the photo is not edited, or the edit is not understood.
  package func beginAdjusting() throws(EditingError) -> EditingSession {
    let state = try store.state()
    guard state.isEdited else { throw .notEdited(store.assetName) }
    let session = try begin(.resuming, at: state)
    if let obstacle = session.obstacles.first {
      throw .notResumable(store.assetName, obstacle)
    }
    return session
  }
}

extension RenderOptions {
  /// A copy of the options that also stops when a cancellation is requested.
  func stopping(for cancellation: Cancellation) -> RenderOptions {
    var options = self
    options.isCancelled = { [isCancelled] in isCancelled() || cancellation.isCancelled }
    return options
  }

  /// The same options that also find some files.
  func finding(_ files: [Digest: Data]) -> RenderOptions {
    if files.isEmpty { return self }
    var options = self
    let others = assetFiles
    options.assetFiles = { digest in files[digest].map { Array($0) } ?? others(digest) }
    return options
  }
}
