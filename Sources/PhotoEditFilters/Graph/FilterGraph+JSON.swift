// SPDX-License-Identifier: Apache-2.0
// Graphs, arguments and reports are JSON values, so code that uses filters needs this module.
@_exported public import PhotoEditContainers
import PhotoEditPixels
import PhotoEditStorage

extension FilterGraph {
  /// Reads a graph from its stored form, or from any equivalent JSON.
  ///
  /// - Parameters:
  ///   - bytes: The JSON.
  ///   - catalog: The filters that the graph may contain.
  /// - Throws: `GraphError` when the bytes are not a graph; a graph that merely uses unknown
  ///   features is read and reports them in `blockingReasons`.
  public init(
    json bytes: [UInt8], catalog: FilterCatalog = .builtIn
  ) throws(GraphError) {
    try self.init(
      document: translating(
        { GraphError.notJSON(reason: "\($0 as JSONError)") },
        JSONValue(parsing: bytes, limits: JSONLimits())), catalog: catalog)
  }

  /// Reads a graph from parsed JSON.
  package init(
    document: JSONValue, catalog: FilterCatalog = .builtIn
  ) throws(GraphError) {
    guard case .object(var envelope) = document else {
      throw .malformed(key: "document", expected: "an object")
    }
    self.init()
    try readFormat(&envelope)
    if let source = envelope.removeValue(forKey: "source") { try read(source: source) }
    if let output = envelope.removeValue(forKey: "output") { try read(output: output) }
    if let assets = envelope.removeValue(forKey: "assets") { try read(assets: assets) }
    guard case .array(let items)? = envelope.removeValue(forKey: "nodes") else {
      throw .malformed(key: "nodes", expected: "an array")
    }
    guard items.count <= Self.maximumNodes else { throw .tooManyNodes(items.count) }
    for (position, item) in items.enumerated() {
      nodes.append(try FilterNode(json: item, position: position, catalog: catalog))
    }
    try checkReferences()
    if let requires = envelope.removeValue(forKey: "requires") {
      try read(requires: requires, catalog)
    }
    unknown = envelope
  }

  private mutating func readFormat(_ envelope: inout [String: JSONValue]) throws(GraphError) {
    guard case .string(let format)? = envelope.removeValue(forKey: "format") else {
      throw .malformed(key: "format", expected: "'\(Self.formatIdentifier)'")
    }
    guard format == Self.formatIdentifier else { throw .otherFormat(format) }
    guard case .string(let version)? = envelope.removeValue(forKey: "version") else {
      throw .malformed(key: "version", expected: "'\(Self.formatVersion)'")
    }
    guard Self.canRead(version: version) else { throw .otherVersion(version) }
    self.version = version
  }

  /// Returns whether a format version, such as "1.10", has the supported major version.
  public static func canRead(version: String) -> Bool {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0] == "1" && !parts[1].isEmpty && parts[1].utf8.count <= 9
      && parts[1].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private mutating func read(source: JSONValue) throws(GraphError) {
    guard case .object(var fields) = source,
      let width = fields.removeValue(forKey: "width")?.integerValue,
      let height = fields.removeValue(forKey: "height")?.integerValue, width > 0, height > 0,
      let orientation = Orientation(
        rawValue: fields.removeValue(forKey: "orientation")?.integerValue ?? 1),
      case .string(let text)? = fields.removeValue(forKey: "digest"),
      let digest = SHA256Digest(text)
    else {
      throw .malformed(key: "source", expected: "width, height, orientation and digest")
    }
    self.source = Source(
      size: PixelSize(width: width, height: height), orientation: orientation, digest: digest,
      development: RawDevelopment(taking: &fields), toneMapping: ToneMapping(taking: &fields))
    unknownSource = fields
  }

  private mutating func read(assets: JSONValue) throws(GraphError) {
    guard case .object(let fields) = assets, fields.count <= Self.maximumAssets else {
      throw .malformed(
        key: "assets", expected: "an object with at most \(Self.maximumAssets) entries")
    }
    for (name, value) in fields {
      // An entry written by a newer version is kept; nodes that need it cannot be rendered.
      if let asset = try? GraphAttachment(json: value, name: name) {
        self.assets[name] = asset
      } else {
        unknownAssets[name] = value
      }
    }
  }

  private mutating func read(output: JSONValue) throws(GraphError) {
    guard case .object(var fields) = output else {
      throw .malformed(key: "output", expected: "an object")
    }
    outputNode = try fields.take(
      "node", \.stringValue,
      GraphError.malformed(key: "output.node", expected: "the name of a node"))
    let color = try fields.take(
      "background", { $0.stringValue.flatMap { Background($0) } },
      GraphError.malformed(key: "output.background", expected: "a color #rrggbb"))
    if let color { background = color }
    if fields["backgroundSpace"] == .string("sRGB") {
      fields["backgroundSpace"] = nil
    } else {
      hasNumericBackground = !background.isInEverySpace
    }
    unknownOutput = fields
  }

