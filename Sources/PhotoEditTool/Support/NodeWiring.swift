// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters

/// The options of a `--filter` argument that concern its node rather than its filter.
struct NodeWiring: Sendable {
  /// The keys that are the same for every filter; no filter has a parameter with such a name.
  static let keys: Set = ["id", "in", "mask", "opacity", "blend"]

  private let values: [String: String]

  /// Takes the options of the node; others are ignored.
  init(_ values: [String: String]) {
    self.values = values.filter { Self.keys.contains($0.key) }
  }

  /// Adds a filter to a graph with the options of its node.
  func append(
    _ filter: any Filter, to graph: inout FilterGraph
  ) throws(ParameterError) {
    let name = type(of: filter).description.name
    func refusal(_ key: String, _ allowed: String) -> ParameterError {
      .invalidValue(
        filter: name, parameter: key, value: "'\(values[key] ?? "")'", allowed: allowed)
    }
    var opacity = 1.0
    if let text = values["opacity"] {
      guard let number = Double(text), (0...1).contains(number) else {
        throw refusal("opacity", "0…1")
      }
      opacity = number
    }
    var blend = BlendMode.normal
    if let text = values["blend"] {
      guard let mode = BlendMode(rawValue: text) else {
        throw refusal("blend", BlendMode.allCases.map(\.rawValue).joined(separator: ", "))
      }
      blend = mode
    }
    var inputs = values["in"].map { $0.split(separator: ":").map(String.init) }
    // A filter without inputs need not be given an empty list.
    if inputs == nil && type(of: filter).description.inputs == .none { inputs = [] }
    try graph.append(
      filter, id: values["id"], inputs: inputs, mask: values["mask"], opacity: opacity,
      blend: blend)
  }
}
