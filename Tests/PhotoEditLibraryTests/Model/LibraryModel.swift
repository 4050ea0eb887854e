// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditLibrary

/// A reference model of a library in plain arrays and dictionaries; objects are numbers.
///
/// Written from the rules, independently of the library's code: lists are processed sequentially,
/// without positions.
struct LibraryModel: Equatable {
  struct AssetState: Equatable {
    var title: String?
    var isFavorite = false
    var isHidden = false
    /// 0 for in the library, 1 for in the trash, 2 for purged.
    var state = 0
    var burst: Int?
    var picks: BurstSelection = []
    var represents = false
  }

  struct CollectionState: Equatable {
    var isFolder: Bool
    var title: String
    var itemExists = true
    var parent: Int?
  }

  /// A member of an album; ghosts are in the trash.
  struct Slot: Equatable {
    var object: Int
    var isTrashed = false
  }

  /// The reason a block is rejected.
  struct Refusal: Error, Equatable {
    let code: LibraryError.Code
    static let shape = Refusal(code: .changeNotSupported)
    static let missing = Refusal(code: .identifierNotFound)
    static let shared = Refusal(code: .requestNotSupportedForAsset)
  }

  /// The number that stands for the top level.
  static let top = -1

  var assets: [Int: AssetState] = [:]
  var collections: [Int: CollectionState] = [:]
  /// Assets of albums and children of folders, in order; `top` has an entry.
  var lists: [Int: [Slot]] = [top: []]

  // The objects that the block has changed and deleted so far.
  private var changed: Set<Int> = []
  private var deleted: Set<Int> = []

  // MARK: Blocks

  /// The model after a block, or the reason for its rejection.
  func after(_ block: [ModelRequest]) -> Result<LibraryModel, Refusal> {
    var copy = self
    do throws(Refusal) {
      for request in block { try request.checkShape() }
      for request in block { try copy.apply(request) }
    } catch { return .failure(error) }
    copy.changed = []
    copy.deleted = []
    return .success(copy)
  }

  /// The objects of a list that are not in the trash.
  func visible(_ list: Int) -> [Int] {
    (lists[list] ?? []).filter { !$0.isTrashed }.map(\.object)
  }

  mutating func change(_ object: Int) throws(Refusal) {
    guard !deleted.contains(object) else { throw .shape }
    changed.insert(object)
  }

  mutating func delete(_ object: Int) throws(Refusal) {
    guard !changed.contains(object) else { throw .shape }
    deleted.insert(object)
  }

  mutating func apply(_ request: ModelRequest) throws(Refusal) {
    switch request {
    case .addAsset(let asset, let state):
      assets[asset] = state
    case .setFavorite(let asset, let value):
      try present(asset)
      assets[asset]?.isFavorite = value
    case .setHidden(let asset, let value):
      try present(asset)
      assets[asset]?.isHidden = value
    case .setAssetTitle(let asset, let title):
      try present(asset)
      assets[asset]?.title = title
    case .trash(let named): try trash(named)
    case .restore(let named): try restore(named)
    case .purge(let named): try purge(named)
    case .create(let object, let isFolder, let title, let edits):
      try change(object)
      collections[object] = CollectionState(isFolder: isFolder, title: title)
      lists[Self.top]?.append(Slot(object: object))
      lists[object] = []
      try apply(edits, to: object, seen: nil)
    case .rename(let object, let title):
      try change(object)
      guard collections[object]?.itemExists == true else { throw .missing }
      collections[object]?.title = title
    case .deleteCollections(let named):
      let rest = named.filter { !deleted.contains($0) }
      guard rest.allSatisfy({ collections[$0]?.itemExists == true }) else { throw .missing }
      for object in rest { try remove(tree: object) }
    case .edit(let list, let seen, let edits): try apply(edits, to: list, seen: seen)
    case .fail: throw .missing
    }
  }

  mutating func present(_ asset: Int) throws(Refusal) {
    try change(asset)
    guard assets[asset]?.state == 0 else { throw .missing }
  }

  // MARK: The trash

  private mutating func trash(_ named: [Int]) throws(Refusal) {
    var chosen: [Int] = []
    for asset in named where !deleted.contains(asset) {
      try delete(asset)
      chosen.append(asset)
    }
    guard chosen.allSatisfy({ assets[$0]?.state == 0 }) else { throw .missing }
    for asset in chosen {
      assets[asset]?.state = 1
      mark(asset, isTrashed: true)
    }
    for asset in chosen {
      guard let burst = assets[asset]?.burst, assets[asset]?.represents == true else { continue }
      resolveBurst(burst, came: [])
    }
  }

  private mutating func restore(_ named: [Int]) throws(Refusal) {
    for asset in named { try change(asset) }
    guard named.allSatisfy({ (assets[$0]?.state ?? 2) < 2 }) else { throw .missing }
    let chosen = named.filter { assets[$0]?.state == 1 }
    for asset in chosen {
      assets[asset]?.state = 0
      mark(asset, isTrashed: false)
    }
    for asset in chosen {
      if let burst = assets[asset]?.burst { resolveBurst(burst, came: Set(chosen)) }
    }
  }

  private mutating func purge(_ named: [Int]) throws(Refusal) {
    for asset in named { try delete(asset) }
    guard named.allSatisfy({ (assets[$0]?.state ?? 2) < 2 }) else { throw .missing }
    guard named.allSatisfy({ assets[$0]?.state == 1 }) else { throw .shape }
    for asset in named {
      assets[asset]?.state = 2
      assets[asset]?.title = nil
      for list in lists.keys where list != Self.top && collections[list]?.isFolder == false {
        lists[list]?.removeAll { $0.object == asset }
      }
    }
  }

  private mutating func mark(_ asset: Int, isTrashed: Bool) {
    for (list, slots) in lists where collections[list]?.isFolder == false {
      if let i = slots.firstIndex(where: { $0.object == asset }) {
        lists[list]?[i].isTrashed = isTrashed
      }
    }
  }

  /// Selects the representative of a burst; asset numbers order assets by age.
  private mutating func resolveBurst(_ burst: Int, came: Set<Int>) {
    let members = assets.filter { $0.value.burst == burst && $0.value.state == 0 }.keys.sorted()
    let representative = members.first { assets[$0]?.represents == true && !came.contains($0) }
    func first(_ rule: (AssetState) -> Bool) -> Int? {
      members.first { assets[$0].map(rule) ?? false }
    }
    // If several assets are restored as representatives, the same order applies.
    let chosen =
      representative ?? first { $0.represents && $0.picks == [.userPick, .autoPick] }
      ?? first { $0.represents && $0.picks.contains(.userPick) }
      ?? first { $0.represents && $0.picks.contains(.autoPick) } ?? first { $0.represents }
      ?? first { $0.picks == [.userPick, .autoPick] } ?? first { $0.picks.contains(.userPick) }
      ?? first { $0.picks.contains(.autoPick) } ?? members.first
    for member in members { assets[member]?.represents = member == chosen }
  }
}
