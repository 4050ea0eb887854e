// SPDX-License-Identifier: Apache-2.0

/// A top-level description of an XMP packet, and where its parts stand.
struct XMPDescription {
  /// The name of its tag.
  let name: Range<Int>
  /// Where the "/" or the ">" that ends its start tag stands.
  let attributesEnd: Int
  /// What stands between its tags; empty at the end of the start tag unless it was closed.
  var content: Range<Int>
  /// Whether it is a single tag.
  let isEmpty: Bool
  /// Its own declarations of namespaces.
  let declarations: [Range<Int>]
  /// What it is about.
  let about: Range<Int>?
  /// Its properties that are written as elements.
  var elements: [Range<Int>] = []
}
