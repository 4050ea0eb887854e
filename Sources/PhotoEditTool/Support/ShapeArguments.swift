// SPDX-License-Identifier: Apache-2.0

/// The options that shape a copy for the web or for print: its size, color space, sharpness and
/// encoding.
struct ShapeArguments: Sendable {
  var longEdge: Int?
  var aspect: AspectRatio?
  var gravity: Gravity?
  var convertsToSRGB = false
  var sharpening: OutputSharpening?
  var maximumBytes: ByteCount?
  var isProgressive = false
  var kept: KeptMetadata?

  static let arguments: [Argument<Self>] = [
    .option(
      "fit", \.longEdge, in: 1...65_500, value: "N",
      "Reduce a copy to N pixels on its longer side, in linear light; never enlarge it."),
    .option("aspect", \.aspect, value: "W:H", "Crop a copy to an aspect ratio, such as 4:5."),
    .option(
      "gravity", \.gravity, value: "WHERE",
      "Part that --aspect keeps (default: center)."),
    .flag("srgb", \.convertsToSRGB, "Convert the colors of a copy to sRGB."),
    .option(
      "sharpen-for", \.sharpening, value: "MEDIUM", "Sharpen a copy after its size is set."),
    .option(
      "max-bytes", \.maximumBytes, value: "SIZE",
      "Lower the quality until a copy has at most SIZE bytes, such as 500k."),
    .flag("progressive", \.isProgressive, "Write a progressive JPEG."),
    .option(
      "keep", \.kept, value: "KIND",
      "Remove all metadata of a copy except this kind (notice and creator)."),
  ]

  /// The names of the options that are given.
  private var given: [String] {
    let options: [(String, Bool)] = [
      ("--fit", longEdge != nil), ("--aspect", aspect != nil), ("--gravity", gravity != nil),
      ("--srgb", convertsToSRGB), ("--sharpen-for", sharpening != nil),
      ("--max-bytes", maximumBytes != nil), ("--progressive", isProgressive),
      ("--keep", kept != nil),
    ]
    return options.filter(\.1).map(\.0)
  }

  var isSpecified: Bool { !given.isEmpty }

  /// An option that is given, for messages.
  var firstOption: String { given.first ?? "" }

  /// Rejects options that do not fit together.
  func check(hasStrip: Bool) throws(CommandFailure) {
    if gravity != nil && aspect == nil {
      throw .usage("--gravity: requires --aspect", hint: "add --aspect W:H")
    }
    if kept != nil && hasStrip {
      throw .usage("--keep removes all other metadata", hint: "omit --strip")
    }
  }

  /// Returns a graph with the crop, the size and the sharpening of the copy.
  func shaped(_ graph: FilterGraph, _ image: MeasuredImage) throws(CommandFailure) -> FilterGraph {
    guard aspect != nil || longEdge != nil || sharpening != nil else { return graph }
    var size = try inImage(
      image.name, Renderer.outline(image.image, graph, options: image.options)
    ).outputSize
    var filters: [any Filter] = []
    if let aspect {
      let region = aspect.region(of: size, gravity ?? .center)
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
    if let sharpening { filters.append(sharpening.filter) }
    let shaped = filters
    return try translating({ CommandFailure.usage("\($0 as ParameterError)") }) {
      () throws(ParameterError) in try graph.appending(shaped)
    }
  }

  func set(in options: inout RenderOptions) {
    options.convertsToSRGB = convertsToSRGB
    options.isProgressive = isProgressive
    if kept != nil {
      options.strip = .all
      options.keepsCopyright = true
    }
  }

  /// The qualities that are tried; below the lowest, blocks are visible everywhere.
  private static let qualities = 20...100

  /// Renders with the highest quality that does not exceed the number of bytes.
  func render(
    _ options: RenderOptions, input: String,
    _ render: (RenderOptions) throws(CommandFailure) -> Rendering
  ) throws(CommandFailure) -> Rendering {
    guard let maximumBytes else { return try render(options) }
    var options = options
    // A file that grows while it is rendered would be that of another quality.
    options.staged = nil
    var best = try render(options)
    if best.jpeg.count <= maximumBytes.bytes { return best }
    var (low, high) = (Self.qualities.lowerBound, best.encoding.estimatedQuality)
    options.quality = .ijg(low)
    best = try render(options)
    guard best.jpeg.count <= maximumBytes.bytes else {
      throw CommandFailure(
        .badData,
        "\(input): \(best.jpeg.count) bytes at quality \(low), more than --max-bytes "
          + "\(maximumBytes.bytes)",
        hint: "reduce the size with --fit", code: "maxBytes")
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      options.quality = .ijg(middle)
      let rendering = try render(options)
      if rendering.jpeg.count <= maximumBytes.bytes {
        (best, low) = (rendering, middle)
      } else {
        high = middle
      }
    }
    return best
  }
}

/// A ratio of width to height, such as 4:5.
struct AspectRatio: ArgumentValue, Hashable {
  private let width: Double
  private let height: Double

  init(argument: String) throws(ArgumentError) {
    let sides = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (0.01...100).contains(width / height), width > 0
    else {
      throw ArgumentError(
        "invalid aspect ratio '\(argument)'", hint: "write width and height, such as 4:5")
    }
    (self.width, self.height) = (width, height)
  }

  /// Returns the largest rectangle with this ratio inside an image.
  func region(of size: PixelSize, _ gravity: Gravity) -> Region {
    let (w, h) = (Double(size.width), Double(size.height))
    let width = max(1, Int(min(w, h * self.width / height).rounded()))
    let height = max(1, Int(min(h, w * height / self.width).rounded()))
    let (x, y) = gravity.position
    return Region(
      x: Int((Double(size.width - width) * x).rounded()),
      y: Int((Double(size.height - height) * y).rounded()), width: width, height: height)
  }
}

/// The part of an image that a crop keeps.
enum Gravity: String, CaseIterable, ArgumentValue {
  case center, north, northeast, east, southeast, south, southwest, west, northwest

  /// The position of a crop, as fractions of the space that it leaves.
  var position: (x: Double, y: Double) {
    let x = rawValue.hasSuffix("west") ? 0 : rawValue.hasSuffix("east") ? 1 : 0.5
    let y = rawValue.hasPrefix("north") ? 0 : rawValue.hasPrefix("south") ? 1 : 0.5
    return (x, y)
  }
}

/// The medium that a copy is sharpened for.
enum OutputSharpening: String, CaseIterable, ArgumentValue {
  case screen, print

  /// The filter, for the pixels of the result: dots spread on paper, so that prints need more.
  var filter: SharpenLuma {
    self == .screen ? SharpenLuma(sigma: 0.6, amount: 0.5) : SharpenLuma(sigma: 1.1, amount: 0.8)
  }
}

/// The metadata that `--keep` keeps.
enum KeptMetadata: String, CaseIterable, ArgumentValue {
  case copyright
}
