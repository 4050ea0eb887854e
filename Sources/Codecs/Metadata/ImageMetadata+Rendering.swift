// SPDX-License-Identifier: Apache-2.0

extension ImageMetadata {
  /// Makes the segments of a JPEG that renders this picture, and lists everything that is left out.
  ///
  /// The order of the source is kept. The list of losses begins with `losses`. If the segments hold
  /// a JFIF segment it is the first one, and the encoder must not write one of its own; an Adobe
  /// segment is never among them.
  public func segments(
    forRendering facts: RenderingFacts
  ) -> (segments: [JPEGSegment], losses: [MetadataLoss]) {
    var rendering = MetadataRendering(source: self, facts: facts)
    return rendering.run()
  }
}

/// The making of the segments of one rendering.
private struct MetadataRendering {
  let source: ImageMetadata
  let facts: RenderingFacts
  private var losses: [MetadataLoss]
  private let dropsDepthMap: Bool
  private let keepsProfile: Bool

  init(source: ImageMetadata, facts: RenderingFacts) {
    self.source = source
    self.facts = facts
    losses = source.losses.filter { loss in
      switch (facts.gainMap, loss.kind) {
      case (.none, _): true
      case (_, .gainMap): false
      case (_, .multiplePictures): !source.hasGainMapAlone
      default: true
      }
    }
    dropsDepthMap = source.losses.contains { $0.kind == .depthMap }
    let fits =
      switch source.iccColorSpace {
      case "RGB ": !facts.isGray
      case "GRAY": facts.isGray
      // A damaged profile means as little after the rendering as it did before.
      case nil: true
      default: false
      }
    keepsProfile = facts.keepsColorProfile && fits
  }

  mutating func run() -> (segments: [JPEGSegment], losses: [MetadataLoss]) {
    let photoshop = PhotoshopResources.removingThumbnails(
      from: source.segments.filter { $0.kind == .photoshop }.map(\.payload))
    var nextPhotoshop = photoshop.makeIterator()
    var carried: [JPEGSegment] = []
    for segment in source.segments {
      let payload =
        segment.kind == .photoshop ? nextPhotoshop.next() ?? nil : patched(segment)
      guard let payload else { continue }
      guard payload.count <= JPEGSegment.maximumPayloadCount else {
        lose(.oversizedSegment, "\(payload.count) bytes of \(segment.kind) do not fit in a JPEG.")
        continue
      }
      carried.append(JPEGSegment(marker: segment.marker, payload: payload))
    }
    if let density = density(besides: carried) {
      carried.insert(JPEGSegment(marker: 0xE0, payload: density), at: 0)
    }
    if case .carriesGainMap = facts.gainMap {
      carried.append(JPEGSegment(marker: 0xE2, payload: MultiPictureIndex.blank))
    }
    return (carried, losses)
  }

  /// A segment's payload as the rendering has it; nil to leave the segment out.
  private mutating func patched(_ segment: JPEGSegment) -> [UInt8]? {
    switch segment.kind {
    // JFIF comes first whatever its place was; thumbnails show the picture before the edit; the
    // encoder knows its own colour transform; the others are losses that reading has listed.
    case .jfif, .jfifExtension, .adobe, .mpf, .jumbf: return nil
    case .gainMap: return facts.gainMap == .none ? nil : segment.payload
    case .exif:
      let patched = ExifPatch.apply(to: segment.payload, facts: facts)
      if patched == nil {
        lose(.exif, "The EXIF structure overlaps itself and cannot be made to say upright.")
      }
      return patched
    case .xmp:
      let signature = JPEGSegment.Signature.xmp
      let patched = XMPPatch(facts: facts, dropsDepthMap: dropsDepthMap).apply(
        to: XMPPacket(payload: segment.payload),
        limit: JPEGSegment.maximumPayloadCount - signature.count)
      if patched == nil {
        lose(
          .xmp, "The XMP packet is damaged or too large, and cannot be made to fit the rendering.")
      }
      return patched.map { signature + $0 }
    case .extendedXMP: return dropsDepthMap ? nil : segment.payload
    case .icc:
      if !keepsProfile {
        lose(.colorProfile, "The ICC profile does not describe the colours of the rendering.")
      }
      return keepsProfile ? segment.payload : nil
    case .photoshop, .comment, .other: return segment.payload
    }
  }

  /// The JFIF payload of the rendering; nil when EXIF says all there is to say.
  ///
  /// Exif wants its segment first and JFIF wants the same, so that a camera's file has no JFIF; it
  /// stays without. A file with neither gets one: it tells every reader what the components are.
  private func density(besides carried: [JPEGSegment]) -> [UInt8]? {
    if let own = source.segments.first(where: { $0.kind == .jfif }) {
      return JFIF.withoutThumbnail(own.payload) ?? JFIF.plain
    }
    return carried.contains { $0.kind == .exif } ? nil : JFIF.plain
  }

  private mutating func lose(_ kind: MetadataLoss.Kind, _ detail: String) {
    let loss = MetadataLoss(kind, detail)
    if losses.count < 2 * MetadataFindings.maximumCount, !losses.contains(loss) {
      losses.append(loss)
    }
  }
}
