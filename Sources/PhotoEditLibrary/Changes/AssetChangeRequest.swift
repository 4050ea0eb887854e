// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite

/// A request to change the properties of an asset; its files are not changed.
///
/// Assets that are shared or synced are rejected with `requestNotSupportedForAsset`.
public final class AssetChangeRequest: ChangeOperation {
  let context: ChangeContext
  let identifier: LocalIdentifier
  private var assignments: [(column: String, value: DatabaseValue)] = []

  init(_ identifier: LocalIdentifier, in context: ChangeContext) throws(LibraryError) {
    self.context = context
    self.identifier = identifier
    try context.add(self)
  }

  /// Sets the date when the photo was taken; nil if unknown.
  public func setCreationDate(_ date: Date?) throws(LibraryError) {
    try set("creationDate", .init(date?.timeIntervalSince1970))
  }

  /// Sets the location where the photo was taken; nil if unknown.
  public func setLocation(_ location: LocationCoordinate?) throws(LibraryError) {
    try set("latitude", .init(location?.latitude))
    try set("longitude", .init(location?.longitude))
    try set("altitude", .init(location?.altitude))
  }

  /// Marks or unmarks the asset as a favorite.
  public func setFavorite(_ isFavorite: Bool) throws(LibraryError) {
    try set("isFavorite", .init(isFavorite))
  }

  /// Hides the asset from moments and default fetches, or shows it again.
  public func setHidden(_ isHidden: Bool) throws(LibraryError) {
    try set("isHidden", .init(isHidden))
  }

  /// Sets the title; nil removes it.
  ///
  /// Not in PhotoKit.
  public func setTitle(_ title: String?) throws(LibraryError) {
    try ObjectText.check(title, "title")
    try set("title", .init(title))
  }

  /// Sets the caption; nil removes it.
  ///
  /// Not in PhotoKit.
  public func setCaption(_ caption: String?) throws(LibraryError) {
    try ObjectText.check(caption, "caption")
    try set("caption", .init(caption))
  }

  private func set(_ column: String, _ value: DatabaseValue) throws(LibraryError) {
    try context.checkOpen()
    assignments.append((column, value))
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.willChange(identifier)
    guard let asset = try commit.asset(identifier), asset.state == .present else {
      throw .noObject("\(identifier)")
    }
    guard asset.isOwn || assignments.isEmpty else { throw .unchangeableAsset("\(identifier)") }
    let row = asset.row
    // Column names are constants of this type; values are bound. Equal values change nothing.
    var isChanged = false
    for (column, value) in assignments {
      let differs = try commit.database.first(
        "SELECT \(column) IS NOT ? FROM asset WHERE id = ?", [value, .integer(row)]
      ) { $0.bool(0) }
      guard differs == true else { continue }
      if !isChanged { try commit.touchAsset(row) }
      isChanged = true
      try commit.database.run(
        "UPDATE asset SET \(column) = ? WHERE id = ?", [value, .integer(row)])
    }
    if isChanged {
      try commit.database.run(
        "UPDATE asset SET modificationDate = ? WHERE id = ?",
        [.real(commit.date), .integer(row)])
    }
  }
}

extension ChangeContext {
  /// Creates a request to change the properties of an asset.
  public func change(_ asset: Asset) throws(LibraryError) -> AssetChangeRequest {
    guard let identifier = LocalIdentifier(asset.localIdentifier, as: .asset) else {
      throw .otherLibrary(asset.localIdentifier)
    }
    return try AssetChangeRequest(identifier, in: self)
  }
}
