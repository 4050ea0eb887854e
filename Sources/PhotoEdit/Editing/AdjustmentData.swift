// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// The record from which an edit can be reopened: who wrote it, in which format, and its bytes.
///
/// The library never looks into the bytes. An editor that knows the identifier and the version
/// does, and then gets the picture that the edit began with.
public struct AdjustmentData: Hashable, Sendable {
  /// Most bytes that `data` may have: 2 MiB.
  public static let maximumDataLength = 2 << 20
  /// Most bytes of the identifier and of the version, in UTF-8.
  public static let maximumNameLength = 1024

  /// Who understands the data, in reverse-DNS style.
  public let formatIdentifier: String
  /// The version of that format.
  public let formatVersion: String
  /// Whatever is needed to show and change the edit again.
  public let data: Data

  /// Makes a record.
  ///
  /// - Throws: `EditingError` with `changeNotSupported` when anything is empty or too large.
  public init(
    formatIdentifier: String, formatVersion: String, data: Data
  ) throws(EditingError) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
    try check()
  }

  /// A record that another program wrote by rules of its own.
  init(foreign identifier: String, _ version: String, _ data: Data) {
    formatIdentifier = identifier
    formatVersion = version
    self.data = data
  }

  func check() throws(EditingError) {
    for (name, text) in [("identifier", formatIdentifier), ("version", formatVersion)] {
      guard !text.isEmpty, text.utf8.count <= Self.maximumNameLength else {
        throw .invalidAdjustmentData(
          "the format \(name) has \(text.utf8.count) bytes; 1…\(Self.maximumNameLength) are allowed"
        )
      }
    }
    guard !data.isEmpty, data.count <= Self.maximumDataLength else {
      throw .invalidAdjustmentData(
        "the data has \(data.count) bytes; 1…\(Self.maximumDataLength) are allowed")
    }
  }
}
