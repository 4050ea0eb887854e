// SPDX-License-Identifier: Apache-2.0

/// Creates the metadata segments of one rendering.
struct MetadataRendering {
  let source: ImageMetadata
  let facts: RenderedImageProperties
  private(set) var losses: [MetadataLoss]
  private(set) var stripped: [StrippedMetadata] = []
  private var findings = MetadataDiagnostics()
  let dropsDepthMap: Bool
  private let keepsProfile: Bool
  private let colors: ExifPatch.RenderedColorSpace
  /// The people and places in the photo, as far as they are to be stripped.
  private let people: PersonNames
  private var lostThumbnail = false
  /// The name of a thumbnail other than the one in EXIF.
  private var lostCopy: String?
  private var hasThumbnail = false
  private var hasSeenEXIF = false
  /// The indexes of the segments that are not interpreted and contain images.
  private let imageSegments: Set<Int>
  /// The indexes of the segments that may contain samples of the same view and do not fit the edit.
  private let sampleSegments: Set<Int>

  init(source: ImageMetadata, facts: RenderedImageProperties) {
    (self.source, self.facts) = (source, facts)
    imageSegments = EmbeddedPreview.segments(in: source.segments)
    sampleSegments =
      facts.geometry?.isIdentity == true
      ? [] : EmbeddedPreview.sampleSegments(in: source.segments)
    losses = source.losses.filter { loss in
      switch (facts.gainMap, loss.kind) {
      case (.none, _): true
      case (_, .gainMap): false
      case (_, .multipleImages): source.listedImageCount != 2
      default: true
      }
    }
    people =
      facts.strip.isDisjoint(with: [.people, .location])
      ? PersonNames()
      : PersonNames(
        source.segments.filter { $0.kind == .xmp }.map { XMPPacket(payload: $0.payload) },
        strip: facts.strip)
    dropsDepthMap = source.losses.contains { $0.kind == .depthMap }
    let fits =
      switch source.iccColorSpace {
      case "RGB ": !facts.isGray
      case "GRAY": facts.isGray
      // A damaged profile is as meaningless after the rendering as before.
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
    for (index, segment) in source.segments.enumerated() {
      let payloads: [[UInt8]] =
        switch segment.kind {
        case .photoshop: (nextPhotoshop.next() ?? nil).map { [$0] } ?? []
        case .xmp, .extendedXMP: nextXMP.next() ?? []
        default: patched(segment, at: index).map { [$0] } ?? []
        }
      for payload in payloads {
        guard payload.count <= JPEGSegment.maximumPayloadCount else {
          reportLoss(
            .oversizedSegment, "\(payload.count) bytes of \(segment.kind) do not fit in a JPEG.")
          continue
        }
        carried.append(JPEGSegment(marker: segment.marker, payload: payload))
      }
    }
    if facts.strip.contains(.all), facts.keepsCopyright, let notice = copyrightPayload() {
      carried.insert(JPEGSegment(marker: 0xE1, payload: notice), at: 0)
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
      reportLoss(.thumbnail, "The thumbnail shows the image before the edit and is left out.")
    } else if let lostCopy {
      findings.notice("\(lostCopy) shows the image before the edit and is left out.")
    }
    findOrder(carried)
    return RenderedMetadata(
      segments: carried, losses: losses, stripped: stripped, notices: findings.notices)
  }

  /// Returns EXIF with only the copyright notice and the creator, wherever the source states them;
  /// nil if it states neither.
  private func copyrightPayload() -> [UInt8]? {
    let summary = source.summary
    var builder = ExifBuilder(order: .big)
    for (tag, text) in [(ExifTag.artist, summary.creator), (ExifTag.copyright, summary.copyright)] {
      guard let text, !text.isEmpty else { continue }
      let bytes = Array(text.utf8) + [0]
      builder.main.append(.init(tag: tag, type: 2, count: bytes.count, bytes: bytes))
    }
    return builder.isEmpty ? nil : Array("Exif\0\0".utf8) + builder.build()
  }

  /// Returns a segment's payload for the rendering; nil to leave the segment out.
  private mutating func patched(_ segment: JPEGSegment, at index: Int) -> [UInt8]? {
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
    // JFIF comes first, regardless of its index; thumbnails show the image before the edit; the
    // encoder writes its own color transform; the others are losses already listed by reading.
    case .jfif:
      if segment.payload.count > JFIF.plain.count { reportLoss("The thumbnail in JFIF") }
      return nil
    case .jfifExtension:
      reportLoss("The thumbnail in a JFXX segment")
      return nil
    case .adobe:
      findings.notice(
        "The Adobe segment (APP14) is left out: the rendering has the components defined by JFIF "
          + "and EXIF.")
      return nil
    case .mpf:
      if source.listedImageCount == 1 {
        findings.notice("The Multi-Picture index lists only this image and is left out.")
      } else if facts.gainMap != .none {
        findings.notice("The Multi-Picture index is rewritten for the image and its gain map.")
      }
      return nil
    case .jumbf: return nil
    case .gainMap: return facts.gainMap == .none ? nil : segment.payload
    case .exif: return exif(segment.payload)
    case .icc:
      if !keepsProfile && facts.profile == nil {
        reportLoss(.colorProfile, "The ICC profile does not describe the colors of the rendering.")
      }
      return keepsProfile ? segment.payload : nil
    case .other: return mayHoldStripped(segment) ? nil : withoutImage(segment, at: index)
    case .comment: return isStripped(comment: segment) ? nil : withoutImage(segment, at: index)
    case .photoshop, .xmp, .extendedXMP: return segment.payload
    }
  }

