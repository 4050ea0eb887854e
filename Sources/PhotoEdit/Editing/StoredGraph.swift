// SPDX-License-Identifier: Apache-2.0
import PhotoEditRendering

/// The graph of a stored edit and the reasons why it cannot be resumed, from one reading.
package struct StoredGraph: Sendable {
  /// The graph, whatever its format identifier; nil if the data contains none.
  package let graph: FilterGraph?
  /// The reasons why the edit cannot be resumed; empty if it can.
  package private(set) var blockingReasons: [String]

  /// The graph if the edit can be resumed.
  package var resumable: FilterGraph? { blockingReasons.isEmpty ? graph : nil }

  /// Reads the graph in adjustment data.
  package init(
    _ data: AdjustmentData, _ identifier: String = FilterGraph.formatIdentifier,
    _ catalog: FilterCatalog = .builtIn
  ) {
    do throws(GraphError) {
      let graph = try FilterGraph(json: Array(data.data), catalog: catalog)
      self.graph = graph
      blockingReasons = graph.blockingReasons.map(\.description)
    } catch {
      graph = nil
      blockingReasons = ["\(error)"]
    }
    if data.formatIdentifier != identifier {
      blockingReasons = [
        "it was created by '\(data.formatIdentifier)', which photoedit cannot read"
      ]
    } else if !FilterGraph.canRead(version: data.formatVersion) {
      blockingReasons = [
        "its format version \(data.formatVersion) is not supported (supported: 1.x)"
      ]
    }
  }

  /// Reads the graph in a record and checks its attachments.
  package init(
    _ record: EditRecord, _ identifier: String = FilterGraph.formatIdentifier,
    _ catalog: FilterCatalog = .builtIn
  ) {
    self.init(record.adjustment, identifier, catalog)
    guard let graph = resumable else { return }
    do throws(UnsupportedNode) {
      _ = try AssetReader(graph, RenderOptions().finding(record.assets)).contents()
    } catch {
      blockingReasons = [error.description]
    }
  }
}
