// SPDX-License-Identifier: Apache-2.0
import Testing

/// The required behaviors that a test covers, by their anchors in `PhotoKitCompatibility.md`.
struct Requirement: TestTrait {
  let anchors: [String]
}

extension Trait where Self == Requirement {
  /// Marks a test of one or more rows of the page; `RequirementTests` compares both.
  static func requirement(_ anchors: String...) -> Self { Self(anchors: anchors) }
}
