// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditLibrary

/// A change of a list in the model.
enum ModelEdit: Equatable {
  case append([Int])
  case insert([Int], at: [Int])
  case remove([Int])
  case removeAt([Int])
  case replace(at: [Int], with: [Int])
  case move([Int], to: Int)

  var insertions: [Int] {
    switch self {
    case .append(let all), .insert(let all, _), .replace(_, let all): all
    case .remove, .removeAt, .move: []
    }
  }

  func checkShape() throws(LibraryModel.Refusal) {
    switch self {
    case .append, .remove: break
    case .removeAt(let indexes), .move(let indexes, _):
      guard indexes == Set(indexes).sorted() else { throw .shape }
    case .insert(let objects, let indexes), .replace(let indexes, let objects):
      guard indexes == Set(indexes).sorted(), objects.count == indexes.count,
        Set(objects).count == objects.count
      else { throw .shape }
    }
  }

  func checkRange(_ count: Int) throws(LibraryModel.Refusal) {
    switch self {
    case .append, .remove: break
    case .insert(_, let indexes):
      for (i, index) in indexes.enumerated() where index < 0 || index > count + i { throw .shape }
    case .removeAt(let indexes), .replace(let indexes, _):
      for index in indexes where index < 0 || index >= count { throw .shape }
    case .move(let indexes, let target):
      for index in indexes where index < 0 || index >= count { throw .shape }
      guard target >= 0, target <= count - indexes.count else { throw .shape }
    }
  }
}

/// A request of a change block in the model.
enum ModelRequest: Equatable {
  case addAsset(Int, LibraryModel.AssetState)
  case setFavorite(Int, Bool)
  case setHidden(Int, Bool)
  case setAssetTitle(Int, String?)
  case trash([Int])
  case restore([Int])
  case purge([Int])
  case create(Int, isFolder: Bool, title: String, [ModelEdit])
  case rename(Int, String)
  case deleteCollections([Int])
  case edit(Int, seen: [Int]?, [ModelEdit])
  /// Adds an asset that does not exist.
  case fail

  func checkShape() throws(LibraryModel.Refusal) {
    switch self {
    case .create(_, _, _, let edits), .edit(_, _, let edits):
      for edit in edits { try edit.checkShape() }
    default: break
    }
  }

  /// The number of operations.
  var count: Int {
    switch self {
    case .create(_, _, _, let edits): 1 + edits.count
    case .edit(_, _, let edits): edits.count
    default: 1
    }
  }
}
