// SPDX-License-Identifier: Apache-2.0

extension TIFFStructure {
  /// What is needed to write a new entry.
  struct NewEntry {
    let tag: Int
    let type: Int
    let count: Int
    /// The value itself or where it lies.
    let field: [UInt8]
  }

  /// Two bytes in the order of the structure.
  func short(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = [0, 0]
    bytes.store16(value, at: 0, order)
    return bytes
  }

  /// Four bytes in the order of the structure.
  func long(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.store32(value, at: 0, order)
    return bytes
  }

  /// Adds bytes behind everything, on an even offset; nil when the structure would pass the limit.
  mutating func append(_ block: [UInt8], limit: Int) -> Int? {
    let start = (bytes.count + 1) & ~1
    guard start <= limit, block.count <= limit - start else { return nil }
    if start > bytes.count { bytes.append(0) }
    bytes += block
    return start
  }

  /// Makes an entry a text that lies elsewhere.
  mutating func point(_ entry: Entry, toTextAt offset: Int, count: Int) {
    bytes.store16(2, at: entry.position + 2, order)
    bytes.store32(count, at: entry.position + 4, order)
    bytes.store32(offset, at: entry.position + 8, order)
  }

  /// Copies a directory with further entries behind everything else; gives its new place.
  ///
  /// The copy is in the order of tags if the directory was. Who points at it must be told.
  mutating func grow(_ directory: Directory, by new: [NewEntry], limit: Int) -> Int? {
    guard directory.linkPosition != nil, directory.entries.count + new.count <= 0xFFFF else {
      return nil
    }
    var rows = directory.entries.map {
      (tag: $0.tag, bytes: bytes[$0.position..<($0.position + 12)])
    }
    for entry in new {
      let row = short(entry.tag) + short(entry.type) + long(entry.count) + entry.field
      let place = rows.firstIndex { $0.tag > entry.tag } ?? rows.count
      rows.insert((entry.tag, row[...]), at: place)
    }
    let block = short(rows.count) + rows.flatMap(\.bytes) + long(directory.next)
    return append(block, limit: limit)
  }

  /// Takes all entries with some tags out of a directory; those behind them move up.
  ///
  /// Gives what was taken out, with the places of the values.
  mutating func remove(_ tags: Set<Int>, from directory: Directory) -> [Entry] {
    let removed = directory.entries.filter { tags.contains($0.tag) }
    guard !removed.isEmpty else { return [] }
    guard directory.linkPosition != nil else {
      // Of a directory that is cut off nobody knows the end, so that nothing may move up.
      for entry in removed {
        for position in entry.position..<(entry.position + 12) { bytes[position] = 0 }
      }
      return removed
    }
    let kept = directory.entries.filter { !tags.contains($0.tag) }
    let block =
      short(kept.count) + kept.flatMap { bytes[$0.position..<($0.position + 12)] }
      + long(directory.next)
    let blank = [UInt8](repeating: 0, count: directory.range.count - block.count)
    bytes.replaceSubrange(directory.range, with: block + blank)
    return removed
  }
}
