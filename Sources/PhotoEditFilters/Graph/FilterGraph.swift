// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditStorage

/// A filter graph: filters in order, in a canonical form that has a digest.
///
/// A graph is a value. It keeps unknown contents, so that a document of a newer version survives
/// being read and written; `blockingReasons` indicates whether it can be rendered here.
public struct FilterGraph: Sendable, Hashable {
  /// The identifier under which graphs are stored as adjustment data.
  public static let formatIdentifier = "org.photoedit.filter-graph"
  /// The version that is written; readers accept every version with the same major number.
  public static let formatVersion = "1.0"
  /// The maximum number of nodes in one graph.
  public static let maximumNodes = 512
  /// The maximum number of attachments in one graph.
  public static let maximumAssets = 64
  /// The maximum number of nodes that analyze the whole image, which is rendered up to each such
  /// node once more.
  public static let maximumStatistics = 16
  /// The maximum number of bytes of a stored graph.
  public static let maximumBytes = 2 << 20

  /// The identity of the image that the graph was created for; rendering it on another one is
  /// rejected.
  public struct Source: Sendable, Hashable {
    /// Size of the stored pixels.
    public var size: PixelSize
    /// The orientation of the stored pixels.
    public var orientation: Orientation
    /// SHA-256 of the file.
    public var digest: SHA256Digest
    /// The way in which a camera raw file is developed; nil for all other images.
    public var development: RawDevelopment?
    /// The way in which an HDR image becomes one of standard range; nil for all other images.
    public var toneMapping: ToneMapping?

    /// Creates the identity of an image.
    public init(
      size: PixelSize, orientation: Orientation, digest: SHA256Digest,
      development: RawDevelopment? = nil, toneMapping: ToneMapping? = nil
    ) {
      (self.size, self.orientation, self.digest) = (size, orientation, digest)
      (self.development, self.toneMapping) = (development, toneMapping)
    }

    /// Returns whether another identity is that of the same image, regardless of the version of the
    /// library that develops it.
    package func isSameImage(as other: Source) -> Bool {
      size == other.size && orientation == other.orientation && digest == other.digest
    }
  }

  /// The nodes, in order.
  public internal(set) var nodes: [FilterNode] = []
  /// The image that the graph was created for.
  public var source: Source?
  /// The color behind transparent pixels, in sRGB; white unless the document specifies another.
  public var background = Background.white {
    didSet { hasNumericBackground = false }
  }
  /// Indicates whether the background is in the color space of the photo, the meaning in documents
  /// that do not specify otherwise.
  var hasNumericBackground = false

  /// The files that nodes need, by the names used in parameters.
  public var assets: [String: GraphAttachment] = [:]

  /// The node whose image is the result; nil means the last one.
  var outputNode: String?
  var version = FilterGraph.formatVersion
  /// Keys of the envelope that are unknown to this version; kept byte for byte.
  var unknown: [String: JSONValue] = [:]
  var unknownAssets: [String: JSONValue] = [:]
  var unknownOutput: [String: JSONValue] = [:]
  var unknownSource: [String: JSONValue] = [:]
  var unknownRequirements: [String] = []

  /// Creates an empty graph, which changes nothing.
  public init() {}

  /// Creates a chain of filters.
  ///
  /// - Throws: `ParameterError` for a value out of range.
  public init(_ filters: [any Filter]) throws(ParameterError) {
    for filter in filters { try append(filter) }
  }

  /// Adds a filter after the last node.
  ///
  /// - Parameters:
  ///   - filter: The filter of the node.
  ///   - id: The name by which later nodes refer to it; nil takes a free one.
  ///   - inputs: Names of earlier nodes, or `sourceName` for the source image; nil is the output of
  ///     the last node that outputs an image.
  ///   - mask: The name of an earlier mask that limits the effect.
  ///   - opacity: The opacity of the effect, 0 to 1.
  ///   - blend: The blend mode of the effect with its input.
  /// - Returns: The name of the node.
  /// - Throws: `ParameterError` for a value out of range, and for a name that is taken or does not
  ///   refer to an earlier node.
  @discardableResult
  public mutating func append(
    _ filter: any Filter, id: String? = nil, inputs: [String]? = nil, mask: String? = nil,
    opacity: Double = 1, blend: BlendMode = .normal
  ) throws(ParameterError) -> String {
    try filter.check()
    let usedIDs = Set(nodes.map(\.id))
    var number = nodes.count + 1
    while usedIDs.contains("n\(number)") { number += 1 }
    let id = id ?? "n\(number)"
    var node = FilterNode(id: id, content: NodeContent(filter))
    func refuse(_ reason: String) -> ParameterError {
      .conflict(filter: node.filter, reason: reason)
    }
    guard !id.isEmpty, id != Self.sourceName, !usedIDs.contains(id) else {
      throw refuse("node id '\(id)' is already in use; choose another id")
    }
    for name in (inputs ?? []) + [mask].compactMap({ $0 })
    where !usedIDs.contains(name) && name != Self.sourceName {
      throw refuse("no earlier node '\(name)'")
    }
    guard (0...1).contains(opacity) else {
      throw .invalidValue(
        filter: node.filter, parameter: "opacity", value: "\(opacity)", allowed: "0…1")
    }
    node.inputs = inputs
    node.mask = mask
    node.opacity = opacity.rounded(significantDigits: 9)
    if blend != .normal { node.blend = blend.rawValue }
    // If the document names its result, the new node continues from there.
    if !node.isMask, let outputNode {
      if inputs == nil && node.requiredInputs == .image { node.inputs = [outputNode] }
      self.outputNode = id
    }
    nodes.append(node)
    return id
  }

