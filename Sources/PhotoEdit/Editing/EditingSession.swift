// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditCodecs
public import PhotoEditFilters
import PhotoEditRendering
package import PhotoEditStorage

/// One edit between its beginning and its commit: what was stored, read once, and what comes of it.
public struct EditingSession: Sendable {
  /// How the edit is rendered and recorded; its options may change until the commit.
  public var editor: GraphEditing
  /// The version that is handed out.
  public let input: EditingInput
  /// The stored graph, or an empty one.
  public let graph: FilterGraph
  /// Why a stored edit could not be resumed.
  public let obstacles: [String]

  /// What was stored when the session began; a commit builds on it or is refused.
  public var state: EditState { input.state }
  /// The files that are stored with the graph.
  package var assets: [Digest: Data] { state.record?.assets ?? [:] }

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
    /// What the rendering gave.
    public let rendering: RenderReport
    /// Why a stored edit could not be resumed; empty when it was, or when there was none.
    public let obstacles: [String]
  }

  /// Renders a graph and commits both; blocks.
  ///
  /// - Throws: `EditingError`; nothing has changed then. `operationInterrupted` when somebody else
  ///   committed since the session began.
  @discardableResult
  public func commit(_ graph: FilterGraph) throws(EditingError) -> Outcome {
    let renderer = try renderer
    var graph = sourced(graph)
    graph.removeUnusedAssets()
    let output = try editor.store.openOutput(for: input)
    defer { output.staging.discard() }
    let files = options.assetFiles
    output.assets = graph.externalAssets.compactMapValues { asset in
      files(asset.digest).map { Data($0) }
    }
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: editor.formatIdentifier, formatVersion: FilterGraph.formatVersion,
      data: Data(graph.canonicalBytes()))
    let report = try render(graph, with: renderer, to: output)
    if editor.options.isCancelled() { throw .cancelled }
    let state = try editor.store.performCommit(output, date: editor.date)
    return Outcome(
      state: state, version: input.version, kind: input.kind, graph: graph, rendering: report,
      obstacles: obstacles)
  }

  /// Renders a graph as a commit would, and keeps nothing of it; blocks.
  public func dryRun(_ graph: FilterGraph) throws(EditingError) -> RenderReport {
    let renderer = try renderer
    let output = renderer.needsFiles ? try editor.store.openOutput(for: input) : nil
    defer { output?.staging.discard() }
    return try render(sourced(graph), with: renderer, to: output)
  }

  private var renderer: any MediaRenderer {
    get throws(EditingError) {
      if let renderer = editor.renderers[input.media] { return renderer }
      throw EditingError(
        .requestNotSupportedForAsset, path: input.assetName,
        "there is no renderer for a \(input.media.rawValue)")
    }
  }

  private var options: RenderOptions {
    var options = editor.options.finding(assets)
    options.modificationDate = .init(
      secondsSince1970: Int(editor.date.timeIntervalSince1970), utcOffset: editor.utcOffset)
    return options
  }

  /// The graph with the still that it is rendered on.
  private func sourced(_ graph: FilterGraph) -> FilterGraph {
    guard let picture = input.picture else { return graph }
    var graph = graph
    graph.source = picture.identity
    return graph
  }

  /// Renders, and refuses a rendering that lacks something of its source where nothing may get lost.
  private func render(
    _ graph: FilterGraph, with renderer: any MediaRenderer, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport {
    let report = try renderer.render(input, graph, options: options, to: output)
    guard editor.allowsLosses || report.losses.isEmpty else {
      throw .wouldLose(input.assetName, report)
    }
    return report
  }
}
