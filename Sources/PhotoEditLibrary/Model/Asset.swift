// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite

/// A photo, video or audio recording of a library, as of the time it was fetched.
///
/// This is an immutable value with the members of `PhotoProperties`, such as `title` and
/// `creationDate`. Fetch it again, or take it from change details, to see changes. Two values are
/// equal if they have the same identifier.
@dynamicMemberLookup
public struct Asset: Sendable, Identifiable {
  /// The permanent, opaque identifier of the asset.
  public let localIdentifier: String
  @usableFromInline let properties: PhotoProperties
  let row: Int64
  var isLibraryChangeable = true

  /// Returns a property, such as `title`.
  @inlinable
  public subscript<Value>(dynamicMember property: KeyPath<PhotoProperties, Value>) -> Value {
    properties[keyPath: property]
  }
}

extension Asset {
  /// Creates an asset that belongs to no library, for tests and previews of user interfaces.
  ///
  /// - Parameter localIdentifier: The identifier; a new one if nil.
  public init(
    localIdentifier: String? = nil, mediaType: MediaType = .image,
    mediaSubtypes: MediaSubtype = [], sourceType: SourceType = .userLibrary, pixelWidth: Int = 0,
    pixelHeight: Int = 0,
    duration: Double = 0, creationDate: Date? = nil, modificationDate: Date? = nil,
    location: LocationCoordinate? = nil, isFavorite: Bool = false, isHidden: Bool = false,
    burstIdentifier: String? = nil, representsBurst: Bool = false, hasAdjustments: Bool = false,
    originalFilename: String = "", title: String? = nil, caption: String? = nil,
    keywords: [String] = [], rating: Int = 0, label: Label? = nil
  ) {
    let date = modificationDate ?? creationDate ?? Date(timeIntervalSince1970: 0)
    var values = PhotoProperties(originalFilename: originalFilename, addedAt: date)
    (values.mediaType, values.mediaSubtypes) = (mediaType, mediaSubtypes)
    values.playbackStyle =
      switch mediaType {
      case .image: mediaSubtypes.contains(.photoLive) ? .livePhoto : .image
      case .video: .video
      case .audio, .unknown: .unsupported
      }
    values.sourceType = sourceType
    (values.pixelWidth, values.pixelHeight, values.duration) = (pixelWidth, pixelHeight, duration)
    (values.creationDate, values.location) = (creationDate, location)
    (values.isFavorite, values.isHidden) = (isFavorite, isHidden)
    (values.burstIdentifier, values.representsBurst) = (burstIdentifier, representsBurst)
    (values.hasAdjustments, values.title, values.caption) = (hasAdjustments, title, caption)
    (values.keywords, values.rating, values.label) = (keywords, rating, label)
    values.contentRevision = 0
    self.init(
      localIdentifier: localIdentifier ?? LocalIdentifier(new: .asset).description,
      properties: values, row: 0)
  }
}

extension Asset {
  /// Returns the asset with what its file states about the capture.
  package func stating(
    _ device: DeviceProperties, at location: LocationCoordinate?, fileSize: Int
  ) -> Asset {
    var values = properties
    values.apply(device)
    (values.location, values.fileSize) = (location, fileSize)
    return Asset(localIdentifier: localIdentifier, properties: values, row: row)
  }
}

extension Asset {
  /// The columns of the table, in the order in which `init(_:)` reads them.
  static let columns = ["id"] + storedColumns

  /// The columns that a history row repeats.
  static let storedColumns = ["uuid"] + PhotoProperties.columns

  static let selection = columns.joined(separator: ", ")

  /// Reads a row of `selection`.
  init(_ row: Row) {
    localIdentifier = LocalIdentifier(bytes: row.blob(1), .asset)?.description ?? ""
    properties = PhotoProperties(row, from: 2)
    self.row = row.int(0)
  }
}

extension Asset: Codable {
  private enum CodingKeys: String, CodingKey {
    case localIdentifier, row, isLibraryChangeable
  }

  /// Reads the members of an asset and those of its properties, which are beside each other.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    localIdentifier = try members.decode(String.self, forKey: .localIdentifier)
    row = try members.decode(Int64.self, forKey: .row)
    isLibraryChangeable = try members.decode(Bool.self, forKey: .isLibraryChangeable)
    properties = try PhotoProperties(from: decoder)
  }

  /// Writes the members of the asset and those of its properties beside each other.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(localIdentifier, forKey: .localIdentifier)
    try members.encode(row, forKey: .row)
    try members.encode(isLibraryChangeable, forKey: .isLibraryChangeable)
    try properties.encode(to: encoder)
  }
}

extension Asset {
  /// Returns whether a change block may perform an operation on the asset.
  ///
  /// No operation is allowed on shared, referenced and trashed assets or in a read-only library.
  /// The content of photos and videos can be edited.
  public func canPerform(_ operation: AssetOperation) -> Bool {
    guard isLibraryChangeable, self.sourceType == .userLibrary, self.trashedDate == nil else {
      return false
    }
    return switch operation {
    case .delete, .properties: true
    case .content: self.mediaType.hasEditableContent
    }
  }
}

extension Asset {
  /// The colors of labels; the raw values are stored and written to JSON.
  public enum Label: String, Sendable, Hashable, CaseIterable, Codable {
    /// Red.
    case red
    /// Yellow.
    case yellow
    /// Green.
    case green
    /// Blue.
    case blue
    /// Purple.
    case purple
  }
}
