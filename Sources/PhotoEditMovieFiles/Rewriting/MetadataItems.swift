// SPDX-License-Identifier: Apache-2.0

/// The named values of a movie: QuickTime's `meta` box with its `keys` and `ilst`.
///
/// Source: QuickTime File Format, "metadata". Values of any type are kept unchanged.
struct MetadataItems: Sendable {
  /// One value; the bytes are the content of its item.
  struct Item: Sendable {
    /// Index among the keys, from 0.
    var key: Int
    var bytes: ArraySlice<UInt8>
  }

  private var prefix: [UInt8]
  private var keys: [(space: FourCC, name: String)]
  private var items: [Item]
  /// Boxes other than `keys` and `ilst`.
  private var others: [BoxTree]

  init() {
    prefix = []
    keys = []
    items = []
    var handler = [UInt8](repeating: 0, count: 8) + Array("mdta".utf8)
    handler += [UInt8](repeating: 0, count: 13)
    others = [BoxTree("hdlr", handler)]
  }

  /// Reads a `meta` box; nil if it contains anything but keys.
  init?(_ box: BoxTree) throws(MovieError) {
    self.init()
    let bytes = Array(box.bytes)
    var start = BoxReader(bytes, name: "moov/meta")
    guard start.remaining >= 8 else { return nil }
    var probe = start
    try probe.skip(4)
    // In ISO files `meta` has a version and flags, in QuickTime it does not.
    if try probe.fourCC() != "hdlr" {
      prefix = Array(bytes[..<4])
      try start.skip(4)
    }
    let (boxes, _) = try BoxTree.children(of: start)
    others = boxes.filter { $0.type != "keys" && $0.type != "ilst" }
    guard let handler = others.first(where: { $0.type == "hdlr" }),
      try handler.u32(at: 8) == FourCC("mdta").value
    else { return nil }
    for box in boxes where box.type == "keys" { try readKeys(box) }
    for box in boxes where box.type == "ilst" {
      let list = BoxReader(leaf: box)
      for item in try list.boxes() {
        let index = Int(item.type.value) - 1
        guard keys.indices.contains(index) else { continue }
        items.append(Item(key: index, bytes: list.bytes[item.body]))
      }
    }
  }

  private mutating func readKeys(_ box: BoxTree) throws(MovieError) {
    var cursor = BoxReader(leaf: box)
    try cursor.skip(4)
    let count = try cursor.count(entrySize: 8)
    for _ in 0..<count {
      guard let key = try cursor.nextBox() else { throw .damaged("moov/meta/keys is truncated") }
      keys.append((key.type, String(decoding: cursor.bytes[key.body], as: UTF8.self)))
    }
  }

  var isEmpty: Bool { items.isEmpty }

  /// Removes the version that the box has in ISO files.
  mutating func convertToQuickTime() { prefix = [] }

  /// Sets a text for all languages; replaces the first value of that name.
  mutating func set(_ name: String, to text: String) {
    var content: [UInt8] = []
    let value = Array(text.utf8)
    content.append(u32: UInt32(truncatingIfNeeded: 16 + value.count))
    content.append(u32: FourCC("data").value)
    content.append(u32: 1)
    content.append(u32: 0)
    content += value
    remove { $0 == name }
    var index = keys.firstIndex { $0.name == name && $0.space == "mdta" }
    if index == nil {
      keys.append(("mdta", name))
      index = keys.count - 1
    }
    items.append(Item(key: index ?? 0, bytes: content[...]))
  }

  mutating func remove(where shouldBeRemoved: (String) -> Bool) {
    items.removeAll { shouldBeRemoved(keys[$0.key].name) }
  }

  /// Removes the values that are locations, and all boxes but those of the values; returns the types
  /// of these boxes, except for padding.
  mutating func removeLocations() -> [FourCC] {
    items.removeAll {
      LocationText.isKey(keys[$0.key].name) || LocationText.isIn(value: $0.bytes)
    }
    let removed = others.map(\.type).filter { !["hdlr", "ctry", "lang"].contains($0) }
    others.removeAll { removed.contains($0.type) }
    return removed.filter { $0 != "free" && $0 != "skip" }
  }

  /// Returns the `meta` box; keys without a value are omitted.
  func written() throws(MovieError) -> BoxTree {
    let used = Set(items.map(\.key)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0 + 1) })
    var keyBytes: [UInt8] = [0, 0, 0, 0]
    try keyBytes.append(count: used.count, of: "keys")
    for index in used {
      try BoxTree(keys[index].space, Array(keys[index].name.utf8)).write(to: &keyBytes)
    }
    var list: [UInt8] = []
    for item in items {
      let type = FourCC(UInt32(numbers[item.key] ?? 0))
      try BoxTree(type, Array(item.bytes)).write(to: &list)
    }
    var bytes = prefix
    for box in others where box.type == "hdlr" { try box.write(to: &bytes) }
    try BoxTree("keys", keyBytes).write(to: &bytes)
    try BoxTree("ilst", list).write(to: &bytes)
    for box in others where box.type != "hdlr" { try box.write(to: &bytes) }
    return BoxTree("meta", bytes)
  }
}
