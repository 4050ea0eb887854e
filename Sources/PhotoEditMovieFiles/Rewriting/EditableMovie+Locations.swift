// SPDX-License-Identifier: Apache-2.0

/// The removal of all locations that cameras, phones and programs store in a movie.
///
/// Values that are a location are removed. What cannot be read value by value is removed entirely
/// and reported, if it has a location or may have one: telemetry, boxes of makers, packets of XMP.
/// Frames and sound are not examined.
extension EditableMovie {
  mutating func removeLocations(_ source: OpenedMovie) throws(MovieError) {
    // Some cameras write positions between the samples or as padding; only samples are copied.
    changesMedia = true
    header.removeLocations(path: "moov", known: movieBoxes, &losses)
    for index in tracks.indices {
      tracks[index].tree.removeLocations(path: "moov/trak", known: trackBoxes, &losses)
    }
    try removeOtherBoxes(source)
    try removeLocationTracks(source)
  }

  /// Removes the boxes next to the header, except for XMP without a location.
  private mutating func removeOtherBoxes(_ source: OpenedMovie) throws(MovieError) {
    var kept: [Range<Int>] = []
    for range in otherBoxes {
      let end = min(range.lowerBound + 24, range.upperBound)
      let head = try source.bytes(in: range.lowerBound..<end)
      let type = FourCC(head[4..<8])
      let isPacket = type == "uuid" && Array(head.dropFirst(8)) == packetIdentifier
      if isPacket, range.count <= maximumText,
        !LocationText.isIn(xml: try source.bytes(in: range))
      {
        kept.append(range)
      } else {
        losses.append("box \(type), which \(isPacket ? "contains" : "may contain") location data")
      }
    }
    otherBoxes = kept
  }

  private mutating func removeLocationTracks(_ source: OpenedMovie) throws(MovieError) {
    var removed: Set<Int> = []
    for track in tracks {
      guard let contains = try track.locationEvidence(source) else { continue }
      removed.insert(track.id)
      losses.append("\(track.label), which \(contains) location data")
    }
    if removed.isEmpty { return }
    guard removed.count < tracks.count else {
      throw .impossibleEdit(
        edit: "removeLocation",
        reason: "all its tracks may contain location data, so that nothing would remain")
    }
    try removeTracks { removed.contains($0.id) }
    try updateLengths()
  }
}

extension EditableTrack {
  /// Returns "contains" or "may contain" for a track with locations; nil for one without.
  fileprivate func locationEvidence(_ source: OpenedMovie) throws(MovieError) -> String? {
    switch kind {
    case .video, .audio: return nil
    case .data:
      if layout.codec == "tmcd" { return nil }
      if metadataKeys.contains(where: LocationText.isKey) { return "contains" }
      let isKnown = layout.codec == "mebx" && layout.descriptions == 1 && !metadataKeys.isEmpty
      return isKnown ? nil : "may contain"
    case .subtitle:
      var text: [UInt8] = []
      for chunk in samples.chunks {
        guard chunk.size <= maximumText - text.count else { return "may contain" }
        if case .bytes(let bytes) = chunk.origin {
          text += bytes
        } else {
          text += try source.bytes(in: chunk.offset..<(chunk.offset + chunk.size))
        }
      }
      return LocationText.hasPosition(text) ? "contains" : nil
    }
  }
}

extension BoxTree {
  /// Removes the child boxes with locations, and those that are neither known nor readable.
  fileprivate mutating func removeLocations(
    path: String, known: Set<FourCC>, _ losses: inout [String]
  ) {
    var kept: [BoxTree] = []
    for child in children ?? [] {
      if let child = child.withoutLocations(path: "\(path)/\(child.type)", known: known, &losses) {
        kept.append(child)
      }
    }
    children = kept
    // Zeros may end a list of boxes.
    if bytes.contains(where: { $0 != 0 }) { bytes = [] }
  }

