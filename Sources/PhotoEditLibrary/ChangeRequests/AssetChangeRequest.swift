// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
import PhotoEditSQLite

/// A request to change the properties of an asset; its files are not changed.
///
/// Assets that are shared or synced are rejected with `requestNotSupportedForAsset`.
public final class AssetChangeRequest: ChangeOperation {
  let context: ChangeContext
  let identifier: LocalIdentifier
  /// A change of one column: the new value, or how it follows from the list so far.
  private enum Assignment {
    case value(DatabaseValue)
    case list(@Sendable ([String]) throws(LibraryError) -> String?)
  }

  private var assignments: [(column: String, change: Assignment)] = []

  init(_ identifier: LocalIdentifier, in context: ChangeContext) throws(LibraryError) {
    self.context = context
    self.identifier = identifier
    try context.add(self)
  }

  /// Sets the date when the photo was taken; nil if unknown.
  public func setCreationDate(_ date: Date?) throws(LibraryError) {
    try set("creationDate", .init(date?.timeIntervalSince1970))
  }

  /// Sets the date when the photo was taken, and the offset from UTC of the clock there.
  ///
  /// The offset determines the day of the photo and is exported with the date. Not in PhotoKit.
  ///
  /// - Parameter utcOffset: Seconds by which the clock was ahead of UTC.
  /// - Throws: `LibraryError` with `changeNotSupported` unless the offset is one of whole minutes
  ///   and less than 16 hours.
  public func setCreationDate(_ date: Date, utcOffset: Int) throws(LibraryError) {
    guard utcOffset % 60 == 0, abs(utcOffset) < 16 * 3600 else { throw .invalidOffset(utcOffset) }
    try setCreationDate(date)
    try set("utcOffset", .init(utcOffset))
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
  public func setTitle(_ title: String?) throws(LibraryError) { try set(\.title, to: title) }

  /// Sets the caption; nil removes it.
  ///
  /// Not in PhotoKit.
  public func setCaption(_ caption: String?) throws(LibraryError) {
    try set(\.caption, to: caption)
  }

  /// Sets a text by its key path, such as `\.title`; nil removes it.
  ///
  /// Not in PhotoKit.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for a property that a user cannot set, and
  ///   for a text that is too long.
  public func set(
    _ property: KeyPath<PhotoProperties, String?>, to text: String?
  ) throws(LibraryError) {
    try set(PhotoProperties.text(property, text).columns[0], .init(text))
  }

  // MARK: Keywords, rating and label

  /// Adds keywords; those that the asset already has are ignored.
  ///
  /// Levels of a hierarchy are separated by slashes, as in "Places/Portugal/Lisbon". Keywords are
  /// stored in Unicode normalization form C and without surrounding blanks. Not in PhotoKit.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for an empty keyword or one over 256 bytes;
  ///   the commit fails if the asset would have more than 200.
  public func addKeywords(_ keywords: some Sequence<String>) throws(LibraryError) {
    let items = try KeywordList(keywords).items
    try change("keywords", KeywordList.column) { current in
      current + items.map { KeywordPath.resolved($0, among: current) }
    }
  }

  /// Removes keywords, together with those below them in the hierarchy.
  ///
  /// Not in PhotoKit.
  public func removeKeywords(_ keywords: some Sequence<String>) throws(LibraryError) {
    let items = try KeywordList(keywords).items
    try change("keywords", KeywordList.column) { current in
      let items = items.map { KeywordPath.resolved($0, among: current) }
      return current.filter { keyword in
        !items.contains { keyword == $0 || keyword.hasPrefix($0 + "/") }
      }
    }
  }

  /// Replaces all keywords.
  ///
  /// Not in PhotoKit.
  public func setKeywords(_ keywords: some Sequence<String>) throws(LibraryError) {
    let items = try KeywordList(keywords).items
    try change("keywords", KeywordList.column) { current in
      items.map { KeywordPath.resolved($0, among: current) }
    }
  }

  /// Sets the rating: 1 to 5 stars, 0 for none, -1 for rejected.
  ///
  /// Not in PhotoKit.
  public func setRating(_ rating: Int) throws(LibraryError) {
    guard Asset.ratings.contains(rating) else { throw .invalidRating(rating) }
    try set("rating", .init(rating == 0 ? nil : rating))
  }

  /// Sets the color label; nil removes it.
  ///
  /// Not in PhotoKit.
  public func setLabel(_ label: Asset.Label?) throws(LibraryError) {
    try set("label", .init(label?.rawValue))
  }

  // MARK: People

  /// Adds the names of people; those that the asset already has are ignored.
  ///
  /// Names are stored in Unicode normalization form C and without surrounding blanks. Not in
  /// PhotoKit.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for an empty name or one over 256 bytes;
  ///   the commit fails if the asset would have more than 200.
  public func addPeople(_ names: some Sequence<String>) throws(LibraryError) {
    let items = try PeopleList(names).items
    try change("people", PeopleList.column) { $0 + items }
  }

  /// Removes the names of people; regions with these names remain.
  ///
  /// Not in PhotoKit.
  public func removePeople(_ names: some Sequence<String>) throws(LibraryError) {
    let items = try PeopleList(names).items
    try change("people", PeopleList.column) { $0.filter { !items.contains($0) } }
  }

  /// Replaces all names of people.
  ///
  /// Not in PhotoKit.
  public func setPeople(_ names: some Sequence<String>) throws(LibraryError) {
    let items = try PeopleList(names).items
    try change("people", PeopleList.column) { _ in items }
  }

  /// Changes a list of texts; the column is checked when the change is committed.
  private func change(
    _ name: String, _ column: @escaping @Sendable ([String]) throws(LibraryError) -> String?,
    _ change: @escaping @Sendable ([String]) -> [String]
  ) throws(LibraryError) {
    try context.checkOpen()
    let list = Assignment.list { items throws(LibraryError) in try column(change(items)) }
    assignments.append((name, list))
  }

  private func set(_ column: String, _ value: DatabaseValue) throws(LibraryError) {
    try context.checkOpen()
    assignments.append((column, .value(value)))
  }

  private func value(
    _ change: Assignment, of column: String, _ row: Int64, in database: LibraryDatabase
  ) throws(LibraryError) -> DatabaseValue {
    switch change {
    case .value(let value): return value
    case .list(let change):
      let text = try database.first("SELECT \(column) FROM asset WHERE id = ?", [.integer(row)]) {
        $0.optionalText(0)
      }
      return .init(try change(TextList(text ?? nil).items))
    }
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.willChange(identifier)
    guard let asset = try commit.asset(identifier), asset.state == .present else {
      throw .noObject("\(identifier)")
    }
    guard asset.isOwn || assignments.isEmpty else { throw .unchangeableAsset("\(identifier)") }
    let row = asset.row
    // Column names are constants of this type; values are bound. Equal values change nothing.
    let located = try commit.locatedPlace(of: row)
    var isChanged = false
    var fields: AssetFields = []
    for (column, change) in assignments {
      let value = try value(change, of: column, row, in: commit.database)
      let differs = try commit.database.first(
        "SELECT \(column) IS NOT ? FROM asset WHERE id = ?", [value, .integer(row)]
      ) { $0.bool(0) }
      guard differs == true else { continue }
      if !isChanged { try commit.touchAsset(row) }
      isChanged = true
      fields.formUnion(PhotoProperties.field(ofColumn: column))
      try commit.database.run(
        "UPDATE asset SET \(column) = ? WHERE id = ?", [value, .integer(row)])
    }
    if isChanged {
      try commit.updatePlace(of: row, from: located)
      try commit.note(fields, setIn: row)
    }
  }
}

extension ChangeTransaction {
  /// Records which properties of an asset the user has set in this commit.
  func note(_ fields: AssetFields, setIn row: Int64) throws(LibraryError) {
    try database.run(
      """
      UPDATE asset SET modificationDate = ?, userFields = coalesce(userFields, 0) | ?
      WHERE id = ?
      """, [.real(date), .init(fields.rawValue), .integer(row)])
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
