// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
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
