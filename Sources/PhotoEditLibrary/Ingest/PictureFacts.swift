// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// What a library is told of a still picture, read from its file.
///
/// A moment whose offset from UTC is in the file, or follows from the receiver's clock, is exact.
/// Any other clock time counts as UTC: a file means the same moment on every machine.
struct PictureFacts: Sendable, Hashable {
  var content: FileContent
  /// As people see it.
  var size = PixelSize(width: 0, height: 0)
  var capture: CaptureFacts
  var title: String?
  var caption: String?
  /// Whether the camera has a name; a program's pictures have none.
  var hasCamera = false
  /// Whether the camera looks at who holds it.
  var isFrontCamera = false
  /// Where in the file the movie of a motion photo lies.
  var motionMovie: Range<Int>?
  /// Whether there is something of a movie, which is not whole.
  var hasBrokenMovie = false
  /// Seconds from the beginning of that movie to the moment that the picture shows.
  var motionTime: Double?

  /// What a decoder finds wrong with the pixels; nil for a sound image.
  var damage: String?

  /// When and where it was taken, and what PhotoKit's bits say.
  var media: MediaFacts { MediaFacts(capture) }

  /// Reads a whole file; nil when it is no picture at all.
  ///
  /// - Throws: `CodecError` when it is a picture that cannot be read.
  static func reading(_ bytes: FileBytes) throws(CodecError) -> PictureFacts? {
    if let raw = try RawPicture(bytes) {
      let content = FileContent(
        .raw, uniformType: raw.uniformTypeIdentifier, fileExtension: raw.fileExtension)
      return PictureFacts(content, raw.metadata, format: nil, stored: raw.size)
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
    // Damaged metadata is no reason to refuse the picture.
    let metadata = (try? ImageMetadata.read(bytes)) ?? ImageMetadata()
    return PictureFacts(FileContent(format), metadata, format: format, stored: header.size)
  }

  /// Reads an image to its end.
  ///
  /// The samples of a raw file are not read.
  ///
  /// - Throws: `CodecError` for one that cannot be decoded.
  static func checkPixels(of bytes: FileBytes) throws(CodecError) {
    if try RawPicture(bytes) == nil { try ImageDecoders.verify(bytes) }
  }

  /// What is damaged in an image; nil for a sound one, and for one that nothing here can judge.
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
    hasCamera = metadata.summary.model != nil
    isFrontCamera = metadata.summary.lens?.lowercased().contains("front") == true
  }

  /// By which smart albums are filled.
  var traits: AssetTraits {
    var traits: AssetTraits = []
    if content.kind == .raw { traits.insert(.raw) }
    if capture.isAnimated { traits.insert(.animated) }
    if isFrontCamera { traits.insert(.selfPortrait) }
    return traits
  }
}
