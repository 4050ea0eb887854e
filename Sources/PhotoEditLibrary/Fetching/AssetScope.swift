// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The assets that the options of a fetch include, before any predicate.
///
/// The column `visibility` holds the reasons for exclusion as bits: hidden 1, unpicked member of a
/// burst 2, trashed or deleted 4, not from the user's library 8.
struct AssetScope {
  /// The included values of `visibility`.
  let visibilities: [Int]
  /// The included sources; nil for all that `visibilities` includes.
  let sources: SourceType?
  /// The only visible assets, as a JSON array of rows; nil for all.
  let visibleRows: String?
  /// Indicates whether trashed assets are included.
  var includesTrash = false
  /// Indicates whether the assets are found by their row numbers instead of an index of visibility.
  var avoidsIndexes = false

  static let everyVisibility = Array(0..<16)

  /// The default sources if the options do not specify any.
  enum Sources {
    case own
    case any
  }

  /// Creates the scope of fetch options.
  ///
  /// - Parameter isWhole: Whether hidden assets and all members of a burst are always included.
  init(
    _ options: FetchOptions<Asset>, _ session: FetchSession, otherwise sources: Sources,
    isWhole: Bool = false
  ) {
    let requested = options.includeAssetSourceTypes
    let hasOwn = requested.isEmpty || requested.contains(.userLibrary)
    let hasOthers =
      requested.isEmpty ? sources == .any : !requested.subtracting(.userLibrary).isEmpty
    let includesTrash = options.predicate?.node.columns.contains(.trashed) == true
    self.includesTrash = includesTrash
    visibilities = Self.everyVisibility.filter { value in
      (value & 1 == 0 || isWhole || options.includeHiddenAssets)
        && (value & 2 == 0 || isWhole || options.includeAllBurstAssets)
        && (value & 4 == 0 || includesTrash) && (value & 8 == 0 ? hasOwn : hasOthers)
    }
    self.sources = requested.isEmpty || !hasOthers ? nil : requested
    visibleRows = session.visibleRows
  }

  /// Creates the scope of a default fetch, or of hidden assets only.
  init(_ session: FetchSession, otherwise sources: Sources, hiddenAlone: Bool = false) {
    visibilities = hiddenAlone ? [1] : sources == .own ? [0] : [0, 8]
    self.sources = nil
    visibleRows = session.visibleRows
  }

  /// The conditions that assets must meet.
  var conditions: [SQLFragment] {
    var conditions = [visibility]
    if includesTrash { conditions.append(SQLFragment("state < 2")) }
    if let sources {
      conditions.append(SQLFragment("(sourceType & ?) <> 0", [.init(sources.rawValue)]))
    }
    if let visibleRows {
      conditions.append(SQLFragment("id IN (SELECT value FROM json_each(?))", [.text(visibleRows)]))
    }
    return conditions
  }

  /// The condition on the table of days; nil if it cannot be expressed.
  var countedByDay: String? {
    guard sources == nil, visibleRows == nil, !includesTrash else { return nil }
    return "visibility IN (\(Self.list(visibilities)))"
  }

  private var visibility: SQLFragment {
    // A unary plus keeps SQLite from using an index.
    let column = avoidsIndexes ? "+visibility" : "visibility"
    return switch visibilities.count {
    case 0: SQLFragment("0")
    case 1: SQLFragment("\(column) = \(visibilities[0])")
    default: SQLFragment("\(column) IN (\(Self.list(visibilities)))")
    }
  }

  /// The condition for excluded assets, which are few; nil if it cannot be expressed.
  var exclusion: String? {
    guard sources == nil, visibleRows == nil, visibilities.contains(0) else { return nil }
    let others = Self.everyVisibility.filter { !visibilities.contains($0) }
    return "visibility IN (\(Self.list(others)))"
  }

  private static func list(_ values: [Int]) -> String {
    values.map(String.init).joined(separator: ", ")
  }
}
