// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

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

  /// Truncates a text from a file to the limit, at a character boundary; the file keeps all of it.
  static func fitting(_ text: String?) -> String? {
    guard let text, text.utf8.count > maximumBytes else { return text }
    var rest = maximumBytes
    return String(
      text.prefix {
        rest -= $0.utf8.count
        return rest >= 0
      })
  }
}

extension LibraryError {
  static func longText(_ name: String, bytes: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the \(name) has \(bytes) bytes of UTF-8 (maximum: \(ObjectText.maximumBytes))",
      hint: "shorten it")
  }
}
