// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters

/// A list of texts in one column, one per line, sorted.
struct TextList {
  let items: [String]

  init(_ items: [String]) { self.items = items }

  init(_ column: String?) {
    items = column?.split(separator: "\n").map { String($0) } ?? []
  }

  /// The value of the column; nil for an empty list.
  var text: String? { items.isEmpty ? nil : items.joined(separator: "\n") }

  /// Returns the list if an asset may have that many texts.
  fileprivate func checked(_ count: Int, _ noun: String) throws(LibraryError) -> Self {
    guard count <= KeywordPath.maximumCount else {
      throw LibraryError(
        .changeNotSupported,
        "\(count) \(noun) for one asset; at most \(KeywordPath.maximumCount) are allowed",
        hint: "remove some")
    }
    return self
  }
}

/// The keywords of a request, checked against the limits.
struct KeywordList {
  let items: [String]

  /// - Throws: `LibraryError` with `changeNotSupported` for a keyword that cannot be stored.
  init(_ keywords: some Sequence<String>) throws(LibraryError) {
    items = try keywords.map { keyword throws(LibraryError) in
      guard let stored = KeywordPath.normalized(keyword) else { throw .invalidKeyword(keyword) }
      return stored
    }
  }

  /// Returns the stored column after a change.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for more keywords than one asset may have.
  static func column(_ keywords: [String]) throws(LibraryError) -> String? {
    try TextList(KeywordPath.set(keywords)).checked(Set(keywords).count, "keywords").text
  }
}

/// The names of people of a request, checked against the limits.
struct PeopleList {
  let items: [String]

  /// - Throws: `LibraryError` with `changeNotSupported` for a name that cannot be stored.
  init(_ names: some Sequence<String>) throws(LibraryError) {
    items = try names.map { name throws(LibraryError) in
      guard let stored = PhotoTags.name(name) else { throw .invalidPerson(name) }
      return stored
    }
  }

  /// Returns the stored column after a change.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for more names than one asset may have.
  static func column(_ names: [String]) throws(LibraryError) -> String? {
    try TextList(PhotoTags.names(names)).checked(Set(names).count, "people").text
  }
}

extension LibraryError {
  fileprivate static func invalidPerson(_ name: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "invalid name \"\(name.prefix(40))\": found \(name.utf8.count) bytes; allowed are 1 to "
        + "\(KeywordPath.maximumBytes) bytes",
      hint: "shorten it")
  }

  static func invalidKeyword(_ keyword: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "invalid keyword \"\(keyword.prefix(40))\": found \(keyword.utf8.count) bytes; allowed are 1 to "
        + "\(KeywordPath.maximumBytes) bytes and \(KeywordPath.maximumDepth) levels",
      hint: "shorten it")
  }

  static func invalidOffset(_ offset: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "offset of \(offset) s from UTC is out of range",
      hint: "use whole minutes of less than 16 hours, such as +09:00")
  }

  static func invalidRating(_ rating: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "rating \(rating) is out of range; allowed are -1 (rejected) to 5",
      hint: "use 0 for no rating")
  }

  static func longText(_ name: String, bytes: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the \(name) has \(bytes) bytes of UTF-8 (maximum: \(ObjectText.maximumBytes))",
      hint: "shorten it")
  }
}

/// The limits of titles and captions, which ensure that stored texts fit into JSON and manifests.
enum ObjectText {
  /// The maximum length of a title or caption in UTF-8 bytes.
  static let maximumBytes = JSONLimits().maximumStringBytes

  /// Throws for a text that exceeds the limit.
  ///
  /// - Parameter name: The name of the property, such as "title".
  static func check(_ text: String?, _ name: String) throws(LibraryError) {
    let count = text?.utf8.count ?? 0
    guard count <= maximumBytes else { throw .longText(name, bytes: count) }
  }

  /// Truncates a text that exceeds the limit, at a character boundary; nil for one that does not.
  static func shortened(_ text: String) -> String? {
    guard text.utf8.count > maximumBytes else { return nil }
    var rest = maximumBytes
    return String(
      text.prefix {
        rest -= $0.utf8.count
        return rest >= 0
      })
  }
}