  /// Returns the box without its locations; nil if nothing of it is kept.
  private func withoutLocations(
    path: String, known: Set<FourCC>, _ losses: inout [String]
  ) -> BoxTree? {
    func lost(_ contains: String = "may contain") -> BoxTree? {
      losses.append("box \(path), which \(contains) location data")
      return nil
    }
    switch type {
    case "free", "skip", "wide", "loci", "©xyz": return nil
    case "meta":
      do throws(MovieError) {
        return try metadataWithoutLocations(path: path, &losses)
      } catch {
        return lost()
      }
    case "udta", "mdia":
      guard children != nil else { return bytes.isEmpty ? self : lost() }
      var box = self
      box.removeLocations(path: path, known: type == "udta" ? userData : mediaBoxes, &losses)
      return box
    case "XMP_", "Xtra": return LocationText.isIn(xml: bytes) ? lost("contains") : self
    case "uuid":
      guard Array(bytes.prefix(16)) == packetIdentifier else { return lost() }
      return LocationText.isIn(xml: bytes) ? lost("contains") : self
    case _ where type.value >> 24 == 0xa9 || knownUserData.contains(type):
      return LocationText.isIn(value: bytes) ? lost("contains") : self
    default: return known.contains(type) ? self : lost()
    }
  }

  /// Returns a box of named values without the locations among them.
  private func metadataWithoutLocations(
    path: String, _ losses: inout [String]
  ) throws(MovieError) -> BoxTree? {
    if var items = try MetadataItems(self) {
      losses += items.removeLocations().map {
        "box \(path)/\($0), which may contain location data"
      }
      return try items.written()
    }
    var content = BoxReader(Array(bytes), name: path)
    try content.skip(4)
    // Values of other programs are in the ISO form or, as in QuickTime, without a version.
    if try content.fourCC() == "hdlr" {
      content = BoxReader(Array(bytes), name: path)
    } else {
      content = BoxReader(Array(bytes.dropFirst(4)), name: path)
    }
    var result = Array(bytes.prefix(bytes.count - content.remaining))
    for box in try BoxTree.children(of: content).0 where box.type != "free" && box.type != "skip" {
      let isKept =
        switch box.type {
        case "hdlr", "ilst", "ctry", "lang", "keys": true
        case "xml ": !LocationText.isIn(xml: box.bytes)
        default: false
        }
      if isKept {
        try (box.type == "ilst" ? box.itemsWithoutLocations() : box).write(to: &result)
      } else {
        losses.append("box \(path)/\(box.type), which may contain location data")
      }
    }
    return BoxTree("meta", result)
  }

  /// Returns a list of iTunes without the values that are locations.
  private func itemsWithoutLocations() throws(MovieError) -> BoxTree {
    let list = BoxReader(leaf: self)
    var kept: [UInt8] = []
    for item in try list.boxes() {
      let content = list.bytes[item.body]
      let parts = try list.reader(item).boxes()
      let names = parts.filter { $0.type == "mean" || $0.type == "name" }.map {
        String(decoding: list.bytes[$0.body].dropFirst(4), as: UTF8.self)
      }
      let isLocation =
        item.type == "©xyz" || item.type == "loci" || names.contains(where: LocationText.isKey)
        || LocationText.isIn(value: content)
      if !isLocation { try BoxTree(item.type, Array(content)).write(to: &kept) }
    }
    return BoxTree(type, kept)
  }
}

/// The maximum size of text that is searched for locations; no subtitles are longer.
private let maximumText = 1 << 24

/// The identifier of a box with a packet of XMP; XMP specification, part 3, "MPEG-4".
let packetIdentifier: [UInt8] = [
  0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
]

/// Boxes that describe how a movie is played.
private let movieBoxes: Set<FourCC> = [
  "mvhd", "trak", "mvex", "iods", "pssh", "clip", "ctab", "prfl",
]

/// Boxes that describe how a track is played.
private let trackBoxes: Set<FourCC> = [
  "tkhd", "edts", "tref", "load", "clip", "matt", "imap", "tapt", "txas",
]

private let mediaBoxes: Set<FourCC> = ["mdhd", "hdlr", "minf", "elng"]

/// User data with settings of players, and with the model and the settings of GoPro cameras.
private let userData: Set<FourCC> = [
  "AllF", "LOOP", "SelO", "WLOC", "hinf", "hnti", "ptv ", "tagc", "AMBA", "BCID", "CAME", "FIRM",
  "GUMI", "HMMT", "LENS", "MUID", "SETT", "dscp", "perf", "rtng", "clsf", "kywd",
]
