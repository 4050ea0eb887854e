// SPDX-License-Identifier: Apache-2.0

/// What of a picture's metadata goes into a rendering, and what does not.
public struct RenderedMetadata: Hashable, Sendable {
  /// The segments, in the order in which they are to be written.
  public var segments: [JPEGSegment]
  /// What is left out because a rendering cannot hold it; begins with `ImageMetadata.losses`.
  public var losses: [MetadataLoss]
  /// What is left out because somebody wanted it so.
  public var stripped: [StrippedMetadata]
  /// What is not as it was in the source without anything being lost; at most 64.
  public var notices: [String] = []
}

extension ImageMetadata {
  /// Makes the segments of a JPEG that renders this picture, and lists everything that is left out.
  ///
  /// The order of the source is kept. If the segments hold a JFIF segment it is the first one, and
  /// the encoder must not write one of its own; an Adobe segment is never among them.
  public func rendered(_ facts: RenderingFacts) -> RenderedMetadata {
    var rendering = MetadataRendering(source: self, facts: facts)
    return rendering.run()
  }

  /// The segments and the losses of `rendered(_:)`.
  public func segments(
    forRendering facts: RenderingFacts
  ) -> (segments: [JPEGSegment], losses: [MetadataLoss]) {
    let result = rendered(facts)
    return (result.segments, result.losses)
  }

  /// Whether an XMP packet keeps a record of instances, so that a rendering needs a name.
  public var hasInstanceIdentifier: Bool {
    segments.contains { segment in
      segment.kind == .xmp
        && segment.payload.firstOffset(
          of: Array(XMPNamespace.mediaManagement.rawValue.utf8)) != nil
    }
  }
}