  /// Returns whether a segment that is not interpreted may contain data to be stripped.
  ///
  /// Thermal cameras, action cameras and others store locations, serial numbers and times in
  /// segments of their own.
  private mutating func mayHoldStripped(_ segment: JPEGSegment) -> Bool {
    if segment.payload.starts(with: Array("Ducky".utf8)) { return false }
    let kinds = [
      (MetadataRemoval.location, "a location"), (.device, "a serial number"), (.dates, "a date"),
    ].filter { facts.strip.contains($0.0) }
    for (kind, what) in kinds {
      strip(kind.description, "Segment \(name(of: segment)), which may contain \(what).")
    }
    return !kinds.isEmpty
  }

  /// Returns whether a comment has a name of data to be stripped.
  private mutating func isStripped(comment: JPEGSegment) -> Bool {
    if facts.strip.isEmpty { return false }
    let meanings = PropertyMeaning.meanings(ofComment: comment.payload).filter {
      facts.strip.contains($0.removal)
    }
    for meaning in meanings { strip(meaning.rawValue, "A comment that names such data.") }
    return !meanings.isEmpty
  }

  /// Returns the payload of a segment that is not interpreted; nil if an image is in it.
  private mutating func withoutImage(_ segment: JPEGSegment, at index: Int) -> [UInt8]? {
    if sampleSegments.contains(index), !imageSegments.contains(index) {
      reportLoss(
        .auxiliaryImages,
        "The data in segments APP\(segment.marker & 15), which may be an image of another sensor, "
          + "does not fit the edit and is left out.")
      return nil
    }
    guard imageSegments.contains(index) else { return segment.payload }
    reportLoss(
      .thumbnail,
      "A preview in \(segment.kind == .comment ? "a comment" : "segment \(name(of: segment))") "
        + "shows the image before the edit and is left out.")
    return nil
  }

  /// Returns the marker of a segment and the name at its beginning, if there is one.
  private func name(of segment: JPEGSegment) -> String {
    let name = segment.payload.prefix(32).prefix { (0x21...0x7E).contains($0) }
    return "APP\(segment.marker & 15)"
      + (name.isEmpty ? "" : " '\(String(decoding: name, as: UTF8.self))'")
  }

  /// Reports segments whose order changed.
  private mutating func findOrder(_ carried: [JPEGSegment]) {
    guard !facts.strip.contains(.all), source.isOfJPEG else { return }
    let own = source.segments.filter { $0.kind == .jfif }
    guard let first = own.first else {
      if carried.first?.kind == .jfif {
        findings.notice("A JFIF segment is added: the source has neither JFIF nor EXIF.")
      }
      return
    }
    if own.count > 1 { findings.notice("There are \(own.count) JFIF segments; the first is kept.") }
    if first.payload.count < 12 { findings.notice("The JFIF segment is damaged and is rewritten.") }
    if source.segments.first?.kind != .jfif {
      findings.notice("The JFIF segment is moved before the others.")
    }
  }

  /// Records a thumbnail that is left out.
  private mutating func reportLoss(_ copy: String) {
    lostThumbnail = true
    lostCopy = lostCopy ?? copy
  }

