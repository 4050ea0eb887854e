// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct Overlay: Filter {
  /// The position of the overlay.
  public enum Anchor: String, Sendable, Hashable, CaseIterable {
    case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight
    /// The position given by `position`.
    case custom

    /// The fraction of the free space to the left and above.
    var offset: (x: Double, y: Double)? {
      switch self {
      case .topLeft: (0, 0)
      case .top: (0.5, 0)
      case .topRight: (1, 0)
      case .left: (0, 0.5)
      case .center: (0.5, 0.5)
      case .right: (1, 0.5)
      case .bottomLeft: (0, 1)
      case .bottom: (0.5, 1)
      case .bottomRight: (1, 1)
      case .custom: nil
      }
    }
  }

  public static let schema = FilterSchema<Self>(
    "overlay", version: 2, "Places an image, such as a watermark, over the photo.",
    aliases: ["watermark"],
    equivalents: "Core Image CISourceOverCompositing; ImageMagick -composite; ffmpeg overlay",
    formula: "mark converted by its profile, relative colorimetric, resized with lanczos3, "
      + "premultiplied, then source-over or the node's blend mode",
    source: "W3C Compositing and Blending Level 1; Porter and Duff 1984",
    dependency: .compositing, tolerance: "T1",
    parameters: [
      Parameter(asset: "asset", \.asset, kind: .image, "Image to place over the photo."),
      Parameter("anchor", \.anchor, "Position of the mark; custom uses the parameter position."),
      Parameter(
        "position", \.position, count: 2, in: 0...1, unit: .fraction,
        "Top left corner of the mark, as column and row (anchor custom)."),
      Parameter(
        "scale", \.scale, unit: .fraction, in: 0.001...4, ui: 0.05...1,
        "Long edge of the mark, as a fraction of the image's long edge."),
      Parameter(
        "margin", \.margin, unit: .fraction, in: 0...0.5, ui: 0...0.1,
        "Distance to the image edges, as a fraction of the long edge."),
    ])

  public static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  /// The name of the overlay among the graph's attachments.
  public var asset = ""
  public var anchor = Anchor.bottomRight
  public var position: [Double] = [0, 0]
  public var scale = 0.2
  public var margin = 0.02

  public init() {}

  /// Creates the filter.
  public init(asset: String) { self.asset = asset }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    let (mark, conversion) = try context.coloredImage(asset, filter: Self.schema.name)
    let long = Double(context.size.longEdge)
    let factor = long * scale / Double(mark.size.longEdge)
    func side(_ pixels: Int) -> Int { max(1, Int((Double(pixels) * factor).rounded())) }
    let size = PixelSize(width: side(mark.size.width), height: side(mark.size.height))
    let limits = ImageLimits()
    guard size.longEdge <= limits.maximumSide, size.pixelCount <= limits.maximumPixels else {
      throw conflict("overlay image of \(size) is too large; reduce the scale")
    }
    let inset = (margin * long).rounded()
    func offset(_ share: Double?, _ custom: Double, _ outer: Int, _ inner: Int) -> Int {
      guard let share else { return Int((custom * Double(outer)).rounded()) }
      return Int((inset + (Double(outer - inner) - 2 * inset) * share).rounded())
    }
    var operations: [FilterOperation] = []
    if mark.orientation != .up { operations.append(.orient(mark.orientation)) }
    operations += conversion
    if size != mark.size { operations.append(.resample(Resampling(size: size, kernel: .lanczos3))) }
    let frame = Padding(
      left: offset(anchor.offset?.x, position[0], context.size.width, size.width),
      top: offset(anchor.offset?.y, position[1], context.size.height, size.height),
      size: context.size, fill: .clear)
    // An opaque overlay gets an alpha channel, so that the area around it is transparent.
    operations += [.fade(1), .area(.pad(frame))]
    return [.layer(Layer(.image(mark), operations, rule: .blend(.normal)))]
  }
}
