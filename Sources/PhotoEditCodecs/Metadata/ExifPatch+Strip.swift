// SPDX-License-Identifier: Apache-2.0

extension ExifPatch {
  /// The maximum number of directories of one kind that are erased; each may be as large as the
  /// structure.
  static let maximumDirectories = 16

  /// Removes what is to be stripped and overwrites its bytes with zeros.
  mutating func strip() {
    if facts.strip.contains(.location), removeDirectories(ExifTag.gpsDirectory) {
      note("location", "The EXIF GPS directory.")
    }
    stripMakerNoteLocations()
    stripKeywords()
    for (strip, tags, name) in [
      (MetadataRemoval.location, ExifTag.ofLocation, "location"),
      (.device, ExifTag.ofDevice, "device"), (.dates, ExifTag.ofDates, "dates"),
    ] where facts.strip.contains(strip) {
      var count = 0
      for index in directories.indices where index < directories.count {
        count += remove(tags, from: directories[index])
      }
      if count > 0 { note(name, "\(count) EXIF entries.") }
    }
    // GPS data includes the time as well.
    if facts.strip.contains(.dates),
      let gps = tiff.directory(pointedToBy: ExifTag.gpsDirectory, in: tiff.main)
    {
      _ = remove([ExifTag.gpsTimeStamp, ExifTag.gpsDateStamp], from: gps)
    }
  }

  /// Removes XMP, IPTC and Photoshop resources inside EXIF if they may contain stripped data,
  /// positions that do not fit the edit, or an image.
  mutating func removeCopies() {
    let removesAll = !facts.strip.isEmpty || facts.geometry?.isIdentity != true
    for index in directories.indices where index < directories.count {
      let owner = directories[index]
      let tags = owner.entries.filter { entry in
        guard ExifTag.ofCopies.contains(entry.tag) else { return false }
        return removesAll
          || entry.value.map { EmbeddedPreview.occurs(in: Array(tiff.bytes[$0])) } == true
      }.map(\.tag)
      guard remove(Set(tags), from: owner) > 0 else { continue }
      if facts.strip.isEmpty { hasLostCopies = true }
      for (name, kind) in MetadataRemoval.names where facts.strip.contains(kind) {
        note(name, "XMP, IPTC or Photoshop resources inside EXIF.")
      }
    }
  }

  /// Removes people and places from the keywords that Windows stores, as UTF-16 between
  /// semicolons.
  private mutating func stripKeywords() {
    guard let entry = tiff.main?.entry(ExifTag.windowsKeywords), let value = entry.value else {
      return
    }
    let keywords = tiff.windowsText(in: value).split(separator: ";")
    let meanings = keywords.map { people.meaning(ofKeyword: String($0)) }
    let kept = zip(keywords, meanings).filter { $0.1 == nil }.map(\.0)
    guard kept.count < keywords.count else { return }
    let bytes = kept.joined(separator: ";").utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    for (index, position) in value.enumerated() {
      tiff.bytes[position] = index < bytes.count ? bytes[index] : 0
    }
    for meaning in meanings.compactMap({ $0 }) { note(meaning.rawValue, "EXIF XPKeywords.") }
  }

  /// Removes a MakerNote that contains locations; reports any other as kept.
  private mutating func stripMakerNoteLocations() {
    guard facts.strip.contains(.location), !facts.strip.contains(.device), let exif,
      let value = exif.entry(ExifTag.makerNote)?.value
    else { return }
    let make = tiff.main?.entry(ExifTag.make).flatMap { tiff.text($0) } ?? ""
    guard MakerNoteLocations.occur(in: tiff.bytes[value], make: make, tiff.order) else {
      notices.append(
        "The MakerNote is kept, since this kind has no known location data; --strip device removes "
          + "it.")
      return
    }
    _ = remove([ExifTag.makerNote], from: exif)
    removesMakerNote = true
    note("location", "The EXIF MakerNote, where this manufacturer stores locations.")
  }

