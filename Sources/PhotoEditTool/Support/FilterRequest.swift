// SPDX-License-Identifier: Apache-2.0

/// One `--filter` argument, with the contents of the file that it names.
struct FilterRequest: Sendable {
  /// The argument without its file and without the options of its node.
  private let argument: String
  private let wiring: NodeWiring
  /// The file as an attachment, and its preferred name.
  private let asset: (name: String, GraphAttachment)?

  /// Reads the file of `file=PATH`, if there is one.
  init(_ argument: String, _ files: AssetFiles) throws(CommandFailure) {
    let wired = ArgumentComponents(argument)
    wiring = NodeWiring(wired?.values ?? [:])
    let argument = wired?.argument(without: NodeWiring.keys) ?? argument
    guard let components = ArgumentComponents(argument), let path = components.values["file"],
      let description = try? FilterCatalog.filter(named: components.name).description
    else {
      self.argument = argument
      asset = nil
      return
    }
    if let kind = description.attachmentKind {
      let bytes = try Self.read(path)
      _ = try translating(
        {
          CommandFailure(
            .badData, "\($0 as AttachmentError)",
            hint: "'\(description.name)' requires \(kind.summary)", code: "asset")
        }, AssetReader.content(of: bytes, named: path, as: kind))
      files.add(bytes)
      let name = FileSystem.splitName(FileSystem.lastName(of: path)).stem
      self.argument = components.argument(without: ["file"])
      asset = (name, GraphAttachment(bytes, mediaType: kind.mediaType))
    } else if description.name == "asccdl" {
      let decision = try Self.decision(path, id: components.values["correction"])
      self.argument = components.argument(
        without: ["file", "correction"], adding: decision.components)
      asset = nil
    } else {
      self.argument = argument
      asset = nil
    }
  }

  /// Adds the filter and its attachment to a graph.
  func append(to graph: inout FilterGraph) throws(CommandFailure) {
    var argument = argument
    if let asset {
      let name = try translating(
        { CommandFailure($0 as GraphEditError) }, graph.addAsset(asset.1, named: asset.name))
      argument += (argument.contains(":") ? "," : ":") + "asset=\(name)"
    }
    try translating(
      { CommandFailure.usage("--filter \(self.argument): \($0 as ParameterError)") },
      wiring.append(FilterCatalog.filter(argument: argument), to: &graph))
  }

  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    try mapFileErrors(FileBytes.reading(path, maximumBytes: GraphAttachment.maximumBytes).array)
  }

  private static func decision(
    _ path: String, id: String?
  ) throws(CommandFailure) -> ColorDecision {
    let bytes = try read(path)
    return try translating(
      { CommandFailure(.badData, "\(path): \($0 as LUTFileError)", code: "asset") },
      CDLDocument(bytes).correction(id: id))
  }
}

/// The parts of `name:key=value,key=value`; values of `file` may contain commas.
private struct ArgumentComponents {
  let name: String
  let pairs: [(key: String, value: String)]

  /// Parses an argument; nil if it does not have this form, which is reported later.
  init?(_ argument: String) {
    guard let colon = argument.firstIndex(of: ":") else { return nil }
    name = String(argument[..<colon])
    var pairs: [(key: String, value: String)] = []
    for part in argument[argument.index(after: colon)...].split(
      separator: ",", omittingEmptySubsequences: false)
    {
      if let equals = part.firstIndex(of: "=") {
        pairs.append((String(part[..<equals]), String(part[part.index(after: equals)...])))
      } else if let last = pairs.last, last.key == "file" {
        pairs[pairs.count - 1].value += "," + part
      } else {
        return nil
      }
    }
    self.pairs = pairs
  }

  /// The first value of each key.
  var values: [String: String] {
    Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the argument without the first occurrence of each key, so that a second one is
  /// rejected.
  func argument(without keys: Set<String>, adding components: [String] = []) -> String {
    var remainingKeys = keys
    var parts = components
    for pair in pairs where remainingKeys.remove(pair.key) == nil {
      parts.append(pair.key + "=" + pair.value)
    }
    return parts.isEmpty ? name : name + ":" + parts.joined(separator: ",")
  }
}

extension ColorDecision {
  /// The values in command-line syntax.
  fileprivate var components: [String] {
    func vector(_ key: String, _ numbers: SIMD3<Double>) -> String {
      key + "=" + ParameterValue.numbers([numbers.x, numbers.y, numbers.z]).argument
    }
    return [
      vector("slope", slope), vector("offset", offset), vector("power", power),
      "saturation=" + ParameterValue.number(saturation).argument,
    ]
  }
}

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
