// SPDX-License-Identifier: Apache-2.0

/// One `--filter` argument, with the contents of the file that it names.
struct FilterRequest: Sendable {
  /// The argument without its file and without the options of its node, or its error.
  private let argument: Result<FilterArgument, ParameterError>
  /// The argument in messages.
  private let text: String
  private let wiring: NodeWiring
  /// The point that a white balance makes neutral.
  private let pick: GrayPoint?
  /// The file as an attachment, and its preferred name.
  private let asset: (name: String, GraphAttachment)?

  /// Reads the file of `file=PATH`, if there is one.
  init(_ text: String, _ files: AssetFiles) throws(CommandFailure) {
    var argument: FilterArgument
    do throws(ParameterError) {
      argument = try FilterArgument(text)
    } catch {
      // Errors of filters follow those of the files of all filters.
      (self.argument, self.text, wiring, asset) = (.failure(error), text, NodeWiring([:]), nil)
      pick = nil
      return
    }
    wiring = NodeWiring(argument.take(NodeWiring.keys))
    pick = try GrayPoint(of: &argument)
    asset = try Self.takeFile(of: &argument, files)
    (self.argument, self.text) = (.success(argument), argument.description)
  }

  /// Reads the file of an argument, and replaces it by its values if it is not an attachment.
  private static func takeFile(
    of argument: inout FilterArgument, _ files: AssetFiles
  ) throws(CommandFailure) -> (name: String, GraphAttachment)? {
    guard let path = argument["file"],
      let description = try? FilterCatalog.filter(named: argument.name).description
    else { return nil }
    if let kind = description.attachmentKind {
      _ = argument.take(["file"])
      return try attachment(path, as: kind, for: description.name, files)
    }
    guard description.name == "asccdl" else { return nil }
    let decision = try decision(path, id: argument["correction"])
    _ = argument.take(["file", "correction"])
    argument.pairs = decision.pairs + argument.pairs
    return nil
  }

  /// Reads the file of an attachment, and returns it with its preferred name.
  static func attachment(
    _ path: String, as kind: AttachmentKind, for filter: String, _ files: AssetFiles
  ) throws(CommandFailure) -> (name: String, GraphAttachment) {
    let bytes = try read(path)
    _ = try translating(
      {
        CommandFailure(
          .badData, "\($0 as AttachmentError)", hint: "'\(filter)' requires \(kind.summary)",
          code: "asset")
      }, AssetReader.content(of: bytes, named: path, as: kind))
    files.add(bytes)
    let name = FileSystem.splitName(FileSystem.lastName(of: path)).stem
    return (name, GraphAttachment(bytes, mediaType: kind.mediaType))
  }

  /// Adds the filter and its attachment to a graph.
  ///
  /// - Parameter target: The image whose pixels the filter may be derived from.
  func append(
    to graph: inout FilterGraph, for target: MeasurementTarget = .none
  ) throws(CommandFailure) {
    // Each addition looks at the nodes before it, so that thousands would take minutes to be refused.
    guard graph.nodes.count < FilterGraph.maximumNodes else {
      throw CommandFailure(GraphEditError.tooManyNodes(graph.nodes.count + 1))
    }
    if let pick {
      let filter = try pick.filter(after: graph, for: target)
      return try translating({ CommandFailure.usage("--filter \(text): \($0 as ParameterError)") })
      {
        () throws(ParameterError) in try wiring.append(filter, to: &graph)
      }
    }
    var name: String?
    if let asset {
      name = try translating(
        { CommandFailure($0 as GraphEditError) }, graph.addAsset(asset.1, named: asset.name))
    }
    try translating({ CommandFailure.usage("--filter \(text): \($0 as ParameterError)") }) {
      () throws(ParameterError) in
      var argument = try argument.get()
      if let name { argument.pairs.append(("asset", name)) }
      try wiring.append(FilterCatalog.filter(argument), to: &graph)
    }
    graph.moveLastNodeToLight()
  }

  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    try mapFileErrors(FileBytes.reading(path, maximumBytes: GraphAttachment.maximumBytes).array)
  }

  private static func decision(
    _ path: String, id: String?
  ) throws(CommandFailure) -> ColorDecision {
    let bytes = try read(path)
    return try translating(
      { CommandFailure($0 as LUTFileError, input: path) },
      CDLDocument(bytes).correction(id: id))
  }
}

extension ColorDecision {
  /// The values in command-line notation.
  fileprivate var pairs: [(key: String, value: String)] {
    func text(_ numbers: SIMD3<Double>) -> String {
      ParameterValue.numbers([numbers.x, numbers.y, numbers.z]).argument
    }
    return [
      ("slope", text(slope)), ("offset", text(offset)), ("power", text(power)),
      ("saturation", ParameterValue.number(saturation).argument),
    ]
  }
}

/// The options of a `--filter` argument that concern its node rather than its filter.
struct NodeWiring: Sendable {
  /// The keys that are the same for every filter; no filter has a parameter with such a name.
  static let keys: Set = ["id", "in", "mask", "opacity", "blend"]

  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

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
    if inputs == nil, [.none, .optionalImage].contains(type(of: filter).description.inputs) {
      inputs = []
    }
    try graph.append(
      filter, id: values["id"], inputs: inputs, mask: values["mask"], opacity: opacity,
      blend: blend)
  }
}
