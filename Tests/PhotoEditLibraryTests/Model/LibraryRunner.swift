// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// Applies the model's requests to a library, alternating between two library objects.
final class LibraryRunner {
  let folder: TestLibrary
  private let libraries: [PhotoLibrary]
  private var rotation = 0
  private var identifiers: [Int: LocalIdentifier] = [:]
  private var assets: [Int64: Int] = [:]
  private var collections: [Int64: Int] = [:]
  private var rows: [Int: Int64] = [:]

  init() throws {
    folder = try TestLibrary()
    libraries = [
      folder.library,
      try PhotoLibrary(at: folder.library.url, configuration: folder.library.configuration),
    ]
  }

  func view(at version: Int64?) throws -> LibraryView {
    try folder.library.read { database throws(LibraryError) in
      try LibraryView(database, assets: assets, collections: collections, at: version)
    }
  }

  /// Runs a block; returns the error if it was rejected.
  func carryOut(_ block: [ModelRequest]) throws -> LibraryError? {
    rotation += 1
    do {
      try libraries[rotation % 2].performChangesAndWait { changes in
        for request in block { try record(request, in: changes) }
      }
    } catch let error as LibraryError {
      return error
    }
    for case .addAsset(let number, _) in block {
      try learn(number, "asset") { assets[$0] = number }
    }
    for case .create(let number, _, _, _) in block {
      try learn(number, "collection") { collections[$0] = number }
    }
    return nil
  }

  private func learn(_ number: Int, _ table: String, _ keep: (Int64) -> Void) throws {
    let bytes = identifiers[number]?.bytes ?? []
    let row = try folder.number("SELECT id FROM \(table) WHERE uuid = ?", [.blob(bytes)])
    rows[number] = row
    keep(row)
  }

  /// The identifier of an object; number 0 stands for one that never existed.
  private func identifier(
    _ number: Int, _ objectClass: ObjectClass = .asset
  ) throws -> LocalIdentifier {
    number == 0 ? LocalIdentifier(new: objectClass) : try #require(identifiers[number])
  }

  private func placeholders(_ numbers: [Int]) throws -> [ObjectPlaceholder] {
    try numbers.map { ObjectPlaceholder(try identifier($0)) }
  }

  private func record(_ request: ModelRequest, in changes: ChangeContext) throws {
    switch request {
    case .addAsset(let number, let state):
      var record = PhotoProperties(
        originalFilename: "\(number)", addedAt: folder.library.configuration.clock())
      record.creationDate = Date(timeIntervalSince1970: Double(number))
      record.burstIdentifier = state.burst.map { "\($0)" }
      record.burstSelectionTypes = state.picks
      record.representsBurst = state.represents
      let insertion = RowInsertion([record])
      identifiers[number] = insertion.identifiers[0]
      try changes.add(insertion)
    case .setFavorite(let asset, let value):
      try AssetChangeRequest(identifier(asset), in: changes).setFavorite(value)
    case .setHidden(let asset, let value):
      try AssetChangeRequest(identifier(asset), in: changes).setHidden(value)
    case .setAssetTitle(let asset, let title):
      try AssetChangeRequest(identifier(asset), in: changes).setTitle(title)
    case .trash(let named): try changes.add(AssetDeletion(named.map { try identifier($0) }))
    case .restore(let named): try changes.add(AssetRestoration(named.map { try identifier($0) }))
    case .purge(let named): try changes.add(AssetPurge(named.map { try identifier($0) }))
    case .create(let number, let isFolder, let title, let edits):
      if isFolder {
        let list = try changes.createFolder(title: title)
        identifiers[number] = list.placeholder?.identifier
        for edit in edits { try record(edit, in: list) }
      } else {
        let album = try changes.createAlbum(title: title)
        identifiers[number] = album.placeholder.identifier
        for edit in edits { try record(edit, in: album) }
      }
    case .rename(let object, let title):
      try changes.add(CollectionTitle(title, of: identifier(object, .assetCollection)))
    case .deleteCollections(let named):
      try changes.add(CollectionDeletion(named.map { try identifier($0, .assetCollection) }))
    case .edit(let list, let seen, let edits):
      let order = MirroredOrder(
        try seen.map { seen in ChunkedRowList(try seen.map { try #require(rows[$0]) }) })
      let name =
        list == LibraryModel.top ? nil : ObjectPlaceholder(try identifier(list, .assetCollection))
      if let name, name.identifier.objectClass == .assetCollection {
        let request = AssetCollectionChangeRequest(name, order, in: changes)
        for edit in edits { try record(edit, in: request) }
      } else {
        let request = CollectionListChangeRequest(name, order, in: changes)
        for edit in edits { try record(edit, in: request) }
      }
    case .fail: try changes.add(AssetDeletion([LocalIdentifier(new: .asset)]))
    }
  }

  private func record(_ edit: ModelEdit, in request: AssetCollectionChangeRequest) throws {
    switch edit {
    case .append(let new): try request.addAssets(placeholders(new))
    case .insert(let new, let indexes): try request.insertAssets(placeholders(new), at: indexes)
    case .remove(let old): try request.removeAssets(placeholders(old))
    case .removeAt(let indexes): try request.removeAssets(at: indexes)
    case .replace(let indexes, let new):
      try request.replaceAssets(at: indexes, with: placeholders(new))
    case .move(let indexes, let target): try request.moveAssets(at: indexes, to: target)
    }
  }

  private func record(_ edit: ModelEdit, in request: CollectionListChangeRequest) throws {
    switch edit {
    case .append(let new): try request.addChildCollections(placeholders(new))
    case .insert(let new, let indexes):
      try request.insertChildCollections(placeholders(new), at: indexes)
    case .remove(let old): try request.removeChildCollections(placeholders(old))
    case .removeAt(let indexes): try request.removeChildCollections(at: indexes)
    case .replace(let indexes, let new):
      try request.replaceChildCollections(at: indexes, with: placeholders(new))
    case .move(let indexes, let target):
      try request.moveChildCollections(at: indexes, to: target)
    }
  }
}
