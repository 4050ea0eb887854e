// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// The rule for titles and captions: what is stored can be listed, in JSON and in manifests.
enum ObjectText {
  /// UTF-8 bytes of one title or caption at most.
  static let maximumBytes = JSONLimits().maximumStringBytes

  /// Refuses a text that is longer than can be listed.
  ///
  /// - Parameter name: What the text is, such as "title".
  static func check(_ text: String?, _ name: String) throws(LibraryError) {
    let count = text?.utf8.count ?? 0
    guard count <= maximumBytes else { throw .longText(name, bytes: count) }
  }

  /// As much of a text from a file as can be listed, in whole characters; the file keeps all of it.
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
      "the \(name) has \(bytes) bytes of UTF-8; at most \(ObjectText.maximumBytes) can be listed",
      hint: "shorten it")
  }
}