  /// Returns the graph with filters added after the last node.
  public func appending(_ filters: [any Filter]) throws(ParameterError) -> FilterGraph {
    var graph = self
    for filter in filters { try graph.append(filter) }
    return graph
  }

  /// The reasons why this version cannot render the graph; empty if it can.
  ///
  /// Disabled nodes are skipped, regardless of their kind.
  public var blockingReasons: [UnsupportedNode] {
    var blockingReasons: [UnsupportedNode] = unknownRequirements.map {
      UnsupportedNode(node: nil, .unsupported("'\($0)' (required by the document)"))
    }
    var statistics = 0
    for node in needed where node.isEnabled {
      if node.content.type?.dependency == .statistics { statistics += 1 }
      if statistics > Self.maximumStatistics {
        blockingReasons.append(
          UnsupportedNode(
            node: node.id,
            .unsupported("more than \(Self.maximumStatistics) filters that use image statistics")))
        break
      }
      if let unsupported = unsupportedWiring(of: node) { blockingReasons.append(unsupported) }
      if let unsupported = node.unsupported { blockingReasons.append(unsupported) }
      do throws(UnsupportedNode) { _ = try node.resolved() } catch { blockingReasons.append(error) }
    }
    return blockingReasons
  }

  /// Returns the name of the first filter that a catalog does not contain; nil without one.
  ///
  /// Nodes whose filters were not recognized when they were read are kept as they are.
  package func firstFilter(notIn catalog: FilterCatalog) -> String? {
    nodes.first { node in
      (try? node.content.filter.get()).map { !catalog.contains(type(of: $0)) } ?? false
    }?.filter
  }

  /// Returns whether an attachment is listed in a form unknown to this version.
  package func hasMalformedAsset(_ name: String) -> Bool { unknownAssets[name] != nil }

  /// Indicates whether the result is the source image.
  public var isEmpty: Bool { !needed.contains { $0.isEnabled && !$0.isMask } }

  /// SHA-256 of the canonical form.
  public var digest: SHA256Digest { SHA256Digest(of: canonicalBytes()) }

  /// Returns the values of the background in the color space of an image, and whether they have the
  /// sRGB transfer encoding; otherwise they are values of the image as stored.
  package func backgroundNumbers(
    in space: WorkingSpace
  ) -> (numbers: SIMD3<Double>, hasCurveOfSRGB: Bool) {
    hasNumericBackground || background.isInEverySpace
      ? (background.levels, false) : (space.numbers(of: background.levels), true)
  }

  /// Indicates whether flattening onto the background requires knowing the color space of the
  /// image.
  package var hasColoredBackground: Bool { !hasNumericBackground && !background.isGray }
}

/// An opaque color, gamma-encoded, 8 bits per channel.
public struct Background: Sendable, Hashable, CustomStringConvertible {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8

  /// White.
  public static let white = Background(red: 255, green: 255, blue: 255)

  /// Creates a color.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Reads "#rrggbb".
  public init?(_ text: String) {
    guard text.utf8.count == 7, text.hasPrefix("#"),
      text.dropFirst().allSatisfy(\.isHexDigit), let number = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(
      red: UInt8(number >> 16 & 255), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
  }

  /// Indicates whether it has the same values in every color space.
  var isInEverySpace: Bool { isGray && (red == 0 || red == 255) }

  /// Indicates whether it is a shade of gray.
  public var isGray: Bool { red == green && green == blue }

  /// "#rrggbb".
  public var description: String {
    let digits = String((1 << 24) | Int(red) << 16 | Int(green) << 8 | Int(blue), radix: 16)
    return "#" + digits.dropFirst()
  }
}
