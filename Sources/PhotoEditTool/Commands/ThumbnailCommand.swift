// SPDX-License-Identifier: Apache-2.0

/// A command that creates thumbnails of photos and videos.
struct ThumbnailCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "thumbnail", "Create thumbnails of photos and videos.",
    discussion: """
      A thumbnail is written to NAME.thumb.jpg next to the photo, or to NAME.jpg in the folder \
      given by -o. It has the orientation applied, is in sRGB, is never larger than the photo \
      unless --enlarge is used, and contains no metadata except its color space. Those of raw files are created from the \
      preview of the camera if it is large enough. With --format png \
      it is a PNG, and its name ends in .png.

      Photos are processed in parallel and reported in order; a failure does not stop the others.
      """,
    examples: [
      CommandExample(
        "thumbnail *.jpg --size 512 -o thumbs/", "write thumbnails of all photos to a folder"),
      CommandExample("thumbnail photo.heic --size 200 --fill", "crop to a square"),
      CommandExample(
        "thumbnail 3F25 --library Photos -o a.jpg", "use the current version of a library asset"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.inputs, "Photos or videos, or - for standard input."),
      .group(\.thumbnail, ThumbnailArguments.arguments),
      .group(\.output, OutputArguments.arguments),
      .group(\.rendering, RenderingArguments.decoding),
      .option(
        "jobs", short: "j", \.jobs, in: 1...256, value: "N",
        "Number of photos to process in parallel (default: number of cores)."),
      .group(\.library, LibraryArguments.inputs),
    ])

  var inputs: [String] = []
  var thumbnail = ThumbnailArguments()
  var output = OutputArguments()
  var rendering = RenderingArguments()
  var jobs: Int?
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try output.check(inputCount: inputs.count)
    try output.check(thumbnail.format == .png ? .png : .photo)
    try output.createFolder()
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw .usage("standard input can only be read once", hint: "pass files instead of '-'")
    }
    let plan = try ThumbnailPlan(
      inputs, output, library, environment, format: thumbnail.format)
    let folders = ThumbnailFolders(plan.folders)
    try ParallelBatch.run(inputs, jobs: jobs, environment) {
      (index, threads, environment) throws(CommandFailure) in
      let step = try plan.steps[index].get()
      return try createThumbnail(step, index, threads: threads, folders, environment)
    }
    try folders.finish()
  }

  private func createThumbnail(
    _ step: ThumbnailPlan.Step, _ index: Int, threads: Int, _ folders: ThumbnailFolders,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> PendingSave? {
    let clock = Stopwatch()
    let input = inputs[index]
    let source = step.source == "-" ? nil : step.source
    if step.outputPath != "-" {
      try Publishing.check(step.outputPath, replacesFiles: output.replacesFiles, notOver: source)
    }
    let rendered = try thumbnail.create(
      of: step.source, for: input, rendering, threads: threads, environment)
    let file = try thumbnail.encode(rendered, named: input)
    try environment.checkCancellation()
    if step.outputPath == "-" {
      try environment.writeFile(file)
      if !environment.wantsJSON {
        try report(rendered, byteCount: file.count, input, step.outputPath, clock, environment)
      }
      return nil
    }
    return PendingSave(byteCount: file.count) { () throws(CommandFailure) in
      try folders.write(
        file, to: step.outputPath, number: index, replacesFiles: output.replacesFiles,
        notOver: source,
        like: step.original ?? source)
      try report(rendered, byteCount: file.count, input, step.outputPath, clock, environment)
    }
  }

  private func report(
    _ rendered: Thumbnail, byteCount: Int, _ input: String, _ outputPath: String,
    _ clock: Stopwatch,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    environment.tally.add("written")
    guard environment.wantsJSON else {
      environment.noteResult("wrote \(outputPath) (\(rendered.size), \(byteCount) bytes)")
      return
    }
    try environment.write(
      Self.json(rendered, byteCount: byteCount, input, outputPath, clock))
  }

  /// Returns the report on a thumbnail for scripts.
  static func json(
    _ thumbnail: Thumbnail, byteCount: Int, _ input: String, _ outputPath: String,
    _ clock: Stopwatch
  ) -> [String: JSONValue] {
    [
      "input": .string(input), "output": .string(outputPath),
      "width": .whole(thumbnail.size.width), "height": .whole(thumbnail.size.height),
      "bytes": .whole(byteCount), "degraded": .bool(thumbnail.isDegraded),
      "milliseconds": .number(clock.milliseconds),
    ]
  }
}