  /// Zeros all bytes that no entry uses once MakerNotes are removed: nothing else may refer to
  /// them.
  mutating func eraseUnused() {
    guard facts.strip.contains(.device) || removesMakerNote else { return }
    let thumbnail = tiff.thumbnail.map { directory in
      [directory.range] + directory.entries.compactMap(\.value)
        + [ExifTag.thumbnailOffset].compactMap { tag in
          guard let start = directory.entry(tag).flatMap({ tiff.integer($0) }),
            start < tiff.bytes.count
          else { return nil }
          return start..<tiff.bytes.count
        }
    }
    let unused = ByteRanges([0..<tiff.bytes.count]).subtracting(ByteRanges(thumbnail ?? []))
    erase(unused.ranges)
  }

  /// Returns whether a patched structure still contains stripped data because parts of it overlap.
  func containsStrippedData(_ result: TIFFStructure) -> Bool {
    if exceedsStripLimit { return true }
    var tags: Set<Int> = facts.strip.isEmpty ? [] : ExifTag.ofCopies
    if facts.strip.contains(.location) {
      tags.formUnion(ExifTag.ofLocation.union([ExifTag.gpsDirectory]))
    }
    if removesMakerNote { tags.insert(ExifTag.makerNote) }
    if facts.strip.contains(.device) { tags.formUnion(ExifTag.ofDevice) }
    if facts.strip.contains(.dates) { tags.formUnion(ExifTag.ofDates) }
    guard !tags.isEmpty else { return false }
    let exif = result.directory(pointedToBy: ExifTag.exifDirectory, in: result.main)
    return [result.main, exif].compactMap { $0 }.contains { directory in
      directory.entries.contains { tags.contains($0.tag) }
    }
  }

  private mutating func note(_ kind: String, _ detail: String) {
    let entry = StrippedMetadata(kind: kind, detail: detail)
    if !stripped.contains(entry) { stripped.append(entry) }
  }

  private mutating func removeDirectories(_ tag: Int) -> Bool {
    var dead: [Range<Int>] = []
    var offsets: Set<Int> = []
    var isRemoved = false
    for index in directories.indices where index < directories.count {
      let owner = directories[index]
      // Read before anything is moved.
      for entry in owner.entries where entry.tag == tag {
        isRemoved = true
        guard let offset = tiff.integer(entry), offsets.insert(offset).inserted else { continue }
        guard offsets.count <= Self.maximumDirectories else {
          exceedsStripLimit = true
          return true
        }
        guard let directory = tiff.directory(at: offset) else { continue }
        dead.append(directory.range)
        dead += directory.entries.filter(\.isOutOfLine).compactMap(\.value)
      }
      _ = tiff.remove([tag], from: owner)
    }
    erase(dead)
    return isRemoved
  }

  private mutating func remove(_ tags: Set<Int>, from directory: TIFFStructure.Directory) -> Int {
    let removed = tiff.remove(tags, from: directory)
    erase(removed.filter(\.isOutOfLine).compactMap(\.value))
    return removed.count
  }
}

/// Ranges of offsets, sorted, disjoint and non-empty.
struct ByteRanges {
  private(set) var ranges: [Range<Int>]

  /// Sorts ranges and joins those that overlap.
  init(_ unsorted: [Range<Int>]) {
    var joined: [Range<Int>] = []
    for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] =
          last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    ranges = joined
  }

  /// Returns the parts of these ranges that are in none of the others.
  func subtracting(_ other: ByteRanges) -> ByteRanges {
    var remaining: [Range<Int>] = []
    var next = other.ranges.startIndex
    for range in ranges {
      var start = range.lowerBound
      while next < other.ranges.endIndex, other.ranges[next].upperBound <= start { next += 1 }
      var hole = next
      while hole < other.ranges.endIndex, other.ranges[hole].lowerBound < range.upperBound {
        if other.ranges[hole].lowerBound > start {
          remaining.append(start..<other.ranges[hole].lowerBound)
        }
        start = Swift.max(start, other.ranges[hole].upperBound)
        hole += 1
      }
      if start < range.upperBound { remaining.append(start..<range.upperBound) }
      // The last hole may reach into the next range.
      next = Swift.max(next, hole - 1)
    }
    return ByteRanges(remaining)
  }

  /// Returns whether any byte of the range is in these ranges.
  func overlaps(_ range: Range<Int>) -> Bool {
    ranges.contains { $0.overlaps(range) }
  }
}