  private mutating func read(
    requires: JSONValue, _ catalog: FilterCatalog
  ) throws(GraphError) {
    guard case .array(let items) = requires else {
      throw .malformed(key: "requires", expected: "an array of filter@version")
    }
    let own = Set(requirements)
    for item in items {
      guard case .string(let name) = item else {
        throw .malformed(key: "requires", expected: "an array of filter@version")
      }
      if !own.contains(name) && !Self.isKnown(requirement: name, catalog) {
        unknownRequirements.append(name)
      }
    }
    // Order and repetition have no meaning, so graphs that differ only in them are equal.
    unknownRequirements = Set(unknownRequirements).sorted()
  }

  private static func isKnown(requirement: String, _ catalog: FilterCatalog) -> Bool {
    let parts = requirement.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let type = catalog.type(named: String(parts[0])),
      let version = Int(parts[1])
    else { return false }
    return type.version(version) != nil
  }

  private func checkReferences() throws(GraphError) {
    var earlier: Set<String> = []
    for node in nodes {
      for input in node.inputs ?? [] where !earlier.contains(input) && input != Self.sourceName {
        throw .notEarlier(node: node.id, key: "in", target: input)
      }
      if let mask = node.mask, !earlier.contains(mask) {
        throw .notEarlier(node: node.id, key: "mask", target: mask)
      }
      guard earlier.insert(node.id).inserted else { throw .duplicateNode(node.id) }
    }
    if let outputNode, !earlier.contains(outputNode) {
      throw .malformed(key: "output.node", expected: "the name of a node, not '\(outputNode)'")
    }
  }

  /// "filter@version" of every enabled node, each once, sorted.
  var requirements: [String] {
    Set(nodes.filter(\.isEnabled).map { "\($0.filter)@\($0.version)" }).sorted()
  }

  package var json: JSONValue {
    var envelope = unknown
    envelope["format"] = .string(Self.formatIdentifier)
    envelope["version"] = .string(version)
    envelope["nodes"] = .array(nodes.map(\.json))
    envelope["requires"] = .array(
      Set(requirements + unknownRequirements).sorted().map { .string($0) })
    if let source {
      envelope["source"] = .object(
        unknownSource.merging(
          [
            "width": .number(Double(source.size.width)),
            "height": .number(Double(source.size.height)),
            "orientation": .number(Double(source.orientation.rawValue)),
            "digest": .string(source.digest.description),
          ].merging(source.development?.fields ?? [:]) { $1 }
            .merging(source.toneMapping?.fields ?? [:]) { $1 }
        ) { $1 })
    }
    let assets = unknownAssets.merging(assets.mapValues(\.json)) { $1 }
    if !assets.isEmpty { envelope["assets"] = .object(assets) }
    var output = unknownOutput
    output["background"] = .string(background.description)
    if !hasNumericBackground, !background.isInEverySpace {
      output["backgroundSpace"] = .string("sRGB")
    }
    if let outputNode { output["node"] = .string(outputNode) }
    envelope["output"] = .object(output)
    return .object(envelope)
  }

  /// Returns the canonical form: RFC 8785, the same bytes for the same graph.
  public func canonicalBytes() -> [UInt8] {
    do {
      // A string of the maximum size may grow when numbers are written out; the size of stored data
      // is checked where it is stored.
      let limits = JSONLimits(
        maximumBytes: .max, maximumDepth: JSONLimits.deepest, maximumStringBytes: .max,
        maximumArrayCount: .max, maximumObjectCount: .max)
      return try json.canonicalBytes(limits: limits)
    } catch {
      preconditionFailure("unvalidated value in graph: \(error)")
    }
  }

  /// The graph as indented JSON for display.
  public var prettyPrinted: String { json.prettyPrinted() }
}

extension RawDevelopment {
  /// Takes the fields out of the source of a graph; nil, and nothing is taken, unless all of them are
  /// known.
  fileprivate init?(taking fields: inout [String: JSONValue]) {
    guard let decoder = fields["decoder"]?.stringValue,
      let demosaic = fields["demosaic"]?.stringValue,
      let highlights = fields["highlights"]?.stringValue,
      let balance = fields["wb"]?.arrayValue
    else { return nil }
    let factors = balance.compactMap(\.numberValue)
    guard factors.count == balance.count else { return nil }
    self.init(
      decoder: decoder, demosaic: demosaic, highlights: highlights, whiteBalance: factors)
    for name in self.fields.keys { fields[name] = nil }
  }

  fileprivate var fields: [String: JSONValue] {
    [
      "decoder": .string(decoder), "demosaic": .string(demosaic),
      "highlights": .string(highlights), "wb": .array(whiteBalance.map { .number($0) }),
    ]
  }
}

extension ToneMapping {
  /// Takes the field out of the source of a graph; nil, and nothing is taken, unless all of its
  /// members are known.
  fileprivate init?(taking fields: inout [String: JSONValue]) {
    guard let members = fields["hdr"]?.objectValue, members.count == 2,
      let method = members["method"]?.stringValue, let peak = members["peak"]?.numberValue
    else { return nil }
    self.init(method: method, peak: peak)
    fields["hdr"] = nil
  }

  fileprivate var fields: [String: JSONValue] {
    ["hdr": .object(["method": .string(method), "peak": .number(peak)])]
  }
}
