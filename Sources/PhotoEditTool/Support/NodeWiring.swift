// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters

/// What a `--filter` says of its node, besides what it says of the filter.
struct NodeWiring: Sendable {
  /// The words that are the same for every filter; none has a parameter of such a name.
  static let keys: Set = ["id", "in", "mask", "opacity", "blend"]

  private let values: [String: String]

  /// Takes the words of the node; others are ignored.
  init(_ values: [String: String]) {
    self.values = values.filter { Self.keys.contains($0.key) }
  }

  /// Adds a filter to a graph, wired as it was said.
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
    // What reads nothing needs not say so.
    if inputs == nil && type(of: filter).description.inputs == .none { inputs = [] }
    try graph.append(
      filter, id: values["id"], inputs: inputs, mask: values["mask"], opacity: opacity,
      blend: blend)
  }
}
