// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSQLite
import PhotoEditPlatform
import PhotoEditStorage

/// The forms of text in which SQL and Swift search; the SQL functions have the same names.
package enum TextForm: Int32, Sendable {
  /// Text for a full-text index.
  ///
  /// Letters that people type in several forms have one: "ё" is "е", forms of alif are "ا",
  /// fullwidth Latin letters are ASCII, and halfwidth katakana are those of full width.
  /// Letters that Unicode does not decompose are spelled out, such as "ß" as "ss". The characters of
  /// scripts without spaces between words, such as Chinese, Japanese, Korean and Thai, are separated
  /// by spaces.
  case searchable = 0
  /// Text in lower case, without diacritics, and with the same letters as `searchable`; everything
  /// else is unchanged.
  case folded = 1
  /// The words of a text as a full-text index has them, separated by single spaces.
  case words = 2

  package func callAsFunction(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        Self.tokenizer.withLock { tokenizer in
          var count: Int32 = 0
          guard let handle = tokenizer.handle, let base = bytes.baseAddress,
            let result = pe_text_convert(
              handle, rawValue, base, Int32(clamping: bytes.count), &count)
          else { return "" }
          defer { free(result) }
          return result.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
            String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
          }
        }
      }
    }
  }

  private struct Tokenizer {
    let handle = pe_text_create()
  }

  /// The tokenizer of this process, used by one thread at a time.
  private static let tokenizer = LockedValue(Tokenizer())
}
