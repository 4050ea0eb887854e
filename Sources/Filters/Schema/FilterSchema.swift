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
  /// Where the definition comes from.
  public let source: String
  /// The form of light in which the arithmetic is done.
  public let light: Light
  /// What kind of operation it is.
  public let family: FilterFamily
  /// How closely the rendering follows the definition.
  public let tolerance: String
  /// The knobs, in the order people meet them.
  public let parameters: [Parameter<Root>]

  /// Declares a filter.
  public init(
    _ name: String, version: Int = 1, _ summary: String, aliases: [String] = [], peers: String,
    source: String, light: Light = .encoded, family: FilterFamily, tolerance: String,
    parameters: [Parameter<Root>]
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.aliases = aliases
    self.peers = peers
    self.source = source
    self.light = light
    self.family = family
    self.tolerance = tolerance
    self.parameters = parameters
  }
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
}