  private mutating func exif(_ payload: [UInt8]) -> [UInt8]? {
    // Encoding a thumbnail takes a millisecond, and a file may have a hundred thousand segments.
    var facts = facts
    if hasSeenEXIF { facts.thumbnail = nil }
    hasSeenEXIF = true
    let patched = ExifPatch.apply(to: payload, facts: facts, colors: colors, people: people)
    guard let patched else {
      reportLoss(.exif, "The EXIF structure overlaps itself and is left out.")
      return nil
    }
    let tiff = TIFFStructure(exif: Array(payload.dropFirst(JPEGSegment.exifPrefixCount)))
    if tiff == nil, EmbeddedPreview.occurs(in: payload) {
      reportLoss(.exif, "An unreadable EXIF segment contains a preview and is left out.")
      return nil
    }
    if !facts.strip.isEmpty, tiff?.main == nil {
      for (name, strip) in MetadataRemoval.names where facts.strip.contains(strip) {
        self.strip(name, "An unreadable EXIF segment.")
      }
      return nil
    }
    for entry in patched.stripped { strip(entry.kind, entry.detail) }
    for notice in patched.notices { findings.notice(notice) }
    if patched.isMapPositionRemoved {
      reportLoss(.regions, "The position of a map (GeoTIFF) does not fit the edit and is left out.")
    }
    if patched.isSubjectRemoved {
      reportLoss(.regions, "The subject is outside of the rendering and is left out.")
    }
    if patched.hasLostCopies {
      reportLoss(
        .exif, "XMP, IPTC or Photoshop resources inside EXIF do not fit the edit and are left out.")
    }
    if patched.hadThumbnail { lostThumbnail = true }
    if patched.hasThumbnail { hasThumbnail = true }
    return patched.payload
  }

  /// Returns the payloads of the Photoshop segments for the rendering; nil leaves one out.
  private mutating func photoshopPayloads() -> [[UInt8]?] {
    let payloads = source.segments.filter { $0.kind == .photoshop }.map(\.payload)
    guard !payloads.isEmpty else { return [] }
    if facts.strip.contains(.all) {
      strip("all", "Segments of kind photoshop.")
      return payloads.map { _ in nil }
    }
    var patch = PhotoshopResources(payloads: payloads, facts: facts, people: people)
    let result = patch.patched()
    if patch.hadThumbnail { reportLoss("The thumbnail in a Photoshop resource") }
    if !patch.lostPositions.isEmpty {
      let names = patch.lostPositions.sorted().joined(separator: ", ")
      reportLoss(
        .regions, "Photoshop's \(names) cannot be transformed with this edit and are left out.")
    }
    for entry in patch.stripped { strip(entry.kind, entry.detail) }
    return result
  }

  /// Returns the payloads of the XMP segments: for each source segment, those that replace it.
  private mutating func xmpPayloads() -> [[[UInt8]]] {
    let segments = source.segments.filter { $0.kind == .xmp || $0.kind == .extendedXMP }
    guard !segments.isEmpty else { return [] }
    if facts.strip.contains(.all) {
      strip("all", "Segments of kind xmp.")
      return segments.map { _ in [] }
    }
    var rendering = XMPRendering(segments: segments, facts: facts, dropsDepthMap: dropsDepthMap)
    rendering.colors = colors
    rendering.people = people
    rendering.keepsProfile = keepsProfile
    let result = rendering.run()
    if rendering.hadThumbnail { reportLoss("The thumbnail in XMP") }
    for loss in rendering.losses { reportLoss(loss.kind, loss.detail) }
    for entry in rendering.stripped { strip(entry.kind, entry.detail) }
    return result
  }

  /// Returns the JFIF payload of the rendering; nil if EXIF is sufficient.
  ///
  /// Exif requires its segment to be the first, and so does JFIF; a camera's file therefore has no
  /// JFIF segment and does not get one. A file with neither gets one: it identifies the color
  /// components for every reader.
  private func density(besides carried: [JPEGSegment]) -> [UInt8]? {
    if let own = source.segments.first(where: { $0.kind == .jfif }) {
      return JFIF.withoutThumbnail(
        own.payload, exchangesDensities: facts.exchangesResolutions) ?? JFIF.plain
    }
    return carried.contains { $0.kind == .exif } ? nil : JFIF.plain
  }

  private mutating func reportLoss(_ kind: MetadataLoss.Kind, _ detail: String) {
    let loss = MetadataLoss(kind, detail)
    if losses.count < 2 * MetadataDiagnostics.maximumCount, !losses.contains(loss) {
      losses.append(loss)
    }
  }

  private mutating func strip(_ kind: String, _ detail: String) {
    let entry = StrippedMetadata(kind: kind, detail: detail)
    if stripped.count < MetadataDiagnostics.maximumCount, !stripped.contains(entry) {
      stripped.append(entry)
    }
  }
}
