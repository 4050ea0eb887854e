// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditRendering
import PhotoEditStorage

/// One edit from its beginning to its commit; the stored state is read once.
public struct EditingSession: Sendable {
  /// The editor that renders and records the edit; its options may change until the commit.
  public var editor: PhotoEditor
  /// The input of the session.
  public let input: EditingInput
  /// The stored graph, or the one with which an edit begins: empty, except for camera raw files.
  public let graph: FilterGraph
  /// The notices from determining the graph of a new edit, in sentences.
  public let notices: [String]
  /// The reasons why a stored edit could not be resumed.
  public let blockingReasons: [String]

  /// The stored state when the session began; a commit is based on it or is rejected.
  public var state: EditState { input.state }
  /// The attachments stored with the graph.
  package var assets: [SHA256Digest: Data] { state.record?.assets ?? [:] }

  /// The outcome of an edit.
  public struct Outcome: Sendable {
    /// The stored state after the edit.
    public let state: EditState
    /// The version that was rendered.
    public let version: EditingInput.Version
    /// The relation of the session to the stored edit.
    public let kind: SessionKind
    /// The graph that was rendered.
    public let graph: FilterGraph
    /// The report of the rendering.
    public let rendering: RenderReport
    /// The reasons why a stored edit could not be resumed; empty if it was, or if there was none.
    public let blockingReasons: [String]
  }

  /// A graph that is rendered and remains to be committed; without a commit, the rendering is
  /// discarded.
  package struct RenderedEdit: Sendable {
    fileprivate let session: EditingSession
    fileprivate let output: EditingOutput
    fileprivate let graph: FilterGraph
    /// The report of the rendering.
    package let report: RenderReport

    /// Commits the graph with the rendering; blocks the calling thread, mostly for the disk.
    ///
    /// - Throws: As `EditingSession.commit(_:)`.
    package func commit() throws(EditingError) -> Outcome {
      defer { output.staging.discard() }
      let editor = session.editor
      if editor.options.isCancelled() { throw .cancelled }
      let state = try editor.store.performCommit(output, date: editor.date)
      return Outcome(
        state: state, version: session.input.version, kind: session.input.kind, graph: graph,
        rendering: report, blockingReasons: session.blockingReasons)
    }
  }

  /// Renders a graph and commits it with the rendering; blocks the calling thread.
  ///
  /// - Throws: `EditingError`; nothing has changed then. `operationInterrupted` if another edit was
  ///   committed since the session began.
  @discardableResult
  public func commit(_ graph: FilterGraph) throws(EditingError) -> Outcome {
    try render(graph).commit()
  }

  /// Renders a graph for a commit; blocks the calling thread.
  package func render(_ graph: FilterGraph) throws(EditingError) -> RenderedEdit {
    let renderer = try renderer
    let prepared = try prepared(graph)
    let (graph, output) = try opened(prepared.graph, prepared.files)
    let report = try render(prepared, of: graph, with: renderer, to: output)
    return RenderedEdit(session: self, output: output, graph: graph, report: report)
  }

  /// A graph whose texts have their fields filled in for the photo, and fonts.
  package struct PreparedGraph: Sendable {
    package let graph: FilterGraph
    /// The fonts that the graph does not embed and that are not stored yet.
    package let files: [SHA256Digest: [UInt8]]
    /// The fields without a value.
    fileprivate let missingFields: [TextField]
  }

  /// Fills in the fields of texts for the photo, whatever they were filled in with, and attaches fonts
  /// that are installed.
  package func prepared(_ graph: FilterGraph) throws(EditingError) -> PreparedGraph {
    var graph = graph
    graph.emptyTexts()
    let missing = graph.openFields.isEmpty ? [] : graph.fillTexts(input.textFields)
    let stored = options.assetFiles
    let files = try translating({ EditingError(RenderError.graph($0), path: input.assetName) }) {
      () throws(UnsupportedNode) in try graph.attachFonts([:], files: stored)
    }
    return PreparedGraph(
      graph: graph,
      files: Dictionary(files.map { (SHA256Digest(of: $0), $0) }) { first, _ in first },
      missingFields: missing)
  }

  /// Stages a rendering of the input that was made elsewhere, for a commit with its graph.
  ///
  /// The rendering is checked like that of any other program, because no settings are recorded to
  /// make it again. Blocks the calling thread.
  package func stage(
    _ path: String, digest: SHA256Digest, of graph: FilterGraph
  ) throws(EditingError) -> EditingOutput {
    let (_, output) = try opened(graph, [:])
    let staged = output.contentPath
    do throws(EditingError) {
      try mapFileErrors(FileSystem.copy(path, to: staged))
      let copied = try mapFileErrors(FileBytes.digest(of: staged))
      guard copied == digest else { throw .changedContent(path, recorded: digest) }
    } catch {
      output.staging.discard()
      throw error
    }
    return output
  }

