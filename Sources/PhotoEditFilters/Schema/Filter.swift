// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// One operation on a picture: a value that holds what the user asked for and knows no pixels.
///
/// A filter declares itself once, in `schema`; JSON, checks, command line, listing and contract
/// tests all follow from that. The sentence of the schema and the help of its parameters are the
/// documentation of the type and of its properties as well, and stand nowhere else. `lowered(in:)` turns the intent into prepared numbers for the engine.
public protocol Filter: Sendable, Hashable {
  /// Everything there is to know about the filter.
  static var schema: FilterSchema<Self> { get }

  /// Makes the filter with the default value of every parameter.
  init()

  /// Fills in defaults that depend on other values, for the parameters that nobody gave.
  mutating func complete(given: Set<String>)

  /// Checks rules between parameters; single ranges are checked by the schema.
  func validate() throws(ParameterError)

  /// The filter with which edits of the version before are rendered; it stays for as long as there
  /// are such edits. Nil for the first version.
  static var previous: (any Filter.Type)? { get }

  /// The same intent in the next version; nil for the newest one, and where there is no way.
  ///
  /// Pixels may change: it is asked for by people, never done when an edit is opened.
  func upgraded() -> (any Filter)?

  /// Turns the intent into engine operations for one picture.
  ///
  /// - Returns: Operations in the order they are applied; none when the filter changes nothing.
  /// - Throws: `ParameterError` when the picture does not allow it, such as a crop outside of it.
  func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation]
}

extension Filter {
  /// Nothing depends on other values.
  public mutating func complete(given: Set<String>) {}
  /// There is no version before.
  public static var previous: (any Filter.Type)? { nil }
  /// There is no newer version.
  public func upgraded() -> (any Filter)? { nil }
  /// No rules between parameters.
  public func validate() throws(ParameterError) {}
}

/// What a filter may know about the picture it will be applied to.
public struct LoweringContext: Sendable, Hashable {
  /// Size of the upright picture at this place of the graph, in pixels.
  public var size: PixelSize
  /// Rendered pixels per full-resolution pixel; spatial parameters are multiplied by it.
  public var scale: Double
  /// Pixels of this picture per pixel of the one that rectangles and sizes in whole pixels are meant
  /// for; not 1 for the frames around a still.
  public var placeScale: Double
  /// What the assets of the graph hold, by their names in it.
  public var assets: [String: AssetContent]
  /// What the numbers of the picture mean; nil takes them as they are, for filters of versions that
  /// did not ask.
  public var space: WorkingSpace?

  /// Makes a context; the scale is 1 for a full-size rendering.
  public init(
    size: PixelSize, scale: Double = 1, placeScale: Double = 1,
    assets: [String: AssetContent] = [:], space: WorkingSpace? = .sRGB
  ) {
    self.size = size
    self.scale = scale
    self.placeScale = placeScale
    self.assets = assets
    self.space = space
  }
}
