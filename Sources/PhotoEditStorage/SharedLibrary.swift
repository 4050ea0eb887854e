// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// A shared library that is opened when the first file needs it.
package enum SharedLibrary {
  /// Why a library cannot be opened; nil when it could be, and then it stays open.
  package static func refusal(of name: String) -> String? {
    var message = [CChar](repeating: 0, count: Int(PE_LIBRARY_MESSAGE_CAPACITY))
    guard pe_library_open(name, nil, 0, &message) != 0 else { return nil }
    return String(
      decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
