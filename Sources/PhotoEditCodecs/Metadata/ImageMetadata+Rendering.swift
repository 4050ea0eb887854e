// SPDX-License-Identifier: Apache-2.0

/// The metadata that a rendering receives from its source, and what is left out.
public struct RenderedMetadata: Hashable, Sendable {
  /// The segments in the order in which they are written.
  public var segments: [JPEGSegment]
  /// Metadata left out because a rendering cannot hold it; begins with `ImageMetadata.losses`.
  public var losses: [MetadataLoss]
  /// Metadata left out on request.
  public var stripped: [StrippedMetadata]
  /// Differences from the source that are not losses; at most 64.
  public var notices: [String] = []
}

extension ImageMetadata {
  /// Creates the segments of a JPEG rendered from this image and lists everything that is left out.
  ///
  /// The order of the source is kept. If the segments include a JFIF segment, it is the first one,
  /// and the encoder must not write its own; there is never an Adobe segment among them.
  public func rendered(_ facts: RenderedImageProperties) -> RenderedMetadata {
    var rendering = MetadataRendering(source: self, facts: facts)
    return rendering.run()
  }

  /// Returns the segments and the losses of `rendered(_:)`.
  public func segments(
    forRendering facts: RenderedImageProperties
  ) -> (segments: [JPEGSegment], losses: [MetadataLoss]) {
    let result = rendered(facts)
    return (result.segments, result.losses)
  }

  /// Indicates whether an XMP packet contains instance identifiers, so that a rendering needs its
  /// own.
  public var hasInstanceIdentifier: Bool {
    segments.contains { segment in
      segment.kind == .xmp
        && segment.payload.firstOffset(
          of: Array(XMPNamespace.mediaManagement.rawValue.utf8)) != nil
    }
  }
}
