// SPDX-License-Identifier: Apache-2.0

/// Creates the XMP segments of one rendering, for the packet and its extension.
struct XMPRendering {
  let segments: [JPEGSegment]
  let facts: RenderedImageProperties
  let dropsDepthMap: Bool
  var colors = ExifPatch.RenderedColorSpace.unchanged
  /// Indicates whether the rendering has the color profile of the source.
  var keepsProfile = true
  /// The people and places whose names are to be stripped from keywords.
  var people = PersonNames()
  private(set) var losses: [MetadataLoss] = []
  private(set) var stripped: [StrippedMetadata] = []
  private(set) var hadThumbnail = false
  private var extendedNames: [String: String] = [:]
  private let settings: XMPPatch.Settings
  private let edits: XMPPatch.Edits

  init(segments: [JPEGSegment], facts: RenderedImageProperties, dropsDepthMap: Bool) {
    (self.segments, self.facts, self.dropsDepthMap) = (segments, facts, dropsDepthMap)
    let packets = segments.filter { $0.kind == .xmp }.map { XMPPacket(payload: $0.payload) }
    settings = XMPPatch.Settings(packets)
    // Large packets are scanned once more only if it matters.
    let extended = ExtendedXMP.groups(in: segments).compactMap { _, indices in
      ExtendedXMP.joining(indices.map { segments[$0].payload })?.bytes
    }.filter { $0.firstOffset(of: Array(XMPNamespace.darktable.rawValue.utf8)) != nil }
    edits = XMPPatch.Edits(packets + extended.map { XMPPacket($0) })
  }

  /// Returns, for each segment, the payloads that replace it.
  mutating func run() -> [[[UInt8]]] {
    var results = segments.map { [$0.payload] }
    // The packet must refer to the extension by its new name.
    extend(&results)
    for (index, segment) in segments.enumerated() where segment.kind == .xmp {
      results[index] = packet(segment.payload)
    }
    return results
  }

  private mutating func packet(_ payload: [UInt8]) -> [[UInt8]] {
    let signature = JPEGSegment.Signature.xmp
    let limit = JPEGSegment.maximumPayloadCount - signature.count
    let packet = XMPPacket(payload: payload)
    if packet.containsThumbnails { hadThumbnail = true }
    // A packet from one segment remains in one; packets in other formats can have any size.
    let isLarge = packet.bytes.count > limit
    guard let bytes = patched(packet, limit: isLarge ? Int.max : limit) else { return [] }
    if bytes.count <= limit { return [signature + bytes] }
    guard let (rest, moved) = ExtendedXMP.splitting(bytes, limit: limit) else {
      reportLoss()
      return []
    }
    return [signature + rest] + moved.payloads
  }

  /// Patches the extended packets and splits the changed ones again.
  private mutating func extend(_ results: inout [[[UInt8]]]) {
    let groups = ExtendedXMP.groups(in: segments)
    if dropsDepthMap {
      for index in groups.flatMap(\.indices) { results[index] = [] }
      return
    }
    for (name, indices) in groups {
      guard let joined = ExtendedXMP.joining(indices.map { segments[$0].payload }) else {
        // It cannot be parsed, so its contents are unknown.
        if !facts.strip.isEmpty {
          for index in indices { results[index] = [] }
          note("Unreadable extended XMP.")
        }
        continue
      }
      let packet = XMPPacket(joined.bytes)
      if packet.containsThumbnails { hadThumbnail = true }
      let bytes = patched(packet, limit: Int.max, isExtended: true)
      if bytes == joined.bytes { continue }
      for index in indices { results[index] = [] }
      guard let bytes, !bytes.isEmpty else { continue }
      let changed = ExtendedXMP(bytes)
      extendedNames[name] = changed.name
      results[indices[0]] = changed.payloads
    }
  }

  private mutating func patched(
    _ packet: XMPPacket, limit: Int, isExtended: Bool = false
  ) -> [UInt8]? {
    if !facts.strip.isEmpty, !packet.scan.isWellFormed {
      note("An XMP packet that is not well-formed.")
      return nil
    }
    var patch = XMPPatch(packet, facts: facts, dropsDepthMap: dropsDepthMap)
    patch.colors = colors
    patch.people = people
    patch.keepsProfile = keepsProfile
    patch.settings = settings
    patch.edits = edits
    patch.isExtended = isExtended
    patch.extendedNames = extendedNames
    let result = patch.apply(limit: limit)
    if !patch.imageOffsets.isEmpty { hadThumbnail = true }
    losses += patch.losses
    stripped += patch.stripped
    guard let result else {
      reportLoss()
      return nil
    }
    let forbiddenWords = XMPPatch.forbiddenWords(of: facts.strip)
    let small =
      forbiddenWords.isEmpty ? [] : result.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let containsForbiddenWords = forbiddenWords.contains {
      small.firstOffset(of: Array($0.utf8)) != nil
    }
    let containsLocations =
      facts.strip.contains(.location)
      && PropertyMeaning.location.occurs(in: result, result.indices)
    if containsForbiddenWords || containsLocations {
      note("An XMP packet that contains such data in unreadable parts.")
      return nil
    }
    return result
  }

  private mutating func reportLoss() {
    losses.append(
      MetadataLoss(
        .xmp, "The XMP packet is damaged or too large, and is left out."))
  }

  private mutating func note(_ detail: String) {
    for (name, kind) in MetadataRemoval.names where facts.strip.contains(kind) {
      stripped.append(StrippedMetadata(kind: name, detail: detail))
    }
  }
}
