// SPDX-License-Identifier: Apache-2.0

/// The source of a property of a photo, in ascending order of precedence.
package enum Provenance: Int, Comparable, Hashable, Sendable {
  /// A file beside a photo that takes precedence over it on request.
  case supplement
  /// A file in which another program describes photos, and which only supplies what they lack.
  case description
  /// The metadata in the file itself.
  case file
  /// An XMP file of another program.
  case packet
  /// The library of another program.
  case library
  /// An XMP file of photoedit.
  case own
  /// All files of an asset together.
  case files
  /// The user, in the library.
  case user

  package static func < (first: Provenance, second: Provenance) -> Bool {
    first.rawValue < second.rawValue
  }

  /// Returns whether the value of this source replaces that of another one.
  ///
  /// The value of the higher source holds, and of the same source the later one. A lower source
  /// supplies a value that is missing, unless the user removed it.
  ///
  /// - Parameters:
  ///   - isStated: Whether this source has a value.
  ///   - isComplete: Whether this source states every value, so that a missing one counts as well.
  ///   - isKnown: Whether the other source has a value.
  package func replaces(
    _ other: Provenance, isStated: Bool, isComplete: Bool, isKnown: Bool
  ) -> Bool {
    self >= other ? isStated || isComplete : isStated && !isKnown && other != .user
  }
}
