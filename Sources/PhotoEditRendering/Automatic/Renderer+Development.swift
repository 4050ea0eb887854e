// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage

/// The graph with which an edit begins, and what was found while it was determined.
public struct InitialGraph: Sendable {
  /// The graph; empty unless the image is a camera raw file.
  public var graph: FilterGraph
  /// Differences between the developed image and the preview of the camera, in sentences.
  public var notices: [String]

  /// Creates a graph; by default an empty one.
  public init(_ graph: FilterGraph = FilterGraph(), notices: [String] = []) {
    (self.graph, self.notices) = (graph, notices)
  }
}

extension Renderer {
  /// Returns the graph with which an edit of an image begins.
  ///
  /// For a camera raw file it is a tone curve, an ordinary node with plain numbers. Its exposure
  /// gives the image the median of the camera's preview. For all other images it is empty.
  ///
  /// - Parameter options: Limits and cancellation; the others are ignored.
  /// - Throws: `RenderError`, as `render` does.
  public static func initialGraph(
    for image: ImageSource, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> InitialGraph {
    guard image.header.format == .raw else { return InitialGraph() }
    let shape = ThumbnailShape(side: PreviewMeasurement.side)
    // A preview that cannot be decoded is ignored.
    guard let preview = image.rawPreview(limits: options.limits),
      let shown = try? Thumbnailer.thumbnail(of: preview, shape: shape, options: options),
      let measured = PreviewMeasurement(
        light: try RawLight(image, options: options), preview: shown.image)
    else { return InitialGraph(try graph(DevelopmentCurve())) }
    return InitialGraph(try graph(measured.curve), notices: measured.notices)
  }

  private static func graph(_ curve: DevelopmentCurve) throws(RenderError) -> FilterGraph {
    try translating({ RenderError.graph(UnsupportedNode(node: nil, .parameter($0))) }) {
      () throws(ParameterError) in try FilterGraph(curve)
    }
  }
}

extension ImageSource {
  /// Returns the JPEG that a camera stored in a raw file; nil for all other images.
  func rawPreview(limits: ImageLimits) -> ImageSource? {
    guard header.format == .raw, let preview = RawPreview(bytes, of: header.size, limits: limits),
      var image = try? ImageSource(preview.jpeg, limits: limits)
    else { return nil }
    image.setOrientation(preview.orientation)
    return image
  }
}

/// A sample of the linear light of a raw file, developed at half its size.
private struct RawLight {
  /// Pixels in the working space of the image, 0 to 1.
  var pixels: [SIMD3<Double>] = []
  let space: WorkingSpace

  /// The maximum number of pixels that are sampled in each direction.
  private static let side = 512

  init(_ image: ImageSource, options: RenderOptions) throws(RenderError) {
    space = image.workingSpace
    var decoding = DecoderOptions(
      limits: options.limits, sandbox: options.sandbox, isCancelled: options.isCancelled)
    decoding.developsHalfSize = true
    let decoder = try codec { () throws(CodecError) in
      try ImageDecoders.open(image.bytes, options: decoding)
    }
    let (size, layout) = (decoder.header.size, decoder.header.layout)
    let bytesPerRow = layout.bytesPerRow(width: size.width)
    let step = max(1, size.longEdge / Self.side)
    let bytes = decoder.workingBytes + bytesPerRow
    pixels = try MemoryBudget.process.holding(bytes, of: options.limits) {
      () throws(RenderError) in
      try codec { () throws(CodecError) in
        var pixels: [SIMD3<Double>] = []
        let row = UnsafeMutableRawPointer.allocate(byteCount: bytesPerRow, alignment: 64)
        defer { row.deallocate() }
        let samples = row.assumingMemoryBound(to: UInt16.self)
        var y = 0
        while try decoder.readRows(1, into: row, bytesPerRow: bytesPerRow) > 0 {
          defer { y += 1 }
          guard y.isMultiple(of: step) else { continue }
          for x in stride(from: 0, to: size.width, by: step) {
            pixels.append(
              SIMD3(
                Double(samples[3 * x]), Double(samples[3 * x + 1]), Double(samples[3 * x + 2]))
                / 65_535)
          }
        }
        return pixels
      }
    }
  }
}

/// The comparison of a developed image with the preview of the camera.
private struct PreviewMeasurement {
  let curve: DevelopmentCurve
  private(set) var notices: [String] = []

  /// The size of the preview that is compared.
  static let side = 256
  /// The difference of red or blue from which the white balance is reported, in stops.
  private static let visibleStops = 0.25

  /// Returns nil if one of the images is black or white.
  init?(light: RawLight, preview: ImageBuffer) {
    let channels = preview.layout.channels.count
    let levels = (0...255).map { SRGBTransfer.decode(Double($0) / 255) }
    let shown = stride(from: 0, to: preview.bytes.count, by: channels).map { start in
      let pixel = (0..<3).map { levels[Int(preview.bytes[start + min($0, channels - 1)])] }
      return SIMD3(pixel[0], pixel[1], pixel[2])
    }
    guard
      let curve = DevelopmentCurve(
        median: Self.median(light.pixels, in: light.space),
        preview: Self.median(shown, in: .sRGB))
    else { return nil }
    self.curve = curve
    let matrix = WorkingSpace.sRGB.matrix(from: light.space)
    let developed = light.pixels.map { pixel -> SIMD3<Double> in
      let toned = SIMD3(curve(pixel.x), curve(pixel.y), curve(pixel.z))
      return matrix.map { Self.product($0.rows, toned) } ?? toned
    }
    let (own, others) = (Self.average(developed), Self.average(shown))
    let stops = [0, 2].map { index in
      log2(max(own[index], 1e-6) / max(own.y, 1e-6))
        - log2(max(others[index], 1e-6) / max(others.y, 1e-6))
    }
    guard stops.contains(where: { Swift.abs($0) >= Self.visibleStops }) else { return }
    notices.append(
      "With the white balance in the file, colors differ from the camera's preview: red by "
        + "\(Self.text(stops[0])) EV, blue by \(Self.text(stops[1])) EV.")
  }

  private static func text(_ stops: Double) -> String {
    let tenths = Int((Swift.abs(stops) * 10).rounded())
    return (stops < 0 ? "-" : "+") + "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns the median luminance.
  private static func median(_ pixels: [SIMD3<Double>], in space: WorkingSpace) -> Double {
    let values = pixels.map { product(space.toXYZ.rows, $0).y }.sorted()
    return values.isEmpty ? 0 : values[values.count / 2]
  }

  private static func product(_ rows: [[Double]], _ pixel: SIMD3<Double>) -> SIMD3<Double> {
    let values = rows.map { ($0[0] * pixel.x) + ($0[1] * pixel.y) + ($0[2] * pixel.z) }
    return SIMD3(values[0], values[1], values[2])
  }

  private static func average(_ pixels: [SIMD3<Double>]) -> SIMD3<Double> {
    pixels.reduce(SIMD3<Double>()) { $0 + $1 } / Double(max(1, pixels.count))
  }
}
