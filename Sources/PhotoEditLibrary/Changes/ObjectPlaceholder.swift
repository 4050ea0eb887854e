// SPDX-License-Identifier: Apache-2.0

/// Stands for an object that a block creates; valid in the block and, once it is committed, after.
///
/// The identifier is final. When the block fails, nothing will ever have it.
public struct ObjectPlaceholder: Hashable, Sendable {
  /// The identifier that the object will have.
  public let localIdentifier: String
  let identifier: LocalIdentifier

  init(_ identifier: LocalIdentifier) {
    self.identifier = identifier
    localIdentifier = identifier.description
  }
}
