// SPDX-License-Identifier: Apache-2.0

/// A placeholder for an object that a block creates; valid in the block and, after the commit,
/// outside it.
///
/// The identifier is final. If the block fails, the identifier is never used.
public struct ObjectPlaceholder: Hashable, Sendable {
  /// The identifier that the object will have.
  public let localIdentifier: String
  let identifier: LocalIdentifier

  init(_ identifier: LocalIdentifier) {
    self.identifier = identifier
    localIdentifier = identifier.description
  }
}
