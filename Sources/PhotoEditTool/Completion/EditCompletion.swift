// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage

/// The completion of the filters in a photo's edit, as `adjust` names them.
struct EditCompletion {
  private let graph: FilterGraph

  /// Reads the edit next to a photo; nil without one.
  init?(photo: String) {
    guard let record = try? SidecarStore(path: photo).state().record,
      let graph = try? FilterGraph(json: Array(record.adjustment.data))
    else { return nil }
    self.graph = graph
  }

  /// The shortest name of each node: that of its filter if it occurs once, otherwise its ID.
  private var names: [(name: String, node: FilterNode)] {
    let counts = Dictionary(graph.nodes.map { ($0.filter, 1) }, uniquingKeysWith: +)
    return graph.nodes.map { (counts[$0.filter] == 1 ? $0.filter : $0.id, $0) }
  }

  /// The nodes.
  var nodes: Completion {
    Completion(names.map { .init($0.name, $0.node.parametersText) })
  }

  /// The completions of `NODE.KEY=VALUE`.
  func assignments(_ word: String) -> Completion {
    for (name, node) in names where word.hasPrefix(name + ".") {
      let part = word.dropFirst(name.count + 1)
      guard let equals = part.firstIndex(of: "="),
        let filter = try? FilterCatalog.filter(named: node.filter).description
      else { continue }
      return FilterCompletion.values(of: String(part[..<equals]), filter)
        .prefixed(by: name + "." + part[...equals])
    }
    let keys = names.flatMap { name, node -> [Completion.Candidate] in
      let filter = try? FilterCatalog.filter(named: node.filter).description
      guard let filter else { return [] }
      let values = (try? node.resolved())?.values
      return FilterCompletion.parameters(of: filter).map { key in
        let key = String(key.text.dropLast())
        let value = values?[key].map { "now " + $0.argument }
        return .init("\(name).\(key)=", value ?? "")
      }
    }
    return Completion(keys, isPartial: true)
  }
}
