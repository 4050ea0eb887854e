// SPDX-License-Identifier: Apache-2.0

/// The declaration of a filter, from which everything else about it is derived.
public struct FilterSchema<Root: Filter>: Sendable {
  /// The name in stored edits and on the command line; never renamed, never reused.
  public let name: String
  /// The version, incremented by any change of pixels beyond the tolerance class.
  public let version: Int
  /// A one-sentence description.
  public let summary: String
  /// Other names that lookups accept; never written.
  public let aliases: [String]
  /// The names of equivalent operations in other programs, as search terms for users.
  public let equivalents: String
  /// The definition in one line.
  public let formula: String
  /// The source of the definition.
  public let source: String
  /// The transfer encoding in which it computes.
  public let transferEncoding: TransferEncoding
  /// The pixel dependency.
  public let dependency: PixelDependency
  /// The inputs that it reads in addition to its parameters.
  public let inputs: FilterInputs
  /// The accuracy of the rendering compared to the definition.
  public let tolerance: String
  /// The parameters, in display order.
  public let parameters: [Parameter<Root>]

  /// Declares a filter.
  public init(
    _ name: String, version: Int = 1, _ summary: String, aliases: [String] = [],
    equivalents: String,
    formula: String, source: String, transferEncoding: TransferEncoding = .encoded,
    dependency: PixelDependency,
    inputs: FilterInputs = .image, tolerance: String, parameters: [Parameter<Root>]
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.aliases = aliases
    self.equivalents = equivalents
    self.formula = formula
    self.source = source
    self.transferEncoding = transferEncoding
    self.dependency = dependency
    self.inputs = inputs
    self.tolerance = tolerance
    self.parameters = parameters
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
  /// An image and one composited over it.
  case twoImages = "twoPictures"
  /// One mask.
  case mask
  /// Two masks.
  case twoMasks

  /// The required inputs as shown in listings.
  public var summary: String {
    switch self {
    case .none: "none"
    case .image: "an image"
    case .twoImages: "two images, the second over the first"
    case .mask: "a mask"
    case .twoMasks: "two masks"
    }
  }

  /// The number of names in `in`.
  public var count: Int {
    switch self {
    case .none: 0
    case .image, .mask: 1
    case .twoImages, .twoMasks: 2
    }
  }
}
