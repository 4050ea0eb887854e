// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// A shared library that is opened when first needed.
package enum SharedLibrary {
  /// Opens a library permanently; returns the reason if that fails, otherwise nil.
  package static func refusal(of name: String) -> String? {
    var message = [CChar](repeating: 0, count: Int(PE_LIBRARY_MESSAGE_CAPACITY))
    guard pe_library_open(name, nil, 0, &message) != 0 else { return nil }
    return String(
      decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
