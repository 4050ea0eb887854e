// SPDX-License-Identifier: Apache-2.0

/// Something in the source file that a JPEG rendering cannot keep.
public struct MetadataLoss: Hashable, Sendable {
  /// What kind of thing is lost; the raw values are stable and meant for JSON.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// Further pictures behind the first, listed by a Multi-Picture index.
    case multiplePictures = "mpf"
    /// A C2PA manifest: it vouches for bytes that no longer exist.
    case contentCredentials = "c2pa"
    /// A JUMBF box that is not C2PA.
    case jumbf
    /// An HDR gain map.
    case gainMap
    /// Pictures that belong to the first without being its alpha, depth or gain map: mattes.
    case auxiliaryImages
    /// A depth map, or another picture kept in extended XMP.
    case depthMap
    /// The film of a motion photo.
    case motionPhoto
    /// Bytes behind the end of the picture.
    case trailingData
    /// Marker segments between the scans of a JPEG.
    case segmentsBetweenScans
    /// Frames of an animation or a sequence, or pages of a document, behind the first.
    case frames
    /// The ICC profile.
    case colorProfile = "icc"
    /// A colour space that the file states without a profile.
    case colorTags
    /// An EXIF structure.
    case exif
    /// An XMP packet, or properties of it.
    case xmp
    /// A small copy of the picture, where no new one took its place.
    case thumbnail
    /// Regions of faces and other things, whose places an edit moved beyond what is known.
    case regions
    /// What makes viewers show the picture as a panorama.
    case panorama
    /// A text of a PNG.
    case text
    /// Chunks, tags or extensions of another format that a JPEG has no place for.
    case unknownChunks
    /// Channels that are neither colour nor transparency.
    case channels
    /// Values inside a MakerNote that count from where the file began.
    case makerNote
    /// Metadata so damaged that it could not be taken over.
    case damagedMetadata
    /// A segment that does not fit in a JPEG.
    case oversizedSegment
  }

  /// What kind of thing is lost.
  public var kind: Kind
  /// One sentence about this file.
  public var detail: String

  /// Makes a loss.
  public init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

/// What a reader noticed about one file; each thing once, and never without bound.
struct MetadataFindings {
  private(set) var notices: [String] = []
  private(set) var losses: [MetadataLoss] = []

  // A hostile file can be wrong in a hundred thousand places; nobody reads that many.
  static let maximumCount = 64

  mutating func notice(_ sentence: String) {
    guard notices.count < Self.maximumCount, !notices.contains(sentence) else { return }
    notices.append(sentence)
  }

  mutating func lose(_ kind: MetadataLoss.Kind, _ detail: String) {
    let loss = MetadataLoss(kind, detail)
    guard losses.count < Self.maximumCount, !losses.contains(loss) else { return }
    losses.append(loss)
  }
}
