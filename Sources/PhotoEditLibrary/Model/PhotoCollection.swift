// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A member of a folder: an album or a folder.
public enum PhotoCollection: Sendable, Identifiable, Codable {
  /// An album.
  case assets(AssetCollection)
  /// A folder.
  case list(CollectionList)

  private var object: any TitledObject {
    switch self {
    case .assets(let album): album
    case .list(let folder): folder
    }
  }

  /// The permanent, opaque identifier of the album or folder.
  public var localIdentifier: String { object.localIdentifier }

  /// The title.
  public var localizedTitle: String? { object.localizedTitle }

  /// The date of capture of the oldest asset; nil for folders.
  public var startDate: Date? { object.startDate }

  /// The date of capture of the newest asset; nil for folders.
  public var endDate: Date? { object.endDate }

  /// The database row; nil for computed and transient objects.
  var row: Int64? { object.row }

  /// Indicates whether the album or folder exists only in memory.
  var isTransient: Bool { object.isTransient }

  /// Returns whether a change block may perform an operation on the album or folder.
  public func canPerform(_ operation: CollectionOperation) -> Bool {
    object.canPerform(operation)
  }
}
