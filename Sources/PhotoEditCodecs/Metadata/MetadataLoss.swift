// SPDX-License-Identifier: Apache-2.0

/// Something in the source file that a JPEG rendering cannot keep.
public struct MetadataLoss: Hashable, Sendable {
  /// The kind of metadata that is lost; the raw values are stable and intended for JSON.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// Further images after the first, listed by a Multi-Picture index.
    case multipleImages = "mpf"
    /// A C2PA manifest: it certifies bytes that no longer exist.
    case contentCredentials = "c2pa"
    /// A JUMBF box that is not C2PA.
    case jumbf
    /// An HDR gain map.
    case gainMap
    /// The range of an HDR image beyond that of standard displays.
    case dynamicRange = "hdr"
    /// Images that belong to the first without being its alpha, depth or gain map: mattes, and
    /// images of other sensors in segments of camera makers.
    case auxiliaryImages
    /// A depth map, or another image stored in extended XMP.
    case depthMap
    /// The video of a motion photo.
    case motionPhoto
    /// Bytes after the end of the image.
    case trailingData
    /// Marker segments between the scans of a JPEG.
    case segmentsBetweenScans
    /// Frames of an animation or a sequence, or pages of a document, after the first.
    case frames
    /// The ICC profile.
    case colorProfile = "icc"
    /// A color space that the file declares without a profile.
    case colorTags
    /// An EXIF structure.
    case exif
    /// An XMP packet, or properties of it.
    case xmp
    /// A thumbnail that was not replaced by a new one.
    case thumbnail
    /// Regions of faces and other objects, paths, and other positions that are unknown after the
    /// edit.
    case regions
    /// Properties that cause viewers to show the image as a panorama.
    case panorama
    /// A text chunk of a PNG.
    case text
    /// Chunks, tags or extensions of another format that have no JPEG equivalent.
    case unknownChunks
    /// Channels that are neither color nor transparency.
    case channels
    /// Values inside a MakerNote that are offsets from the beginning of the file.
    case makerNote
    /// Metadata too damaged to be copied.
    case damagedMetadata
    /// A segment that does not fit in a JPEG.
    case oversizedSegment
  }

  /// The kind of metadata that is lost.
  public var kind: Kind
  /// A one-sentence description for this file.
  public var detail: String

  /// Creates a loss.
  public init(_ kind: Kind, _ detail: String) { (self.kind, self.detail) = (kind, detail) }
}

/// The findings about one file, without duplicates and limited in number.
struct MetadataDiagnostics {
  private(set) var notices: [String] = []
  private(set) var losses: [MetadataLoss] = []

  // A malicious file can have a hundred thousand defects; listing them all is of no use.
  static let maximumCount = 64

  mutating func notice(_ sentence: String) {
    guard notices.count < Self.maximumCount, !notices.contains(sentence) else { return }
    notices.append(sentence)
  }

  mutating func reportLoss(_ kind: MetadataLoss.Kind, _ detail: String) {
    let loss = MetadataLoss(kind, detail)
    guard losses.count < Self.maximumCount, !losses.contains(loss) else { return }
    losses.append(loss)
  }

  /// Reports parts of another format, such as "PNG chunks", if there are any.
  mutating func reportUnknown(_ parts: String, _ names: [String]) {
    guard !names.isEmpty else { return }
    let names = names.prefix(10).joined(separator: ", ")
    reportLoss(.unknownChunks, "The \(parts) \(names) cannot be stored in a JPEG.")
  }

  mutating func reportContentCredentials() {
    reportLoss(
      .contentCredentials, "Content credentials (C2PA) are not valid for a rendering; left out.")
  }
}

/// Kinds of metadata that users remove from photos they share.
///
/// The bytes of stripped data are erased. MakerNotes are stripped with `device`, and those of
/// makers that store locations in them also with `location`. Segments that are not interpreted are
/// stripped with `location`, because thermal and action cameras store locations in them. Comments
/// are stripped if they name such data, as texts of a PNG do ("Author: …"); others only with `all`.
public struct MetadataRemoval: OptionSet, Hashable, Sendable {
  /// One bit for each kind.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The location where the photo was taken or that it shows: GPS, cells of phone networks, place
  /// names, and XMP properties of any namespace whose names denote a location.
  public static let location = MetadataRemoval(rawValue: 1)
  /// The people in the photo: regions of faces, and names of persons shown.
  public static let people = MetadataRemoval(rawValue: 2)
  /// Identification of the device: MakerNotes, serial numbers, owners, unique identifiers.
  public static let device = MetadataRemoval(rawValue: 4)
  /// The dates of capture, digitization and modification.
  public static let dates = MetadataRemoval(rawValue: 8)
  /// Everything except the color profile and the pixel density.
  public static let all = MetadataRemoval(rawValue: 16)

  /// The names used on the command line.
  public static let names: [(name: String, strip: MetadataRemoval)] = [
    ("location", .location), ("people", .people), ("device", .device), ("dates", .dates),
    ("all", .all),
  ]

  /// Parses names separated by commas, or "none"; nil if one of them is unknown.
  public init?(_ text: String) {
    self = []
    if text == "none" { return }
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let match = Self.names.first(where: { $0.name == name }) else { return nil }
      insert(match.strip)
    }
  }
}

extension MetadataRemoval: CustomStringConvertible {
  /// The names separated by commas, or "none".
  public var description: String {
    isEmpty ? "none" : Self.names.filter { contains($0.strip) }.map(\.name).joined(separator: ",")
  }
}

/// Metadata that was left out of a rendering on request.
public struct StrippedMetadata: Hashable, Sendable {
  /// The requested kind: a name of `MetadataRemoval.names`.
  public var kind: String
  /// A one-sentence description.
  public var detail: String

  /// Creates an entry.
  public init(kind: String, detail: String) { (self.kind, self.detail) = (kind, detail) }
}
