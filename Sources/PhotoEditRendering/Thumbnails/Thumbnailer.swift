// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
public import PhotoEditPixels
public import PhotoEditStorage

/// Creates small images in sRGB, with their orientation applied, from any supported image.
///
/// A JPEG is decoded at the smallest scale that provides two pixels for each output pixel, and then
/// resized with the Lanczos kernel. For photos the result is of class P compared with the full
/// image, resized.
public enum Thumbnailer {
  /// Creates a thumbnail of an image.
  ///
  /// - Parameters:
  ///   - shape: The size and the part of the image.
  ///   - options: Limits, leniency, threads and cancellation; the others are ignored.
  /// - Throws: `RenderError.codec` if the image cannot be decoded; `tooLarge` if the thumbnail
  ///   would exceed the limits of an image.
  public static func thumbnail(
    of image: ImageSource, shape: ThumbnailShape, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Thumbnail {
    let (part, size) = shape.layout(of: image.size)
    guard size.longEdge <= 65_500, size.pixelCount <= options.limits.maximumPixels else {
      throw .tooLarge(size)
    }
    // The preview of a raw file is what its camera shows. A damaged one is ignored.
    if let (preview, part) = image.preview(part, atLeast: size, limits: options.limits),
      let job = try? RenderJob(thumbnailOf: preview, part: part, size: size, options: options),
      let rendered = try? job.renderImage()
    {
      return Thumbnail(rendered)
    }
    let job = try RenderJob(thumbnailOf: image, part: part, size: size, options: options)
    return Thumbnail(try job.renderImage())
  }

  /// Creates a thumbnail of the bytes of an image file.
  ///
  /// - Throws: As for an image, and `RenderError.codec` if the file is not an image.
  public static func thumbnail(
    of bytes: FileBytes, shape: ThumbnailShape, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Thumbnail {
    try thumbnail(
      of: try ImageSource(bytes, limits: options.limits), shape: shape, options: options)
  }

  /// Creates a thumbnail of pixels in sRGB, such as a video frame.
  ///
  /// - Throws: As for an image.
  public static func thumbnail(
    of image: ImageBuffer, shape: ThumbnailShape, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Thumbnail {
    let (part, size) = shape.layout(of: image.size)
    let isReady = image.layout.bytesPerSample == 1 && !image.layout.channels.hasAlpha
    if isReady, size == image.size, part == Region(image.size) { return Thumbnail(image) }
    let png = try codec { () throws(CodecError) in try PNGEncoder.encode(image) }
    return try thumbnail(of: FileBytes(png), shape: shape, options: options)
  }

  /// Creates a thumbnail from one that is embedded in the image's EXIF data.
  ///
  /// That takes a fraction of the time. The embedded thumbnail need not match the image, so the
  /// result is marked as degraded.
  ///
  /// - Returns: Nil if the file contains no thumbnail with the image's aspect ratio.
  public static func embeddedThumbnail(
    of image: ImageSource, shape: ThumbnailShape, options: RenderOptions = RenderOptions()
  ) -> Thumbnail? {
    let layout = shape.layout(of: image.size)
    let scale = Double(layout.size.longEdge) / Double(layout.part.size.longEdge)
    let side = Int(Double(image.size.longEdge) * scale)
    guard let copy = image.embeddedCopy(longEdge: side, limits: options.limits) else {
      return nil
    }
    // A thumbnail that cannot be decoded is ignored.
    guard let rendered = try? thumbnail(of: copy, shape: shape, options: options) else {
      return nil
    }
    return Thumbnail(rendered.image, isDegraded: true)
  }
}

extension RenderJob {
  /// Creates a job for a thumbnail: orientation applied, cropped, resized, in sRGB.
  ///
  /// - Parameters:
  ///   - part: The part to crop from the image with its orientation applied.
  ///   - size: The size of the thumbnail.
  init(
    thumbnailOf image: ImageSource, part: Region, size: PixelSize, options: RenderOptions
  ) throws(RenderError) {
    var options = options
    options.dither = .none
    var job = try RenderJob(image, FilterGraph(), options: options)
    // Samples are mixed with the transfer function of sRGB, regardless of the transfer function of
    // the image.
    job.treatment = try ColorManagement(image.color, changesColors: true)
    var geometrySteps = job.operations.filter { if case .orient = $0 { true } else { false } }
    if part != Region(image.size) { geometrySteps.append(.crop(part)) }
    var scaling = PreviewScaling(
      geometrySteps, stored: image.header.size, target: size,
      margin: PreviewScaling.marginAtEighth)
    if scaling.decoding != .eighth {
      scaling = PreviewScaling(geometrySteps, stored: image.header.size, target: size)
    }
    let isJPEG = image.frame != nil
    job.decodingScale = isJPEG ? scaling.decoding : .full
    var steps = scaling.scaled(geometrySteps, isDecodedSmall: isJPEG)
    if case .curves(let curves, _) = job.treatment {
      let index = steps.prefix { if case .orient = $0 { true } else { false } }.count
      let isLinear = image.header.format == .raw
      steps.insert(
        contentsOf: isLinear ? try Self.tones(of: image, options) : [.curves(curves)], at: index)
      job.treatment = .curves(into: curves, back: nil)
    }
    if let matrix = image.color.matrixToSRGB(icc: image.metadata.icc) {
      steps += [FilterOperation.matrix(ColorTransform(rows: matrix))].inEncoding(.linear)
    }
    job.operations = steps
    job.outputSize = size
    self = job
  }

  /// Returns the curves with which the edit of a raw file begins, after those from linear light.
  private static func tones(
    of image: ImageSource, _ options: RenderOptions
  ) throws(RenderError) -> [FilterOperation] {
    let start = try Renderer.initialGraph(for: image, options: options).graph
    return try RenderJob(image, start, options: options).operations
  }

  /// Decodes and filters to the encoder's input.
  func renderImage() throws(RenderError) -> ImageBuffer {
    try withSource { source throws(RenderError) in
      let plan = plan(source.shape, result: .bytes(expandingGray: false))
      guard case .packed(let layout)? = plan.stages.last?.output.format else {
        preconditionFailure("byte plan must end in bytes")
      }
      let bytesPerRow = layout.bytesPerRow(width: plan.outputSize.width)
      let image = LockedValue(ImageBuffer(size: plan.outputSize, layout: layout))
      try deliver(plan, of: source, result: plan.outputSize.height * bytesPerRow) { strip in
        image.withLock { image in
          image.bytes.withUnsafeMutableBytes { target in
            for y in strip.rows {
              let row = UnsafeRawBufferPointer(start: strip.row(y), count: bytesPerRow)
              UnsafeMutableRawBufferPointer(rebasing: target[(y * bytesPerRow)...])
                .copyMemory(from: row)
            }
          }
        }
      }
      return image.withLock { $0 }
    }
  }
}

extension ImageSource {
  /// Returns the preview of a raw file, and the part of it that corresponds to a part of the image;
  /// nil if it has fewer pixels than needed, and for all other images.
  fileprivate func preview(
    _ part: Region, atLeast needed: PixelSize, limits: ImageLimits
  ) -> (ImageSource, Region)? {
    guard let preview = rawPreview(limits: limits) else { return nil }
    func scaled(_ position: Int, _ side: Int, _ other: Int) -> Int {
      Int((Double(position) * Double(side) / Double(other)).rounded())
    }
    let (x, y) = (
      scaled(part.x, preview.size.width, size.width),
      scaled(part.y, preview.size.height, size.height)
    )
    let (maxX, maxY) = (
      scaled(part.maxX, preview.size.width, size.width),
      scaled(part.maxY, preview.size.height, size.height)
    )
    guard maxX - x >= needed.width, maxY - y >= needed.height else { return nil }
    return (preview, Region(x: x, y: y, width: maxX - x, height: maxY - y))
  }

  /// Returns the thumbnail in EXIF that is best for a size, with the orientation of the image.
  ///
  /// Cameras store thumbnails with black bars in files with another aspect ratio; those are not
  /// used.
  ///
  /// - Parameter longEdge: The requested length of the longer side; the smallest thumbnail of at
  ///   least that length is used, or otherwise the longest one.
  /// - Returns: Nil if there is no readable thumbnail with the image's aspect ratio.
  func embeddedCopy(longEdge: Int, limits: ImageLimits) -> ImageSource? {
    let copies = metadata.embeddedPreviews.compactMap { bytes -> ImageSource? in
      // An unreadable thumbnail is ignored.
      guard let copy = try? ImageSource(FileBytes(bytes), limits: limits),
        copy.frame != nil, hasShape(of: copy.header.size)
      else { return nil }
      return copy
    }
    let bySize = copies.sorted { $0.size.longEdge < $1.size.longEdge }
    guard var copy = bySize.first(where: { $0.size.longEdge >= longEdge }) ?? bySize.last else {
      return nil
    }
    copy.setOrientation(metadata.orientation)
    return copy
  }

  /// Returns whether a size has the aspect ratio of the stored image, within one pixel of rounding.
  private func hasShape(of copy: PixelSize) -> Bool {
    let (width, height) = (Double(header.size.width), Double(header.size.height))
    let expected = Double(copy.width) * height / width
    return abs(expected - Double(copy.height)) <= max(1, height / width)
  }
}
