// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditPixels
public import PhotoEditStorage

/// Makes small upright pictures in sRGB of any picture that is read here.
///
/// A JPEG is decoded at the smallest scale that leaves two pixels for each one wanted, and the rest
/// is done by Lanczos' kernel. For photos the result is of class P against the full
/// picture, resized.
public enum Thumbnailer {
  /// Makes a thumbnail of a picture.
  ///
  /// - Parameters:
  ///   - shape: Size and part of the picture.
  ///   - options: What is refused, how damage is taken, threads, and the question whether to stop;
  ///     of the others, none has a say.
  /// - Throws: `RenderError.codec` where the picture cannot be decoded; `tooLarge` where the
  ///   thumbnail would exceed the limits of a picture.
  public static func thumbnail(
    of picture: Picture, shape: ThumbnailShape, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Thumbnail {
    let (part, size) = shape.layout(of: picture.size)
    guard size.longEdge <= 65_500, size.pixelCount <= options.limits.maximumPixels else {
      throw .tooLarge(size)
    }
    let job = try RenderJob(thumbnailOf: picture, part: part, size: size, options: options)
    return Thumbnail(try job.renderImage())
  }

  /// Makes a thumbnail of the bytes of a picture file.
  ///
  /// - Throws: As for a picture, and `RenderError.codec` when this is none.
  public static func thumbnail(
    of bytes: FileBytes, shape: ThumbnailShape, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Thumbnail {
    try thumbnail(
      of: try Picture(bytes, limits: options.limits), shape: shape, options: options)
  }

  /// Makes a thumbnail of pixels in sRGB, such as a frame of a movie.
  ///
  /// - Throws: As for a picture.
  public static func thumbnail(
    of image: SampleImage, shape: ThumbnailShape, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Thumbnail {
    let (part, size) = shape.layout(of: image.size)
    let isReady = image.layout.bytesPerSample == 1 && !image.layout.channels.hasAlpha
    if isReady, size == image.size, part == Region(image.size) { return Thumbnail(image) }
    let png = try codec { () throws(CodecError) in try PNGEncoder.encode(image) }
    return try thumbnail(of: FileBytes(png), shape: shape, options: options)
  }

  /// Makes a thumbnail of a small copy that somebody put into the picture's EXIF data.
  ///
  /// That takes a fraction of the time. The copy need not show the picture as it is, so the result
  /// counts as degraded.
  ///
  /// - Returns: Nil where the file holds no copy of the picture's shape.
  public static func embeddedThumbnail(
    of picture: Picture, shape: ThumbnailShape, options: RenderOptions = RenderOptions()
  ) -> Thumbnail? {
    let wanted = shape.layout(of: picture.size)
    let scale = Double(wanted.size.longEdge) / Double(wanted.part.size.longEdge)
    let side = Int(Double(picture.size.longEdge) * scale)
    guard let copy = picture.embeddedCopy(longEdge: side, limits: options.limits) else {
      return nil
    }
    // A copy that cannot be decoded is as good as none.
    guard let made = try? thumbnail(of: copy, shape: shape, options: options) else { return nil }
    return Thumbnail(made.image, isDegraded: true)
  }
}
