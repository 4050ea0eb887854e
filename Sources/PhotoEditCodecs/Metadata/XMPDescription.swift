// SPDX-License-Identifier: Apache-2.0

/// A top-level description of an XMP packet, and the ranges of its parts.
struct XMPDescription {
  /// The name of its tag.
  let name: Range<Int>
  /// The offset of the "/" or ">" that ends its start tag.
  let attributesEnd: Int
  /// The content between its tags; empty at the end of the start tag unless it was closed.
  var content: Range<Int>
  /// Indicates whether it is an empty-element tag.
  let isEmpty: Bool
  /// Its own namespace declarations.
  let declarations: [Range<Int>]
  /// The value of its rdf:about attribute.
  let about: Range<Int>?
  /// Its properties that are written as elements.
  var elements: [Range<Int>] = []
}
