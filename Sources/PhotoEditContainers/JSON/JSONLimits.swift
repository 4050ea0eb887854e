// SPDX-License-Identifier: Apache-2.0

/// The limits for a JSON text that is read or written; each bound is inclusive.
package struct JSONLimits: Hashable, Sendable {
  /// UTF-8 bytes of the entire text.
  package let maximumBytes: Int
  /// Nesting depth of arrays and objects; a single number has depth 0.
  package let maximumDepth: Int
  /// UTF-8 bytes of one string or name after its escapes are decoded.
  package let maximumStringBytes: Int
  /// Elements of one array.
  package let maximumArrayCount: Int
  /// Members of one object.
  package let maximumObjectCount: Int

  /// The upper bound for `maximumDepth`, because reading and writing recurse once per level.
  package static let deepest = 256

  /// Creates limits; the defaults are those of a filter graph.
  ///
  /// - Parameter maximumDepth: Values above ``deepest`` mean ``deepest``.
  package init(
    maximumBytes: Int = 2 << 20,
    maximumDepth: Int = 32,
    maximumStringBytes: Int = 64 << 10,
    maximumArrayCount: Int = 100_000,
    maximumObjectCount: Int = 10_000
  ) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = min(maximumDepth, Self.deepest)
    self.maximumStringBytes = maximumStringBytes
    self.maximumArrayCount = maximumArrayCount
    self.maximumObjectCount = maximumObjectCount
  }
}
