// SPDX-License-Identifier: Apache-2.0

/// The making of the segments of one rendering.
struct MetadataRendering {
  let source: ImageMetadata
  let facts: RenderingFacts
  private(set) var losses: [MetadataLoss]
  private(set) var stripped: [StrippedMetadata] = []
  let dropsDepthMap: Bool
  private let keepsProfile: Bool
  private let colors: ExifPatch.ColorTruth
  private var lostThumbnail = false
  private var hasThumbnail = false
  private var hasSeenEXIF = false

  init(source: ImageMetadata, facts: RenderingFacts) {
    self.source = source
    self.facts = facts
    losses = source.losses.filter { loss in
      switch (facts.gainMap, loss.kind) {
      case (.none, _): true
      case (_, .gainMap): false
      case (_, .multiplePictures): source.listedPictureCount != 2
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
    keepsProfile = facts.keepsColorProfile && fits && facts.profile == nil
    colors =
      switch facts.colors {
      case .sRGB: .convertedToSRGB
      case .other: .uncalibrated
      case .ofSource:
        if keepsProfile, source.iccColorSpace == "RGB ", let icc = source.icc {
          ICCProfile.isSRGB(icc) ? .profiledSRGB : .uncalibrated
        } else {
          .unchanged
        }
      }
  }

  mutating func run() -> RenderedMetadata {
    let photoshop = photoshopPayloads()
    let xmp = xmpPayloads()
    var nextPhotoshop = photoshop.makeIterator()
    var nextXMP = xmp.makeIterator()
    var carried: [JPEGSegment] = []
    for segment in source.segments {
      let payloads: [[UInt8]] =
        switch segment.kind {
        case .photoshop: (nextPhotoshop.next() ?? nil).map { [$0] } ?? []
        case .xmp, .extendedXMP: nextXMP.next() ?? []
        default: patched(segment).map { [$0] } ?? []
        }
      for payload in payloads {
        guard payload.count <= JPEGSegment.maximumPayloadCount else {
          lose(.oversizedSegment, "\(payload.count) bytes of \(segment.kind) do not fit in a JPEG.")
          continue
        }
        carried.append(JPEGSegment(marker: segment.marker, payload: payload))
      }
    }
    if let profile = facts.profile {
      carried += ICCProfile.segments(for: profile.bytes) ?? []
    }
    if let density = density(besides: carried) {
      carried.insert(JPEGSegment(marker: 0xE0, payload: density), at: 0)
    }
    if case .carriesGainMap = facts.gainMap {
      carried.append(JPEGSegment(marker: 0xE2, payload: MultiPictureIndex.blank))
    }
    if lostThumbnail && !hasThumbnail {
      lose(.thumbnail, "The small copy of the picture shows it before the edit and is left out.")
    }
    return RenderedMetadata(segments: carried, losses: losses, stripped: stripped)
  }

  /// A segment's payload as the rendering has it; nil to leave the segment out.
  private mutating func patched(_ segment: JPEGSegment) -> [UInt8]? {
    if facts.strip.contains(.all) {
      switch segment.kind {
      case .icc: break
      case .jfif, .jfifExtension, .adobe, .mpf, .jumbf: return nil
      case .gainMap: return facts.gainMap == .none ? nil : segment.payload
      default:
        strip("all", "Segments of kind \(segment.kind).")
        return nil
      }
    }
    switch segment.kind {
    // JFIF comes first whatever its place was; thumbnails show the picture before the edit; the
    // encoder knows its own colour transform; the others are losses that reading has listed.
    case .jfif:
      if segment.payload.count > JFIF.plain.count { lostThumbnail = true }
      return nil
    case .jfifExtension:
      lostThumbnail = true
      return nil
    case .adobe, .mpf, .jumbf: return nil
    case .gainMap: return facts.gainMap == .none ? nil : segment.payload
    case .exif: return exif(segment.payload)
    case .icc:
      if !keepsProfile && facts.profile == nil {
        lose(.colorProfile, "The ICC profile does not describe the colours of the rendering.")
      }
      return keepsProfile ? segment.payload : nil
    case .photoshop, .xmp, .extendedXMP, .comment, .other: return segment.payload
    }
  }

  private mutating func exif(_ payload: [UInt8]) -> [UInt8]? {
    // Encoding one takes a millisecond, and a file may have a hundred thousand segments.
    var facts = facts
    if hasSeenEXIF { facts.thumbnail = nil }
    hasSeenEXIF = true
    guard let patched = ExifPatch.apply(to: payload, facts: facts, colors: colors) else {
      lose(.exif, "The EXIF structure overlaps itself and cannot be made to say upright.")
      return nil
    }
    if !facts.strip.isEmpty, TIFFStructure(Array(payload.dropFirst(6)))?.main == nil {
      for (name, strip) in MetadataStrip.names where facts.strip.contains(strip) {
        self.strip(name, "An EXIF segment that nobody can read.")
      }
      return nil
    }
    for entry in patched.stripped { strip(entry.kind, entry.detail) }
    if patched.hadThumbnail { lostThumbnail = true }
    if patched.hasThumbnail { hasThumbnail = true }
    return patched.payload
  }

  /// The payloads of the Photoshop segments as the rendering has them; nil leaves one out.
  private mutating func photoshopPayloads() -> [[UInt8]?] {
    let payloads = source.segments.filter { $0.kind == .photoshop }.map(\.payload)
    guard !payloads.isEmpty else { return [] }
    if facts.strip.contains(.all) {
      strip("all", "Segments of kind photoshop.")
      return payloads.map { _ in nil }
    }
    var patch = PhotoshopResources(payloads: payloads, strip: facts.strip)
    let result = patch.patched()
    if patch.hadThumbnail { lostThumbnail = true }
    for entry in patch.stripped { strip(entry.kind, entry.detail) }
    return result
  }

  /// The payloads of the XMP segments: for each segment of the source those that take its place.
  private mutating func xmpPayloads() -> [[[UInt8]]] {
    let segments = source.segments.filter { $0.kind == .xmp || $0.kind == .extendedXMP }
    guard !segments.isEmpty else { return [] }
    if facts.strip.contains(.all) {
      strip("all", "Segments of kind xmp.")
      return segments.map { _ in [] }
    }
    var rendering = XMPRendering(segments: segments, facts: facts, dropsDepthMap: dropsDepthMap)
    rendering.colors = colors
    let result = rendering.run()
    if rendering.hadThumbnail { lostThumbnail = true }
    for loss in rendering.losses { lose(loss.kind, loss.detail) }
    for entry in rendering.stripped { strip(entry.kind, entry.detail) }
    return result
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

  private mutating func strip(_ kind: String, _ detail: String) {
    let entry = StrippedMetadata(kind: kind, detail: detail)
    if stripped.count < MetadataFindings.maximumCount, !stripped.contains(entry) {
      stripped.append(entry)
    }
  }
}
