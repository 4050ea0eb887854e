// SPDX-License-Identifier: Apache-2.0

/// The precedence between the metadata of a photo and of the XMP or JSON file that describes it.
public enum MetadataPrecedence: String, Sendable, Hashable, CaseIterable {
  /// XMP takes precedence over the photo.
  ///
  /// JSON of Google Takeout only supplies what the photo lacks, and replaces a date without an
  /// offset from UTC that differs by more than 24 hours.
  case automatic
  /// The XMP or JSON file takes precedence.
  case sidecar
  /// The photo takes precedence.
  case file
}
