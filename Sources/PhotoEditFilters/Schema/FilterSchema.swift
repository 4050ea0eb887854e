// SPDX-License-Identifier: Apache-2.0

/// The declaration of a filter, from which everything else about it is derived.
public struct FilterSchema<Root: Filter>: Sendable {
  /// The name in stored edits and on the command line; never renamed, never reused.
  public let name: String
  /// Bumped by any change of pixels beyond the tolerance class.
  public let version: Int
  /// One sentence.
  public let summary: String
  /// Other names under which it is found; never written.
  public let aliases: [String]
  /// What the operation is called elsewhere, for people who look for it.
  public let peers: String
  /// The definition in one line.
  public let formula: String
  /// Where the definition comes from.
  public let source: String
  /// The form of light in which the arithmetic is done.
  public let light: Light
  /// What kind of operation it is.
  public let family: FilterFamily
  /// What it reads besides its parameters.
  public let inputs: FilterInputs
  /// How closely the rendering follows the definition.
  public let tolerance: String
  /// The knobs, in the order people meet them.
  public let parameters: [Parameter<Root>]

  /// Declares a filter.
  public init(
    _ name: String, version: Int = 1, _ summary: String, aliases: [String] = [], peers: String,
    formula: String, source: String, light: Light = .encoded, family: FilterFamily,
    inputs: FilterInputs = .picture, tolerance: String, parameters: [Parameter<Root>]
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.aliases = aliases
    self.peers = peers
    self.formula = formula
    self.source = source
    self.light = light
    self.family = family
    self.inputs = inputs
    self.tolerance = tolerance
    self.parameters = parameters
  }
}

extension Filter {
  /// What kind of operation it is; asking for this alone costs nothing.
  static var family: FilterFamily { schema.family }
  /// What it reads besides its parameters.
  static var inputs: FilterInputs { schema.inputs }
}

/// The form of light in which a filter computes.
public enum Light: String, Sendable, Hashable, CaseIterable {
  /// The values as files hold them, with the transfer curve applied.
  case encoded
  /// Proportional to light.
  case linear
}

/// Which neighbours of a pixel a filter looks at.
public enum FilterFamily: String, Sendable, Hashable, CaseIterable {
  /// Moves pixels.
  case geometry
  /// Each channel of each pixel alone.
  case curve
  /// Each pixel alone, channels mixed.
  case color
  /// Each pixel alone, depending on where it lies.
  case position
  /// A neighbourhood of each pixel.
  case neighbourhood
  /// Each pixel alone, by statistics of the whole picture.
  case statistics
  /// Two pictures made one.
  case compositing
  /// No picture but a coverage, 0 to 1, for the masks of other nodes.
  case mask
  /// A movie's packets and header, no pixels.
  case movie

  /// What a pixel of the result is made of, as listings say it.
  public var summary: String {
    switch self {
    case .geometry: "pixels move; in between, those around the place are weighted"
    case .curve: "each channel of each pixel alone"
    case .color: "each pixel alone, its channels mixed"
    case .position: "each pixel alone, depending on where it lies"
    case .neighbourhood: "each pixel and those around it"
    case .statistics: "each pixel alone, by statistics of the whole picture"
    case .compositing: "two pictures made one, pixel by pixel"
    case .mask: "no picture but a coverage, 0 to 1, for the masks of other nodes"
    case .movie: "a movie's packets and header, no pixels"
    }
  }

  /// What is beyond the edges of the picture; nil where nothing is asked for there.
  public var edgeRule: String? {
    switch self {
    case .geometry, .neighbourhood: "beyond the edges the outermost pixels go on"
    case .curve, .color, .position, .statistics, .compositing, .mask, .movie: nil
    }
  }
}

/// What a node of a filter takes its pixels from.
public enum FilterInputs: String, Sendable, Hashable, CaseIterable {
  /// Nothing: it makes something of the picture's size.
  case none
  /// One picture.
  case picture
  /// A picture and one that is laid over it.
  case twoPictures
  /// One mask.
  case mask
  /// Two masks.
  case twoMasks

  /// What has to be named, as listings say it.
  public var summary: String {
    switch self {
    case .none: "nothing"
    case .picture: "a picture"
    case .twoPictures: "two pictures, the second over the first"
    case .mask: "a mask"
    case .twoMasks: "two masks"
    }
  }

  /// How many names `in` has.
  public var count: Int {
    switch self {
    case .none: 0
    case .picture, .mask: 1
    case .twoPictures, .twoMasks: 2
    }
  }
}
