// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditFilters
public import PhotoEditPixels
public import PhotoEditStorage

/// A source that has been opened: its bytes, what it is, and what its metadata says.
public struct Picture: Sendable {
  /// The file.
  public let bytes: FileBytes
  /// What the decoder found in the header.
  public let header: ImageHeader
  /// Frame facts of a JPEG.
  public let frame: JPEGFrame?
  /// Segments, orientation, profile.
  public private(set) var metadata: ImageMetadata
  /// What the numbers mean, and what is done about it.
  public let color: PictureColor
  /// SHA-256 of the file; computed when somebody asks for it.
  public var digest: Digest { bytes.digest() }

  /// Reads header and metadata; no pixels yet.
  ///
  /// - Throws: `RenderError.codec` when this is no picture, or one beyond the limits.
  public init(_ bytes: FileBytes, limits: ImageLimits = ImageLimits()) throws(RenderError) {
    self.bytes = bytes
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(bytes, options: DecoderOptions(limits: limits))
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
    do throws(CodecError) {
      color = try PictureColor(header, metadata)
    } catch {
      throw RenderError(error)
    }
  }

  /// The gain map that lies in the same file, turned like the picture; nil when there is none that
  /// can be read.
  ///
  /// - Parameter limits: What is refused of it, as of the picture.
  func gainMap(limits: ImageLimits) -> Picture? {
    guard let range = metadata.gainMapRange else { return nil }
    let part = FileBytes(withExtendedLifetime(bytes) { Array(bytes.buffer[range]) })
    guard var picture = try? Picture(part, limits: limits), picture.frame != nil else { return nil }
    picture.turn(metadata.orientation)
    return picture
  }

  /// Takes the orientation from the picture to which this one belongs.
  mutating func turn(_ orientation: Orientation) { metadata.turn(orientation) }

  /// Size as people see the picture.
  public var size: PixelSize { metadata.orientation.applied(to: header.size) }

  /// What a graph remembers of the picture it was made for.
  public var identity: FilterGraph.Source {
    FilterGraph.Source(size: header.size, orientation: metadata.orientation, digest: digest)
  }
}
