// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEditFilters

/// One state in the history of a photo's edit.
public struct EditHistoryState: Sendable, Hashable {
  /// The relation of a state to the current one.
  public enum Position: String, Sendable, Hashable {
    /// An earlier state, which `undo` restores.
    case undo
    /// The current state.
    case current
    /// An undone state, which `redo` restores.
    case redo
  }

  /// The number of changes that can be undone in this state; the oldest state has 0.
  public let number: Int
  /// The relation to the current state.
  public let position: Position
  /// The record of the edit; nil for the original.
  public let record: EditRecord?
  /// The differences of the filters from the preceding state, or from the image that the edit
  /// began with; nil if they are not known because the preceding state has expired, or because
  /// another program made the edit.
  public let changes: [FilterGraphChange]?
}

extension EditState {
  /// The states from the oldest to the latest, each with its differences from the preceding one.
  public var history: [EditHistoryState] {
    let records = undoable + [record] + redoable.reversed()
    return records.indices.map { index in
      EditHistoryState(
        number: index,
        position: index < undoable.count ? .undo : index == undoable.count ? .current : .redo,
        record: records[index],
        changes: Self.changes(
          to: records[index], from: index == 0 ? nil : .some(records[index - 1])))
    }
  }

  /// Returns the differences between the filters of two states.
  ///
  /// - Parameter earlier: The preceding state, whose record is nil for the original; nil if it is
  ///   not known.
  private static func changes(
    to record: EditRecord?, from earlier: EditRecord??
  ) -> [FilterGraphChange]? {
    guard let record else { return [] }
    guard let graph = record.storedGraph else { return nil }
    switch earlier {
    case nil: return nil
    case .some(nil): return graph.changes(from: FilterGraph())
    case .some(let earlier?):
      // An edit that is based on other pixels has a graph of its own.
      let isSameBase = earlier.base == record.base
      return graph.changes(from: isSameBase ? earlier.storedGraph ?? FilterGraph() : FilterGraph())
    }
  }
}

extension EditRecord {
  /// The filter graph of the edit, whatever its format identifier; nil if it contains none.
  package var storedGraph: FilterGraph? { try? FilterGraph(json: Array(adjustment.data)) }
}