  /// Returns the graph as it is recorded, and the output that records it.
  private func opened(
    _ graph: FilterGraph, _ added: [SHA256Digest: [UInt8]]
  ) throws(EditingError) -> (graph: FilterGraph, output: EditingOutput) {
    try checkFilters(of: graph)
    var graph = sourced(graph)
    graph.removeUnusedAssets()
    let output = try editor.store.openOutput(for: input, isPrivate: true)
    let files = options.assetFiles
    output.assets = graph.externalAssets.compactMapValues { asset in
      (added[asset.digest] ?? files(asset.digest)).map { Data($0) }
    }
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: editor.formatIdentifier, formatVersion: FilterGraph.formatVersion,
      data: Data(graph.canonicalBytes()))
    return (graph, output)
  }

  /// Renders a graph as a commit would, but discards the rendering; blocks the calling thread.
  public func dryRun(_ graph: FilterGraph) throws(EditingError) -> RenderReport {
    try checkFilters(of: graph)
    let renderer = try renderer
    let output = renderer.needsFiles ? try editor.store.openOutput(for: input) : nil
    defer { output?.staging.discard() }
    let prepared = try prepared(graph)
    return try render(prepared, of: sourced(prepared.graph), with: renderer, to: output)
  }

  /// Returns the graph with which a new edit of the input begins: empty, except for camera raw files.
  package func newGraph() throws(EditingError) -> FilterGraph {
    try input.initialGraph(editor.options).graph
  }

  private var renderer: any MediaRenderer {
    get throws(EditingError) {
      if let renderer = editor.renderers[input.media] { return renderer }
      throw EditingError(
        .requestNotSupportedForAsset, path: input.assetName,
        "no renderer for media type \(input.media.rawValue)")
    }
  }

  private var options: RenderOptions {
    var options = editor.options.finding(assets)
    options.modificationDate = .init(
      secondsSince1970: Int(editor.date.timeIntervalSince1970), utcOffset: editor.utcOffset)
    return options
  }

  /// Rejects filters with which the edit could not be continued later.
  private func checkFilters(of graph: FilterGraph) throws(EditingError) {
    if let name = graph.firstFilter(notIn: editor.catalog) {
      throw EditingError(
        .changeNotSupported, path: input.assetName,
        "the catalog of the editor does not contain the filter '\(name)'",
        hint: "set the editor's catalog to one with this filter")
    }
  }

  /// Returns the graph with the identity of the still that it is rendered on.
  private func sourced(_ graph: FilterGraph) -> FilterGraph {
    guard let image = input.image else { return graph }
    var graph = graph
    graph.source = image.identity
    return graph
  }

  /// The difference that results if the stored edit was developed by another version of the library.
  private var developmentLoss: RenderLoss? {
    guard let stored = self.graph.source?.development?.decoder,
      let decoder = input.image?.header.development?.decoder, stored != decoder
    else { return nil }
    return RenderLoss(
      kind: "development",
      detail: "The raw file was developed by \(stored) and is now by \(decoder); pixels may differ."
    )
  }

  /// Renders, and rejects a rendering that loses source data if losses are not allowed.
  private func render(
    _ prepared: PreparedGraph, of graph: FilterGraph, with renderer: any MediaRenderer,
    to output: EditingOutput?
  ) throws(EditingError) -> RenderReport {
    var options = options
    let (stored, added) = (options.assetFiles, prepared.files)
    options.assetFiles = { added[$0] ?? stored($0) }
    var report = try renderer.render(input, graph, options: options, to: output)
    if case .still(var rendering) = report {
      rendering.losses += [developmentLoss].compactMap(\.self)
      rendering.notices += prepared.missingFields.notices
      report = .still(rendering)
    }
    guard editor.allowsLosses || report.losses.isEmpty else {
      throw .lossyOutput(input.assetName, report)
    }
    return report
  }
}

extension EditingInput {
  /// Returns the graph with which a new edit begins.
  func initialGraph(_ options: RenderOptions) throws(EditingError) -> InitialGraph {
    guard let image else { return InitialGraph() }
    return try rendering(Renderer.initialGraph(for: image, options: options))
  }
}
