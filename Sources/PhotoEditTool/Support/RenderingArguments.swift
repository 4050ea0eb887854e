// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// The options of all commands that decode or render.
struct RenderingArguments: Sendable {
  /// The JPEG quality; nil keeps the quality of the stored edit.
  var quality: JPEGQuality?
  var strip: MetadataRemoval = []
  var dither = Dither.none
  var isLenient = false
  var maximumPixels = ImageLimits().maximumPixels
  var maximumSide = ImageLimits().maximumSide
  var maximumScans = ImageLimits().maximumScans
  var maximumMemory = ByteCount(ImageLimits().maximumMemoryBytes)
  var threads: Int?
  /// The contents of attachments.
  var assets = AssetFiles()
  /// The number of threads that an image may use unless one is specified.
  var share = ThreadGroup.cores

  static let arguments: [Argument<Self>] =
    results + limiting + [
      .option(
        "threads", \.threads, in: 1...256, value: "N",
        "Threads per image (default: shared among parallel jobs).")
    ]

  /// The options that change the bytes of a rendering.
  static let results: [Argument<Self>] = [
    .option(
      "quality", \.quality, value: "N",
      "JPEG quality (1–100), or 'preserve' to reuse the source's quantization tables."),
    .option(
      "strip", \.strip, value: "KINDS",
      "Remove metadata: location, people, device, dates or all (comma-separated)."),
    .option(
      "dither", \.dither, value: "WHAT",
      "Reduction of samples to 8 bits: none (round) or tpdf (dither)."),
    lenient,
  ]

  /// The options of commands that decode but do not render.
  static let decoding: [Argument<Self>] = [lenient] + limiting

  private static let lenient: Argument<Self> = .flag(
    "lenient", \.isLenient, "Decode as much of a damaged image as possible.")

  /// The options of commands that read headers.
  static let limiting: [Argument<Self>] = [
    .option(
      "max-pixels", \.maximumPixels, in: 1...Int.max, value: "N", "Maximum number of pixels."),
    .option("max-dimension", \.maximumSide, in: 1...65_535, value: "N", "Maximum width or height.")
      .renamed(from: "max-side"),
    .option(
      "max-scans", \.maximumScans, in: 1...1_000_000, value: "N", "Maximum number of JPEG scans."),
    .option(
      "max-memory", \.maximumMemory, value: "SIZE",
      "Maximum memory for images, such as 2G; shared among parallel jobs."),
  ]

  var limits: ImageLimits {
    ImageLimits(
      maximumPixels: maximumPixels, maximumSide: maximumSide, maximumScans: maximumScans,
      maximumMemoryBytes: maximumMemory.bytes)
  }

  /// Returns the number of threads for an image.
  ///
  /// Unless a number is specified, a small image uses no more threads than there is work for:
  /// starting a thread takes as long as rendering some ten thousand pixels.
  func threads(for image: ImageSource, _ graph: FilterGraph) -> Int {
    if let threads { return threads }
    var size = image.size
    var pixels = size.pixelCount
    guard pixels / Self.pixelsPerThread < share else { return share }
    // A graph that cannot be lowered is reported by the rendering.
    for operation in (try? graph.lowered(size: size))?.parts.last?.operations ?? [] {
      size = operation.outputSize(of: size)
      pixels = max(pixels, size.pixelCount)
    }
    return min(share, 1 + pixels / Self.pixelsPerThread)
  }

  private static let pixelsPerThread = 1 << 16

  /// Reads and opens an image; "-" is standard input.
  func open(
    _ input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> ImageSource {
    let bytes: FileBytes
    if input == "-" {
      let all = try environment.input.readAll(limit: 1 << 30)
      if all.isEmpty { throw CommandFailure(.empty, input: "standard input") }
      bytes = FileBytes(all)
    } else {
      bytes = try mapFileErrors(FileBytes.reading(input))
    }
    return try inImage(input, ImageSource(bytes, limits: limits))
  }

  func options(_ environment: CommandEnvironment) -> RenderOptions {
    var options = RenderOptions()
    options.quality = quality ?? .preserve
    options.strip = strip
    options.dither = dither
    options.isLenient = isLenient
    options.limits = limits
    options.threads = threads
    let files = assets
    options.assetFiles = { files[$0] }
    let cancellation = environment.cancellation
    options.isCancelled = { cancellation.isCancelled }
    return options
  }
}

extension Dither: ArgumentValue {
  init(argument: String) throws(ArgumentError) {
    switch argument {
    case "none": self = .none
    case "tpdf": self = .tpdf(seed: 0)
    default: throw ArgumentError("invalid value '\(argument)' (allowed: none, tpdf)")
    }
  }

  var argumentText: String? { nil }
}

extension JPEGQuality: ArgumentValue {
  init(argument: String) throws(ArgumentError) {
    guard let quality = JPEGQuality(argument) else {
      throw ArgumentError("invalid value '\(argument)' (allowed: 1–100, preserve)")
    }
    self = quality
  }

  var argumentText: String? { description }
}

extension MetadataRemoval: ArgumentValue {
  init(argument: String) throws(ArgumentError) {
    guard let strip = MetadataRemoval(argument) else {
      let names = Self.names.map(\.name).joined(separator: ", ")
      throw ArgumentError("invalid value '\(argument)' (allowed: \(names); comma-separated)")
    }
    self = strip
  }

  var argumentText: String? {
    isEmpty ? nil : Self.names.filter { contains($0.strip) }.map(\.name).joined(separator: ",")
  }
}
