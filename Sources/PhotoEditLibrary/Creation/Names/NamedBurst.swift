// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The burst of a photo according to its file name, as in the table of `NameScheme`.
struct NamedBurst: Sendable, Hashable {
  /// The part of the name that the photos of the burst share; once it is assigned, with an ending
  /// that distinguishes the burst from those of other folders and cameras.
  var identifier: String
  /// Indicates whether the name marks the best photo of the burst.
  let isCover: Bool
  /// Indicates whether the name consists of numbers, as those of scanned pages do.
  let hasOnlyNumbers: Bool

  /// Reads a file name; nil for any other form.
  init?(_ filename: String) {
    let stem = FileSystem.splitName(filename).stem
    guard let identifier = NameScheme.burst(stem) else { return nil }
    self.identifier = identifier
    isCover = stem.uppercased().hasSuffix("COVER")
    hasOnlyNumbers = stem.allSatisfy { !$0.isLetter }
  }
}
