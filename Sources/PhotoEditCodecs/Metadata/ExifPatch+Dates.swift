// SPDX-License-Identifier: Apache-2.0

extension ExifPatch {
  /// Writes the modifying program and the modification date.
  mutating func patchDates() {
    for directory in directories {
      if let entry = directory.entry(ExifTag.software) { write(facts.software, into: entry) }
    }
    guard let date = facts.modificationDate, let text = date.exifText,
      !facts.strip.contains(.dates)
    else { return }
    addMissing(text, date.offsetText)
    // Without the date, the offset and the fraction would refer to the old one.
    guard let entry = tiff.main?.entry(ExifTag.modifyDate), write(text, into: entry) else { return }
    for directory in directories {
      if let entry = directory.entry(ExifTag.offsetTime) { write(date.offsetText, into: entry) }
      if let entry = directory.entry(ExifTag.subSecTime), entry.count > 1 {
        write(String(repeating: "0", count: min(entry.count - 1, 9)), into: entry)
      }
    }
  }

  /// Adds ModifyDate, Software and OffsetTime where they are missing.
  ///
  /// Readers of versions before 2.31 do not support OffsetTime. The fraction of a second is unknown
  /// and therefore not written.
  private mutating func addMissing(_ date: String, _ offset: String) {
    guard let main = tiff.main else { return }
    // The EXIF directory goes first: growing it changes an entry of the main one.
    if let exif, exif.entry(ExifTag.offsetTime) == nil,
      let version = exif.entry(ExifTag.exifVersion)?.value, version.count == 4,
      let number = MetadataText.integer(MetadataText.latin1(tiff.bytes[version])), number >= 231,
      let pointer = main.entry(ExifTag.exifDirectory),
      let newOffset = grow(exif, by: [(ExifTag.offsetTime, offset)])
    {
      tiff.point(pointer, to: newOffset, type: 4, count: 1)
      erase([exif.range])
    }
    let missing = [(ExifTag.software, facts.software), (ExifTag.modifyDate, date)].filter {
      main.entry($0.0) == nil
    }
    if !missing.isEmpty, let current = tiff.main, let newOffset = grow(current, by: missing) {
      tiff.bytes.store32(newOffset, at: 4, tiff.order)
      erase([current.range])
    }
  }

  /// Copies a directory and adds texts; returns its new offset, or nil if there is no space.
  private mutating func grow(
    _ directory: TIFFStructure.Directory, by texts: [(tag: Int, text: String)]
  ) -> Int? {
    let before = tiff.bytes.count
    var entries: [TIFFStructure.NewEntry] = []
    for (tag, text) in texts {
      let value = Array(text.utf8) + [0]
      guard let newOffset = tiff.append(value, limit: Self.limit) else { break }
      entries.append(.init(tag: tag, type: 2, count: value.count, field: tiff.long(newOffset)))
    }
    if entries.count == texts.count,
      let newOffset = tiff.grow(directory, by: entries, limit: Self.limit)
    {
      return newOffset
    }
    tiff.bytes.removeSubrange(before...)
    return nil
  }

  /// Sets the value of an entry to a text: in place if there is space and the value is not shared,
  /// otherwise at the end; returns whether it succeeded.
  @discardableResult
  private mutating func write(_ text: String, into entry: TIFFStructure.Entry) -> Bool {
    let bytes = Array(text.utf8) + [0]
    if entry.type == 2, let value = entry.value, value.count >= bytes.count,
      !entry.isOutOfLine || !isShared(entry, value)
    {
      for (i, position) in value.enumerated() {
        tiff.bytes[position] = i < bytes.count ? bytes[i] : 0
      }
      return true
    }
    if bytes.count <= 4 {
      tiff.point(entry, to: 0, count: bytes.count)
      for i in 0..<4 { tiff.bytes[entry.position + 8 + i] = i < bytes.count ? bytes[i] : 0 }
      return true
    }
    guard let newOffset = tiff.append(bytes, limit: Self.limit) else { return false }
    tiff.point(entry, to: newOffset, count: bytes.count)
    return true
  }
}
