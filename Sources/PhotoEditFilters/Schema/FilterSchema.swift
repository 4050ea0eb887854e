// SPDX-License-Identifier: Apache-2.0

/// The declaration of a filter, from which everything else about it is derived.
public struct FilterSchema<Root: Filter>: Sendable {
  /// The declaration without its type.
  let description: FilterDescription
  /// The parameters, in display order.
  public let parameters: [Parameter<Root>]
  /// The name in stored edits and on the command line; never renamed, never reused.
  public var name: String { description.name }
  /// The version, incremented by any change of pixels beyond the tolerance class.
  public var version: Int { description.version }
  /// A one-sentence description.
  public var summary: String { description.summary }
  /// Other names that lookups accept; never written.
  public var aliases: [String] { description.aliases }
  /// The names of equivalent operations in other programs, as search terms for users.
  public var equivalents: String { description.equivalents }
  /// The definition in one line.
  public var formula: String { description.formula }
  /// The source of the definition.
  public var source: String { description.source }
  /// The transfer encoding in which it computes.
  public var transferEncoding: TransferEncoding { description.transferEncoding }
  /// The pixel dependency.
  public var dependency: PixelDependency { description.dependency }
  /// The inputs that it reads in addition to its parameters.
  public var inputs: FilterInputs { description.inputs }
  /// The accuracy of the rendering compared to the definition.
  public var tolerance: String { description.tolerance }

  /// Declares a filter.
  public init(
    _ name: String, version: Int = 1, _ summary: String, aliases: [String] = [],
    equivalents: String,
    formula: String, source: String, transferEncoding: TransferEncoding = .encoded,
    dependency: PixelDependency,
    inputs: FilterInputs = .image, tolerance: String, parameters: [Parameter<Root>]
  ) {
    self.parameters = parameters
    description = FilterDescription(
      name: name, version: version, summary: summary, aliases: aliases, equivalents: equivalents,
      formula: formula, source: source, transferEncoding: transferEncoding,
      dependency: dependency, inputs: inputs, tolerance: tolerance,
      parameters: parameters.map {
        .init(
          name: $0.name, type: $0.type, unit: $0.unit, default: $0.default, identity: $0.identity,
          argument: $0.argument ?? $0.default, summary: $0.summary)
      })
  }

  /// Creates the declaration of an earlier version with the same parameters.
  init<Newest>(
    _ newest: FilterSchema<Newest>, version: Int
  ) where Root == NumericVersion<Newest> {
    var earlier = newest.description
    earlier.version = version
    description = earlier
    parameters = Root.parametersOfNewest
  }
}

extension Filter {
  /// The pixel dependency, available without a description.
  static var dependency: PixelDependency { schema.dependency }
  /// The inputs that it reads in addition to its parameters.
  static var inputs: FilterInputs { schema.inputs }
}

/// The transfer encoding in which a filter computes.
public enum TransferEncoding: String, Sendable, Hashable, CaseIterable {
  /// Gamma-encoded values, as stored in files.
  case encoded
  /// Linear values, proportional to light.
  case linear
}

/// The pixel dependency of a filter.
public enum PixelDependency: String, Sendable, Hashable, CaseIterable {
  /// Moves pixels.
  case geometry
  /// Each channel of each pixel separately.
  case curve
  /// Each pixel separately, with channels mixed.
  case color
  /// Each pixel separately, depending on its position.
  case position
  /// A neighborhood of each pixel.
  case neighborhood = "neighbourhood"
  /// Each pixel separately, using statistics of the whole image.
  case statistics
  /// Two images combined.
  case compositing
  /// A mask, 0 to 1, for other nodes; no image.
  case mask
  /// The packets and header of a video, no pixels.
  case movie

  /// The dependency of a result pixel as shown in listings.
  public var summary: String {
    switch self {
    case .geometry: "moves pixels; positions between pixels are interpolated"
    case .curve: "each channel of each pixel separately"
    case .color: "each pixel separately, with channels mixed"
    case .position: "each pixel separately, depending on its position"
    case .neighborhood: "a neighborhood of each pixel"
    case .statistics: "each pixel separately, using statistics of the whole image"
    case .compositing: "two images combined pixel by pixel"
    case .mask: "a mask, 0 to 1, for other nodes; no image"
    case .movie: "the packets and header of a video, no pixels"
    }
  }

  /// The handling of positions outside the image; nil if none are read.
  public var edgeRule: String? {
    switch self {
    case .geometry, .neighborhood: "edge extend: edge pixels are repeated outside the image"
    case .curve, .color, .position, .statistics, .compositing, .mask, .movie: nil
    }
  }
}

/// The image inputs of a filter's node.
public enum FilterInputs: String, Sendable, Hashable, CaseIterable {
  /// No input: it generates an image of the same size.
  case none
  /// One image.
  case image = "picture"
  /// None, or one image if its parameters need one, by default the preceding one.
  case optionalImage = "optionalPicture"
  /// An image and one composited over it.
  case twoImages = "twoPictures"
  /// One mask.
  case mask
  /// Two masks.
  case twoMasks
  /// One to sixteen masks.
  case masks

  /// The required inputs as shown in listings.
  public var summary: String {
    switch self {
    case .none: "none"
    case .image: "an image"
    case .optionalImage: "none, or an image"
    case .twoImages: "two images, the second over the first"
    case .mask: "a mask"
    case .twoMasks: "two masks"
    case .masks: "one to sixteen masks"
    }
  }

  /// The possible numbers of names in `in`.
  public var counts: ClosedRange<Int> {
    switch self {
    case .none: 0...0
    case .optionalImage: 0...1
    case .image, .mask: 1...1
    case .twoImages, .twoMasks: 2...2
    case .masks: 1...16
    }
  }

  /// Indicates whether it reads masks.
  var areMasks: Bool {
    switch self {
    case .none, .image, .optionalImage, .twoImages: false
    case .mask, .twoMasks, .masks: true
    }
  }
}
