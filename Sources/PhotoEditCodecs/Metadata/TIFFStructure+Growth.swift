// SPDX-License-Identifier: Apache-2.0

extension TIFFStructure {
  /// A new directory entry.
  struct NewEntry {
    let tag: Int
    let type: Int
    let count: Int
    /// The value itself or its offset.
    let field: [UInt8]
  }

  /// Returns two bytes in the byte order of the structure.
  func short(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = [0, 0]
    bytes.store16(value, at: 0, order)
    return bytes
  }

  /// Returns four bytes in the byte order of the structure.
  func long(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.store32(value, at: 0, order)
    return bytes
  }

  /// Appends bytes at an even offset and returns it; nil if the structure would exceed the limit.
  mutating func append(_ block: [UInt8], limit: Int) -> Int? {
    let start = (bytes.count + 1) & ~1
    guard start <= limit, block.count <= limit - start else { return nil }
    if start > bytes.count { bytes.append(0) }
    bytes += block
    return start
  }

  /// Points an entry to a text stored elsewhere.
  mutating func point(_ entry: Entry, toTextAt offset: Int, count: Int) {
    bytes.store16(2, at: entry.position + 2, order)
    bytes.store32(count, at: entry.position + 4, order)
    bytes.store32(offset, at: entry.position + 8, order)
  }

  /// Appends a copy of a directory with additional entries; returns its offset.
  ///
  /// The copy is sorted by tag if the directory was. The caller must update the pointer to it.
  mutating func grow(_ directory: Directory, by new: [NewEntry], limit: Int) -> Int? {
    guard directory.linkPosition != nil, directory.entries.count + new.count <= 0xFFFF else {
      return nil
    }
    var rows = directory.entries.map {
      (tag: $0.tag, bytes: bytes[$0.position..<($0.position + 12)])
    }
    for entry in new {
      let row = short(entry.tag) + short(entry.type) + long(entry.count) + entry.field
      let index = rows.firstIndex { $0.tag > entry.tag } ?? rows.count
      rows.insert((entry.tag, row[...]), at: index)
    }
    let block = short(rows.count) + rows.flatMap(\.bytes) + long(directory.next)
    return append(block, limit: limit)
  }

  /// Removes all entries with some tags from a directory; the entries after them move up.
  ///
  /// Returns the removed entries with the ranges of their values.
  mutating func remove(_ tags: Set<Int>, from directory: Directory) -> [Entry] {
    let removed = directory.entries.filter { tags.contains($0.tag) }
    guard !removed.isEmpty else { return [] }
    guard directory.linkPosition != nil else {
      // The end of a truncated directory is unknown, so that no entries may be moved.
      for entry in removed {
        for position in entry.position..<(entry.position + 12) { bytes[position] = 0 }
      }
      return removed
    }
    let remaining = directory.entries.filter { !tags.contains($0.tag) }
    let block =
      short(remaining.count) + remaining.flatMap { bytes[$0.position..<($0.position + 12)] }
      + long(directory.next)
    let blank = [UInt8](repeating: 0, count: directory.range.count - block.count)
    bytes.replaceSubrange(directory.range, with: block + blank)
    return removed
  }
}
