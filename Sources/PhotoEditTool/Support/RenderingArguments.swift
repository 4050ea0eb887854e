// SPDX-License-Identifier: Apache-2.0

/// The options of all commands that decode or render.
struct RenderingArguments: Sendable {
  /// The JPEG quality; nil, as for the next two, keeps that of the stored edit.
  var quality: JPEGQuality?
  var strip: MetadataRemoval?
  var dither: Dither?
  var isLenient = false
  var maximumPixels = ImageLimits().maximumPixels
  var maximumSide = ImageLimits().maximumSide
  var maximumScans = ImageLimits().maximumScans
  var maximumMemory = ByteCount(ImageLimits().maximumMemoryBytes)
  var threads: Int?
  /// The policy on decoding in a confined process; nil for that of the process.
  var sandbox: SandboxPolicy?
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
      "Remove more metadata (comma-separated): location, people (names, faces, releases), device "
        + "(serial numbers, owner and host, not the model), dates, all, or none."),
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
      if all.isEmpty { throw CommandFailure(CodecError.empty, input: "standard input") }
      bytes = FileBytes(all)
    } else {
      bytes = try mapFileErrors(FileBytes.reading(input))
    }
    return try inImage(input, ImageSource(bytes, limits: limits, sandbox: sandbox))
  }

  /// Applies the limits and the leniency with which an image was opened.
  mutating func restrict(by opened: RenderingArguments) {
    isLenient = isLenient || opened.isLenient
    maximumPixels = min(maximumPixels, opened.maximumPixels)
    maximumSide = min(maximumSide, opened.maximumSide)
    maximumScans = min(maximumScans, opened.maximumScans)
    maximumMemory = ByteCount(min(maximumMemory.bytes, opened.maximumMemory.bytes))
    sandbox = sandbox ?? opened.sandbox
  }

  /// Returns whether a rendering with these settings has all specified options.
  func match(_ settings: RenderSettings) -> Bool {
    let removes =
      strip.map { $0.isEmpty ? settings.strip.isEmpty : settings.strip.isSuperset(of: $0) } ?? true
    return removes && settings.dither == dither ?? settings.dither
      && settings.quality == quality?.description ?? settings.quality
      && (settings.isLenient || !isLenient)
  }

  /// Indicates whether an option is specified that changes the bytes of a rendering.
  var specifiesResults: Bool { quality != nil || strip != nil || dither != nil || isLenient }

  /// Returns the options of a rendering.
  ///
  /// - Parameters:
  ///   - input: The name of the image; `-vv` then reports where its time goes.
  ///   - stored: The settings of the stored edit, which apply unless others are specified.
  func options(
    _ environment: CommandEnvironment, for input: String? = nil,
    keeping stored: RenderSettings? = nil
  ) -> RenderOptions {
    var options = RenderOptions()
    stored?.setForNextEdit(in: &options)
    if let quality { options.quality = quality }
    if let strip { options.strip = strip.isEmpty ? [] : options.strip.union(strip) }
    if let dither { options.dither = dither }
    options.isLenient = isLenient
    options.limits = limits
    options.threads = threads
    options.sandbox = sandbox
    let files = assets
    options.assetFiles = { files[$0] }
    let cancellation = environment.cancellation
    options.isCancelled = { cancellation.isCancelled }
    if let input, environment.verbosity >= .debug {
      options.timings = { environment.debug("\(input): \($0)") }
    }
    return options
  }
}

extension Dither: ArgumentValue {
  package init(argument: String) throws(ArgumentError) {
    switch argument {
    case "none": self = .none
    case "tpdf": self = .tpdf(seed: 0)
    default: throw ArgumentError("invalid value '\(argument)' (allowed: none, tpdf)")
    }
  }

  package var argumentText: String? { nil }
}

extension JPEGQuality: ArgumentValue {
  package init(argument: String) throws(ArgumentError) {
    guard let quality = JPEGQuality(argument) else {
      throw ArgumentError("invalid value '\(argument)' (allowed: 1–100, preserve)")
    }
    self = quality
  }

  package var argumentText: String? { description }
}

extension MetadataRemoval: CollectedArgument {
  package init(argument: String) throws(ArgumentError) {
    guard let strip = MetadataRemoval(argument) else {
      let names = Self.names.map(\.name).joined(separator: ", ")
      throw ArgumentError("invalid value '\(argument)' (allowed: \(names), none; comma-separated)")
    }
    self = strip
  }

  package var argumentText: String? { isEmpty ? nil : description }

  /// The union, or nothing after "none".
  package func adding(_ later: Self) -> Self { later.isEmpty ? later : union(later) }
}

/// The options of the commands that render the frames of videos.
struct MovieArguments: Sendable {
  var codec = VideoCodec.h264
  var quality: Int?
  var preset = VideoPreset.medium
  var remuxing = MovieRemuxing.auto
  var dropsStreams = false

  static let arguments: [Argument<Self>] = [
    .option(
      "video-codec", \.codec, value: "CODEC",
      "Video codec for rendered frames."),
    .option(
      "video-quality", \.quality, in: 0...51, value: "N",
      "Constant rate factor (CRF); lower is better (default: 18 for h264, 20 for hevc)."),
    .option(
      "video-preset", \.preset, value: "NAME",
      "Encoder speed preset."),
    .option(
      "remux", \.remuxing, value: "ENGINE",
      "Engine that converts other videos to QuickTime (auto copies MP4 boxes if nothing is "
        + "lost; libavformat remuxes all packets)."),
    .flag(
      "drop-streams", \.dropsStreams,
      "Leave out audio and subtitles that QuickTime cannot hold (a loss)."),
  ]

  /// - Parameter threads: The number of threads for the video.
  func options(threads: Int) -> VideoOptions {
    var options = VideoOptions()
    options.codec = codec
    options.quality = quality.map(Double.init)
    options.preset = preset
    options.threads = threads
    options.remuxing = remuxing
    options.dropsStreams = dropsStreams
    return options
  }
}

extension VideoCodec: ArgumentValue {}
extension VideoPreset: ArgumentValue {}
extension MovieRemuxing: ArgumentValue {}

/// A number of bytes with an optional unit: "1500000", "512M", "2G", or "500k" in thousands.
struct ByteCount: ArgumentValue, Hashable {
  var bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  private static let units: [(letter: Character, shift: Int)] = [("K", 10), ("M", 20), ("G", 30)]

  private static let thousands: [Character: Int] = [
    "k": 1000, "m": 1_000_000, "g": 1_000_000_000,
  ]

  init(argument: String) throws(ArgumentError) {
    let decimal = argument.last.flatMap { Self.thousands[$0] }
    let unit = argument.last.flatMap { last in Self.units.first { $0.letter == last } }
    let digits = unit == nil && decimal == nil ? argument[...] : argument.dropLast()
    guard let number = Int(digits), number > 0, digits.allSatisfy(\.isNumber) else {
      throw ArgumentError(
        "invalid size '\(argument)'", hint: "use a size such as 512M or 2G")
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(
      by: decimal ?? 1 << (unit?.shift ?? 0))
    guard !overflow else { throw ArgumentError("'\(argument)' is too large") }
    self.bytes = bytes
  }

  /// The shortest notation of the number.
  var argumentText: String? {
    let unit = Self.units.last { bytes % (1 << $0.shift) == 0 }
    return unit.map { "\(bytes >> $0.shift)\($0.letter)" } ?? "\(bytes)"
  }
}
