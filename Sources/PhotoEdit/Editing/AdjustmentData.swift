// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// The data from which an edit can be reopened: its format, its version, and its bytes.
///
/// The library never interprets the bytes. An editor that supports the identifier and the version
/// interprets them and receives the image that the edit was based on.
public struct AdjustmentData: Hashable, Sendable {
  /// The maximum size of `data` in bytes: 2 MiB.
  public static let maximumDataLength = 2 << 20
  /// The maximum size of the identifier and of the version, each in bytes of UTF-8.
  public static let maximumNameLength = 1024

  /// The identifier of the data format, in reverse-DNS notation.
  public let formatIdentifier: String
  /// The version of the data format.
  public let formatVersion: String
  /// The information needed to display the edit and to change it.
  public let data: Data

  /// Creates adjustment data.
  ///
  /// - Throws: `EditingError` with `changeNotSupported` if an argument is empty or too large.
  public init(
    formatIdentifier: String, formatVersion: String, data: Data
  ) throws(EditingError) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
    try check()
  }

  /// Creates adjustment data from a third-party record, which follows its own rules.
  init(thirdParty identifier: String, _ version: String, _ data: Data) {
    formatIdentifier = identifier
    formatVersion = version
    self.data = data
  }

  func check() throws(EditingError) {
    for (name, text) in [("identifier", formatIdentifier), ("version", formatVersion)] {
      guard !text.isEmpty, text.utf8.count <= Self.maximumNameLength else {
        throw .invalidAdjustmentData(
          "format \(name) '\(text.prefix(40))' has \(text.utf8.count) bytes "
            + "(allowed: 1–\(Self.maximumNameLength))"
        )
      }
    }
    guard !data.isEmpty, data.count <= Self.maximumDataLength else {
      throw .invalidAdjustmentData(
        "the data has \(data.count) bytes (allowed: 1–\(Self.maximumDataLength))")
    }
  }
}
