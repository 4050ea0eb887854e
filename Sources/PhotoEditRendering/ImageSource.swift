// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditFilters
public import PhotoEditPixels
public import PhotoEditStorage

/// An opened source image: its bytes, header, and metadata.
public struct ImageSource: Sendable {
  /// The file.
  public let bytes: FileBytes
  /// The header as read by the decoder.
  public private(set) var header: ImageHeader
  /// The frame header of a JPEG.
  public private(set) var frame: JPEGFrame?
  /// Segments, orientation and profile.
  public private(set) var metadata: ImageMetadata
  /// The color space of the sample values and its handling.
  public let color: ImageColorSpace
  /// The SHA-256 digest of the file; computed on request.
  public var digest: SHA256Digest { bytes.digest() }

  /// Reads the header and metadata; decodes no pixels.
  ///
  /// - Parameters:
  ///   - limits: The limits of its size.
  ///   - sandbox: The policy on reading it in a confined process; nil for that of the process.
  /// - Throws: `RenderError.codec` if the file is not an image or exceeds the limits.
  public init(
    _ bytes: FileBytes, limits: ImageLimits = ImageLimits(), sandbox: SandboxPolicy? = nil
  ) throws(RenderError) {
    self.bytes = bytes
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(
        bytes, options: DecoderOptions(limits: limits, sandbox: sandbox))
      header = decoder.header
      frame = (decoder as? JPEGDecoder)?.frame
    } catch {
      throw RenderError(error)
    }
    do throws(MetadataError) {
      metadata = try ImageMetadata.read(bytes, limits: limits)
    } catch {
      throw .metadata(error)
    }
    color = ImageColorSpace(header, metadata)
  }

  /// Returns the gain map in the same file, with the orientation of the image, or nil if there is
  /// none that can be read.
  ///
  /// - Parameter limits: The same limits as for the image.
  func gainMap(limits: ImageLimits) -> ImageSource? {
    // The gain map of an HDR image leads to standard range, where its rendering already is.
    guard header.toneMapping == nil else { return nil }
    let part: FileBytes
    if let range = metadata.gainMapRange {
      part = FileBytes(withExtendedLifetime(bytes) { Array(bytes.buffer[range]) })
    } else if let map = metadata.gainMapOfHEIF {
      part = map.file(in: bytes)
    } else {
      return nil
    }
    guard var image = try? ImageSource(part, limits: limits),
      (image.frame != nil) == (metadata.gainMapRange != nil)
    else { return nil }
    image.setOrientation(metadata.orientation)
    // In HEIF files, both have turns of their own.
    let (width, height) = (Double(image.size.width), Double(image.size.height))
    let shape = width * Double(size.height) / (height * Double(size.width))
    return image.frame != nil || (0.95...1.05).contains(shape) ? image : nil
  }

  /// Replaces the orientation with that of the image to which this one belongs.
  mutating func setOrientation(_ orientation: Orientation) { metadata.setOrientation(orientation) }

  /// Returns the image as if it were stored at another size, with its orientation applied.
  func reduced(to size: PixelSize) -> ImageSource {
    var image = self
    image.header = ImageHeader(
      format: header.format, size: size, layout: header.layout, sourceColor: header.sourceColor,
      bitsPerSample: header.bitsPerSample, isProgressive: false)
    image.frame = nil
    image.setOrientation(.up)
    return image
  }

  /// The size with the orientation applied.
  public var size: PixelSize { metadata.orientation.applied(to: header.size) }

  /// The properties by which a graph identifies its source image.
  public var identity: FilterGraph.Source {
    FilterGraph.Source(
      size: header.size, orientation: metadata.orientation, digest: digest,
      development: header.development, toneMapping: header.toneMapping)
  }
}
