// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditVideo

/// The options for thumbnails.
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
    let image = try rendering.open(source, environment)
    if isFast {
      let expectedSize = shape.layout(of: image.size).size
      let copy = Thumbnailer.embeddedThumbnail(of: image, shape: shape, options: options)
      if let copy, copy.size == expectedSize { return copy }
    }
    return try inImage(input, Thumbnailer.thumbnail(of: image, shape: shape, options: options))
  }

  private func poster(
    of path: String, for input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> ImageBuffer {
    let cancellation = environment.cancellation
    do throws(VideoError) {
      return try VideoFrames.poster(path, fitting: shape.frameBox) { cancellation.isCancelled }
    } catch {
      if cancellation.isCancelled { throw .cancelled(.interrupted) }
      throw CommandFailure(.badData, "\(input): \(error)", code: "movie")
    }
  }
}

/// The format of a thumbnail file.
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
