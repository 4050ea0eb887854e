// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// The size, colors, sharpness and encoding of a copy of a photo, for the web or for print.
///
/// ```swift
/// var shape = CopyShape()
/// shape.longEdge = 2048
/// shape.convertsToSRGB = true
/// let rendering = try shape.render(image, graph)
/// ```
public struct CopyShape: Sendable, Hashable, CustomStringConvertible {
  /// The part of an image that a crop to another ratio keeps.
  public enum Gravity: String, Sendable, Hashable, CaseIterable {
    /// The part of this name; `north` is the top.
    case center, north, northeast, east, southeast, south, southwest, west, northwest

    /// The position of a crop, as fractions of the space that it leaves.
    var position: (x: Double, y: Double) {
      let x = rawValue.hasSuffix("west") ? 0 : rawValue.hasSuffix("east") ? 1 : 0.5
      let y = rawValue.hasPrefix("north") ? 0 : rawValue.hasPrefix("south") ? 1 : 0.5
      return (x, y)
    }
  }

  /// The medium that a copy is sharpened for.
  public enum Medium: String, Sendable, Hashable, CaseIterable {
    /// A screen, or paper, on which dots spread, so that prints need more.
    case screen, print

    /// The filter, for the pixels of the result.
    var filter: SharpenLuma {
      self == .screen ? SharpenLuma(sigma: 0.6, amount: 0.5) : SharpenLuma(sigma: 1.1, amount: 0.8)
    }
  }

  /// The length of the longer side in pixels, 1 to 65500, if it is longer; nil to keep it.
  public var longEdge: Int?
  /// The ratio of width to height, 0.01 to 100, to which the copy is cropped; nil to keep it.
  public var aspect: Double?
  /// The part that such a crop keeps.
  public var gravity = Gravity.center
  /// The medium for which the copy is sharpened after it has its size.
  public var medium: Medium?
  /// Indicates whether the colors are converted to sRGB.
  public var convertsToSRGB = false
  /// The number of bytes for which the quality is lowered, down to `lowestQuality`.
  public var maximumBytes: Int?
  /// Indicates whether the JPEG is progressive.
  public var isProgressive = false
  /// Indicates whether all metadata except the copyright notice and the creator is removed.
  public var keepsOnlyCopyright = false

  /// Creates a shape that changes nothing.
  public init() {}

  /// The settings that differ from those of a new shape, as "longEdge=2048+convertsToSRGB".
  public var description: String {
    let values: [(String, String?)] = [
      ("longEdge", longEdge?.description), ("aspect", aspect?.description),
      ("gravity", aspect == nil ? nil : gravity.rawValue), ("medium", medium?.rawValue),
      ("maximumBytes", maximumBytes?.description),
    ]
    let flags = [
      ("convertsToSRGB", convertsToSRGB), ("isProgressive", isProgressive),
      ("keepsOnlyCopyright", keepsOnlyCopyright),
    ]
    return
      (values.compactMap { name, value in value.map { "\(name)=\($0)" } }
      + flags.filter(\.1).map(\.0)).joined(separator: "+")
  }

  /// The lowest quality that is tried; below it, blocks are visible everywhere.
  public static let lowestQuality = 20

  /// Renders a copy of an image.
  ///
  /// - Parameter graph: The edit of the photo, which comes before crop, size and sharpening.
  /// - Returns: The copy; it has more than `maximumBytes` if it does even with `lowestQuality`.
  /// - Throws: `RenderError`
  public func render(
    _ image: ImageSource, _ graph: FilterGraph = FilterGraph(),
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    let shaped = try shaped(graph, for: image, options: options)
    var options = options
    set(in: &options)
    return try render(options) { options throws(RenderError) in
      try Renderer.render(image, shaped, options: options)
    }
  }

  /// Returns a graph with the crop, the size and the sharpening of the copy.
  package func shaped(
    _ graph: FilterGraph, for image: ImageSource, options: RenderOptions
  ) throws(RenderError) -> FilterGraph {
    guard aspect != nil || longEdge != nil || medium != nil else { return graph }
    var size = try Renderer.outline(image, graph, options: options).outputSize
    var filters: [any Filter] = []
    if let aspect {
      let region = region(of: size, aspect)
      if region.size != size { filters.append(Crop(pixels: region)) }
      size = region.size
    }
    if let longEdge, size.longEdge > longEdge {
      // The longer side is exact, the other one as close to the ratio as possible.
      var resize = Resize()
      resize.light = .linear
      if size.width >= size.height { resize.width = longEdge } else { resize.height = longEdge }
      filters.append(resize)
    }
    if let medium { filters.append(medium.filter) }
    let shaped = filters
    return try translating({ RenderError.graph(UnsupportedNode(node: nil, .parameter($0))) }) {
      () throws(ParameterError) in
      try graph.appending(shaped)
    }
  }

  /// Returns the largest rectangle of a ratio inside an image.
  private func region(of size: PixelSize, _ aspect: Double) -> Region {
    let (w, h) = (Double(size.width), Double(size.height))
    let width = max(1, Int(min(w, h * aspect).rounded()))
    let height = max(1, Int(min(h, w / aspect).rounded()))
    let (x, y) = gravity.position
    return Region(
      x: Int((Double(size.width - width) * x).rounded()),
      y: Int((Double(size.height - height) * y).rounded()), width: width, height: height)
  }

  /// Sets the options that a copy needs.
  package func set(in options: inout RenderOptions) {
    options.convertsToSRGB = convertsToSRGB
    options.isProgressive = isProgressive
    if keepsOnlyCopyright {
      options.strip = .all
      options.keepsCopyright = true
    }
  }

  /// Renders with the highest quality that does not exceed `maximumBytes`, or with the lowest one.
  package func render<Failure: Error>(
    _ options: RenderOptions, _ render: (RenderOptions) throws(Failure) -> Rendering
  ) throws(Failure) -> Rendering {
    guard let maximumBytes else { return try render(options) }
    var options = options
    // A file that grows while it is rendered would be that of another quality.
    options.staged = nil
    var best = try render(options)
    if best.jpeg.count <= maximumBytes { return best }
    var (low, high) = (Self.lowestQuality, best.encoding.estimatedQuality)
    options.quality = .ijg(low)
    best = try render(options)
    guard best.jpeg.count <= maximumBytes else { return best }
    while high - low > 1 {
      let middle = (low + high) / 2
      options.quality = .ijg(middle)
      let rendering = try render(options)
      if rendering.jpeg.count <= maximumBytes {
        (best, low) = (rendering, middle)
      } else {
        high = middle
      }
    }
    return best
  }
}
