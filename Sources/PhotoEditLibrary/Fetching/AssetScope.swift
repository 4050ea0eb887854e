// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Which assets a fetch may give before any predicate: those that its options let in.
///
/// The column `visibility` holds the reasons against an asset as bits: hidden 1, unpicked member of
/// a burst 2, in the trash or gone 4, not one's own 8.
struct AssetScope {
  /// The values of `visibility` that are let in.
  let visibilities: [Int]
  /// Which sources; nil for whatever `visibilities` lets in.
  let sources: SourceType?
  /// The only assets to be seen, as a JSON array of rows; nil for all.
  let visibleRows: String?

  static let everyVisibility = Array(0..<16)

  /// What the sources are when the options leave that to the fetch.
  enum Sources {
    case own
    case any
  }

  /// - Parameter isWhole: Whether hidden assets and all of a burst are let in anyway.
  init(
    _ options: FetchOptions<Asset>, _ session: FetchSession, otherwise sources: Sources,
    isWhole: Bool = false
  ) {
    let wanted = options.includeAssetSourceTypes
    let hasOwn = wanted.isEmpty || wanted.contains(.userLibrary)
    let hasOthers = wanted.isEmpty ? sources == .any : !wanted.subtracting(.userLibrary).isEmpty
    visibilities = Self.everyVisibility.filter { value in
      (value & 1 == 0 || isWhole || options.includeHiddenAssets)
        && (value & 2 == 0 || isWhole || options.includeAllBurstAssets)
        && value & 4 == 0 && (value & 8 == 0 ? hasOwn : hasOthers)
    }
    self.sources = wanted.isEmpty || !hasOthers ? nil : wanted
    visibleRows = session.visibleRows
  }

  /// Whatever a default fetch gives, or hidden assets alone.
  init(_ session: FetchSession, otherwise sources: Sources, hiddenAlone: Bool = false) {
    visibilities = hiddenAlone ? [1] : sources == .own ? [0] : [0, 8]
    self.sources = nil
    visibleRows = session.visibleRows
  }

  /// What assets must meet.
  var conditions: [SQLText] {
    var conditions = [visibility]
    if let sources {
      conditions.append(SQLText("(sourceType & ?) <> 0", [.init(sources.rawValue)]))
    }
    if let visibleRows {
      conditions.append(SQLText("id IN (SELECT value FROM json_each(?))", [.text(visibleRows)]))
    }
    return conditions
  }

  private var visibility: SQLText {
    switch visibilities.count {
    case 0: SQLText("0")
    case 1: SQLText("visibility = \(visibilities[0])")
    default: SQLText("visibility IN (\(Self.list(visibilities)))")
    }
  }

  /// The condition for what is not let in, which is little; nil where no condition says it.
  var exclusion: String? {
    guard sources == nil, visibleRows == nil, visibilities.contains(0) else { return nil }
    let others = Self.everyVisibility.filter { !visibilities.contains($0) }
    return "visibility IN (\(Self.list(others)))"
  }

  private static func list(_ values: [Int]) -> String {
    values.map(String.init).joined(separator: ", ")
  }
}
