// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// The properties of a still image, read from its file.
///
/// A time whose UTC offset is in the file, or can be derived from the GPS time, is exact. Any other
/// local time is interpreted as UTC, so that a file has the same date on every machine.
struct ImageProperties: Sendable, Hashable {
  var content: FileContent
  /// The size with the orientation applied.
  var size = PixelSize(width: 0, height: 0)
  /// The orientation of the stored image.
  var orientation = Orientation.up
  var capture: CaptureMetadata
  var title: String?
  var caption: String?
  var device: DeviceProperties
  /// Indicates whether the metadata contains a camera model; images created by programs have none.
  var hasCamera = false
  /// Indicates whether the photo was taken with a front camera.
  var isFrontCamera = false
  /// The byte range of the video of a motion photo.
  var motionMovie: Range<Int>?
  /// Indicates whether there is an incomplete embedded video.
  var hasBrokenMovie = false
  /// The still image time, in seconds from the start of the embedded video.
  var motionTime: Double?

  /// The damage found by a decoder; nil for an intact image.
  var damage: String?

  /// The date and location of capture and the PhotoKit subtypes.
  var media: MediaProperties { MediaProperties(capture) }

  /// Reads a whole file; returns nil if it is not an image.
  ///
  /// - Throws: `CodecError` for an image that cannot be read.
  static func reading(_ bytes: FileBytes) throws(CodecError) -> ImageProperties? {
    if let raw = try CameraRawFormat(bytes) {
      let content = FileContent(
        .raw, uniformType: raw.uniformTypeIdentifier, fileExtension: raw.fileExtension)
      return ImageProperties(content, raw.metadata, format: nil, stored: raw.size)
    }
    let format: ImageFormat
    do throws(CodecError) {
      format = try ImageFormat.detect(bytes.buffer)
    } catch {
      switch error {
      case .notAnImage, .empty: return nil
      default: throw error
      }
    }
    let header = try ImageDecoders.open(bytes).header
    // Damaged metadata is not a reason to reject the image.
    let metadata = (try? ImageMetadata.read(bytes)) ?? ImageMetadata()
    return ImageProperties(FileContent(format), metadata, format: format, stored: header.size)
  }

  /// Decodes an image completely.
  ///
  /// The samples of a raw file are not decoded.
  ///
  /// - Throws: `CodecError` if the image cannot be decoded.
  static func checkPixels(of bytes: FileBytes) throws(CodecError) {
    if try CameraRawFormat(bytes) == nil { try ImageDecoders.verify(bytes) }
  }

  /// Returns the damage of an image; nil for an intact image and for one that cannot be checked.
  static func damage(of bytes: FileBytes) -> String? {
    do throws(CodecError) { try checkPixels(of: bytes) } catch {
      if case .damaged = error { return "\(error)" }
    }
    return nil
  }

  private init(
    _ content: FileContent, _ metadata: ImageMetadata, format: ImageFormat?, stored: PixelSize?
  ) {
    self.content = content
    capture = metadata.captureFacts(of: format)
    orientation = metadata.orientation
    if let stored {
      size =
        metadata.orientation.swapsAxes
        ? PixelSize(width: stored.height, height: stored.width) : stored
    }
    motionMovie = metadata.motionPhotoRange
    hasBrokenMovie =
      motionMovie == nil && metadata.losses.contains { $0.kind == .motionPhoto }
    motionTime = metadata.motionPhotoTime
    title = ObjectText.fitting(metadata.summary.title)
    caption = ObjectText.fitting(metadata.summary.caption)
    device = DeviceProperties(metadata.summary)
    hasCamera = metadata.summary.model != nil
    isFrontCamera = metadata.summary.lens?.lowercased().contains("front") == true
  }

  /// Returns the regions of a file that describes this image; nil if they do not fit it.
  func regions(_ tags: PhotoTags) -> [Asset.Region]? {
    guard !tags.regions.regions.isEmpty else { return [] }
    return tags.regions.displayed(size, orientation)?.map { Asset.Region($0) }
  }

  /// The properties that determine membership in smart albums.
  var traits: AssetTraits {
    var traits: AssetTraits = []
    if content.kind == .raw { traits.insert(.raw) }
    if capture.isAnimated { traits.insert(.animated) }
    if isFrontCamera { traits.insert(.selfPortrait) }
    return traits
  }
}
