// SPDX-License-Identifier: Apache-2.0

/// The options that shape a copy for the web or for print: its size, color space, sharpness and
/// encoding.
struct ShapeArguments: Sendable {
  var longEdge: Int?
  var aspect: AspectRatio?
  var gravity: CopyShape.Gravity?
  var convertsToSRGB = false
  var medium: CopyShape.Medium?
  var maximumBytes: ByteCount?
  var isProgressive = false
  var kept: KeptMetadata?

  static let arguments =
    [
      .option(
        "fit", \.longEdge, in: 1...65_500, value: "N",
        "Reduce a copy to N pixels on its longer side, in linear light; never enlarge it."),
      .option("aspect", \.aspect, value: "W:H", "Crop a copy to an aspect ratio, such as 4:5."),
      .option(
        "gravity", \.gravity, value: "WHERE",
        "Part that --aspect keeps (default: center)."),
      .flag("srgb", \.convertsToSRGB, "Convert the colors of a copy to sRGB."),
      .option(
        "sharpen-for", \.medium, value: "MEDIUM", "Sharpen a copy after its size is set."),
    ] + encoding

  /// The options that leave the pixels as they are.
  static let encoding: [Argument<Self>] = [
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
      ("--srgb", convertsToSRGB), ("--sharpen-for", medium != nil),
      ("--max-bytes", maximumBytes != nil), ("--progressive", isProgressive),
      ("--keep", kept != nil),
    ]
    return options.filter(\.1).map(\.0)
  }

  /// The shape of the copies.
  var shape: CopyShape {
    var shape = CopyShape()
    shape.longEdge = longEdge
    shape.aspect = aspect?.ratio
    shape.gravity = gravity ?? .center
    shape.medium = medium
    shape.convertsToSRGB = convertsToSRGB
    shape.maximumBytes = maximumBytes?.bytes
    shape.isProgressive = isProgressive
    shape.keepsOnlyCopyright = kept != nil
    return shape
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
    try inImage(image.name, shape.shaped(graph, for: image.image, options: image.options))
  }

  func set(in options: inout RenderOptions) { shape.set(in: &options) }

  /// Renders with the highest quality that does not exceed the number of bytes.
  func render(
    _ options: RenderOptions, input: String,
    _ render: (RenderOptions) throws(CommandFailure) -> Rendering
  ) throws(CommandFailure) -> Rendering {
    let best = try shape.render(options, render)
    if let maximumBytes, best.jpeg.count > maximumBytes.bytes {
      throw CommandFailure(
        .badData,
        "\(input): \(best.jpeg.count) bytes at quality \(CopyShape.lowestQuality), more than "
          + "--max-bytes \(maximumBytes.bytes)",
        hint: "reduce the size with --fit", code: "maxBytes")
    }
    return best
  }
}

/// A ratio of width to height, such as 4:5.
struct AspectRatio: ArgumentValue, Hashable {
  let ratio: Double

  init(argument: String) throws(ArgumentError) {
    let sides = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (0.01...100).contains(width / height), width > 0
    else {
      throw ArgumentError(
        "invalid aspect ratio '\(argument)'", hint: "write width and height, such as 4:5")
    }
    ratio = width / height
  }
}

extension CopyShape.Gravity: ArgumentValue {}
extension CopyShape.Medium: ArgumentValue {}

/// The metadata that `--keep` keeps.
enum KeptMetadata: String, CaseIterable, ArgumentValue {
  case copyright
}
