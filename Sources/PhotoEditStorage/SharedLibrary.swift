// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// A shared library that is opened when first needed.
package enum SharedLibrary {
  /// Returns the Debian package of a library: "libavformat59" of "libavformat.so.59".
  package static func debianPackage(of name: String) -> String {
    name.split(separator: ".so.").joined()
  }

  /// Returns the facts of the failure for a library that is not installed.
  package static func missing(_ name: String) -> FailureFacts {
    FailureFacts(
      .unavailable, "libraryMissing", hint: "run 'apt-get install \(debianPackage(of: name))'")
  }

  /// Opens a library permanently; returns the reason if that fails, otherwise nil.
  package static func refusal(of name: String) -> String? {
    var message = [CChar](repeating: 0, count: Int(PE_LIBRARY_MESSAGE_CAPACITY))
    guard pe_library_open(name, nil, 0, &message) != 0 else { return nil }
    return String(untilZero: message)
  }
}
