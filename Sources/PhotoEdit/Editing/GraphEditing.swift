// SPDX-License-Identifier: Apache-2.0
public import Filters
public import FoundationEssentials
public import Rendering
package import Storage

/// Edits a photo with filter graphs: resumes the stored graph, changes it, renders once, commits.
public struct GraphEditing: Sendable {
  /// The store of the photo.
  public let store: any EditingStore
  /// How the rendering is made.
  public var options: RenderOptions
  /// Under which identifier graphs are stored; another one makes this another editor.
  public var formatIdentifier = FilterGraph.formatIdentifier
  /// The moment of the edit; also the date of change in the rendering.
  public var date = Date()
  /// Seconds by which the clock of the metadata is ahead of UTC.
  public var utcOffset = 0

  /// Whether a rendering that cannot hold everything of its source is committed all the same.
  public var allowsLosses = true

  /// Makes an editor for one photo.
  public init(_ store: any EditingStore, options: RenderOptions = RenderOptions()) {
    self.store = store
    self.options = options
  }

  /// What an edit did.
  public struct Outcome: Sendable {
    /// What the store holds now.
    public let state: EditState
    /// The version that was rendered.
    public let version: EditingInput.Version
    /// How the session related to what was stored.
    public let kind: SessionKind
    /// The graph that was rendered.
    public let graph: FilterGraph
    /// The rendering and its report.
    public let rendering: Rendering
    /// Why a stored edit could not be resumed; empty when it was, or when there was none.
    public let obstacles: [String]

    package init(
      _ state: EditState, _ beginning: Beginning, _ graph: FilterGraph, _ rendering: Rendering
    ) {
      self.state = state
      version = beginning.input.version
      kind = beginning.input.kind
      self.graph = graph
      self.rendering = rendering
      obstacles = beginning.obstacles
    }
  }

  /// What an edit would begin with.
  public struct Beginning: Sendable {
    /// The version that is handed out.
    public let input: EditingInput
    /// The stored graph, or an empty one.
    public let graph: FilterGraph
    /// Why a stored edit could not be resumed.
    public let obstacles: [String]
    /// The files that are stored with the graph.
    package let assets: [Digest: Data]
  }

  /// How much of what is stored an edit keeps.
  public enum Start: Sendable {
    /// The stored graph where it is understood, else the current rendering.
    case resuming
    /// The base, with an empty graph, whatever is stored.
    case base
  }

  /// Decides what an edit begins with.
  public func begin(_ start: Start = .resuming) throws(EditingError) -> Beginning {
    let state = try store.state()
    var request = EditingInputRequestOptions()
    request.limits = options.limits
    let isCancelled = options.isCancelled
    request.progressHandler = { _ in !isCancelled() }
    let identifier = formatIdentifier
    var obstacles: [String] = []
    switch start {
    case .base: request.canHandleAdjustmentData = { _ in true }
    case .resuming:
      obstacles = state.record.map { Self.obstacles(of: $0, identifier) } ?? []
      if state.record != nil && state.base == nil {
        obstacles.append("the picture that it began with is not there")
      }
      let canHandle = obstacles.isEmpty
      request.canHandleAdjustmentData = { _ in canHandle }
    }
    let input = try store.openInput(request, keepsFile: false)
    var graph = FilterGraph()
    if case .resuming = start, let data = input.adjustmentData {
      graph = Self.graph(of: data, identifier) ?? graph
    }
    return Beginning(
      input: input, graph: graph, obstacles: obstacles, assets: state.record?.assets ?? [:])
  }

  /// Renders a graph on what an edit began with, and commits both.
  ///
  /// - Throws: `EditingError`; nothing has changed then.
  public func finish(
    _ beginning: Beginning, with graph: FilterGraph
  ) throws(EditingError) -> Outcome {
    let (graph, output) = try openOutput(beginning, graph)
    defer { output.staging.discard() }
    let recipe = RenderRecipe(
      quality: options.quality.description, utcOffset: utcOffset, isLenient: options.isLenient)
    let rendering = try render(beginning, graph, recipe)
    try filing { () throws(FileError) in
      let file = try OpenFile(creating: output.renderedContentURL.path)
      try file.write(rendering.jpeg)
    }
    if options.isCancelled() { throw .cancelled }
    let state = try store.performCommit(output, recipe: recipe, date: date)
    return Outcome(state, beginning, graph, rendering)
  }

  /// Makes the place for the rendering of a graph, with the record that goes with it.
  package func openOutput(
    _ beginning: Beginning, _ graph: FilterGraph
  ) throws(EditingError) -> (FilterGraph, EditingOutput) {
    var graph = graph
    graph.source = try beginning.input.requirePicture().identity
    graph.removeUnusedAssets()
    let output = try store.openOutput(for: beginning.input)
    let files = options.finding(beginning.assets)
    output.assets = graph.externalAssets.compactMapValues { asset in
      files.assetFiles(asset.digest).map { Data($0) }
    }
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: formatIdentifier, formatVersion: FilterGraph.formatVersion,
      data: Data(graph.canonicalBytes()))
    return (graph, output)
  }

  /// Renders without committing.
  public func preview(
    _ beginning: Beginning, with graph: FilterGraph
  ) throws(EditingError) -> Rendering {
    var graph = graph
    graph.source = try beginning.input.requirePicture().identity
    return try render(
      beginning, graph,
      RenderRecipe(
        quality: options.quality.description, utcOffset: utcOffset, isLenient: options.isLenient))
  }

  private func render(
    _ beginning: Beginning, _ graph: FilterGraph, _ recipe: RenderRecipe
  ) throws(EditingError) -> Rendering {
    let input = beginning.input
    // Undo renders from the recipe alone, so this must not use anything else that shows in bytes.
    var options = recipe.options(date: date)
    options.limits = self.options.limits
    options.threads = self.options.threads
    options.assetFiles = self.options.finding(beginning.assets).assetFiles
    options.isCancelled = self.options.isCancelled
    let picture = try input.requirePicture()
    let rendering: Rendering
    do throws(RenderError) {
      rendering = try Renderer.render(picture, graph, options: options)
    } catch {
      throw EditingError(
        error, path: input.version == .original ? input.assetName : input.path)
    }
    try check(rendering, of: input)
    return rendering
  }

  /// Refuses a rendering that lacks something of its source, where nothing may get lost.
  package func check(_ rendering: Rendering, of input: EditingInput) throws(EditingError) {
    guard allowsLosses || rendering.losses.isEmpty else {
      throw .wouldLose(input.assetName, rendering.losses)
    }
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
    try await blocking { cancellation throws(EditingError) in
      var editor = self
      let isCancelled = options.isCancelled
      editor.options.isCancelled = { isCancelled() || cancellation.isCancelled }
      let beginning = try editor.begin()
      let graph: FilterGraph
      do throws(ParameterError) {
        graph = try beginning.graph.appending(filters)
      } catch {
        throw EditingError(.changeNotSupported, "\(error)")
      }
      return try editor.finish(beginning, with: graph)
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
  package func beginAdjusting() throws(EditingError) -> Beginning {
    guard try store.state().isEdited else { throw .notEdited(store.assetName) }
    let beginning = try begin()
    if let obstacle = beginning.obstacles.first {
      throw .notResumable(store.assetName, obstacle)
    }
    return beginning
  }
}

extension RenderOptions {
  /// The same options that also find some files.
  func finding(_ files: [Digest: Data]) -> RenderOptions {
    if files.isEmpty { return self }
    var options = self
    let others = assetFiles
    options.assetFiles = { digest in files[digest].map { Array($0) } ?? others(digest) }
    return options
  }
}
