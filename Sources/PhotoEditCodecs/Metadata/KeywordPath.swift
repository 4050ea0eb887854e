// SPDX-License-Identifier: Apache-2.0
// Swift's own normalization; Foundation's is not in FoundationEssentials.
@_spi(_Unicode) import Swift

/// The rules for keywords: names from the most general to the most specific, joined by slashes.
package enum KeywordPath {
  /// The maximum number of keywords of one photo.
  package static let maximumCount = 200
  /// The maximum length of a keyword in UTF-8 bytes.
  package static let maximumBytes = 256
  /// The maximum number of levels.
  package static let maximumDepth = 16

  /// Returns a keyword as stored: in Unicode normalization form C, with trimmed levels and without
  /// empty ones; nil if nothing is left or a limit is exceeded.
  package static func normalized(_ text: String, separator: Character = "/") -> String? {
    guard text.utf8.count <= maximumBytes * 4 else { return nil }
    let composed = String(String.UnicodeScalarView(text._nfc))
    let levels = composed.split { $0 == separator || $0 == "/" }
      .compactMap { MetadataText.clean(String($0)) }
    let path = levels.joined(separator: "/")
    guard (1...maximumDepth).contains(levels.count), path.utf8.count <= maximumBytes else {
      return nil
    }
    return path
  }

  /// Returns different keywords sorted by their bytes; those beyond the limit are omitted.
  package static func set(_ keywords: some Sequence<String>) -> [String] {
    var seen: Set<[UInt8]> = []
    return keywords.filter { seen.insert(Array($0.utf8)).inserted }.prefix(maximumCount)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the texts by which a search finds a keyword: every run of its levels.
  ///
  /// "Places/Portugal/Lisbon" is found as itself, by its parents "Places" and "Places/Portugal", and
  /// by "Portugal", "Lisbon" and "Portugal/Lisbon".
  package static func searchTerms(_ keyword: String) -> [String] {
    let levels = keyword.split(separator: "/").prefix(maximumDepth)
    return levels.indices.flatMap { start in
      (start..<levels.endIndex).map { levels[start...$0].joined(separator: "/") }
    }
  }

  /// Returns the last level.
  package static func name(_ keyword: String) -> String {
    keyword.split(separator: "/").last.map { String($0) } ?? keyword
  }
}
