// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

/// A list of texts in one column, one per line, sorted.
struct TextList {
  let items: [String]

  init(_ items: [String]) { self.items = items }

  /// Reads a column.
  init(_ column: String?) {
    items = column?.split(separator: "\n").map { String($0) } ?? []
  }

  /// The value of the column; nil for an empty list.
  var text: String? { items.isEmpty ? nil : items.joined(separator: "\n") }
}

/// The keywords of a request, checked against the limits.
struct KeywordList {
  let items: [String]

  /// - Throws: `LibraryError` with `changeNotSupported` for a keyword that cannot be stored.
  init(_ keywords: some Sequence<String>) throws(LibraryError) {
    var items: [String] = []
    for keyword in keywords {
      guard let stored = KeywordPath.normalized(keyword) else { throw .invalidKeyword(keyword) }
      items.append(stored)
    }
    self.items = items
  }

  /// Returns the stored column after a change.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for more keywords than one asset may have.
  static func column(_ keywords: [String]) throws(LibraryError) -> String? {
    guard Set(keywords).count <= KeywordPath.maximumCount else {
      throw .manyKeywords(Set(keywords).count)
    }
    return TextList(KeywordPath.set(keywords)).text
  }
}

/// The names of people of a request, checked against the limits.
struct PeopleList {
  let items: [String]

  /// - Throws: `LibraryError` with `changeNotSupported` for a name that cannot be stored.
  init(_ names: some Sequence<String>) throws(LibraryError) {
    var items: [String] = []
    for name in names {
      guard let stored = PhotoTags.name(name) else { throw .invalidPerson(name) }
      items.append(stored)
    }
    self.items = items
  }

  /// Returns the stored column after a change.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for more names than one asset may have.
  static func column(_ names: [String]) throws(LibraryError) -> String? {
    guard Set(names).count <= KeywordPath.maximumCount else {
      throw LibraryError(
        .changeNotSupported,
        "\(Set(names).count) people for one asset; at most \(KeywordPath.maximumCount) are allowed",
        hint: "remove some")
    }
    return TextList(PhotoTags.names(names)).text
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

  static func manyKeywords(_ count: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "\(count) keywords for one asset; at most \(KeywordPath.maximumCount) are allowed",
      hint: "remove some")
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
}
