// SPDX-License-Identifier: Apache-2.0

// A slash or space and a following combining mark are one Swift character, but two for file systems,
// SQLite, and other programs; these functions take scalars.
extension StringProtocol {
  /// Returns the parts between occurrences of a scalar.
  package func parts(
    at separator: Unicode.Scalar, omittingEmptyParts omitsEmpty: Bool = true
  ) -> [String] {
    unicodeScalars.split(
      omittingEmptySubsequences: omitsEmpty, whereSeparator: { $0 == separator }
    ).map { String(String.UnicodeScalarView($0)) }
  }

  /// Returns whether a scalar occurs.
  package func has(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }

  /// Returns the string with another scalar instead of each occurrence of one.
  package func replacing(scalar: Unicode.Scalar, with other: Unicode.Scalar) -> String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0 == scalar ? other : $0 }))
  }
}
