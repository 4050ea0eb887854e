// SPDX-License-Identifier: Apache-2.0

/// A path or a name of a file as an element of a set or a key of a dictionary.
///
/// Names of files are bytes. Swift's texts are equal if they look the same: "é" as one code point
/// and as "e" with an accent are one text, but two files.
package struct PathKey: Hashable, Sendable {
  /// The path.
  package let path: String

  /// Creates a key.
  package init(_ path: String) { self.path = path }

  package static func == (first: Self, second: Self) -> Bool {
    first.path.utf8.elementsEqual(second.path.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Hashing all bytes at once would need a copy of most texts.
    for byte in path.utf8 { hasher.combine(byte) }
  }
}
