// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// One operation on an image: a value with the requested parameters, independent of pixels.
///
/// A filter declares itself once, in `schema`; JSON, checks, command line, listing and contract
/// tests are all derived from that. The summary of the schema and the help of its parameters also
/// document the type and its properties, and are not repeated elsewhere. `lowered(in:)` converts
/// the parameters to prepared numbers for the engine.
public protocol Filter: Sendable, Hashable {
  /// The complete declaration of the filter.
  static var schema: FilterSchema<Self> { get }

  /// Creates the filter with the default value of every parameter.
  init()

  /// Fills in defaults that depend on other values, for the parameters that were not given.
  mutating func complete(given: Set<String>)

  /// Checks rules between parameters; the range of each one is checked by the schema.
  func validate() throws(ParameterError)

  /// The filter that renders edits of the previous version; kept as long as such edits exist. Nil
  /// for the first version.
  static var previous: (any Filter.Type)? { get }

  /// Returns the equivalent filter in the next version; nil for the newest version, or if there is
  /// no equivalent.
  ///
  /// Pixels may change, so an upgrade runs only on request, never when an edit is opened.
  func upgraded() -> (any Filter)?

  /// Converts the filter to engine operations for one image.
  ///
  /// - Returns: Operations in the order they are applied; empty if the filter changes nothing.
  /// - Throws: `ParameterError` if the image does not allow it, such as a crop outside the image.
  func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation]
}

extension Filter {
  /// Does nothing: no default depends on other values.
  public mutating func complete(given: Set<String>) {}
  /// No previous version.
  public static var previous: (any Filter.Type)? { nil }
  /// Returns nil: there is no newer version.
  public func upgraded() -> (any Filter)? { nil }
  /// Does nothing: there are no rules between parameters.
  public func validate() throws(ParameterError) {}

  /// Returns the error for parameter values that contradict each other or do not fit the image.
  func conflict(_ reason: String) -> ParameterError {
    .conflict(filter: Self.schema.name, reason: reason)
  }

  /// Rejects an even number, for a window with a center.
  func requireOdd(_ name: String, _ value: Int) throws(ParameterError) {
    if value % 2 == 0 {
      throw .invalidValue(
        filter: Self.schema.name, parameter: name, value: "\(value)", allowed: "an odd number")
    }
  }

  /// Rejects a result that is too large for a JPEG file.
  func requireStorable(_ size: PixelSize) throws(ParameterError) {
    let limits = ImageLimits()
    guard size.longEdge <= limits.maximumSide, size.pixelCount <= limits.maximumPixels else {
      throw conflict("the result (\(size)) exceeds the maximum JPEG size")
    }
  }
}

/// The information about the input image that is available to a filter.
public struct LoweringContext: Sendable, Hashable {
  /// The size of the image at this point of the graph in pixels, with the orientation applied.
  public var size: PixelSize
  /// Rendered pixels per full-resolution pixel; a factor for spatial parameters.
  public var scale: Double
  /// Pixels of this image per pixel of the one that rectangles and sizes in whole pixels refer to;
  /// not 1 for the video frames of a Live Photo.
  public var coordinateScale: Double
  /// The contents of the graph's attachments, by name.
  public var assets: [String: AttachmentContent]
  /// The color space of the image; nil uses values unconverted, for filter versions without color
  /// management.
  public var space: WorkingSpace?

  /// Creates a context; the scale is 1 for a full-size rendering.
  public init(
    size: PixelSize, scale: Double = 1, coordinateScale: Double = 1,
    assets: [String: AttachmentContent] = [:], space: WorkingSpace? = .sRGB
  ) {
    (self.size, self.scale, self.coordinateScale) = (size, scale, coordinateScale)
    (self.assets, self.space) = (assets, space)
  }

  /// Converts pixels of the full-size image to rendered pixels, rounded to an integer.
  func pixels(_ count: Int) -> Int { Int((Double(count) * scale).rounded()) }

  /// Converts pixels of the image that positions refer to into pixels of this image, rounded to an
  /// integer.
  func coordinates(_ count: Int) -> Int { Int((Double(count) * coordinateScale).rounded()) }

  /// Converts a range along one side of the image that positions refer to into a range of this
  /// image.
  ///
  /// The length is rounded and the start adjusted to it, so that proportions are preserved. A range
  /// that extends outside that image also extends outside this one.
  func coordinates(_ start: Int, _ length: Int, along side: Int) -> (start: Int, length: Int) {
    guard coordinateScale != 1 else { return (start, length) }
    let (first, count) = (coordinates(start), max(1, coordinates(length)))
    // A rounded side may be one pixel short.
    guard start + length <= Int((Double(side + 1) / coordinateScale).rounded(.up)) else {
      return (first, count)
    }
    return (min(first, max(0, side - count)), min(count, side))
  }

  /// Converts a fraction of the longer side to pixels, rounded to an integer of at least 1.
  func pixels(ofLongSide share: Double) -> Int {
    max(1, Int((share * Double(max(size.width, size.height))).rounded()))
  }
}
