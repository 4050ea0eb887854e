// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The filter of a node, made once, when the node is read or changed.
///
/// Its JSON is written when it is stored. Parameters that were read are kept only if this version
/// would write others: those of unknown filters, and those that are incomplete or have more digits.
struct NodeContent: Sendable {
  let name: String
  let version: Int
  /// The type of the filter, or of another version of it; nil for an unknown filter.
  let type: (any Filter.Type)?
  /// The filter, or the reason why this version has none, which names no node.
  let filter: Result<any Filter, UnsupportedNode>
  /// The parameters as they were read; nil if the filter would be stored with the same ones.
  let unwritten: [String: JSONValue]?

  /// Creates the content from a filter with values rounded as in stored edits.
  init(_ filter: any Filter) {
    let type = Swift.type(of: filter)
    let description = type.description
    self.init(
      description.name, description.version, filter.parameters,
      of: FilterCatalog.type(named: description.name, like: type))
  }

  /// Creates the content from stored parameters.
  ///
  /// - Parameter newest: The newest version of the filter; nil if the catalog does not contain it.
  init(
    _ name: String, _ version: Int, _ parameters: [String: JSONValue], of newest: (any Filter.Type)?
  ) {
    (self.name, self.version, type) = (name, version, newest)
    do throws(UnsupportedNode) {
      let filter = try Self.filter(name, version, parameters, of: newest)
      self.filter = .success(filter)
      unwritten = filter.parameters == parameters ? nil : parameters
    } catch {
      filter = .failure(error)
      unwritten = parameters
    }
  }

  private static func filter(
    _ name: String, _ version: Int, _ parameters: [String: JSONValue], of newest: (any Filter.Type)?
  ) throws(UnsupportedNode) -> any Filter {
    func unsupported(_ reason: UnsupportedNode.Reason) -> UnsupportedNode {
      UnsupportedNode(node: nil, reason)
    }
    guard let newest else { throw unsupported(.unknownFilter(name)) }
    guard let type = newest.version(version) else {
      throw unsupported(
        .unknownVersion(filter: name, version, newest: newest.description.version))
    }
    var values: [String: ParameterValue] = [:]
    for (parameter, json) in parameters {
      guard let value = ParameterValue(json) else {
        let entry = type.description.parameters.first { $0.name == parameter }
        throw unsupported(
          .parameter(
            .invalidValue(
              filter: name, parameter: parameter,
              value: entry?.type.problem(withJSON: json) ?? "(unsupported JSON type)",
              allowed: entry.map { $0.type.allowed(unit: $0.unit) }
                ?? "a number, a name, true or false, or an array")))
      }
      values[parameter] = value
    }
    return try translating({ unsupported(.parameter($0)) }, type.init(values: values))
  }

  /// The parameters as they are stored.
  var parameters: [String: JSONValue] { unwritten ?? (try? filter.get())?.parameters ?? [:] }

  /// Returns the same filter with every parameter written out; an unknown one stays as it is.
  var withDefaults: NodeContent { (try? filter.get()).map { NodeContent($0) } ?? self }
}

extension NodeContent: Hashable {
  static func == (left: NodeContent, right: NodeContent) -> Bool {
    left.name == right.name && left.version == right.version && left.parameters == right.parameters
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(version)
    hasher.combine(parameters)
  }
}

extension Filter {
  /// The value of every parameter in its stored form.
  fileprivate var parameters: [String: JSONValue] { values.mapValues(\.json) }
}