struct ThumbnailArguments: Sendable {
  var box = ThumbnailBox(size: PixelSize(width: 256, height: 256))
  var fillsBox = false
  var mayEnlarge = false
  var isFast = false
  var quality = Thumbnail.quality
  var format = ThumbnailFormat.jpeg

  static let arguments: [Argument<Self>] = [
    .option(
      "size", short: "s", \.box, value: "N|WxH",
      "Maximum size in pixels: N or WxH."),
    .flag("fill", \.fillsBox, "Fill the box and crop the excess (default: fit)."),
    .flag("enlarge", \.mayEnlarge, "Allow upscaling."),
    .flag(
      "embedded", \.isFast,
      "Use the embedded preview if it is large enough."
    ).renamed(from: "fast"),
    .option("quality", \.quality, in: 1...100, value: "N", "JPEG quality."),
    .option("format", \.format, value: "FORMAT", "Format of the thumbnails."),
  ]

  var shape: ThumbnailShape {
    ThumbnailShape(
      box: box.size, mode: fillsBox ? .fill : .fit, isExact: fillsBox, mayEnlarge: mayEnlarge)
  }

  /// Creates the thumbnail of a photo, or of the first frame of a video that can be decoded without
  /// other frames.
  ///
  /// - Parameters:
  ///   - source: The file to read; "-" is standard input.
  ///   - input: The name of the input in messages.
  func create(
    of source: String, for input: String, _ rendering: RenderingArguments, threads: Int,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Thumbnail {
    var options = rendering.options(environment)
    if source != "-", try EditTarget.isMovie(source) {
      let frame = try poster(of: source, for: input, environment)
      return try inImage(input, Thumbnailer.thumbnail(of: frame, shape: shape, options: options))
    }
    options.threads = threads
    return try create(of: rendering.open(source, environment), named: input, options)
  }

  /// Creates the thumbnail of an opened image.
  func create(
    of image: ImageSource, named input: String, _ options: RenderOptions
  ) throws(CommandFailure) -> Thumbnail {
    if isFast {
      let expectedSize = shape.layout(of: image.size).size
      let copy = Thumbnailer.embeddedThumbnail(of: image, shape: shape, options: options)
      if let copy, copy.size == expectedSize { return copy }
    }
    return try inImage(input, Thumbnailer.thumbnail(of: image, shape: shape, options: options))
  }

  /// Encodes a thumbnail in the format of the arguments.
  func encode(_ thumbnail: Thumbnail, named input: String) throws(CommandFailure) -> [UInt8] {
    try translating({ CommandFailure($0, input: input) }) { () throws(CodecError) in
      switch format {
      case .jpeg: try thumbnail.jpeg(quality: quality)
      case .png: try thumbnail.png()
      }
    }
  }

  private func poster(
    of path: String, for input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> ImageBuffer {
    let cancellation = environment.cancellation
    do throws(VideoError) {
      return try VideoFrames.poster(path, fitting: shape.frameBox) { cancellation.isCancelled }
    } catch {
      if cancellation.isCancelled { throw .cancelled(.interrupted) }
      throw CommandFailure(error, input: input)
    }
  }
}

enum ThumbnailFormat: String, CaseIterable, ArgumentValue {
  case jpeg, png

  var fileExtension: String { self == .jpeg ? "jpg" : "png" }
}

/// The box of a thumbnail: "512" or "640x480".
struct ThumbnailBox: ArgumentValue, Sendable {
  var size: PixelSize

  init(size: PixelSize) { self.size = size }

  init(argument: String) throws(ArgumentError) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    let sides = parts.compactMap { Int($0) }.filter { (1...65_500).contains($0) }
    guard sides.count == parts.count, (1...2).contains(sides.count) else {
      throw ArgumentError(
        "invalid size '\(argument)' (allowed: N or WxH, 1–65500 pixels)")
    }
    size = PixelSize(width: sides[0], height: sides[sides.count - 1])
  }

  var argumentText: String? {
    size.width == size.height ? "\(size.width)" : "\(size.width)x\(size.height)"
  }
}
