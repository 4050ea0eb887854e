// SPDX-License-Identifier: Apache-2.0

/// Dates, locations and identifiers in the header.
extension EditableMovie {
  mutating func setCreationDate(_ date: MovieDate) throws(MovieError) {
    guard let seconds = date.secondsSince1904 else {
      throw .impossibleEdit(
        edit: "creationDate", reason: "\(date) is out of range (allowed: 1904-01-01 – 2040-02-06)")
    }
    try header.change("mvhd") { box throws(MovieError) in try box.set(time: seconds, at: 4) }
    for index in tracks.indices {
      try tracks[index].tree.change("tkhd") { box throws(MovieError) in
        try box.set(time: seconds, at: 4)
      }
      try tracks[index].tree.change("mdia", "mdhd") { box throws(MovieError) in
        try box.set(time: seconds, at: 4)
      }
    }
    try changeItems { $0.set("com.apple.quicktime.creationdate", to: date.description) }
    try replaceUserText("©day", with: date.description, onlyIfThere: true)
  }

  mutating func setLocation(_ location: MovieLocation) throws(MovieError) {
    try changeItems { items in
      items.remove { $0.hasPrefix("com.apple.quicktime.location.") }
      items.set(locationKey, to: location.description)
    }
    try changeUserData { $0.remove(["loci"]) }
    try replaceUserText("©xyz", with: location.description, onlyIfThere: false)
  }

  /// The user data texts with the same meaning as keys.
  private static let userTexts: [String: FourCC] = [
    "com.apple.quicktime.title": "©nam", "com.apple.quicktime.description": "©des",
  ]

  /// Sets a text by its key; nil removes it.
  mutating func setText(_ key: String, _ value: String?) throws(MovieError) {
    guard value.map({ $0.utf8.count <= MovieLimits.maximumTagBytes }) != false else {
      throw .tooLarge(
        what: "bytes of metadata", value: value?.utf8.count ?? 0,
        limit: MovieLimits.maximumTagBytes)
    }
    try changeItems { items in
      if let value { items.set(key, to: value) } else { items.remove { $0 == key } }
    }
    if let type = Self.userTexts[key] {
      try replaceUserText(type, with: value, onlyIfThere: true)
    }
  }

  /// Sets the identifier that pairs the movie with a still image.
  mutating func setContentIdentifier(_ identifier: String) throws(MovieError) {
    let bytes = identifier.utf8
    guard !bytes.isEmpty, bytes.count <= 256, bytes.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw .impossibleEdit(
        edit: "contentIdentifier",
        reason: "expected 1 to 256 printable ASCII characters without spaces")
    }
    try changeItems { $0.set(contentIdentifierKey, to: identifier) }
  }

  /// Sets the packet of XMP, where QuickTime has it.
  mutating func setPacket(_ packet: [UInt8], _ source: OpenedMovie) throws(MovieError) {
    try changeUserData { $0.remove(["XMP_"]) }
    guard try addUserData(BoxTree("XMP_", packet)) else {
      throw .impossibleEdit(edit: "metadata", reason: "its user data is not in boxes")
    }
    let others = otherBoxes.count
    for (index, range) in otherBoxes.enumerated().reversed() where range.count >= 24 {
      let head = try source.bytes(in: range.lowerBound..<(range.lowerBound + 24))
      if FourCC(head[4..<8]) == "uuid", head.dropFirst(8).elementsEqual(packetIdentifier) {
        otherBoxes.remove(at: index)
      }
    }
    // Only a new layout has no longer the one next to the header.
    if otherBoxes.count < others { changesMedia = true }
  }

  private mutating func changeItems(_ body: (inout MetadataItems) -> Void) throws(MovieError) {
    // Some programs store the keys in the user data; they are changed there.
    var hasItems = false
    try changeUserData { box throws(MovieError) in
      for index in box.children?.indices ?? 0..<0 where box.children?[index].type == "meta" {
        guard let found = box.children?[index], var items = try MetadataItems(found) else {
          continue
        }
        body(&items)
        box.children?[index] = try items.written()
        hasItems = true
      }
    }
    let index = header.children?.firstIndex { $0.type == "meta" }
    guard let index, let box = header.children?[index] else {
      if hasItems { return }
      var items = MetadataItems()
      body(&items)
      if !items.isEmpty { header.children?.append(try items.written()) }
      return
    }
    guard var items = try MetadataItems(box) else {
      throw .impossibleEdit(
        edit: "tags", reason: "the metadata does not use QuickTime keys")
    }
    body(&items)
    header.children?[index] = try items.written()
  }

  /// Moves the chapters of a list in the user data, which MPEG-4 writers store with or without a
  /// chapter track.
  ///
  /// - Parameter kept: The part of the movie that remains, in its timescale units.
  mutating func trimChapterList(to kept: Range<Int>) throws(MovieError) {
    // The list counts in units of 100 ns.
    let kept =
      scaled(
        kept.lowerBound, by: 10_000_000, over: timescale)..<scaled(
        kept.upperBound, by: 10_000_000, over: timescale)
    var isDamaged = false
    try changeUserData { box throws(MovieError) in
      guard let list = box.child("chpl") else { return }
      do throws(MovieError) {
        let trimmed = try ChapterList(list).trimmed(to: kept)
        if trimmed.chapters.isEmpty {
          box.remove(["chpl"])
        } else {
          box.replace(trimmed.written())
        }
      } catch {
        isDamaged = true
        box.remove(["chpl"])
      }
    }
    if isDamaged { losses.append("box moov/udta/chpl, which is damaged") }
  }

  private mutating func changeUserData(
    _ body: (inout BoxTree) throws(MovieError) -> Void
  ) throws(MovieError) {
    for index in header.children?.indices ?? 0..<0 where header.children?[index].type == "udta" {
      guard var box = header.children?[index], box.children != nil else { continue }
      try body(&box)
      header.children?[index] = box
    }
  }

  /// Replaces a user data text in all its languages by one text; nil removes it.
  mutating func replaceUserText(
    _ type: FourCC, with text: String?, onlyIfThere: Bool
  ) throws(MovieError) {
    var wasThere = false
    try changeUserData { box in
      wasThere = wasThere || box.child(type) != nil
      box.remove([type])
    }
    guard let text, wasThere || !onlyIfThere else { return }
    var bytes: [UInt8] = []
    bytes.append(u16: UInt16(clamping: text.utf8.count))
    // "und", packed.
    bytes.append(u16: 0x55c4)
    bytes += text.utf8
    _ = try addUserData(BoxTree(type, bytes))
  }

  /// Adds user data before the others; returns false if they are not in boxes.
  private mutating func addUserData(_ data: BoxTree) throws(MovieError) -> Bool {
    if header.child("udta")?.children == nil {
      guard header.child("udta") == nil else { return false }
      header.children?.append(BoxTree("udta", children: []))
    }
    try header.change("udta") { box throws(MovieError) in box.children?.insert(data, at: 0) }
    return true
  }
}

/// The key of a location in ISO 6709 notation.
let locationKey = "com.apple.quicktime.location.ISO6709"
