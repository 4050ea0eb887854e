// SPDX-License-Identifier: Apache-2.0

/// Lookup of objects by an identifier, by a unique prefix, or by a title.
extension PhotoLibrary {
  func asset(named name: String) throws(CommandFailure) -> Asset {
    let found = try inLibrary(identifiers(.asset, startingWith: name))
    guard found.count < 2 else { throw .ambiguous(name, found) }
    if found.isEmpty,
      try !inLibrary(identifiers(.asset, startingWith: name, isInTrash: true)).isEmpty
    {
      throw CommandFailure(
        .inputMissing, "\(name): is in the trash",
        hint: "restore it with 'photoedit asset restore'", code: "identifierNotFound")
    }
    guard let asset = try inLibrary(fetchAssets(withLocalIdentifiers: found).first) else {
      throw .noMatch(name, "asset", hint: "list them with 'photoedit asset list'")
    }
    return asset
  }

  func assets(named names: [String]) throws(CommandFailure) -> [Asset] {
    try names.map { name throws(CommandFailure) in try asset(named: name) }
  }

  /// Returns the named album; an exact title is accepted if only one album has it.
  func album(named name: String) throws(CommandFailure) -> AssetCollection {
    switch try collection(named: name) {
    case .assets(let album): return album
    case .list: throw .wrongKind(name, "a folder, not an album")
    }
  }

  /// Returns the named folder; an exact title is accepted if only one folder has it.
  func folder(named name: String) throws(CommandFailure) -> CollectionList {
    switch try collection(named: name) {
    case .list(let folder): return folder
    case .assets: throw .wrongKind(name, "an album, not a folder")
    }
  }

  func collection(named name: String) throws(CommandFailure) -> PhotoCollection {
    let everything = try translating({ CommandFailure($0) }) { () throws(LibraryError) in
      let albums = try fetchAssetCollections(with: .album).map { PhotoCollection.assets($0) }
      return albums + (try fetchCollectionLists(with: .folder).map { PhotoCollection.list($0) })
    }
    let titled = everything.filter { $0.localizedTitle.map { isSame($0, name) } ?? false }
    if titled.count == 1 { return titled[0] }
    let named = everything.filter { hasPrefix($0.localIdentifier, name) }
    if named.count == 1 { return named[0] }
    let several = titled.isEmpty ? named : titled
    guard several.isEmpty else {
      throw .ambiguous(name, several.map(\.localIdentifier))
    }
    throw .noMatch(
      name, "album or folder",
      hint: "list them with 'photoedit album list' and 'photoedit folder list'")
  }

  func trashedAssets(named names: [String]) throws(CommandFailure) -> [Asset] {
    let trash = try inLibrary(fetchTrashedAssets())
    return try names.map { name throws(CommandFailure) in
      let found = try inLibrary(identifiers(.asset, startingWith: name, isInTrash: true))
      guard found.count < 2 else { throw .ambiguous(name, found) }
      guard let asset = trash.first(where: { $0.localIdentifier == found.first }) else {
        throw .noMatch(
          name, "trashed asset", hint: "list them with 'photoedit asset list --trashed'")
      }
      return asset
    }
  }

  /// Returns whether two titles have the same bytes, without Unicode normalization.
  private func isSame(_ first: String, _ second: String) -> Bool {
    first.utf8.elementsEqual(second.utf8)
  }

  private func hasPrefix(_ identifier: String, _ prefix: String) -> Bool {
    !prefix.isEmpty && identifier.lowercased().hasPrefix(prefix.lowercased())
  }
}

extension CommandFailure {
  fileprivate static func noMatch(
    _ name: String, _ what: String, hint: String
  ) -> CommandFailure {
    CommandFailure(
      .inputMissing, "\(name): no such \(what)", hint: hint,
      code: "identifierNotFound")
  }

  fileprivate static func wrongKind(_ name: String, _ kinds: String) -> CommandFailure {
    CommandFailure(.inputMissing, "\(name): is \(kinds)", code: "identifierNotFound")
  }

  fileprivate static func ambiguous(_ name: String, _ found: [String]) -> CommandFailure {
    CommandFailure(
      .inputMissing, "'\(name)' matches several items: \(found.prefix(3).joined(separator: ", "))",
      hint: "use a longer identifier prefix", code: "multipleIdentifiersFound")
  }
}
